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
  void inEveryType(void (*check)(c10::Device, at::ScalarType)) const {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf})
      check(m_device, type);
  }

  ModeGuard m_mode{parseMode("fused_tf32")->switches, Determinism::On};
};

TEST_F(FusedLayersGpu, NormsHaveLibTorchsGradients) { inEveryType(checkNormalisation); }
TEST_F(FusedLayersGpu, SumsAndUpsamplingHaveLibTorchsGradients) { inEveryType(checkSumsAndUpsampling); }
TEST_F(FusedLayersGpu, ConvolutionsHaveLibTorchsGradients) { inEveryType(checkConvolutions); }
TEST_F(FusedLayersGpu, TheFirstAndLastLayerHaveLibTorchsGradients) { inEveryType(checkNarrowLayers); }
TEST_F(FusedLayersGpu, ResidualBlocksHaveLibTorchsGradients) { inEveryType(checkResidualBlocks); }
TEST_F(FusedLayersGpu, NanAndInfinityComeOutWhereLibTorchHasThem) { inEveryType(checkNotFinite); }
TEST_F(FusedLayersGpu, RepeatBitForBit) { inEveryType(checkRepeats); }

} // namespace
} // namespace voxlab
