// SPDX-License-Identifier: GPL-3.0-or-later
// Places widgets from left to right and goes on in the next row; or, with a column width, in as many equal columns as fit.
#pragma once
#include <QLayout>
#include <QList>

namespace voxlab {

class FlowLayout : public QLayout {
public:
  // columnWidth 0: every widget keeps its own width.
  explicit FlowLayout(int spacing, int columnWidth = 0, QWidget* parent = nullptr);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override { m_items.append(item); }
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), Arrange::Measure); }
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

private:
  enum class Arrange { Measure, Place };
  int arrange(const QRect& rect, Arrange what) const; // returns the height
  int arrangeColumns(const QRect& rect, Arrange what) const;
  int arrangeRows(const QRect& rect, Arrange what) const;

  QList<QLayoutItem*> m_items;
  int m_spacing, m_columnWidth;
};

} // namespace voxlab
