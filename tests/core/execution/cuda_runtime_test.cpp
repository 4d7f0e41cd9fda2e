// SPDX-License-Identifier: Apache-2.0
#include "core/execution/cuda_runtime.h"
#include <gtest/gtest.h>

namespace voxlab {
namespace {

TEST(CudaRuntime, SaysWhyThereIsNoGpu) {
  if (cudaDevices().empty()) {
    EXPECT_FALSE(cudaDevicesMissing().empty());
    const Status status = loadCuda();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::NoDevice);
    EXPECT_EQ(status.error().message, cudaDevicesMissing());
    EXPECT_FALSE(isCudaLoaded());
    EXPECT_EQ(cudaModuleSymbol("anything"), nullptr);
  } else {
    EXPECT_TRUE(cudaDevicesMissing().empty());
    EXPECT_GT(cudaDevices().front().memory_bytes, 0);
    EXPECT_FALSE(cudaDevices().front().name.empty());
  }
}

TEST(CudaRuntime, ChoosesDevices) {
  EXPECT_TRUE(chooseDevice("cpu")->is_cpu());
  EXPECT_TRUE(chooseDevice("auto"));
  for (const char* unknown : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1 ", "mps"}) {
    const auto device = chooseDevice(unknown);
    ASSERT_FALSE(device) << unknown;
    EXPECT_EQ(device.error().code, ExitCode::Usage) << unknown;
  }
  const auto beyond = chooseDevice("cuda:4000");
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ExitCode::NoDevice);
}

TEST(CudaRuntime, TheCpuHasNoDeviceMemory) {
  const c10::Device cpu(c10::kCPU);
  EXPECT_FALSE(deviceMemory(cpu));
  EXPECT_FALSE(cudaDeviceOf(cpu));
  resetPeakMemory(cpu);
  releaseCachedMemory(cpu);
  synchronize(cpu);
}

TEST(CudaRuntime, NamesVersions) { EXPECT_TRUE(computeVersions().contains("torch")); }

} // namespace
} // namespace voxlab
