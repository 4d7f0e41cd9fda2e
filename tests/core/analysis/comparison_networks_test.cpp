// SPDX-License-Identifier: Apache-2.0
// Networks of one size are workloads of their own, as sizes are.
#include "core/analysis/comparison_set.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/support/temporary_folder.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
namespace fs = std::filesystem;

class ComparisonNetworksTest : public testing::Test {
protected:
  fs::path bench(const std::string& name, int channels, int batch, double baseline_ms, const Json& multipliers = Json::array({1, 2})) const {
    const fs::path folder = m_folder / name;
    EXPECT_TRUE(writeJsonFile(folder / "run.json", {{"schema", "1.0"}, {"id", name}, {"kind", "bench"}, {"created", "2026-01-31T14:25:30.000Z"}}));
    EXPECT_TRUE(writeJsonFile(folder / "spec.json", {{"schema", "1.0"},
                                                     {"kind", "bench"},
                                                     {"data", {{"size", {16, 16, 16}}}},
                                                     {"model", {{"base_channels", channels}, {"multipliers", multipliers}}},
                                                     {"train", {{"batch", batch}}}}));
    std::string lines = "{\"type\":\"hello\",\"time_s\":0,\"major\":1,\"minor\":0,\"start\":1,\"resume_step\":0,\"wall_time\":\"2026-01-31T14:25:30.000Z\"}\n";
    for (const auto& [mode, ms] : {std::pair("baseline", baseline_ms), std::pair("bf16", baseline_ms / 2)})
      for (int n = 0; n < 3; ++n)
        lines += "{\"type\":\"bench\",\"time_s\":1,\"mode\":\"" + std::string(mode) + "\",\"what\":\"train\",\"repetition\":" + std::to_string(n) + ",\"duration_ms\":" + std::to_string(ms + n) + "}\n";
    EXPECT_TRUE(writeFileAtomically(folder / "events.jsonl", lines));
    return folder;
  }
  TemporaryFolder m_folder;
};
} // namespace

TEST_F(ComparisonNetworksTest, OfOneNetworkTheSizeIsTheWorkload) {
  const ComparisonSet set = gatherComparison({bench("a", 32, 1, 100), bench("b", 32, 1, 110)});
  EXPECT_EQ(workloadsOf(set.training), std::vector<std::string>{"16 × 16 × 16"});
}

TEST_F(ComparisonNetworksTest, NetworksAndBatchesOfOneSizeAreToldApart) {
  const ComparisonSet set = gatherComparison({bench("a", 32, 1, 100), bench("b", 64, 1, 400), bench("c", 64, 2, 800)});
  EXPECT_EQ(workloadsOf(set.training), (std::vector<std::string>{"16 × 16 × 16, 32 channels (1, 2)", "16 × 16 × 16, 64 channels (1, 2)", "16 × 16 × 16, 64 channels (1, 2), batch 2"}));
  const auto comparison = compareRuns(set.training, *baselineAmong(set.training, set, ""));
  ASSERT_TRUE(comparison);
  for (std::size_t n = 0; n < comparison->runs.size(); ++n)
    if (const ComparedRun* baseline = comparison->baselineOf(n)) {
      EXPECT_TRUE(sameWorkload(comparison->runs[n], *baseline)) << comparison->runs[n].name;
    }
}

TEST_F(ComparisonNetworksTest, MultipliersAreNumbersOfAnyKind) {
  const ComparisonSet set = gatherComparison({bench("a", 64, 1, 100, Json::array({1.0, 2.0})), bench("b", 64, 1, 110), bench("c", 64, 1, 400, Json::array({1, 2.5}))});
  EXPECT_EQ(workloadsOf(set.training), (std::vector<std::string>{"16 × 16 × 16, 64 channels (1, 2)", "16 × 16 × 16, 64 channels (1, 2.5)"}));
}
