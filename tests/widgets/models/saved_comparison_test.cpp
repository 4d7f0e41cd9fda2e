// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/saved_comparison.h"
#include "core/base/files.h"
#include "tests/support/temporary_folder.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
SavedComparison example() {
  SavedComparison saved;
  saved.runs = {"a", "b"};
  saved.baseline = "opt1";
  saved.workload = "64 × 64 × 64";
  saved.device = "NVIDIA H200";
  saved.dress.names["bf16|NVIDIA H200|"] = "Half precision";
  saved.dress.notes["bf16|NVIDIA H200|"] = "second night,\nfan loud";
  saved.dress.pinned = {"bf16|NVIDIA H200|"};
  saved.dress.order = {"z", "a"};
  saved.hiddenMeasures = {"launches"};
  saved.prices["NVIDIA H200"] = 3.5;
  saved.currency = "CHF";
  saved.trainingSteps = 5000;
  saved.samplingSteps = 20;
  return saved;
}
} // namespace

TEST(SavedComparison, ComesBackAsItWas) {
  const TemporaryFolder folder;
  const ComparisonShelf shelf(folder.path());
  EXPECT_TRUE(shelf.names().isEmpty());
  ASSERT_TRUE(shelf.save("Two GPUs: before & after", example()));
  ASSERT_TRUE(shelf.save("another", SavedComparison()));
  EXPECT_EQ(shelf.names(), (QStringList{"another", "Two GPUs: before & after"}));
  const auto loaded = shelf.load("Two GPUs: before & after");
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(*loaded, example());
  ASSERT_TRUE(shelf.remove("another"));
  EXPECT_EQ(shelf.names().size(), 1);
}

TEST(SavedComparison, NamesThatNoFileCanHaveAreRefused) {
  const TemporaryFolder folder;
  const ComparisonShelf shelf(folder.path());
  for (const char* name : {"", "  ", "../outside", "a/b", ".hidden"})
    EXPECT_EQ(shelf.save(name, example()).error().code, ExitCode::Usage) << name;
  EXPECT_EQ(shelf.load(QString(101, 'x')).error().code, ExitCode::Usage);
}

TEST(SavedComparison, BadFilesAreRefusedAndBadValuesLeftOut) {
  const TemporaryFolder folder;
  const ComparisonShelf shelf(folder.path());
  ASSERT_TRUE(writeFileAtomically(folder / "comparisons/broken.json", "{"));
  ASSERT_TRUE(writeFileAtomically(folder / "comparisons/other.json", "[1, 2]"));
  ASSERT_TRUE(writeFileAtomically(folder / "comparisons/newer.json", R"({"schema": "99.0"})"));
  for (const char* name : {"broken", "other", "newer", "absent"})
    EXPECT_FALSE(shelf.load(name)) << name;
  ASSERT_TRUE(writeFileAtomically(folder / "comparisons/odd.json", R"({"schema": "1.0", "runs": 7, "names": ["x"], "prices_per_hour": {"a": -1, "b": "dear", "c": 2}, "training_steps": -5})"));
  const auto odd = shelf.load("odd");
  ASSERT_TRUE(odd);
  EXPECT_TRUE(odd->runs.isEmpty());
  EXPECT_EQ(odd->prices.size(), 1u);
  EXPECT_EQ(odd->prices.at("c"), 2);
  EXPECT_EQ(odd->trainingSteps, 1);
}
