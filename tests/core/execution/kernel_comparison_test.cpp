// SPDX-License-Identifier: Apache-2.0
#include "core/execution/kernel_comparison.h"
#include <gtest/gtest.h>

namespace voxlab {
namespace {

// On the CPU the references stand in for the kernels; what is compared is the same.
TEST(KernelComparison, EveryKernelDoesWhatItReplaces) {
  KernelComparisonSettings settings;
  settings.side = 4;
  settings.channels = 32;
  settings.types = {at::kFloat, at::kBFloat16};
  settings.least_ms = 0;
  std::size_t reported = 0;
  const auto rows = compareKernels(c10::Device(c10::kCPU), settings, [&](const KernelComparison&) { ++reported; });
  EXPECT_EQ(rows.size(), 28u);
  EXPECT_EQ(reported, rows.size());
  for (const KernelComparison& row : rows) {
    EXPECT_LT(row.difference, row.type == "float32" ? 1e-5 : 2e-2) << row.kernel << " " << row.direction << " " << row.type;
    EXPECT_GT(row.bytes, 0);
    EXPECT_GT(row.own_ms, 0);
    EXPECT_GE(row.shareOfBound(), row.copy_ms / row.own_ms);
    EXPECT_EQ(toJson(row)["kernel"], row.kernel);
  }
  const std::string table = kernelComparisonTable(rows);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 29);
}

} // namespace
} // namespace voxlab
