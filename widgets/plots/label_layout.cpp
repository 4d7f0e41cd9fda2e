// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/label_layout.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace voxlab {
namespace {
constexpr double kSamePlace = 1;                               // pixels: nothing is nearer to one of these than to the other
constexpr double kNear = 3, kMargin = 1.5;                     // pixels between a circle and its name, and around words
constexpr double kApart = 7;                                   // between words side by side, which would read as one name
constexpr double kNearer = 3;                                  // at least so much to its own point than to any other
constexpr std::array<double, 5> kFurther{12, 22, 34, 48, 66};  // with a leading line
constexpr double kOrdinaryReach = 22;                          // names without importance go no further
constexpr int kDirections = 16;
constexpr double kLineCost = 40, kLeaderLineCost = 8, kWayCost = 9, kSideCost = 0.5, kUprightCost = 14; // an upright leader looks like a whisker; against pixels of distance
constexpr std::size_t kMostFurther = 64;                       // names that are tried further off: a plot is drawn while it is dragged

struct Candidate {
  PlacedLabel label;
  double cost = 0;
};

double distanceTo(const QLineF& line, const QPointF& point) {
  const QPointF along = line.p2() - line.p1(), to = point - line.p1();
  const double length2 = QPointF::dotProduct(along, along);
  const double share = length2 > 0 ? std::clamp(QPointF::dotProduct(to, along) / length2, 0.0, 1.0) : 0;
  return QLineF(line.pointAt(share), point).length();
}

QPointF nearestOf(const QRectF& box, const QPointF& point) {
  return {std::clamp(point.x(), box.left(), box.right()), std::clamp(point.y(), box.top(), box.bottom())};
}

double gapTo(const LabelRequest& point, const QRectF& box) { return QLineF(nearestOf(box, point.at), point.at).length() - point.radius; }

bool crosses(const QLineF& line, const QRectF& box) {
  if (box.contains(line.p1()) || box.contains(line.p2()))
    return true;
  const QLineF diagonals[] = {{box.topLeft(), box.bottomRight()}, {box.topRight(), box.bottomLeft()}};
  return std::any_of(std::begin(diagonals), std::end(diagonals), [&](const QLineF& diagonal) { return line.intersects(diagonal, nullptr) == QLineF::BoundedIntersection; });
}

class Layout {
public:
  explicit Layout(const LabelField& field) : m_field(field) {}

  std::vector<PlacedLabel> run() {
    std::vector<std::size_t> order(m_field.points.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return m_field.points[a].importance > m_field.points[b].importance; });
    std::size_t tried = 0;
    for (const std::size_t point : order)
      if (const LabelRequest& request = m_field.points[point]; !request.size.isEmpty() && m_field.area.contains(request.at))
        if (auto best = bestOf(point, tried++ < kMostFurther ? request.importance > 0 ? kFurther.back() : kOrdinaryReach : 0))
          m_placed.push_back(std::move(best->label));
    return std::move(m_placed);
  }

private:
  std::optional<Candidate> bestOf(std::size_t point, double reach) const {
    std::optional<Candidate> best;
    const auto consider = [&](double distance, double gap) {
      for (int n = 0; n < kDirections; ++n)
        if (const auto found = candidate(point, distance, gap, n); found && (!best || found->cost < best->cost))
          best = found;
    };
    consider(0, kNear);
    for (const double distance : kFurther)
      if (distance <= reach && (!best || best->cost > distance))
        consider(distance, distance);
    if (best && m_field.points[point].importance <= 0 && best->cost > kOrdinaryReach + kLineCost)
      return std::nullopt;
    return best;
  }

