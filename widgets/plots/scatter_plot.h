// SPDX-License-Identifier: GPL-3.0-or-later
// Points of two measures, as circles whose area says a third, with lines they are held against: quality against speed with its
// frontier, a roofline with its ceilings.
#pragma once
#include "widgets/plots/plot_view.h"
#include <QMouseEvent>
#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

namespace voxlab {

class ScatterPlot : public PlotView {
  Q_OBJECT
public:
  struct Point {
    double x = 0, y = 0;
    std::optional<double> xSpread, ySpread; // half the length of the whisker
    double weight = 0;                      // area, against the heaviest point's
    QString label;                          // where label_layout.h finds room; may be empty
    int importance = 0;                     // labels of the more important ones are placed first; above zero further off, too
    QString hint;                           // tool tip
    QString colour;                         // a name for namedColour()
    bool isHollow = false;                  // a ring: what it shows was not measured at one place
  };
  struct Line {
    QString name;                // written beside it, where neither points nor words are; may be empty
    std::vector<QPointF> points; // the first and the last may lie out of sight
    bool isFaint = false;
  };

  explicit ScatterPlot(QWidget* parent = nullptr);
  void setScales(AxisScale x, AxisScale y);
  void setPoints(std::vector<Point> points, std::vector<Line> lines = {});
  const std::vector<Point>& points() const { return m_points; }
  void setSelected(int point); // ringed; -1: none
  void setSelected(std::vector<int> points);
  const std::vector<int>& selected() const { return m_selected; }
  // Points whose names are written, and where on the canvas; the others tell theirs when they are pointed at.
  const std::vector<std::pair<int, QRectF>>& namedPoints() const { return m_named; }
  // Where things stood when it was last painted, in pixels of the plot: the lines' names, and a point's circle.
  const std::vector<QRectF>& wordAreas() const { return m_words; }
  QRectF circle(std::size_t point) const;
  // Those that no other point beats in both: indices by x. Smaller x and larger y are better unless told otherwise.
  enum class Better { Smaller, Larger };
  static std::vector<std::size_t> frontier(const std::vector<Point>& points, Better x = Better::Smaller, Better y = Better::Larger);

signals:
  // Where several lie at one place, of the one that was chosen in a menu of them.
  void pointClicked(int point, Qt::KeyboardModifiers modifiers);

protected:
  void applyColours(const ThemeColours& colours) override;
  void rescale() override;
  QString tableText() const override;

private:
  class Layer; // draws lines and points
  void fitToLayout();
  void makeRoomForNames(const std::vector<double>& ys);
  int pointAt(const QPoint& position) const;
  std::vector<int> pointsWith(int point) const; // it, and those that it hides
  QString hintOf(const std::vector<int>& points) const;
  void choose(int point, QMouseEvent* press);
  double radius(const Point& point) const;
  bool hasImportant() const;

  std::vector<Point> m_points;
  std::vector<Line> m_lines;
  double m_heaviest = 0;
  std::vector<int> m_selected;
  std::vector<std::pair<int, QRectF>> m_named;
  std::vector<QRectF> m_words;
};

} // namespace voxlab
