// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/fold_strip.h"
#include "widgets/pages/icons.h"
#include "widgets/plots/theme_colours.h"
#include <QPainter>

namespace voxlab {
namespace {
constexpr int kWidth = 12, kArrow = 12;
}

FoldStrip::FoldStrip(Side side, const QString& what, const QString& keys, QWidget* parent) : QAbstractButton(parent), m_side(side), m_what(what), m_keys(keys) {
  setFixedWidth(kWidth);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::PointingHandCursor);
  setFolded(false);
}

void FoldStrip::setFolded(bool folded) {
  m_isFolded = folded;
  const QString does = folded ? tr("Show %1").arg(m_what) : tr("Fold %1 away").arg(m_what);
  setAccessibleName(does);
  setToolTip(tr("%1 (%2)").arg(does, m_keys));
  update();
}

QSize FoldStrip::sizeHint() const { return {kWidth, 40}; }

void FoldStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ThemeColours& theme = themeColours(palette());
  const bool isHot = underMouse() || hasFocus();
  painter.fillRect(rect(), isHot ? theme.raised : theme.window);
  painter.fillRect(m_side == Side::Left ? QRect(width() - 1, 0, 1, height()) : QRect(0, 0, 1, height()), theme.border);
  const bool pointsLeft = (m_side == Side::Left) != m_isFolded;
  const QPixmap arrow = tintedPixmap(pointsLeft ? QStringLiteral("chevron-left") : QStringLiteral("chevron-right"), isHot ? theme.accent : theme.muted, kArrow, devicePixelRatioF());
  painter.drawPixmap((width() - kArrow) / 2, (height() - kArrow) / 2, arrow);
  if (hasFocus()) {
    painter.setPen(theme.accent);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void FoldStrip::enterEvent(QEnterEvent* event) {
  QAbstractButton::enterEvent(event);
  update();
}

void FoldStrip::leaveEvent(QEvent* event) {
  QAbstractButton::leaveEvent(event);
  update();
}

} // namespace voxlab
