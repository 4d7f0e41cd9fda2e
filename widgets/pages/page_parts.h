// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces that pages are made of, so that they look alike. Colours and sizes stand in resources/style.qss, by role.
#pragma once
#include <QLabel>
#include <QString>

class QFrame;
class QHBoxLayout;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;
class QWidget;

namespace voxlab {

inline constexpr int kSpaceSmall = 4, kSpace = 8, kSpaceLarge = 16;

// Roles: "title", "heading", "caption", "help", "problem", "figure", "mono", …
// One line that is shortened at its end when there is no room, and then has the whole text as tool tip.
class ElidedLabel : public QLabel {
public:
  explicit ElidedLabel(const char* role = nullptr, QWidget* parent = nullptr);
  void setText(const QString& text);
  QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void tell();
};

// One line where there is room for it, and wrapped where not: in a FlowLayout.
class FlowingLabel : public QLabel {
public:
  explicit FlowingLabel(const char* role = nullptr, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
};

QLabel* makeLabel(const QString& text, const char* role = nullptr, QWidget* parent = nullptr);
QLabel* makeWrappedLabel(const QString& text, const char* role = nullptr, QWidget* parent = nullptr);
// A widget of a width of its own in the middle of a column. In place of Qt::AlignHCenter, which gives words that wrap the height that
// they would have in the whole column's width.
QHBoxLayout* makeCentredRow(QWidget* widget);
// A framed surface with a vertical layout; with a heading if there is a title.
QFrame* makeCard(const QString& title = {}, QWidget* parent = nullptr);
QVBoxLayout* layoutOf(QFrame* card);
QFrame* makeLine(QWidget* parent = nullptr);
// Roles: "primary", "danger", "chip", "link"; icon is a name for themedIcon().
QPushButton* makeButton(const QString& text, const char* role = nullptr, const QString& icon = {}, QWidget* parent = nullptr);
QToolButton* makeToolButton(const QString& icon, const QString& accessibleName, QWidget* parent = nullptr);
// A vertically scrolling page around `content`, whose fields leave the wheel to it.
QScrollArea* makeScrollArea(QWidget* content, QWidget* parent = nullptr);
void setRole(QWidget* widget, const char* role);
// Sets a property that the style sheet asks about, and dresses the widget anew if it changed.
void setStyleProperty(QWidget* widget, const char* name, bool value);

} // namespace voxlab
