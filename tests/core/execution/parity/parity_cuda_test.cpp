// SPDX-License-Identifier: Apache-2.0
#include "core/execution/mode.h"
#include "tests/core/diffusion/parity/parity_checks.h"
#include "tests/core/execution/parity/gpu_test.h"

namespace voxlab {

class Diffusion : public GpuTest {
protected:
  ModeGuard m_baseline{ModeSwitches{}, Determinism::Off}; // FP32, TF32 off
};

TEST_F(Diffusion, Network) { checkNetworks(m_device); }
TEST_F(Diffusion, Training) { checkTraining(m_device); }
TEST_F(Diffusion, Sampling) { checkSampling(m_device); }

} // namespace voxlab
