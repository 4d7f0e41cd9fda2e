// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diffusion/parity/spread_norm_checks.h"

namespace voxlab {

TEST(SpreadNorm, HasLibTorchsResultAndGradients) { checkSpreadNorms(at::kCPU); }

} // namespace voxlab
