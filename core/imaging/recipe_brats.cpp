// SPDX-License-Identifier: Apache-2.0
// The published BraTS program's data handling (tests/data/parity/ARCHITECTURE.md, section 7).
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include "core/imaging/intensity.h"
#include "core/imaging/published.h"
#include "core/imaging/recipe_table.h"
#include "core/imaging/volume_io.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
// In single precision and in this order, as the reference computes it; a constant volume is left as it is.
void rescale(std::vector<float>& voxels, float low, float high) {
  const auto summary = summarise(voxels);
  const auto minimum = static_cast<float>(summary.minimum), range = static_cast<float>(summary.maximum) - minimum;
  if (!(range > 0))
    return;
  for (float& v : voxels)
    v = (v - minimum) / range * (high - low) + low;
}

std::string whatDiffers(const BratsCase& raw) {
  for (std::size_t m = 0; m < raw.images.size(); ++m)
    if (const auto difference = gridDifference(raw.images[m].grid(), raw.segmentation.grid()))
      return std::string(kBratsModalities[m]) + " and the segmentation: " + *difference;
  return {};
}

Result<Volume> readFirst(const std::filesystem::path& file, const PreprocessSettings& settings) {
  ReadOptions options;
  options.cancel = settings.cancel;
  options.timePoint = 0;
  return readVolume(file, options);
}

Result<BratsCase> readCase(const CaseFiles& files, const PreprocessSettings& settings, PreparedCase& out) {
  BratsCase brats;
  auto segmentation = readFirst(files.mask, settings);
  if (!segmentation)
    return fail(segmentation.error());
  brats.segmentation = std::move(*segmentation);
  for (std::size_t m = 0; m < files.images.size(); ++m) {
    auto image = readFirst(files.images[m], settings);
    if (!image)
      return fail(image.error());
    const auto summary = summarise(image->voxels);
    if (summary.nonFinite > 0) {
      replaceNonFinite(image->voxels, static_cast<float>(summary.minimum));
      out.notes.push_back(formatCount(static_cast<std::int64_t>(summary.nonFinite)) + " voxels of " + files.images[m].filename().string() +
                          " are no numbers; the lowest value was used.");
    }
    brats.images[m] = std::move(*image);
  }
  return brats;
}

Volume toSize(const Volume& volume, const GridSize& size, AxisFilter filter) {
  return volume.grid().size == size ? volume : resizedToSize(volume, size, filter);
}

// Sampling from a segmentation alone.
Status prepareConditionOnly(const CaseFiles& files, const PreprocessSettings& settings, PreparedCase& out) {
  const auto mask = readFirst(files.mask, settings);
  if (!mask)
    return fail(mask.error());
  out.sourceGrid = mask->grid();
  const Volume sized = croppedOrPadded(*mask, settings.size, 0);
  out.grid = sized.grid();
  for (const std::int64_t label : settings.labels)
    appendCondition(labelIndicator(sized.voxels, label), settings.conditionBackground, out.condition);
  return {};
}
} // namespace

Result<BratsCase> preprocessBrats(const BratsCase& raw, const GridSize& size) {
  if (const std::string difference = whatDiffers(raw); !difference.empty())
    return fail(ExitCode::Data, "The volumes of a BraTS case do not lie on one grid (" + difference + ").");
  BratsCase out;
  for (std::size_t m = 0; m < raw.images.size(); ++m) {
    out.images[m] = croppedOrPadded(raw.images[m], size, 0);
    rescale(out.images[m].voxels, -1, 1);
  }
  out.segmentation = croppedOrPadded(raw.segmentation, size, 0);
  for (std::size_t n = 0; n < out.segmentation.voxels.size(); ++n) {
    float& label = out.segmentation.voxels[n];
    label = std::nearbyint(label);
    if (label == 4)
      label = 3;
    else if (label == 0 && out.images[0].voxels[n] > -1)
      label = 4;
  }
  return out;
}

bool isRawBrats(const BratsCase& brats) {
  return std::any_of(brats.images.begin(), brats.images.end(), [](const Volume& image) {
    const auto summary = summarise(image.voxels);
    return !summary.isConstant() && (std::abs(summary.minimum + 1) > 1e-3 || summary.maximum > 1.001);
  });
}

void bratsTensors(const BratsCase& brats, std::span<const std::int64_t> labels, double background, ChannelBlock& image, ChannelBlock& condition) {
  image.size = condition.size = brats.segmentation.grid().size;
  for (const Volume& modality : brats.images) {
    image.values.insert(image.values.end(), modality.voxels.begin(), modality.voxels.end());
    ++image.channels;
  }
  for (const std::int64_t label : labels)
    appendCondition(labelIndicator(brats.segmentation.voxels, label), background, condition);
}

BratsCase exportBrats(const ChannelBlock& sample, const Volume& segmentation, const GridSize& size) {
  BratsCase out;
  for (std::size_t m = 0; m < out.images.size(); ++m) {
    Volume image = volumeFromChannel(sample, static_cast<std::int64_t>(m), segmentation.grid());
    rescale(image.voxels, 0, 1);
    out.images[m] = croppedOrPadded(image, size, 0);
  }
  out.segmentation = croppedOrPadded(segmentation, size, 0);
  for (float& label : out.segmentation.voxels) {
    label = std::nearbyint(label);
    if (label == 1 || label == 2)
      label = 3 - label;
    else if (label != 3)
      label = 0;
  }
  return out;
}

Result<PreparedCase> prepareAsPublishedBrats(const CaseFiles& files, const PreprocessSettings& settings) {
  PreparedCase out;
  out.image.size = out.condition.size = settings.size;
  out.record = {{"recipe", settings.recipe},
                {"rule", "axes as stored; centre crop or zero-pad; each modality to [-1, 1] over the volume; labels 1, 2, 3 tumour, 4 brain"}};
  if (files.mask.empty())
    return fail(ExitCode::Data, "The BraTS recipe needs a segmentation, and there is none.");
  if (files.images.empty()) {
    if (auto status = prepareConditionOnly(files, settings, out); !status)
      return fail(status.error());
    return out;
  }
  if (files.images.size() != kBratsModalities.size())
    return fail(ExitCode::Data, "The BraTS recipe needs four images a case (t1, t1ce, t2, flair); beside " + files.mask.string() + " there are " +
                                    std::to_string(files.images.size()) + ".");
  auto brats = readCase(files, settings, out);
  if (!brats)
    return fail(brats.error());
  out.sourceGrid = brats->segmentation.grid();
  const bool raw = isRawBrats(*brats);
  out.record["converted_from_raw"] = raw;
  if (raw || brats->segmentation.grid().size != settings.size) {
    auto sized = raw ? preprocessBrats(*brats, settings.size) : Result<BratsCase>(std::move(*brats));
    if (!sized)
      return fail(ExitCode::Data, files.mask.string() + ": " + sized.error().message);
    if (raw)
      out.notes.push_back("The raw case of " + files.mask.filename().string() + " was cropped or padded and scaled as published.");
    brats = std::move(sized);
  }
  for (Volume& image : brats->images)
    image = toSize(image, settings.size, AxisFilter::Linear);
  brats->segmentation = toSize(brats->segmentation, settings.size, AxisFilter::Nearest);
  out.grid = brats->segmentation.grid();
  bratsTensors(*brats, settings.labels, settings.conditionBackground, out.image, out.condition);
  return out;
}

} // namespace voxlab
