// SPDX-License-Identifier: Apache-2.0
// The published whole-head program's data handling (tests/data/parity/ARCHITECTURE.md, section 6), number for number.
#include "core/imaging/published.h"
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include "core/imaging/recipe_table.h"
#include "core/imaging/volume_io.h"
#include <cmath>
#include <limits>

namespace voxlab {

std::vector<double> publishedSliceScaling(std::span<const double> voxels, const GridSize& size) {
  std::vector<double> out(voxels.begin(), voxels.end());
  const auto perSlice = static_cast<std::size_t>(size[0] * size[1]);
  for (std::size_t start = 0; start < out.size(); start += perSlice) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t n = start; n < start + perSlice; ++n)
      if (std::isfinite(out[n])) {
        low = std::min(low, out[n]);
        high = std::max(high, out[n]);
      }
    const double range = high - low;
    const double scale = range < 10 * std::numeric_limits<double>::epsilon() ? 1 : 1 / range;
    for (std::size_t n = start; n < start + perSlice; ++n)
      out[n] = out[n] * scale - low * scale;
  }
  return out;
}

namespace {
Result<PreciseVolume> readFirst(const std::filesystem::path& file, const PreprocessSettings& settings) {
  ReadOptions options;
  options.cancel = settings.cancel;
  options.timePoint = 0;
  return readPreciseVolume(file, options);
}

std::vector<double> resizedLinearly(std::vector<double> voxels, const GridSize& from, const GridSize& to) {
  return from == to ? voxels : resizedVoxels<double>(voxels, from, to, AxisFilter::Linear);
}

void appendTarget(const std::vector<double>& voxels, ChannelBlock& image) {
  for (const double v : voxels)
    image.values.push_back(static_cast<float>(v) * 2.0f - 1.0f);
  ++image.channels;
}
} // namespace

Result<PreparedCase> prepareAsPublished(const CaseFiles& files, const PreprocessSettings& settings) {
  PreparedCase out;
  out.image.size = out.condition.size = settings.size;
  out.record = {{"recipe", settings.recipe},
                {"rule", "axes as stored; each slice of the last axis to [0, 1], then to [-1, 1]; images and masks resized linearly"}};
  std::optional<Grid> reference;
  if (!files.mask.empty()) {
    const auto mask = readFirst(files.mask, settings);
    if (!mask)
      return fail(mask.error());
    reference = mask->grid();
    for (const std::int64_t label : settings.labels) {
      const auto sized = resizedLinearly(labelIndicator(std::span<const double>(mask->voxels), label), mask->grid().size, settings.size);
      appendCondition(std::vector<float>(sized.begin(), sized.end()), settings.conditionBackground, out.condition);
    }
  }
  for (const auto& file : files.images) {
    const auto image = readFirst(file, settings);
    if (!image)
      return fail(image.error());
    if (!reference)
      reference = image->grid();
    if (const auto difference = gridDifference(image->grid(), *reference))
      out.notes.push_back(file.filename().string() + " and its mask do not lie on the same grid (" + *difference +
                          "); they were paired voxel by voxel, as the published program does.");
    appendTarget(resizedLinearly(publishedSliceScaling(image->voxels, image->grid().size), image->grid().size, settings.size), out.image);
  }
  if (const auto count = replaceNonFinite(out.image.values, -1); count > 0)
    out.notes.push_back(formatCount(static_cast<std::int64_t>(count)) + " values of the image are no numbers; -1 was used.");
  out.sourceGrid = *reference;
  out.grid = scaledGrid(*reference, settings.size);
  return out;
}

} // namespace voxlab
