// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/label_layout.h"
#include "widgets/plots/table_text.h"
#include "widgets/plots/tickers.h"
#include <QMenu>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace voxlab {
namespace {
constexpr double kLeastRadius = 4, kMostRadius = 16; // pixels
constexpr double kRoomForNames = 20;                 // of lines, at the right of a logarithmic axis: times the largest value
constexpr int kNear = 4;                             // pixels around a circle that still count as on it

constexpr double kSamePlace = 4;                     // pixels between middles: one hides most of the other
constexpr std::size_t kMostHints = 6;

bool fits(double value, const QCPAxis* axis) {
  return std::isfinite(value) && (axis->scaleType() == QCPAxis::stLinear || value > 0);
}

void setScale(QCPAxis* axis, AxisScale scale) {
  if (scale == AxisScale::Logarithmic) {
    axis->setScaleType(QCPAxis::stLogarithmic);
    axis->setTicker(QSharedPointer<LogTicker>::create());
  } else {
    axis->setScaleType(QCPAxis::stLinear);
    axis->setTicker(QSharedPointer<LinearTicker>::create());
  }
}

// A little room on both sides, in the axis' own scale.
void setRange(QCPAxis* axis, const std::vector<double>& values) {
  if (values.empty())
    return;
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  double first = *low, last = *high;
  if (axis->scaleType() == QCPAxis::stLogarithmic) {
    const double room = std::pow(last / first, 0.08) * 1.25;
    axis->setRange(first / room, last * room);
    return;
  }
  const double room = last > first ? (last - first) * 0.12 : std::max(std::abs(last) * 0.2, 1e-12);
  axis->setRange(first - room, last + room);
}
} // namespace

class ScatterPlot::Layer : public QCPAbstractItem {
public:
  explicit Layer(ScatterPlot& plot) : QCPAbstractItem(plot.canvas()), m_plot(plot) {}
  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

protected:
  QPointF pixel(double x, double y) const { return {mParentPlot->xAxis->coordToPixel(x), mParentPlot->yAxis->coordToPixel(y)}; }

