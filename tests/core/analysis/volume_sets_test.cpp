// SPDX-License-Identifier: Apache-2.0
// Which quality result speaks of which volumes: by the set's id in new results, by paths and names in old ones.
#include "core/analysis/comparison_set.h"
#include "core/base/files.h"
#include "core/protocol/quality_result.h"
#include "tests/support/temporary_folder.h"
#include <gtest/gtest.h>

namespace fs = std::filesystem;

namespace voxlab {
namespace {
class VolumeSetsTest : public testing::Test {
protected:
  fs::path makeRun(const fs::path& name, const std::string& kind, const std::string& created, const Json& spec, const std::string& events = "") {
    const fs::path folder = m_folder / name;
    fs::create_directories(folder);
    EXPECT_TRUE(writeJsonFile(folder / "run.json", {{"schema", "1.0"}, {"id", name.filename().string()}, {"kind", kind}, {"title", name.string()}, {"mode", kind == "sample" ? "opt1" : ""}, {"created", created}}));
    Json whole = spec;
    whole["schema"] = "1.0";
    whole["kind"] = kind;
    EXPECT_TRUE(writeJsonFile(folder / "spec.json", whole));
    EXPECT_TRUE(writeFileAtomically(folder / "events.jsonl", "{\"type\":\"hello\",\"time_s\":0,\"major\":1,\"minor\":0,\"start\":1,\"resume_step\":0,\"wall_time\":\"2026-01-31T14:25:30.000Z\"}\n" + events));
    return folder;
  }
  fs::path drawn(const fs::path& name, const std::string& created, int ms) {
    return makeRun(name, "sample", created, Json::object(), "{\"type\":\"sample\",\"time_s\":1,\"path\":\"samples/x.nii.gz\",\"seed\":0,\"sampler\":\"ddim\",\"sampler_steps\":50,\"duration_ms\":" + std::to_string(ms) + "}\n");
  }
  // `set` and `realSet` empty: a result of before there were ids.
  fs::path judged(const fs::path& name, const std::string& synthetic, double ssim, const std::string& set, const std::string& real = "", const std::string& realSet = "") {
    const fs::path folder = makeRun(name, "quality", "2026-02-01T00:00:00.000Z", {{"quality", {{"synthetic", synthetic}, {"real", real}}}});
    QualityResult result;
    result.of = {{"mode", "opt1"}, {"sampler", "ddim"}, {"steps", 50}};
    if (!set.empty())
      result.of["set"] = set;
    if (!realSet.empty())
      result.of["real_set"] = realSet;
    QualityMeasure m;
    m.name = "ssim";
    m.title = "3D SSIM";
    m.value = ssim;
    m.count = 9;
    result.measures.push_back(m);
    EXPECT_TRUE(writeJsonFile(folder / "quality.json", toJson(result)));
    return folder;
  }
  static std::string setOf(const std::string& id, const std::string& created) { return id + " " + created; }
  static double ssimOf(const VolumePoint& point) { return point.quality.size() == 1 ? point.quality[0].value.value() : -1; }

  TemporaryFolder m_folder;
};

constexpr const char *kMorning = "2026-01-31T08:00:00.000Z", *kEvening = "2026-01-31T20:00:00.000Z";

// Two experiments name their runs alike; unpacked apart, with paths that are gone.
TEST_F(VolumeSetsTest, AnIdTellsRunsOfOneNameApart) {
  const auto runs = {drawn("a/sample_1", kMorning, 10), drawn("b/sample_1", kEvening, 20), judged("c/q1", "…/sample_1", 0.2, setOf("sample_1", kEvening)), judged("c/q2", "…/sample_1", 0.1, setOf("sample_1", kMorning))};
  const ComparisonSet set = gatherComparison(runs);
  ASSERT_EQ(set.points.size(), 2u);
  for (const VolumePoint& point : set.points)
    EXPECT_EQ(ssimOf(point), point.volume_ms.at(0) / 100) << point.name();
}

TEST_F(VolumeSetsTest, ARenamedRunKeepsItsQuality) {
  const fs::path run = drawn("sample_1", kMorning, 10), quality = judged("q", (m_folder / "sample_1").string(), 0.5, setOf("sample_1", kMorning));
  fs::rename(run, m_folder / "my best");
  const ComparisonSet set = gatherComparison({m_folder / "my best", quality, drawn("other", kEvening, 20), judged("q2", "", 0.7, setOf("other", kEvening))});
  const auto best = std::find_if(set.points.begin(), set.points.end(), [](const VolumePoint& p) { return p.volume_ms == std::vector<double>{10}; });
  ASSERT_NE(best, set.points.end());
  EXPECT_EQ(ssimOf(*best), 0.5);
}

TEST_F(VolumeSetsTest, AResultOfVolumesThatAreNotHereJoinsNoOthers) {
  const ComparisonSet set = gatherComparison({drawn("sample_1", kMorning, 10), judged("q", "…/sample_1", 0.5, setOf("sample_1", kEvening))});
  ASSERT_EQ(set.points.size(), 2u);
  EXPECT_TRUE(set.points[0].quality.empty() != set.points[1].quality.empty());
}

TEST_F(VolumeSetsTest, RealVolumesAreKnownByTheirIdToo) {
  const std::string set = setOf("sample_1", kMorning);
  const auto run = drawn("sample_1", kMorning, 10);
  EXPECT_EQ(gatherComparison({run, judged("q1", "…/sample_1", 0.5, set, "/here/images", "files 1"), judged("q2", "…/sample_1", 0.5, set, "/there/t1", "files 1")}).points.size(), 1u) << "moved";
  EXPECT_EQ(gatherComparison({run, judged("q3", "…/sample_1", 0.5, set, "/here/images", "files 1"), judged("q4", "…/sample_1", 0.5, set, "/here/images", "files 2")}).points.size(), 2u) << "others in one place";
}

TEST_F(VolumeSetsTest, OldResultsAreStillFoundByPathsAndNames) {
  const auto run = drawn("sample_1", kMorning, 10);
  for (const std::string& path : {(m_folder / "sample_1").string(), (m_folder / "sample_1/samples").string(), std::string("…/sample_1"), std::string()}) {
    const ComparisonSet set = gatherComparison({run, judged("q", path, 0.5, "")});
    ASSERT_EQ(set.points.size(), 1u) << path;
    EXPECT_EQ(ssimOf(set.points[0]), 0.5);
  }
}

// A folder of files has another kind of id than the run that drew them: copied out and judged there, the way tells.
TEST_F(VolumeSetsTest, VolumesThatWereCopiedOutOfTheirRunJoinItByTheirWay) {
  EXPECT_EQ(gatherComparison({drawn("sample_1", kMorning, 10), judged("q", "/elsewhere/copies", 0.5, "files 0123456789abcdef")}).points.size(), 1u);
  EXPECT_EQ(gatherComparison({judged("q1", "/a/copies", 0.5, "files 1"), judged("q2", "/b/moved", 0.5, "files 1")}).points.size(), 1u);
  EXPECT_EQ(gatherComparison({judged("q3", "/a/copies", 0.5, "files 1"), judged("q4", "/a/copies", 0.6, "files 2")}).points.size(), 2u);
}
} // namespace
} // namespace voxlab
