// SPDX-License-Identifier: Apache-2.0
#include "core/base/milliseconds.h"
#include "core/base/text.h"
#include <algorithm>
#include <cmath>

namespace voxlab {

std::string formatMilliseconds(double ms) {
  constexpr double kFromOneDecimal = 99.95, kToOneDecimal = 9999.95; // what rounds to 100 and to 10 000
  const double size = std::abs(ms);
  if (!std::isfinite(ms) || size < kFromOneDecimal)
    return formatSignificant(ms);
  if (size >= kToOneDecimal)
    return formatCount(std::llround(std::clamp(ms, -9e18, 9e18)));
  const std::int64_t tenths = std::llround(size * 10);
  return (ms < 0 ? "-" : "") + formatCount(tenths / 10) + "." + std::to_string(tenths % 10);
}

} // namespace voxlab
