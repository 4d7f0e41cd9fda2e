// SPDX-License-Identifier: GPL-3.0-or-later
// Where an axis has its ticks and what they say: thousands separated, no more digits than the spacing needs.
#pragma once
#include <QString>
#include <QVector>

namespace voxlab {

// `step` is the distance to the next tick: 0.25 asks for two decimals, 200 for none. Very large and very small values are
// written with a power of ten.
QString tickText(double value, double step);
// How many ticks a horizontal axis of so many pixels has room for.
int ticksFor(int width_px);
// Ticks of a logarithmic axis over (first, last), both above 0: the decades, with 2 and 5 between them when there are fewer
// than three; not every decade where there are more than `mostDecades`, but three. Within a decade with fewer than three of these, round ones
// evenly apart.
QVector<double> logTicks(double first, double last, int mostDecades = 8);
QString logTickText(double value);

} // namespace voxlab
