// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/comparison_dress.h"
#include <algorithm>
#include <numeric>

namespace voxlab {
namespace {
bool namesAside(const std::string& key, const std::vector<ComparedRun>& sides) {
  return std::any_of(sides.begin(), sides.end(), [&](const ComparedRun& side) { return sideKey(side) == key; });
}

// Places of the sides: what is pinned, then by the order of keys, then as they come.
std::vector<std::size_t> placesOf(const std::vector<ComparedRun>& sides, const std::vector<std::string>& pinned, const std::vector<std::string>& order) {
  std::vector<std::pair<bool, std::size_t>> ranks;
  for (std::size_t n = 0; n < sides.size(); ++n) {
    const auto at = std::find_if(order.begin(), order.end(), [&](const std::string& key) { return speaksOf(key, sides, n); });
    ranks.emplace_back(!isAmong(pinned, sides, n), static_cast<std::size_t>(at - order.begin()));
  }
  std::vector<std::size_t> places(sides.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
  return places;
}

template <class T> void inPlaces(std::vector<T>& things, const std::vector<std::size_t>& places) {
  std::vector<T> ordered;
  ordered.reserve(things.size());
  for (const std::size_t place : places)
    ordered.push_back(std::move(things[place]));
  things = std::move(ordered);
}

void dressSides(std::vector<ComparedRun>& sides, const ComparisonDress& given) {
  for (std::size_t n = 0; n < sides.size(); ++n) {
    sides[n].called = givenTo(given.names, sides, n);
    sides[n].note = givenTo(given.notes, sides, n);
  }
  inPlaces(sides, placesOf(sides, given.pinned, given.order));
  nameSides(sides);
}

// Of every point, whether measured or not: the side that its keys speak of.
std::vector<ComparedRun> sidesOf(const std::vector<VolumePoint>& points) {
  std::vector<ComparedRun> sides(points.size());
  for (std::size_t n = 0; n < points.size(); ++n) {
    sides[n].name = points[n].name();
    sides[n].what = "volume";
    sides[n].device = points[n].device;
    sides[n].source = points[n].source;
  }
  return sides;
}
} // namespace

std::string plainSideKey(const ComparedRun& side) { return (side.what == "volume" || side.mode.empty() ? side.name : side.mode) + "|" + side.device + "|" + side.workload; }
std::string sideKey(const ComparedRun& side) { return plainSideKey(side) + "|" + side.source; }

bool speaksOf(const std::string& key, const std::vector<ComparedRun>& sides, std::size_t side) {
  const std::string plain = plainSideKey(sides[side]);
  if (key == plain || key == sideKey(sides[side]))
    return true;
  if (!key.starts_with(plain + "|") || namesAside(key, sides))
    return false;
  return std::count_if(sides.begin(), sides.end(), [&](const ComparedRun& other) { return plainSideKey(other) == plain; }) == 1;
}

std::string givenTo(const std::map<std::string, std::string>& table, const std::vector<ComparedRun>& sides, std::size_t side) {
  for (const std::string& key : {sideKey(sides[side]), plainSideKey(sides[side])})
    if (const auto it = table.find(key); it != table.end())
      return it->second;
  const auto it = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return speaksOf(entry.first, sides, side); });
  return it == table.end() ? std::string() : it->second;
}

bool isAmong(const std::vector<std::string>& keys, const std::vector<ComparedRun>& sides, std::size_t side) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) { return speaksOf(key, sides, side); });
}

void orderSides(std::vector<ComparedRun>& sides, const std::vector<std::string>& order) { inPlaces(sides, placesOf(sides, {}, order)); }

ComparisonSet dressed(ComparisonSet set, const ComparisonDress& given) {
  dressSides(set.training, given);
  dressSides(set.sampling, given);
  const std::vector<ComparedRun> points = sidesOf(set.points);
  for (std::size_t n = 0; n < points.size(); ++n) {
    const std::string called = givenTo(given.names, points, n);
    const bool taken = std::any_of(set.points.begin(), set.points.begin() + static_cast<std::ptrdiff_t>(n), [&](const VolumePoint& other) { return !called.empty() && other.called == called; });
    set.points[n].called = taken ? called + " · " + points[n].name : called;
    set.points[n].note = givenTo(given.notes, points, n);
  }
  inPlaces(set.points, placesOf(points, given.pinned, given.order));
  return set;
}

} // namespace voxlab
