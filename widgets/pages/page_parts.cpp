// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/page_parts.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/wheel_guard.h"
#include <QFrame>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace voxlab {

void setRole(QWidget* widget, const char* role) {
  if (role)
    widget->setProperty("role", QString::fromLatin1(role));
}

ElidedLabel::ElidedLabel(const char* role, QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setRole(this, role);
}

void ElidedLabel::setText(const QString& text) {
  QLabel::setText(text);
  tell();
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  tell();
}

// A tip that repeats what can be read only covers what one looks at.
void ElidedLabel::tell() { setToolTip(fontMetrics().horizontalAdvance(text()) > contentsRect().width() ? text() : QString()); }

QSize ElidedLabel::minimumSizeHint() const { return {fontMetrics().horizontalAdvance(QStringLiteral("…")) * 3, QLabel::minimumSizeHint().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.drawText(contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine, fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

FlowingLabel::FlowingLabel(const char* role, QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setWordWrap(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setRole(this, role);
}

QSize FlowingLabel::sizeHint() const {
  const QSize line = fontMetrics().size(Qt::TextSingleLine, text());
  return {line.width() + 2, line.height()}; // two: rounding must not break the line
}

QSize FlowingLabel::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 8, fontMetrics().height()}; }

QLabel* makeLabel(const QString& text, const char* role, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  setRole(label, role);
  return label;
}

QLabel* makeWrappedLabel(const QString& text, const char* role, QWidget* parent) {
  QLabel* label = makeLabel(text, role, parent);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  label->setSizePolicy(policy);
  return label;
}

QHBoxLayout* makeCentredRow(QWidget* widget) {
  auto* row = new QHBoxLayout;
  row->addStretch();
  row->addWidget(widget);
  row->addStretch();
  return row;
}

QFrame* makeCard(const QString& title, QWidget* parent) {
  auto* card = new QFrame(parent);
  setRole(card, "card");
  auto* layout = new QVBoxLayout(card);
  layout->setContentsMargins(kSpaceLarge, 12, kSpaceLarge, kSpaceLarge);
  layout->setSpacing(kSpace);
  if (!title.isEmpty())
    layout->addWidget(makeLabel(title, "heading", card));
  return card;
}

QVBoxLayout* layoutOf(QFrame* card) { return static_cast<QVBoxLayout*>(card->layout()); }

QFrame* makeLine(QWidget* parent) {
  auto* line = new QFrame(parent);
  setRole(line, "line");
  return line;
}

QPushButton* makeButton(const QString& text, const char* role, const QString& icon, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  setRole(button, role);
  if (!icon.isEmpty()) {
    const QLatin1String name(role ? role : "");
    const IconTint tint = name == QLatin1String("primary")  ? IconTint::OnAccent
                          : name == QLatin1String("danger") ? IconTint::Danger
                          : name == QLatin1String("link")   ? IconTint::Accent
                                                            : IconTint::Text;
    button->setIcon(themedIcon(icon, tint));
    button->setIconSize({16, 16});
  }
  button->setCursor(Qt::PointingHandCursor);
  return button;
}

QToolButton* makeToolButton(const QString& icon, const QString& accessibleName, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(themedIcon(icon, IconTint::Muted));
  button->setIconSize({16, 16});
  button->setToolTip(accessibleName);
  button->setAccessibleName(accessibleName);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

QScrollArea* makeScrollArea(QWidget* content, QWidget* parent) {
  auto* area = new QScrollArea(parent);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setFrameShape(QFrame::NoFrame);
  setRole(content, "page");
  area->setWidget(content);
  new WheelGuard(content);
  area->viewport()->setAutoFillBackground(false);
  content->setAutoFillBackground(false);
  return area;
}

void setStyleProperty(QWidget* widget, const char* name, bool value) {
  if (widget->property(name).toBool() == value)
    return;
  widget->setProperty(name, value);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

} // namespace voxlab
