// SPDX-License-Identifier: GPL-3.0-or-later
// Colour maps for slices. All but hot and the label colours are perceptually uniform and safe for colour-blind readers.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace voxlab {

struct Rgb {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Rgb&) const = default;
};
using ColourTable = std::array<Rgb, 256>;

enum class ColourMap { Grey, InvertedGrey, Viridis, Cividis, Inferno, Hot, Ice, BlueWhiteRed };

struct ColourMapInfo {
  ColourMap map;
  std::string_view key;   // in settings files
  std::string_view title; // in English, for the menu
  bool isSigned;          // zero belongs to the middle
};

const std::vector<ColourMapInfo>& colourMaps();
const ColourTable& colourTable(ColourMap map);
std::optional<ColourMap> colourMapFromKey(std::string_view key);
std::string_view colourMapKey(ColourMap map);

} // namespace voxlab
