// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them: at most three significant digits, thousands separated, units named. One place for both
// programs.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace voxlab {

inline constexpr std::string_view kUnknown = "–"; // unknown is not zero

std::string formatSignificant(double value, int digits = 3);          // 0.0123, 1.23, 12 300
std::string formatCount(std::int64_t value);                          // 12 400 (thin no-break space)
std::string formatBytes(double bytes);                                // 12.3 GB, decimal prefixes
std::string formatDuration(double seconds);                           // 1:02:03; under a minute 12.3 s; under a second 45.6 ms
std::string formatQuantity(double value, std::string_view unit);      // SI prefix: 71.6 TFLOP/s
template <class T, class F> std::string orUnknown(const std::optional<T>& value, F format) {
  return value ? format(*value) : std::string(kUnknown);
}
std::vector<std::string> split(std::string_view text, char separator);
std::string trimmed(std::string_view text);

} // namespace voxlab
