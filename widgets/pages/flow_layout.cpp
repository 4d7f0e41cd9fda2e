// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/flow_layout.h"
#include <QWidget>
#include <algorithm>

namespace voxlab {

FlowLayout::FlowLayout(int spacing, int columnWidth, QWidget* parent) : QLayout(parent), m_spacing(spacing), m_columnWidth(columnWidth) {
  setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

QLayoutItem* FlowLayout::takeAt(int index) { return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr; }

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : m_items)
    size = size.expandedTo(item->minimumSize());
  const QMargins margins = contentsMargins();
  return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, Arrange::Place);
}

int FlowLayout::arrange(const QRect& rect, Arrange what) const {
  const QMargins margins = contentsMargins();
  const QRect inner = rect.marginsRemoved(margins);
  const int height = m_columnWidth > 0 ? arrangeColumns(inner, what) : arrangeRows(inner, what);
  return height + margins.top() + margins.bottom();
}

int FlowLayout::arrangeRows(const QRect& rect, Arrange what) const {
  int y = rect.y(), rowHeight = 0;
  QList<std::pair<QLayoutItem*, QRect>> row; // of items that stand in the middle of its height
  const auto endRow = [&] {
    for (const auto& [item, place] : row)
      if (what == Arrange::Place)
        item->setGeometry(place.translated(0, y + (rowHeight - place.height()) / 2));
    row.clear();
  };
  int x = rect.x();
  for (QLayoutItem* item : m_items) {
    if (item->isEmpty())
      continue;
    QSize size = item->sizeHint();
    if (size.width() > rect.width() && item->hasHeightForWidth()) // words that wrap
      size = {rect.width(), item->heightForWidth(rect.width())};
    if (x > rect.x() && x + size.width() > rect.right() + 1) {
      endRow();
      x = rect.x();
      y += rowHeight + m_spacing;
      rowHeight = 0;
    }
    row.append({item, QRect(QPoint(x, 0), QSize(std::min(size.width(), rect.width()), size.height()))});
    x += size.width() + m_spacing;
    rowHeight = std::max(rowHeight, size.height());
  }
  endRow();
  return y + rowHeight - rect.y();
}

int FlowLayout::arrangeColumns(const QRect& rect, Arrange what) const {
  QList<QLayoutItem*> shown;
  std::copy_if(m_items.begin(), m_items.end(), std::back_inserter(shown), [](const QLayoutItem* item) { return !item->isEmpty(); });
  const auto most = std::clamp<qsizetype>((rect.width() + m_spacing) / (m_columnWidth + m_spacing), 1, std::max<qsizetype>(1, shown.size()));
  const auto rows = (shown.size() + most - 1) / most;
  const auto columns = rows > 0 ? (shown.size() + rows - 1) / rows : 1; // three and three rather than five and one
  const int width = static_cast<int>((rect.width() - m_spacing * (columns - 1)) / columns);
  int y = rect.y();
  for (qsizetype first = 0; first < shown.size(); first += columns) {
    const auto rowEnd = std::min(first + columns, shown.size());
    int rowHeight = 0;
    for (qsizetype i = first; i < rowEnd; ++i)
      rowHeight = std::max(rowHeight, shown[i]->hasHeightForWidth() ? shown[i]->heightForWidth(width) : shown[i]->sizeHint().height());
    for (qsizetype i = first; i < rowEnd && what == Arrange::Place; ++i)
      shown[i]->setGeometry(QRect(rect.x() + static_cast<int>(i - first) * (width + m_spacing), y, width, rowHeight));
    y += rowHeight + m_spacing;
  }
  return std::max(0, y - m_spacing - rect.y());
}

} // namespace voxlab
