// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/geometry.h"
#include "core/imaging/importers.h"
#include "core/imaging/published.h"
#include "core/imaging/volume_io.h"

namespace voxlab {

std::string publishedExportName(int k, const std::filesystem::path& mask) {
  return std::to_string(k) + "_" + volumeStem(mask) + ".nii.gz";
}

Status exportWholeHead(const ChannelBlock& sample, const std::filesystem::path& mask, int k, const std::filesystem::path& folder) {
  const auto condition = readVolume(mask);
  if (!condition)
    return fail(condition.error());
  const std::string name = publishedExportName(k, mask);
  const Grid grid = condition->grid().size == sample.size ? condition->grid() : scaledGrid(condition->grid(), sample.size);
  if (auto status = writeNifti(folder / "image" / name, volumeFromChannel(sample, 0, grid)); !status)
    return status;
  return writeNifti(folder / "mask" / name, *condition, condition->header.slope == 1 && condition->header.intercept == 0 && condition->header.components == 1
                                                            ? condition->header.storedType
                                                            : VoxelType::Float32);
}

} // namespace voxlab
