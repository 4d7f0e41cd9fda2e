// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/philox_noise.h"
#include <algorithm>

namespace voxlab {

void fillNoiseBlocks(const PhiloxNoise& noise, std::int64_t first, std::int64_t last) {
  const std::int64_t elements = noise.elements();
  for (std::int64_t block = first; block < last; ++block) {
    const philox::Normals n = philox::normals(noise.stream, static_cast<std::uint64_t>(block));
    const std::int64_t begin = block * 4, count = std::min<std::int64_t>(4, elements - begin);
    for (std::int64_t lane = 0; lane < count; ++lane)
      noise.data[noiseOffset(noise, begin + lane)] = n.value[lane];
  }
}

} // namespace voxlab
