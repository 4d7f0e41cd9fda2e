// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diffusion/parity/parity_checks.h"
#include <gtest/gtest.h>

namespace voxlab {

TEST(Diffusion, Schedule) { checkSchedules(); }
TEST(Diffusion, TimestepEmbedding) { checkTimestepEmbedding(); }
TEST(Diffusion, Manifest) { checkManifests(); }
TEST(Diffusion, Network) { checkNetworks(at::kCPU); }
TEST(Diffusion, Training) { checkTraining(at::kCPU); }
TEST(Diffusion, Sampling) { checkSampling(at::kCPU); }
TEST(Diffusion, UpstreamCheckpoint) { checkUpstreamCheckpoints(); }

} // namespace voxlab
