// SPDX-License-Identifier: Apache-2.0
#include "tests/core/execution/mode_quality.h"
#include "tests/support/paths.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

namespace voxlab {
namespace {

TEST(ModeQuality, PsnrIsTheMeanOverVolumes) {
  const at::Tensor reference = at::zeros({2, 1, 4, 4, 4});
  const at::Tensor volumes = at::cat({at::ones({1, 1, 4, 4, 4}) * 0.2, at::ones({1, 1, 4, 4, 4}) * 0.02}); // 20 and 40 dB
  EXPECT_NEAR(meanPsnr(volumes, reference), 30, 1e-4);
}

TEST(ModeQuality, DeviationsAreThoseOfASample) {
  EXPECT_NEAR(deviations(7, {1, 2, 3}), 5, 1e-12); // mean 2, standard deviation 1
  EXPECT_NEAR(deviations(-1, {1, 2, 3}), -3, 1e-12);
}

TEST(ModeQuality, DifferencesAreRelative) {
  EXPECT_NEAR(relativeDifference(at::ones({8}) * 1.01, at::ones({8})), 0.01, 1e-6);
}

} // namespace
} // namespace voxlab
