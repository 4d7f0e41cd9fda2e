// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/colour_maps.h"
#include <algorithm>
#include <cmath>
#include <span>

namespace voxlab {
namespace {

constexpr Rgb hex(std::uint32_t code) {
  return {static_cast<std::uint8_t>(code >> 16), static_cast<std::uint8_t>(code >> 8), static_cast<std::uint8_t>(code)};
}

// Ten support points each of matplotlib's maps (CC0), eleven of ColorBrewer's RdBu.
constexpr Rgb kGrey[] = {hex(0x000000), hex(0xffffff)};
constexpr Rgb kInverted[] = {hex(0xffffff), hex(0x000000)};
constexpr Rgb kViridis[] = {hex(0x440154), hex(0x482878), hex(0x3e4989), hex(0x31688e), hex(0x26828e),
                            hex(0x1f9e89), hex(0x35b779), hex(0x6ece58), hex(0xb5de2b), hex(0xfde725)};
constexpr Rgb kCividis[] = {hex(0x00224e), hex(0x123570), hex(0x3b496c), hex(0x575d6d), hex(0x707173),
                            hex(0x8a8678), hex(0xa59c74), hex(0xc3b369), hex(0xe1cc55), hex(0xfee838)};
constexpr Rgb kInferno[] = {hex(0x000004), hex(0x1b0c41), hex(0x4a0c6b), hex(0x781c6d), hex(0xa52c60),
                            hex(0xcf4446), hex(0xed6925), hex(0xfb9b06), hex(0xf7d13d), hex(0xfcffa4)};
constexpr Rgb kHot[] = {hex(0x0b0000), hex(0x600000), hex(0xb50000), hex(0xff0c00), hex(0xff6100),
                        hex(0xffb600), hex(0xffff10), hex(0xffff8f), hex(0xffffff)};
constexpr Rgb kIce[] = {hex(0x00000b), hex(0x000060), hex(0x0000b5), hex(0x000cff), hex(0x0061ff),
                        hex(0x00b6ff), hex(0x10ffff), hex(0x8fffff), hex(0xffffff)};
constexpr Rgb kBlueWhiteRed[] = {hex(0x053061), hex(0x2166ac), hex(0x4393c3), hex(0x92c5de), hex(0xd1e5f0), hex(0xf7f7f7),
                                 hex(0xfddbc7), hex(0xf4a582), hex(0xd6604d), hex(0xb2182b), hex(0x67001f)};

ColourTable interpolated(std::span<const Rgb> points) {
  ColourTable table;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double position = static_cast<double>(i) / 255.0 * static_cast<double>(points.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(position), points.size() - 2);
    const double t = position - static_cast<double>(below);
    const auto mix = [t](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(std::lround(a + t * (b - a))); };
    const Rgb a = points[below], b = points[below + 1];
    table[i] = {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
  }
  return table;
}

} // namespace

const std::vector<ColourMapInfo>& colourMaps() {
  static const std::vector<ColourMapInfo> maps{
      {ColourMap::Grey, "grey", "Grey", false},
      {ColourMap::InvertedGrey, "inverted_grey", "Inverted grey", false},
      {ColourMap::Viridis, "viridis", "Viridis", false},
      {ColourMap::Cividis, "cividis", "Cividis", false},
      {ColourMap::Inferno, "inferno", "Inferno", false},
      {ColourMap::Hot, "hot", "Hot", false},
      {ColourMap::Ice, "ice", "Ice", false},
      {ColourMap::BlueWhiteRed, "blue_white_red", "Blue–white–red (signed)", true},
  };
  return maps;
}

const ColourTable& colourTable(ColourMap map) {
  static const std::array<ColourTable, 8> tables{
      interpolated(kGrey),    interpolated(kInverted), interpolated(kViridis), interpolated(kCividis),
      interpolated(kInferno), interpolated(kHot),      interpolated(kIce),     interpolated(kBlueWhiteRed)};
  return tables[static_cast<std::size_t>(map)];
}

std::optional<ColourMap> colourMapFromKey(std::string_view key) {
  for (const auto& info : colourMaps())
    if (info.key == key)
      return info.map;
  return std::nullopt;
}

std::string_view colourMapKey(ColourMap map) { return colourMaps()[static_cast<std::size_t>(map)].key; }

} // namespace voxlab