  void draw(QCPPainter* painter) override {
    const ThemeColours& colours = themeColours(m_plot.palette());
    painter->setAntialiasing(true);
    painter->setFont(mParentPlot->xAxis->tickLabelFont());
    m_plot.m_words.clear();
    for (const Line& line : m_plot.m_lines)
      drawLine(*painter, line, colours);
    std::vector<std::size_t> order(m_plot.m_points.size()); // small ones on top
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [this](std::size_t a, std::size_t b) { return m_plot.m_points[a].weight > m_plot.m_points[b].weight; });
    for (const std::size_t i : order)
      drawPoint(*painter, i, colours);
    for (const Line& line : m_plot.m_lines)
      drawName(*painter, line, colours);
    drawLabels(*painter, colours);
  }

  QPolygonF pathOf(const Line& line) const {
    QPolygonF path;
    for (const QPointF& point : line.points)
      if (fits(point.x(), mParentPlot->xAxis) && fits(point.y(), mParentPlot->yAxis))
        path << pixel(point.x(), point.y());
    return path;
  }

  void drawLine(QCPPainter& painter, const Line& line, const ThemeColours& colours) const {
    painter.setPen(QPen(line.isFaint ? colours.strongBorder : colours.muted, line.isFaint ? 1 : 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(pathOf(line));
  }

  // Where neither words nor points are: before the line's flat part, which no point can lie left of under a roof, or at its end in
  // sight, above or below. Where there is no such place, at the end on a ground of its own.
  void drawName(QCPPainter& painter, const Line& line, const ThemeColours& colours) {
    const QPolygonF path = pathOf(line);
    if (line.name.isEmpty() || path.size() < 2)
      return;
    const QRectF area = mParentPlot->axisRect()->rect();
    const double right = std::min<double>(area.right() - 4, path.last().x());
    double y = path.last().y();
    for (qsizetype i = 1; i < path.size(); ++i)
      if (path[i - 1].x() <= right && path[i].x() >= right && path[i].x() > path[i - 1].x())
        y = path[i - 1].y() + (path[i].y() - path[i - 1].y()) * (right - path[i - 1].x()) / (path[i].x() - path[i - 1].x());
    const QSizeF size(painter.fontMetrics().horizontalAdvance(line.name), painter.fontMetrics().height());
    std::vector<QPointF> corners{{right - size.width(), y - size.height() - 1}, {right - size.width(), y + 2}};
    for (qsizetype i = 1; i < path.size(); ++i)
      if (std::abs(path[i].y() - path[i - 1].y()) < 0.5) {
        const QPointF bend = path[i - 1];
        for (double lift = 0; lift < 3 * size.height(); lift += 2)
          for (double shift = 0; shift < size.width(); shift += 4)
            corners.push_back({bend.x() - size.width() - 4 - shift, bend.y() - 0.75 * size.height() - lift});
        for (double lift = 0; lift < 3 * size.height(); lift += size.height() / 2) // along the flat part, ever further off
          for (double x = right - size.width(); x > bend.x(); x -= 8) {
            corners.push_back({x, y - size.height() - 1 - lift});
            corners.push_back({x, y + 2 + lift});
          }
        break;
      }
    const auto isGood = [&](const QPointF& corner) {
      const QRectF words(corner, size);
      return area.contains(words) && isFree(words) && hiddenPoints(words) == 0;
    };
    const auto good = std::find_if(corners.begin(), corners.end(), isGood);
    std::optional<QPointF> least; // where it hides the fewest points
    std::size_t fewest = m_plot.m_points.size() + 1;
    for (const QPointF& corner : corners)
      if (const QRectF there(corner, size); good == corners.end() && area.contains(there) && isFree(there))
        if (const std::size_t hidden = hiddenPoints(there); hidden < fewest) {
          fewest = hidden;
          least = corner;
        }
    if (good == corners.end() && !least)
      return;
    const QRectF words(good != corners.end() ? *good : *least, size);
    m_plot.m_words.push_back(words);
    if (good == corners.end()) {
      QColor ground = colours.surface;
      ground.setAlphaF(0.85F);
      painter.fillRect(words.adjusted(-2, 0, 2, 0), ground);
    }
    painter.setPen(colours.text);
    painter.drawText(words, Qt::AlignCenter | Qt::TextDontClip, line.name);
  }

  void drawPoint(QCPPainter& painter, std::size_t index, const ThemeColours& colours) {
    const Point& point = m_plot.m_points[index];
    if (!fits(point.x, mParentPlot->xAxis) || !fits(point.y, mParentPlot->yAxis))
      return;
    const QPointF at = pixel(point.x, point.y);
    const QColor colour = namedColour(point.colour, colours.kind);
    painter.setPen(QPen(colours.strongBorder, 1)); // less than the points
    if (point.xSpread)
      painter.drawLine(pixel(point.x - *point.xSpread, point.y), pixel(point.x + *point.xSpread, point.y));
    if (point.ySpread)
      painter.drawLine(pixel(point.x, point.y - *point.ySpread), pixel(point.x, point.y + *point.ySpread));
    QColor fill = colour;
    fill.setAlphaF(point.isHollow ? 0.12F : 0.72F);
    painter.setBrush(fill);
    painter.setPen(point.isHollow ? QPen(colour, 2) : QPen(colours.surface, 1));
    const double radius = m_plot.radius(point);
    painter.drawEllipse(at, radius, radius);
    if (std::find(m_plot.m_selected.begin(), m_plot.m_selected.end(), static_cast<int>(index)) != m_plot.m_selected.end()) {
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(colours.text, 2));
      painter.drawEllipse(at, radius + 3, radius + 3);
    }
  }

  void drawLabels(QCPPainter& painter, const ThemeColours& colours) {
    LabelField field;
    field.area = mParentPlot->axisRect()->rect();
    field.taken = m_plot.m_words;
    std::vector<std::size_t> indices;
    for (std::size_t n = 0; n < m_plot.m_points.size(); ++n) {
      const Point& point = m_plot.m_points[n];
      if (!fits(point.x, mParentPlot->xAxis) || !fits(point.y, mParentPlot->yAxis))
        continue;
      const QSizeF size = point.label.isEmpty() ? QSizeF() : QSizeF(painter.fontMetrics().horizontalAdvance(point.label), painter.fontMetrics().height());
      field.points.push_back({pixel(point.x, point.y), m_plot.radius(point), size, point.importance});
      indices.push_back(n);
    }
    for (const Line& line : m_plot.m_lines) {
      const QPolygonF path = pathOf(line);
      for (qsizetype n = 1; !line.isFaint && n < path.size(); ++n)
        field.lines.emplace_back(path[n - 1], path[n]);
    }
    m_plot.m_named.clear();
    for (const PlacedLabel& label : layOutLabels(field)) {
      const std::size_t index = indices[label.point];
      m_plot.m_named.emplace_back(static_cast<int>(index), label.box);
      if (label.leader) {
        painter.setPen(QPen(colours.muted, 0.8));
        painter.drawLine(*label.leader);
      }
      QColor ground = colours.surface;
      ground.setAlphaF(0.75F);
      painter.fillRect(label.box, ground); // whiskers and grid do not go through words
      painter.setPen(m_plot.m_points[index].importance > 0 || !m_plot.hasImportant() ? colours.text : colours.muted);
      painter.drawText(label.box, Qt::AlignCenter | Qt::TextDontClip, m_plot.m_points[index].label);
    }
  }

  bool isFree(const QRectF& words) const {
    return std::none_of(m_plot.m_words.begin(), m_plot.m_words.end(), [&](const QRectF& other) { return other.intersects(words); });
  }

  std::size_t hiddenPoints(const QRectF& words) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < m_plot.m_points.size(); ++i) {
      const Point& point = m_plot.m_points[i];
      if (!fits(point.x, mParentPlot->xAxis) || !fits(point.y, mParentPlot->yAxis))
        continue;
      const double radius = m_plot.radius(point);
      count += words.adjusted(-radius, -radius, radius, radius).contains(pixel(point.x, point.y));
    }
    return count;
  }

