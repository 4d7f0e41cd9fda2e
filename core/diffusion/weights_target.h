// SPDX-License-Identifier: Apache-2.0
// A trained network written for use elsewhere: as a checkpoint folder without optimiser, as one .safetensors file, or as a .pt
// file for the published programs.
#pragma once
#include "core/diffusion/weights_source.h"

namespace voxlab {

enum class WeightSet { Unknown, Average, Model };
enum class StoredPrecision { Unknown, Float32, Float16 };

// All fail with Data when the file cannot be written; what stood there before then stays.
Status writeWeightsFolder(const std::filesystem::path& folder, const TrainedNetwork& trained);
Status writeWeightsFile(const std::filesystem::path& file, const TrainedNetwork& trained, WeightSet set, StoredPrecision precision);
Status writePublishedFile(const std::filesystem::path& file, const TrainedNetwork& trained);

} // namespace voxlab
