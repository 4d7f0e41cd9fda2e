// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/nav_rail.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/theme_colours.h"
#include <QButtonGroup>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr int kRailWidth = 76, kIconSize = 20, kMeterPoints = 60;
}

LoadMeter::LoadMeter(const QString& name, const QString& colour, QWidget* parent) : QWidget(parent), m_name(name), m_colour(colour) {
  setFixedHeight(40);
  setAccessibleName(name);
}

void LoadMeter::add(std::optional<double> share, const QString& detail) {
  m_shares.append(share ? std::clamp(*share, 0.0, 1.0) : -1);
  while (m_shares.size() > kMeterPoints)
    m_shares.removeFirst();
  setToolTip(detail);
  setAccessibleDescription(detail);
  update();
}

void LoadMeter::paintEvent(QPaintEvent*) {
  const ThemeColours& theme = themeColours(palette());
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QFont small = font();
  small.setPointSizeF(std::max(7.0, font().pointSizeF() - 2.5));
  painter.setFont(small);
  const bool known = !m_shares.isEmpty() && m_shares.last() >= 0;
  painter.setPen(theme.muted);
  painter.drawText(rect().adjusted(0, 0, 0, -24), Qt::AlignLeft | Qt::AlignVCenter, m_name);
  painter.drawText(rect().adjusted(0, 0, 0, -24), Qt::AlignRight | Qt::AlignVCenter, known ? tr("%1 %").arg(static_cast<int>(m_shares.last() * 100 + 0.5)) : QStringLiteral("–"));
  const QRectF box(0.5, 17.5, width() - 1, height() - 18);
  painter.setPen(QPen(theme.border, 1));
  painter.setBrush(theme.window);
  painter.drawRoundedRect(box, 3, 3);
  QColor fill = namedColour(m_colour, theme.kind);
  fill.setAlphaF(0.75f);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  const double step = (box.width() - 2) / kMeterPoints;
  for (qsizetype i = 0; i < m_shares.size(); ++i)
    if (m_shares[i] > 0) {
      const double height = std::max(1.0, m_shares[i] * (box.height() - 2));
      const double x = box.right() - 1 - step * static_cast<double>(m_shares.size() - i);
      painter.drawRect(QRectF(x, box.bottom() - 1 - height, step, height));
    }
}

NavRail::NavRail(QWidget* parent) : QFrame(parent), m_top(new QVBoxLayout), m_bottom(new QVBoxLayout), m_group(new QButtonGroup(this)) {
  setRole(this, "rail");
  setFixedWidth(kRailWidth);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, kSpace, 7, kSpace);
  column->setSpacing(kSpaceSmall);
  m_top->setSpacing(kSpaceSmall);
  m_bottom->setSpacing(kSpaceSmall);
  column->addLayout(m_top);
  column->addStretch();
  m_gpu = new LoadMeter(tr("GPU"), QStringLiteral("utilisation"), this);
  m_cpu = new LoadMeter(tr("CPU"), QStringLiteral("host"), this);
  column->addWidget(m_gpu);
  column->addWidget(m_cpu);
  column->addSpacing(kSpace);
  column->addLayout(m_bottom);
}

QToolButton* NavRail::makeRailButton(const QString& title, const QString& icon) {
  auto* button = new QToolButton(this);
  setRole(button, "rail");
  button->setText(title);
  button->setAccessibleName(title);
  button->setIcon(themedIcon(icon, IconTint::Muted));
  button->setIconSize({kIconSize, kIconSize});
  button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

void NavRail::addPlace(const QString& name, const QString& title, const QString& icon) {
  QToolButton* button = makeRailButton(title, icon);
  button->setCheckable(true);
  m_group->addButton(button);
  m_top->addWidget(button);
  m_buttons[name] = button;
  connect(button, &QToolButton::clicked, this, [this, name] { emit placeChosen(name); });
}

void NavRail::addTool(const QString& name, const QString& title, const QString& icon) {
  QToolButton* button = makeRailButton(title, icon);
  button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  button->setToolTip(title);
  m_bottom->addWidget(button);
  m_buttons[name] = button;
  connect(button, &QToolButton::clicked, this, [this, name] { emit toolPressed(name); });
}

void NavRail::setCurrent(const QString& name) {
  if (QToolButton* button = m_buttons.value(name); button && button->isCheckable())
    button->setChecked(true);
}

void NavRail::setThemeIcon(const QString& icon, const QString& tip) {
  if (QToolButton* button = m_buttons.value(QStringLiteral("theme"))) {
    button->setIcon(themedIcon(icon, IconTint::Muted));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
  }
}

} // namespace voxlab