private:
  ScatterPlot& m_plot;
};

ScatterPlot::ScatterPlot(QWidget* parent) : PlotView(parent) {
  setScales(AxisScale::Linear, AxisScale::Linear);
  canvas()->axisRect()->setRangeZoom(Qt::Horizontal | Qt::Vertical);
  canvas()->axisRect()->setRangeDrag(Qt::Horizontal | Qt::Vertical);
  canvas()->setMouseTracking(true);
  new Layer(*this);
  connect(canvas(), &QCustomPlot::afterLayout, this, &ScatterPlot::fitToLayout);
  connect(canvas(), &QCustomPlot::mouseMove, this, [this](QMouseEvent* event) {
    const int point = event->buttons() ? -1 : pointAt(event->pos());
    if (point < 0)
      QToolTip::hideText();
    else
      QToolTip::showText(canvas()->mapToGlobal(event->pos()), hintOf(pointsWith(point)), canvas());
  });
  connect(canvas(), &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
    const int point = pointAt(event->pos());
    if (event->button() == Qt::LeftButton && point >= 0)
      choose(point, event);
  });
}

void ScatterPlot::setScales(AxisScale x, AxisScale y) {
  setScale(canvas()->xAxis, x);
  setScale(canvas()->yAxis, y);
  if (!m_points.empty())
    resetView();
}

void ScatterPlot::setPoints(std::vector<Point> points, std::vector<Line> lines) {
  m_points = std::move(points);
  m_lines = std::move(lines);
  m_selected.clear();
  m_heaviest = 0;
  for (const Point& point : m_points)
    m_heaviest = std::max(m_heaviest, point.weight);
  if (followsData())
    rescale();
  setShowsData(!m_points.empty());
  redraw();
}