  // Direction 0 is to the right, and so on against the clock.
  std::optional<Candidate> candidate(std::size_t point, double distance, double gap, int direction) const {
    const LabelRequest& request = m_field.points[point];
    const double angle = 2 * std::numbers::pi * direction / kDirections, dx = std::cos(angle), dy = -std::sin(angle);
    const double side = std::clamp(1.5 * dx, -1.0, 1.0), height = std::clamp(1.5 * dy, -1.0, 1.0), off = request.radius + gap;
    const QPointF middle = request.at + QPointF(dx * off + side * request.size.width() / 2, dy * off + height * request.size.height() / 2);
    Candidate found;
    found.label.point = point;
    found.label.box = QRectF(middle - QPointF(request.size.width() / 2, request.size.height() / 2), request.size);
    if (distance > 0) {
      const QLineF whole(request.at, nearestOf(found.label.box, request.at));
      found.label.leader = QLineF(whole.pointAt(request.radius / std::max(whole.length(), request.radius)), whole.p2());
    }
    if (!isPossible(found.label))
      return std::nullopt;
    found.cost = distance + kSideCost * (direction % 4 == 0 ? direction == 0 ? 0 : 1 : 2); // straight ones look calmer
    if (found.label.leader && direction % (kDirections / 2) == kDirections / 4)
      found.cost += kUprightCost;
    found.cost += kWayCost * static_cast<double>(waysClosedBy(found.label));
    for (const QLineF& line : m_field.lines) {
      found.cost += crosses(line, found.label.box) ? kLineCost : 0;
      found.cost += found.label.leader && line.intersects(*found.label.leader, nullptr) == QLineF::BoundedIntersection ? kLeaderLineCost : 0;
    }
    return found;
  }

  // Names to come that matter, whose points would have it above or below them.
  std::ptrdiff_t waysClosedBy(const PlacedLabel& label) const {
    const QRectF shade = label.box.adjusted(0, -kFurther.back(), 0, kFurther.back());
    std::ptrdiff_t count = 0;
    for (std::size_t n = 0; n < m_field.points.size(); ++n)
      if (n != label.point && m_field.points[n].importance > 0 && shade.contains(m_field.points[n].at))
        count += std::none_of(m_placed.begin(), m_placed.end(), [n](const PlacedLabel& placed) { return placed.point == n; }) ? 1 : 0;
    return count;
  }

  bool isPossible(const PlacedLabel& label) const {
    const QRectF words = label.box.adjusted(-kApart, -kMargin, kApart, kMargin);
    if (!m_field.area.contains(label.box) || std::any_of(m_field.taken.begin(), m_field.taken.end(), [&](const QRectF& other) { return other.intersects(words) || (label.leader && crosses(*label.leader, other)); }))
      return false;
    for (const PlacedLabel& other : m_placed)
      if (other.box.intersects(words) || (other.leader && crosses(*other.leader, words)) || (label.leader && crosses(*label.leader, other.box)) ||
          (label.leader && other.leader && label.leader->intersects(*other.leader, nullptr) == QLineF::BoundedIntersection))
        return false;
    const LabelRequest& own = m_field.points[label.point];
    const double toOwn = gapTo(own, label.box);
    for (std::size_t n = 0; n < m_field.points.size(); ++n) {
      const LabelRequest& other = m_field.points[n];
      if (n == label.point || !m_field.area.contains(other.at))
        continue;
      const bool isHidden = QLineF(nearestOf(label.box, other.at), other.at).length() < other.radius + 1;
      const double way = QLineF(other.at, own.at).length();
      const bool isAnothers = !label.leader && way > kSamePlace && gapTo(other, label.box) < toOwn + kNearer; // it would be read as the other's name
      // What lies on its own circle cannot be passed by.
      const bool isPassed = label.leader && way > other.radius + own.radius && distanceTo(*label.leader, other.at) < other.radius + 1;
      if (isHidden || isPassed || isAnothers)
        return false;
    }
    return true;
  }

  const LabelField& m_field;
  std::vector<PlacedLabel> m_placed;
};
} // namespace

std::vector<PlacedLabel> layOutLabels(const LabelField& field) { return Layout(field).run(); }

} // namespace voxlab
