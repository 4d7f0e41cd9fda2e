// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/preprocess.h"
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include "core/imaging/recipe_table.h"
#include <algorithm>
#include <cmath>
#include <new>

namespace voxlab {
namespace {
struct Row {
  Recipe recipe;
  Result<PreparedCase> (*prepare)(const CaseFiles&, const PreprocessSettings&);
};

const std::vector<Row>& table() {
  static const std::vector<Row> rows{
      {{"volume", "Volume-wise",
        "Turns volumes to the closest right–anterior–superior axes, brings the image onto its mask's grid, maps the 0.5 and 99.5 "
        "percentiles of the whole volume to -1 and 1, and resamples images smoothly and labels by nearest neighbour."},
       prepareByVolume},
      {{"published", "As published (whole head)",
        "What the official whole-head weights were trained on: axes as stored, intensities scaled slice by slice, images and masks "
        "resized linearly. Use it with those weights."},
       prepareAsPublished},
      {{"published_brats", "As published (BraTS)",
        "What the official BraTS weights were trained on: centre crop or pad, intensities scaled over the volume, four tumour and brain "
        "labels. Raw cases are converted first; converted ones are taken as they are."},
       prepareAsPublishedBrats},
  };
  return rows;
}

template <class T> std::vector<T> indicator(std::span<const T> mask, std::int64_t label) {
  std::vector<T> out(mask.size());
  const double wanted = static_cast<double>(label);
  std::transform(mask.begin(), mask.end(), out.begin(),
                 [&](T value) { return std::nearbyint(static_cast<double>(value)) == wanted ? T{1} : T{0}; });
  return out;
}

Status checkSettings(const CaseFiles& files, const PreprocessSettings& settings) {
  for (const std::int64_t side : settings.size)
    if (side < 1 || side > 1 << 14)
      return fail(ExitCode::Usage, "A volume size of " + std::to_string(side) + " voxels is not possible.");
  if (files.images.empty() && files.mask.empty())
    return fail(ExitCode::Usage, "There is neither an image nor a mask to prepare.");
  if (files.mask.empty() && !settings.labels.empty())
    return fail(ExitCode::Data, "There is no mask for " + files.images.front().string() + ", but the network expects labels.");
  return {};
}
} // namespace

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> list = [] {
    std::vector<Recipe> out;
    for (const auto& row : table())
      out.push_back(row.recipe);
    return out;
  }();
  return list;
}

std::vector<std::int64_t> defaultLabels(int conditionChannels) {
  std::vector<std::int64_t> labels;
  for (int n = 1; n <= conditionChannels; ++n)
    labels.push_back(n);
  return labels;
}

Result<PreparedCase> prepareCase(const CaseFiles& files, const PreprocessSettings& settings) {
  if (auto status = checkSettings(files, settings); !status)
    return fail(status.error());
  for (const auto& row : table())
    if (row.recipe.name == settings.recipe) {
      try {
        return row.prepare(files, settings);
      } catch (const std::bad_alloc&) {
        const auto& file = files.images.empty() ? files.mask : files.images.front();
        return fail(ExitCode::OutOfMemory, "There is not enough memory to prepare " + file.string() + ".");
      }
    }
  return fail(ExitCode::Usage, "There is no preprocessing recipe '" + settings.recipe + "'.");
}

Volume volumeFromChannel(const ChannelBlock& block, std::int64_t channel, const Grid& grid) {
  Volume out;
  out.header.grid = grid;
  out.header.storedType = VoxelType::Float32;
  const auto values = block.channel(channel);
  out.voxels.assign(values.begin(), values.end());
  return out;
}

std::vector<float> labelIndicator(std::span<const float> mask, std::int64_t label) { return indicator(mask, label); }
std::vector<double> labelIndicator(std::span<const double> mask, std::int64_t label) { return indicator(mask, label); }

std::uint64_t replaceNonFinite(std::vector<float>& values, float by) {
  std::uint64_t count = 0;
  for (float& value : values)
    if (!std::isfinite(value)) {
      value = by;
      ++count;
    }
  return count;
}

std::optional<std::string> gridDifference(const Grid& image, const Grid& mask) {
  if (sameGrid(image, mask))
    return std::nullopt;
  const auto size = [](const Grid& g) {
    return std::to_string(g.size[0]) + "×" + std::to_string(g.size[1]) + "×" + std::to_string(g.size[2]);
  };
  if (image.size != mask.size)
    return "sizes " + size(image) + " and " + size(mask) + ", axes " + axisCodes(image.affine) + " and " + axisCodes(mask.affine);
  return "their corners lie up to " + formatSignificant(*cornerDistance(image, mask)) + " mm apart";
}

void appendCondition(std::span<const float> indicator, double background, ChannelBlock& condition) {
  const auto outside = static_cast<float>(background);
  const auto step = static_cast<float>(1 - background);
  condition.values.reserve(condition.values.size() + indicator.size());
  for (const float value : indicator)
    condition.values.push_back(value * step + outside);
  ++condition.channels;
}

} // namespace voxlab