void ScatterPlot::setSelected(int point) { setSelected(point < 0 ? std::vector<int>{} : std::vector<int>{point}); }

void ScatterPlot::setSelected(std::vector<int> points) {
  m_selected = std::move(points);
  redraw();
}

bool ScatterPlot::hasImportant() const {
  return std::any_of(m_points.begin(), m_points.end(), [](const Point& point) { return point.importance > 0; });
}

double ScatterPlot::radius(const Point& point) const {
  return m_heaviest > 0 ? kLeastRadius + (kMostRadius - kLeastRadius) * std::sqrt(std::max(0.0, point.weight) / m_heaviest) : kLeastRadius + 1;
}

QRectF ScatterPlot::circle(std::size_t point) const {
  const double r = radius(m_points[point]);
  return {canvas()->xAxis->coordToPixel(m_points[point].x) - r, canvas()->yAxis->coordToPixel(m_points[point].y) - r, 2 * r, 2 * r};
}

int ScatterPlot::pointAt(const QPoint& position) const {
  int best = -1;
  double nearest = 1e300;
  for (std::size_t i = 0; i < m_points.size(); ++i) {
    const double dx = canvas()->xAxis->coordToPixel(m_points[i].x) - position.x(), dy = canvas()->yAxis->coordToPixel(m_points[i].y) - position.y();
    const double distance = std::hypot(dx, dy);
    const double reach = radius(m_points[i]) + kNear;
    if (distance <= reach && distance / reach < nearest) {
      nearest = distance / reach;
      best = static_cast<int>(i);
    }
  }
  return best;
}

std::vector<int> ScatterPlot::pointsWith(int point) const {
  std::vector<int> found{point};
  const QPointF at = circle(static_cast<std::size_t>(point)).center();
  for (std::size_t i = 0; i < m_points.size(); ++i)
    if (static_cast<int>(i) != point && QLineF(at, circle(i).center()).length() <= kSamePlace)
      found.push_back(static_cast<int>(i));
  return found;
}

QString ScatterPlot::hintOf(const std::vector<int>& points) const {
  QStringList hints;
  for (const int point : points)
    if (static_cast<std::size_t>(hints.size()) < kMostHints && !m_points[static_cast<std::size_t>(point)].hint.isEmpty())
      hints << m_points[static_cast<std::size_t>(point)].hint;
  return hints.join(QLatin1Char('\n'));
}

void ScatterPlot::choose(int point, QMouseEvent* press) {
  const std::vector<int> points = pointsWith(point);
  const Qt::KeyboardModifiers modifiers = press->modifiers();
  if (points.size() == 1)
    return emit pointClicked(point, modifiers);
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const int other : points) {
    const Point& shown = m_points[static_cast<std::size_t>(other)];
    QString name = shown.label.isEmpty() ? shown.hint.section(QLatin1Char('\n'), 0, 0) : shown.label;
    QPixmap colour(10, 10);
    colour.fill(namedColour(shown.colour, themeColours(palette()).kind));
    menu->addAction(colour, name.replace(QLatin1Char('&'), QLatin1String("&&")), this, [this, other, modifiers] {
      if (static_cast<std::size_t>(other) < m_points.size())
        emit pointClicked(other, modifiers);
    });
  }
  menu->popup(press->globalPosition().toPoint());
}

void ScatterPlot::rescale() {
  std::vector<double> xs, ys;
  const auto add = [&](double x, double y) {
    if (fits(x, canvas()->xAxis))
      xs.push_back(x);
    if (fits(y, canvas()->yAxis))
      ys.push_back(y);
  };
  for (const Point& point : m_points) {
    add(point.x - point.xSpread.value_or(0), point.y - point.ySpread.value_or(0));
    add(point.x + point.xSpread.value_or(0), point.y + point.ySpread.value_or(0));
  }
  bool isNamed = false;
  for (const Line& line : m_lines) {
    isNamed = isNamed || !line.name.isEmpty();
    for (std::size_t i = 1; i + 1 < line.points.size(); ++i)
      add(line.points[i].x(), line.points[i].y());
  }
  if (isNamed && canvas()->xAxis->scaleType() == QCPAxis::stLogarithmic && !xs.empty())
    xs.push_back(*std::max_element(xs.begin(), xs.end()) * kRoomForNames);
  setRange(canvas()->xAxis, xs);
  setRange(canvas()->yAxis, ys);
  if (isNamed)
    makeRoomForNames(ys);
}

