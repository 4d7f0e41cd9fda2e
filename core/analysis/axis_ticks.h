// SPDX-License-Identifier: Apache-2.0
// Where an axis has its ticks and what they say: thousands separated, no more digits than the spacing needs.
#pragma once
#include <string>
#include <vector>

namespace voxlab {

// `step` is the distance to the next tick: 0.25 asks for two decimals, 200 for none. Very large and very small values are
// written with a power of ten.
std::string tickText(double value, double step);
// How many ticks a horizontal axis of so many pixels has room for.
int ticksFor(int width_px);
// Ticks of a linear axis over (first, last): 1, 2 or 5 times a power of ten apart, three at least where they fit, eight at most.
std::vector<double> evenTicks(double first, double last);
// Ticks of a logarithmic axis over (first, last), both above 0: the decades, with 2 and 5 between them when there are fewer
// than three; not every decade where there are more than `mostDecades`, but three. Within a decade with fewer than three of these, round ones
// evenly apart.
std::vector<double> logTicks(double first, double last, int mostDecades = 8);
std::string logTickText(double value);

} // namespace voxlab
