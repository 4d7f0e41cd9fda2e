// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/card_grid.h"
#include "widgets/pages/page_parts.h"
#include <QGridLayout>
#include <algorithm>
#include <iterator>

namespace voxlab {

CardGrid::CardGrid(int wide, QWidget* parent) : QWidget(parent), m_wide(wide) {
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(kSpaceLarge);
}

void CardGrid::add(QWidget* card, Span span, int leastHeight) {
  card->setMinimumHeight(leastHeight);
  m_places.push_back({card, span, true});
  arrange();
}

void CardGrid::setShown(QWidget* card, bool shown) {
  for (Place& place : m_places)
    if (place.card == card && place.isShown != shown) {
      place.isShown = shown;
      card->setVisible(shown);
      arrange();
    }
}

void CardGrid::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int columns = width() >= m_wide ? 2 : 1;
  if (columns != m_columns)
    arrange();
}

void CardGrid::arrange() {
  m_columns = width() >= m_wide ? 2 : 1;
  auto* grid = static_cast<QGridLayout*>(layout());
  for (const Place& place : m_places)
    grid->removeWidget(place.card);
  int row = 0, column = 0;
  std::vector<Place> shown;
  std::copy_if(m_places.begin(), m_places.end(), std::back_inserter(shown), [](const Place& place) { return place.isShown; });
  for (std::size_t n = 0; n < shown.size(); ++n) {
    const Place& place = shown[n];
    if (place.span == Span::All && column > 0) {
      ++row;
      column = 0;
    }
    const bool alone = column == 0 && (n + 1 == shown.size() || shown[n + 1].span == Span::All); // nobody would stand beside it
    const int width = place.span == Span::All || alone ? m_columns : 1;
    grid->addWidget(place.card, row, column, 1, width);
    column += width;
    if (column >= m_columns) {
      ++row;
      column = 0;
    }
  }
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(1, m_columns == 2 ? 1 : 0);
}

} // namespace voxlab
