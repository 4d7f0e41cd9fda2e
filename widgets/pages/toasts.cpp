// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/toasts.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/theme_colours.h"
#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <memory>

namespace voxlab {
namespace {
constexpr int kWidth = 360, kMargin = 24, kShown_ms = 8000, kMaximum = 4;

// Toasts tell of what was done, too.
QString iconOf(ToastKind kind) { return kind == ToastKind::Information ? QStringLiteral("check") : messageIcon(kind); }
IconTint tintOf(ToastKind kind) { return kind == ToastKind::Information ? IconTint::Accent : messageTint(kind); }
} // namespace

Toasts::Toasts(QWidget* window) : QWidget(window), m_column(new QVBoxLayout(this)) {
  m_column->setContentsMargins(0, 0, 0, 0);
  m_column->setSpacing(kSpace);
  m_column->setSizeConstraint(QLayout::SetFixedSize);
  window->installEventFilter(this);
  hide();
}

void Toasts::add(ToastKind kind, const QString& text, const QString& jumpText, std::function<void()> jump) {
  while (m_column->count() >= kMaximum) { // the oldest may be the one whose click led here
    const std::unique_ptr<QLayoutItem> oldest(m_column->takeAt(0));
    oldest->widget()->hide();
    oldest->widget()->deleteLater();
  }
  auto* toast = new QFrame(this);
  setRole(toast, "card");
  toast->setFixedWidth(kWidth);
  auto* row = new QHBoxLayout(toast);
  row->setContentsMargins(12, 10, kSpace, 10);
  row->setSpacing(kSpace);
  QLabel* icon = makeLabel({}, nullptr, toast);
  icon->setPixmap(themedIcon(iconOf(kind), tintOf(kind)).pixmap(18, 18));
  QLabel* words = makeWrappedLabel(text, nullptr, toast);
  row->addWidget(icon, 0, Qt::AlignTop);
  auto* middle = new QVBoxLayout;
  middle->setSpacing(0);
  middle->addWidget(words);
  row->addLayout(middle, 1);
  const auto close = [this, toast] {
    toast->deleteLater();
    QTimer::singleShot(0, this, &Toasts::place);
  };
  if (jump) {
    QPushButton* link = makeButton(jumpText, "link", {}, toast);
    middle->addWidget(link, 0, Qt::AlignLeft);
    connect(link, &QPushButton::clicked, toast, [jump = std::move(jump), close] {
      jump();
      close();
    });
  }
  QToolButton* cross = makeToolButton(QStringLiteral("close"), tr("Close"), toast);
  row->addWidget(cross, 0, Qt::AlignTop);
  connect(cross, &QToolButton::clicked, toast, close);
  if (kind != ToastKind::Failure)
    QTimer::singleShot(kShown_ms, toast, close);
  m_column->addWidget(toast);
  m_newest = text;
  setAccessibleName(text);
  place();
}

int Toasts::count() const { return m_column->count(); }
QString Toasts::newestText() const { return m_newest; }

void Toasts::place() {
  setVisible(m_column->count() > 0);
  if (!isVisible())
    return;
  adjustSize();
  const QSize room = parentWidget()->size();
  move(room.width() - width() - kMargin, room.height() - height() - kMargin - 24);
  raise();
}

bool Toasts::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize)
    place();
  return QWidget::eventFilter(watched, event);
}

} // namespace voxlab
