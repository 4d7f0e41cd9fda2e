// SPDX-License-Identifier: Apache-2.0
// Colours of what stands side by side on many pages and in reports: one each, wherever it appears.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace voxlab {

struct NamedColour {
  std::string_view name;             // in exports: a kernel category, a cause of idle time, a mode, a kind of instruction, a stall reason
  std::uint32_t light = 0, dark = 0; // 0xrrggbb, on a light and on a dark ground
};
const NamedColour* findNamedColour(std::string_view name); // nullptr: none of those
std::string htmlColour(std::uint32_t rgb);                 // "#0072b2"

} // namespace voxlab
