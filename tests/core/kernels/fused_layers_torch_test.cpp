// SPDX-License-Identifier: Apache-2.0
// The layers on the kernels' CPU references; tests/core/execution/parity has the same on a GPU.
#include "core/kernels/torch_ops.h"
#include "tests/core/kernels/layer_checks.h"
#include <gtest/gtest.h>

namespace voxlab {
namespace {

class FusedLayers : public testing::Test {
protected:
  void SetUp() override { registerOperators(); }
  const c10::Device m_cpu{c10::kCPU};
};

TEST_F(FusedLayers, NormsHaveLibTorchsGradients) { checkNormalisation(m_cpu, at::kFloat); }
TEST_F(FusedLayers, SumsAndUpsamplingHaveLibTorchsGradients) { checkSumsAndUpsampling(m_cpu, at::kFloat); }
TEST_F(FusedLayers, ConvolutionsHaveLibTorchsGradients) { checkConvolutions(m_cpu, at::kFloat); }
TEST_F(FusedLayers, TheFirstAndLastLayerHaveLibTorchsGradients) { checkNarrowLayers(m_cpu, at::kFloat); }
TEST_F(FusedLayers, ResidualBlocksHaveLibTorchsGradients) { checkResidualBlocks(m_cpu, at::kFloat); }
TEST_F(FusedLayers, GradientsHoldInSixteenBits) {
  checkNormalisation(m_cpu, at::kBFloat16);
  checkNarrowLayers(m_cpu, at::kHalf);
  checkResidualBlocks(m_cpu, at::kBFloat16);
}
TEST_F(FusedLayers, NanAndInfinityComeOutWhereLibTorchHasThem) { checkNotFinite(m_cpu, at::kFloat); }
TEST_F(FusedLayers, RepeatBitForBit) { checkRepeats(m_cpu, at::kFloat); }

} // namespace
} // namespace voxlab
