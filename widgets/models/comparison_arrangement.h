// SPDX-License-Identifier: GPL-3.0-or-later
// Which sides of a comparison are shown, in what order, and against what: before the heat table and the charts see them.
#pragma once
#include "core/analysis/comparison.h"

namespace voxlab {

// Devices of the sides, each once, in order.
std::vector<std::string> devicesOf(const std::vector<ComparedRun>& sides);

// Of sides of one mode, device and size one: that of the run with most profiled sides, then with most sides, then as they come. With them
// stay the sides of this mode that they are held against.
std::vector<ComparedRun> eachModeOnce(const std::vector<ComparedRun>& sides, const std::string& baselineMode);

// Wall clock first, then what follows from it, memory, profile, counters; what is not known stays behind, in its order.
void orderMeasures(RunComparison& comparison);

// The measure that says how long something really took: a benchmark's time, else a profile's, else a volume's; nullptr without any.
const NormalisedMeasure* wallClock(const RunComparison& comparison);
bool isWallClock(const std::string& measure);
// Cycles and instructions: they say nothing of speed by themselves.
bool needsWallClock(const std::string& measure);

// The side with the shortest time against its own baseline; nullopt where none is faster.
std::optional<std::size_t> fastestSide(const RunComparison& comparison);

} // namespace voxlab
