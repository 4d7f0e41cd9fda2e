// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/sampler_update.h"

namespace voxlab::reference {

void samplerUpdate(const SamplerUpdate& p) {
  const SamplerRow row = p.rows[p.index ? *p.index : 0];
  for (std::int64_t n = 0; n < p.batch; ++n)
    for (std::int64_t block = 0; block < (p.channels * p.voxels + 3) / 4; ++block)
      updateSamplerBlock(p, row, n, block);
}

} // namespace voxlab::reference
