// SPDX-License-Identifier: Apache-2.0
// What the reader of a comparison gave to its sides: names, notes, an order. It is kept by keys that speak of the same sides when other
// runs come or go, and goes into pages and reports alike.
#pragma once
#include "core/analysis/comparison_set.h"
#include <map>

namespace voxlab {

struct ComparisonDress {
  std::map<std::string, std::string> names, notes; // by key; an empty name is none
  std::vector<std::string> pinned, order;          // keys: pinned sides come first, then these in their order
  bool operator==(const ComparisonDress&) const = default;
};

// Mode (of volumes the name), device, size and run of a side: "opt1|NVIDIA H200|128 × 128 × 128|2026-01-31_modes".
std::string sideKey(const ComparedRun& side);
// The same without the run: what measurements of one mode in several runs share.
std::string plainSideKey(const ComparedRun& side);
// Whether a key means this one of the sides: its own key, its plain one, or that of another run which is not among the sides, where no
// other side could be meant: a name stays with its mode when that is measured anew.
bool speaksOf(const std::string& key, const std::vector<ComparedRun>& sides, std::size_t side);
// What a table has for this side; empty: nothing.
std::string givenTo(const std::map<std::string, std::string>& table, const std::vector<ComparedRun>& sides, std::size_t side);
bool isAmong(const std::vector<std::string>& keys, const std::vector<ComparedRun>& sides, std::size_t side);
// Sides in this order of keys, others behind as they come.
void orderSides(std::vector<ComparedRun>& sides, const std::vector<std::string>& order);

// The set with names and notes of its sides and points, in this order.
ComparisonSet dressed(ComparisonSet set, const ComparisonDress& dress);

} // namespace voxlab
