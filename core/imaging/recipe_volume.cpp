// SPDX-License-Identifier: Apache-2.0
// The default recipe: does what a careful user would, and records it.
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include "core/imaging/intensity.h"
#include "core/imaging/recipe_table.h"
#include "core/imaging/volume_io.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
Result<Volume> readCanonical(const std::filesystem::path& file, const PreprocessSettings& settings, PreparedCase& out, Grid* stored) {
  ReadOptions options;
  options.cancel = settings.cancel;
  options.timePoint = 0;
  const auto header = readVolumeHeader(file);
  if (!header)
    return fail(header.error());
  if (header->timePoints > 1)
    out.notes.push_back(file.filename().string() + " has " + std::to_string(header->timePoints) + " time points; the first was used.");
  auto volume = readVolume(file, options);
  if (!volume)
    return fail(volume.error());
  if (stored)
    *stored = volume->grid();
  return reoriented(*volume, orderTowards(volume->grid().affine, "RAS"));
}

struct Scaling {
  double low, high;
};

// [low, high] percentile → [-1, 1], cut off beyond; a constant volume becomes -1.
Scaling normalise(std::vector<float>& voxels, const PreprocessSettings& settings) {
  const auto range = percentiles(voxels, std::array{settings.lowPercentile, settings.highPercentile});
  double low = range[0], high = range[1];
  if (!(high > low)) { // nearly everything is background: fall back on the extremes
    const auto summary = summarise(voxels);
    low = summary.minimum;
    high = summary.maximum;
  }
  const double scale = high > low ? 2 / (high - low) : 0;
  for (float& v : voxels)
    v = static_cast<float>(std::clamp((static_cast<double>(v) - low) * scale - 1, -1.0, 1.0));
  return {low, high};
}

Status addImage(const std::filesystem::path& file, const PreprocessSettings& settings, Grid& reference, bool referenceIsSet, PreparedCase& out) {
  auto image = readCanonical(file, settings, out, referenceIsSet ? nullptr : &out.sourceGrid);
  if (!image)
    return fail(image.error());
  if (!referenceIsSet)
    reference = image->grid();
  const std::string name = file.filename().string();
  const auto range = summarise(image->voxels);
  if (range.finite == 0)
    return fail(ExitCode::Data, "Could not use " + file.string() + ": none of its voxels is a number.");
  if (replaceNonFinite(image->voxels, static_cast<float>(range.minimum)) > 0)
    out.notes.push_back(formatCount(static_cast<std::int64_t>(range.nonFinite)) + " voxels of " + name + " are no numbers; the lowest value was used.");
  if (range.isConstant())
    out.notes.push_back("All voxels of " + name + " have the same value.");
  const Scaling scaling = normalise(image->voxels, settings);
  if (const auto difference = gridDifference(image->grid(), reference)) {
    out.notes.push_back(name + " was resampled onto its mask's grid: " + *difference + ".");
    *image = resampled(*image, reference, Interpolation::Linear, -1);
  }
  const Volume sized = resizedToSize(*image, settings.size, AxisFilter::Triangle);
  out.image.values.insert(out.image.values.end(), sized.voxels.begin(), sized.voxels.end());
  ++out.image.channels;
  out.record["images"].push_back({{"file", name}, {"low", scaling.low}, {"high", scaling.high}});
  return {};
}
} // namespace

Result<PreparedCase> prepareByVolume(const CaseFiles& files, const PreprocessSettings& settings) {
  PreparedCase out;
  out.image.size = out.condition.size = settings.size;
  out.record = {{"recipe", settings.recipe},
                {"rule", "closest canonical axes (RAS); percentiles of the whole volume to [-1, 1], cut off beyond; images by a triangle "
                         "filter, labels by nearest neighbour"},
                {"low_percentile", settings.lowPercentile},
                {"high_percentile", settings.highPercentile},
                {"images", Json::array()}};
  Grid reference;
  if (!files.mask.empty()) {
    auto mask = readCanonical(files.mask, settings, out, &out.sourceGrid);
    if (!mask)
      return fail(mask.error());
    reference = mask->grid();
    const Volume sized = resizedToSize(*mask, settings.size, AxisFilter::Nearest);
    for (const std::int64_t label : settings.labels)
      appendCondition(labelIndicator(sized.voxels, label), settings.conditionBackground, out.condition);
  }
  bool referenceIsSet = !files.mask.empty();
  for (const auto& file : files.images) {
    if (auto status = addImage(file, settings, reference, referenceIsSet, out); !status)
      return fail(status.error());
    referenceIsSet = true;
  }
  out.grid = scaledGrid(reference, settings.size);
  return out;
}

} // namespace voxlab
