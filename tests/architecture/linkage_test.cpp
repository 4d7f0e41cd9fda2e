// SPDX-License-Identifier: Apache-2.0
// What the programs load, by the loader's own word: the studio no LibTorch and no CUDA, the worker no Qt and no VTK.
#include "tests/support/paths.h"
#include "tests/support/process.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using testing::HasSubstr;
using testing::Not;

namespace {

// `ldd FILE`: everything that would be loaded, directly or not.
std::string loadedBy(const std::filesystem::path& file) {
  return runProcess("/usr/bin/ldd", {file.string()}, {{"LC_ALL", "C"}}).output;
}

} // namespace

TEST(Linkage, StudioNeedsNoTorchAndNoCuda) {
  if (!VOXLAB_WITH_STUDIO)
    GTEST_SKIP() << "this build has no studio (WITH_STUDIO=OFF)";
  const auto file = program("voxlab");
  ASSERT_TRUE(std::filesystem::exists(file)) << file;
  const std::string libraries = loadedBy(file);
  EXPECT_THAT(libraries, HasSubstr("libQt6Widgets")) << "ldd did not tell";
  for (const char* name : {"libtorch", "libc10", "libcuda", "libcudnn", "libcublas", "libcupti"})
    EXPECT_THAT(libraries, Not(HasSubstr(name)));
}

TEST(Linkage, WorkerNeedsNoQtAndNoVtkAndStartsWithoutADriver) {
  if (!VOXLAB_WITH_WORKER)
    GTEST_SKIP() << "this build has no worker (WITH_WORKER=OFF)";
  const auto file = program("voxlab-worker");
  ASSERT_TRUE(std::filesystem::exists(file)) << file;
  const std::string libraries = loadedBy(file);
  EXPECT_THAT(libraries, HasSubstr("libtorch_cpu")) << "ldd did not tell";
  EXPECT_THAT(libraries, Not(HasSubstr("not found")));
  for (const char* name : {"libQt", "libvtk", "libX11", "libGL.", "libcuda.so", "libnvidia-ml", "libtorch_cuda"})
    EXPECT_THAT(libraries, Not(HasSubstr(name)));
}
