// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace voxlab {

// Times of steps and kernels, as finely as they are told apart: three significant digits, from 100 ms on one decimal, from 10 s on none:
// 0.0123, 34.2, 226.7, 1 218.3, 12 346. Without the unit.
std::string formatMilliseconds(double ms);

} // namespace voxlab
