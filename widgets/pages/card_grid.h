// SPDX-License-Identifier: GPL-3.0-or-later
// Cards in two columns where there is room, in one where there is not. Hidden cards take no room.
#pragma once
#include <QWidget>
#include <vector>

namespace voxlab {

class CardGrid : public QWidget {
public:
  enum class Span { One, All };
  explicit CardGrid(int wide = 900, QWidget* parent = nullptr); // two columns from this width on
  void add(QWidget* card, Span span = Span::One, int leastHeight = 300);
  void setShown(QWidget* card, bool shown); // and arranges the others
  int columns() const { return m_columns; }

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Place {
    QWidget* card;
    Span span;
    bool isShown;
  };
  void arrange();

  std::vector<Place> m_places;
  int m_wide, m_columns = 0;
};

} // namespace voxlab
