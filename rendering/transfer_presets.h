// SPDX-License-Identifier: GPL-3.0-or-later
// How intensities become colour and opacity in the volume rendering. Positions are shares of the display range: 0 is its
// lower end, 1 its upper one, so one preset fits every scan. Of a maximum projection they are greys, see ProjectionGreys.
#pragma once
#include "core/base/result.h"
#include "rendering/colour_maps.h"
#include <string>
#include <vector>

namespace voxlab {

enum class BlendMode { Composite, MaximumIntensity };
enum class Lighting { Off, On };

struct OpacityPoint {
  double position = 0, opacity = 0;
  bool operator==(const OpacityPoint&) const = default;
};
struct ColourPoint {
  double position = 0;
  Rgb colour;
  bool operator==(const ColourPoint&) const = default;
};

struct Transfer {
  std::string key, title;
  BlendMode blend = BlendMode::Composite;
  Lighting lighting = Lighting::On;
  std::vector<OpacityPoint> opacity;   // ascending positions; opacity of a millimetre-thick layer
  std::vector<ColourPoint> colours;    // ascending positions
  // Share of the opacity that flat regions keep: 1 ignores edges, 0 shows nothing but edges.
  double flatShare = 1;
  double ambient = 0.2, diffuse = 0.85, specular = 0.25, specularPower = 20;
  bool operator==(const Transfer&) const = default;
};

const std::vector<Transfer>& transferPresets(); // MR head, brain, skin, MIP, …
const Transfer* transferPreset(const std::string& key);
std::string transferToJson(const Transfer& transfer);
// Fails with Data on anything but at least two points of each kind with finite numbers; positions are sorted.
Result<Transfer> transferFromJson(const std::string& text, const std::string& what);

double opacityAt(const Transfer& transfer, double position);
Rgb colourAt(const Transfer& transfer, double position);

} // namespace voxlab