// Above the highest line and before each line's flat part, along logarithmic axes.
void ScatterPlot::makeRoomForNames(const std::vector<double>& ys) {
  QCPAxis *x = canvas()->xAxis, *y = canvas()->yAxis;
  const QFontMetrics metrics(x->tickLabelFont());
  if (y->scaleType() == QCPAxis::stLogarithmic && !ys.empty()) {
    const double share = std::min(0.8, 1.6 * metrics.height() / std::max(40, canvas()->axisRect()->height()));
    const double highest = *std::max_element(ys.begin(), ys.end());
    y->setRangeUpper(std::max(y->range().upper, highest * std::pow(highest / y->range().lower, share / (1 - share))));
  }
  if (x->scaleType() != QCPAxis::stLogarithmic)
    return;
  for (const Line& line : m_lines)
    for (std::size_t i = 1; i < line.points.size() && !line.name.isEmpty(); ++i)
      if (line.points[i].y() == line.points[i - 1].y() && line.points[i - 1].x() > 0) {
        const double share = std::min(0.6, (metrics.horizontalAdvance(line.name) + 12.0) / std::max(80, canvas()->axisRect()->width()));
        const double bend = std::log(line.points[i - 1].x()), last = std::log(x->range().upper);
        x->setRangeLower(std::min(x->range().lower, std::exp((bend - share * last) / (1 - share))));
        break;
      }
}

// How many ticks and how much room for names depends on where the axes came to lie.
void ScatterPlot::fitToLayout() {
  canvas()->xAxis->ticker()->setTickCount(ticksFor(canvas()->axisRect()->width()));
  canvas()->yAxis->ticker()->setTickCount(std::clamp(canvas()->axisRect()->height() / 28, 3, 8));
  if (followsData())
    rescale();
}

std::vector<std::size_t> ScatterPlot::frontier(const std::vector<Point>& points, Better x, Better y) {
  const auto cost = [](double value, Better better) { return better == Better::Smaller ? value : -value; };
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double left = cost(points[a].x, x), right = cost(points[b].x, x);
    return left != right ? left < right : cost(points[a].y, y) < cost(points[b].y, y);
  });
  std::vector<std::size_t> best;
  for (const std::size_t i : order)
    if (best.empty() || cost(points[i].y, y) < cost(points[best.back()].y, y))
      best.push_back(i);
  std::sort(best.begin(), best.end(), [&](std::size_t a, std::size_t b) { return points[a].x < points[b].x; });
  return best;
}

void ScatterPlot::applyColours(const ThemeColours& colours) {
  PlotView::applyColours(colours);
  canvas()->xAxis->grid()->setVisible(true);
}

QString ScatterPlot::tableText() const {
  const auto number = [](std::optional<double> value) { return value ? QString::number(*value, 'g', 9) : QString(); };
  const auto title = [&](const QCPAxis* axis, const char* otherwise) { return axis->label().isEmpty() ? QString::fromLatin1(otherwise) : axis->label(); };
  QString out = csvRow({QStringLiteral("point"), title(canvas()->xAxis, "x"), title(canvas()->yAxis, "y"), QStringLiteral("x spread"), QStringLiteral("y spread"), QStringLiteral("weight")});
  for (const Point& point : m_points)
    out += csvRow({point.label.isEmpty() ? QString(point.hint).replace(QLatin1Char('\n'), QLatin1String(" · ")) : point.label, number(point.x), number(point.y), number(point.xSpread),
                   number(point.ySpread), number(point.weight)});
  return out;
}

} // namespace voxlab
