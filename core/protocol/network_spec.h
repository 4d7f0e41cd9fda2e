// SPDX-License-Identifier: Apache-2.0
// The denoising network's configuration (Med-DDPM's 3D U-Net), free of LibTorch: the network, the plan of its cost and the
// form are built from the same numbers.
#pragma once
#include "core/protocol/job_spec.h"
#include <array>
#include <vector>

namespace voxlab {

struct NetworkSpec {
  int imageChannels = 1;                     // modalities; output channels
  int conditionChannels = 2;                 // one a label class
  int baseChannels = 64;                     // a multiple of 32
  std::vector<double> multipliers{1, 1, 2, 3, 4}; // width of each level / baseChannels
  int residualBlocks = 1;                    // per level
  std::vector<int> attentionFactors{8};      // down-sampling factors that have attention; the middle always has
  int levels() const { return static_cast<int>(multipliers.size()); }
  int inputChannels() const { return imageChannels + conditionChannels; }
  int width(int level) const { return static_cast<int>(baseChannels * multipliers[static_cast<std::size_t>(level)]); }
  int sizeMultiple() const { return 1 << (levels() - 1); } // every spatial size is padded to a multiple of this
};

// From "model.*"; fails with Usage: widths that 32 groups do not divide, no level, more than 8 levels.
Result<NetworkSpec> networkSpecFrom(const JobSpec& spec);
void storeNetworkSpec(const NetworkSpec& network, JobSpec& spec);
Json toJson(const NetworkSpec& network);
Result<NetworkSpec> networkSpecFromJson(const Json& json);

// Smallest (D, H, W) that the network takes for a grid of this size.
std::array<std::int64_t, 3> paddedSize(const NetworkSpec& network, std::array<std::int64_t, 3> size);

} // namespace voxlab
