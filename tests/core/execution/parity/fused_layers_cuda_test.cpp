// SPDX-License-Identifier: Apache-2.0
// The fused layers on a GPU against LibTorch's operations in double on the CPU.
#include "core/execution/mode.h"
#include "tests/core/execution/parity/gpu_test.h"
#include "tests/core/kernels/layer_checks.h"

namespace voxlab {
namespace {

class FusedLayersGpu : public GpuTest {
protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (isCudaLoaded()) {
      ASSERT_EQ(cudaModuleMissing(), "");
    }
  }
  static constexpr at::ScalarType kTypes[] = {at::kFloat, at::kBFloat16, at::kHalf};
  ModeGuard m_mode{parseMode("fused_tf32")->switches, Determinism::On};
};

TEST_F(FusedLayersGpu, NormsHaveLibTorchsGradients) {
  for (const auto type : kTypes)
    checkNormalisation(m_device, type);
}
TEST_F(FusedLayersGpu, SumsAndUpsamplingHaveLibTorchsGradients) {
  for (const auto type : kTypes)
    checkSumsAndUpsampling(m_device, type);
}
TEST_F(FusedLayersGpu, ConvolutionsHaveLibTorchsGradients) {
  for (const auto type : kTypes)
    checkConvolutions(m_device, type);
}
TEST_F(FusedLayersGpu, TheFirstAndLastLayerHaveLibTorchsGradients) {
  for (const auto type : kTypes)
    checkNarrowLayers(m_device, type);
}
TEST_F(FusedLayersGpu, ResidualBlocksHaveLibTorchsGradients) {
  for (const auto type : kTypes)
    checkResidualBlocks(m_device, type);
}
TEST_F(FusedLayersGpu, NanAndInfinityComeOutWhereLibTorchHasThem) {
  for (const auto type : kTypes)
    checkNotFinite(m_device, type);
}
TEST_F(FusedLayersGpu, RepeatBitForBit) {
  for (const auto type : kTypes)
    checkRepeats(m_device, type);
}

} // namespace
} // namespace voxlab
