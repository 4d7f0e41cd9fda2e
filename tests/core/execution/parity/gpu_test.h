// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/execution/cuda_runtime.h"
#include <gtest/gtest.h>

namespace voxlab {

// A test that runs on the first GPU, or is skipped with the reason.
class GpuTest : public testing::Test {
protected:
  void SetUp() override {
    if (const Status status = loadCuda(); !status)
      GTEST_SKIP() << status.error().message;
  }
  c10::Device m_device{c10::kCUDA, 0};
};

} // namespace voxlab
