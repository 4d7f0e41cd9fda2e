// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/volume_set.h"
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include "core/imaging/intensity.h"
#include "core/imaging/preprocess.h"
#include "core/imaging/volume_io.h"
#include <cmath>

namespace voxlab {
namespace {
Result<Volume> readCanonical(const std::filesystem::path& file) {
  ReadOptions options;
  options.timePoint = 0;
  auto volume = readVolume(file, options);
  if (!volume)
    return fail(volume.error());
  return reoriented(*volume, orderTowards(volume->grid().affine, "RAS"));
}

Result<GridSize> sizeOf(const std::filesystem::path& file) {
  const auto header = readVolumeHeader(file);
  if (!header)
    return fail(header.error());
  return reoriented(header->grid, orderTowards(header->grid.affine, "RAS")).size;
}

Result<std::vector<float>> load(const std::filesystem::path& file, const GridSize& size, IntensityScaling scaling, std::vector<std::string>& notes) {
  if (scaling == IntensityScaling::Percentiles) {
    PreprocessSettings settings;
    settings.size = size;
    auto prepared = prepareCase({{file}, {}}, settings);
    if (!prepared)
      return fail(prepared.error());
    notes.insert(notes.end(), prepared->notes.begin(), prepared->notes.end());
    return std::move(prepared->image.values);
  }
  if (const auto header = readVolumeHeader(file); header && header->timePoints > 1)
    notes.push_back(file.filename().string() + " has " + formatCount(header->timePoints) + " time points; the first was used.");
  auto volume = readCanonical(file);
  if (!volume)
    return fail(volume.error());
  const IntensitySummary summary = summarise(volume->voxels);
  if (summary.finite == 0)
    return fail(ExitCode::Data, "Could not use " + file.string() + ": none of its voxels is a number. Leave it out, or mend it.");
  if (summary.nonFinite > 0)
    notes.push_back(formatCount(static_cast<std::int64_t>(summary.nonFinite)) + " voxels of " + file.filename().string() + " are no numbers; the lowest value was used.");
  for (float& voxel : volume->voxels)
    voxel = std::isfinite(voxel) ? voxel : static_cast<float>(summary.minimum);
  return volume->grid().size == size ? std::move(volume->voxels) : resizedToSize(*volume, size, AxisFilter::Triangle).voxels;
}
} // namespace

Groups VolumeSet::groups() const {
  std::map<std::string, std::vector<std::int64_t>> bySubject;
  for (std::size_t n = 0; n < files.size(); ++n)
    bySubject[files[n].subject].push_back(static_cast<std::int64_t>(n));
  Groups groups;
  for (auto& [subject, members] : bySubject)
    groups.push_back(std::move(members));
  return groups;
}

Result<VolumeSet> loadVolumes(std::vector<EvaluatedFile> files, const LoadOrder& order, std::uint64_t memory_bytes) {
  VolumeSet set;
  set.size = order.size;
  if (set.size[0] == 0) {
    const auto size = sizeOf(files.front().file);
    if (!size)
      return fail(size.error());
    set.size = *size;
  }
  const double needed = 4.0 * static_cast<double>(set.size[0] * set.size[1] * set.size[2]) * static_cast<double>(files.size());
  if (memory_bytes > 0 && needed > 0.5 * static_cast<double>(memory_bytes))
    return fail(ExitCode::OutOfMemory, "The " + formatCount(static_cast<std::int64_t>(files.size())) + " volumes need " + formatBytes(needed) +
                                           ", more than half of this machine's memory. Evaluate them on a smaller grid: quality.size=64,64,64.");
  for (const EvaluatedFile& file : files) {
    auto voxels = load(file.file, set.size, order.scaling, set.notes);
    if (!voxels)
      return fail(voxels.error());
    set.voxels.push_back(std::move(*voxels));
    if (order.goOn && !order.goOn())
      return fail(ExitCode::Stopped, "Stopped while reading volumes.");
  }
  set.files = std::move(files);
  return set;
}

Result<std::vector<float>> loadLabels(const std::filesystem::path& file, const GridSize& size) {
  auto volume = readCanonical(file);
  if (!volume)
    return fail(volume.error());
  return resizedToSize(*volume, size, AxisFilter::Nearest).voxels;
}

} // namespace voxlab
