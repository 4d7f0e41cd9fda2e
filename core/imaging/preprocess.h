// SPDX-License-Identifier: Apache-2.0
// From files to what the network sees: intensities scaled to [-1, 1], volumes brought to size, labels made into condition
// channels. How it is done is a recipe with a name; the affine is kept in step all the way.
#pragma once
#include "core/base/json.h"
#include "core/base/result.h"
#include "core/imaging/resample.h"
#include <filesystem>
#include <stop_token>

namespace voxlab {

// One subject's tensor, row-major C, D, H, W with D = Z, H = Y, W = X: element x + X·(y + Y·(z + Z·c)).
struct ChannelBlock {
  std::int64_t channels = 0;
  GridSize size{}; // X, Y, Z
  std::vector<float> values;
  std::int64_t voxelsPerChannel() const { return size[0] * size[1] * size[2]; }
  std::span<const float> channel(std::int64_t c) const {
    return std::span(values).subspan(static_cast<std::size_t>(c * voxelsPerChannel()), static_cast<std::size_t>(voxelsPerChannel()));
  }
};

struct Recipe {
  std::string name, title, explanation;
};
const std::vector<Recipe>& recipes(); // "volume" (the default), "published", "published_brats"

struct PreprocessSettings {
  std::string recipe = "volume";
  GridSize size{128, 128, 128};       // X, Y, Z of the network's grid
  std::vector<std::int64_t> labels;   // one condition channel each, in this order; empty: no condition
  double conditionBackground = -1;    // a condition channel is this outside its label and 1 inside
  double lowPercentile = 0.5;         // "volume": these map to -1 and 1; beyond is cut off
  double highPercentile = 99.5;
  std::stop_token cancel;
};

// The labels that a number of condition channels stands for when none are named: 1, 2, … n.
std::vector<std::int64_t> defaultLabels(int conditionChannels);

struct CaseFiles {
  std::vector<std::filesystem::path> images; // one a modality, in channel order; empty when only the condition is wanted
  std::filesystem::path mask;                // empty: no condition; the first image then gives the grid
};

struct PreparedCase {
  ChannelBlock image;             // values in [-1, 1], finite
  ChannelBlock condition;
  Grid grid;                      // of both
  Grid sourceGrid;                // of the mask's file (of the first image's without a mask), as stored
  Json record = Json::object();   // the rule and its numbers, for the run's files
  std::vector<std::string> notes; // what a user should know, in words
};

// Fails with Data (files, grids that do not belong together), Usage (unknown recipe, size below 1), Stopped, OutOfMemory.
Result<PreparedCase> prepareCase(const CaseFiles& files, const PreprocessSettings& settings);

// One channel as a volume on the block's grid.
Volume volumeFromChannel(const ChannelBlock& block, std::int64_t channel, const Grid& grid);

// Condition channels from label values. Voxels are rounded to the nearest integer before they are compared, so that
// scaled label files lose nothing. Inside 1, outside 0.
std::vector<float> labelIndicator(std::span<const float> mask, std::int64_t label);
std::vector<double> labelIndicator(std::span<const double> mask, std::int64_t label);

} // namespace voxlab
