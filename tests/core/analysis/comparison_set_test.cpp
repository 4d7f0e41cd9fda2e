// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/comparison_set.h"
#include "core/analysis/experiment_report.h"
#include "core/base/files.h"
#include "core/protocol/run_directory.h"
#include "tests/support/paths.h"
#include "tests/support/process.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using testing::HasSubstr;

namespace {
namespace fs = std::filesystem;

class ComparisonSetTest : public testing::Test {
protected:
  fs::path makeRun(const std::string& name, const std::string& kind, const std::string& mode, const std::string& events, const std::string& gpu = "NVIDIA H200") {
    const fs::path folder = m_folder / name;
    EXPECT_TRUE(writeJsonFile(folder / "run.json", {{"schema", "1.0"}, {"id", name}, {"kind", kind}, {"mode", mode}, {"created", "2026-01-31T14:25:30.000Z"}}));
    EXPECT_TRUE(writeJsonFile(folder / "spec.json", {{"schema", "1.0"}, {"kind", kind}, {"data", {{"size", {128, 128, 128}}}}}));
    EXPECT_TRUE(writeFileAtomically(folder / "environment.jsonl", "{\"start\":1,\"gpu\":{\"name\":\"" + gpu + "\"},\"device\":\"cuda:0\"}\n"));
    EXPECT_TRUE(writeFileAtomically(folder / "events.jsonl", "{\"type\":\"hello\",\"time_s\":0,\"major\":1,\"minor\":0,\"start\":1,\"resume_step\":0,\"wall_time\":\"2026-01-31T14:25:30.000Z\"}\n" + events));
    return folder;
  }
  static std::string bench(const std::string& mode, const std::string& what, double ms) {
    std::string lines;
    for (int n = 0; n < 3; ++n)
      lines += "{\"type\":\"bench\",\"time_s\":1,\"mode\":\"" + mode + "\",\"what\":\"" + what + "\",\"repetition\":" + std::to_string(n) + ",\"duration_ms\":" + std::to_string(ms + n) + "}\n";
    return lines;
  }
  static std::string sample(const std::string& path, double ms, int steps) {
    return "{\"type\":\"sample\",\"time_s\":1,\"path\":\"" + path + "\",\"seed\":0,\"sampler\":\"ddim\",\"sampler_steps\":" + std::to_string(steps) + ",\"duration_ms\":" + std::to_string(ms) + "}\n";
  }
  void addQuality(const std::string& name, const std::string& mode, int steps, double ssim) {
    const fs::path folder = makeRun(name, "quality", "", "");
    QualityResult result;
    result.of = {{"mode", mode}, {"sampler", "ddim"}, {"steps", steps}, {"network_size", {64, 64, 64}}};
    QualityMeasure m;
    m.name = "ssim";
    m.title = "3D SSIM";
    m.direction = "higher";
    m.value = ssim;
    m.interval = QualityInterval{ssim - 0.02, ssim + 0.02};
    m.count = 8;
    m.countOf = "pairs";
    m.recipe = "window 11³";
    result.measures.push_back(m);
    EXPECT_TRUE(writeJsonFile(folder / "quality.json", toJson(result)));
  }
  std::vector<fs::path> all() const {
    std::vector<fs::path> runs;
    for (const auto& entry : fs::directory_iterator(m_folder.path()))
      runs.push_back(entry.path());
    std::sort(runs.begin(), runs.end());
    return runs;
  }
  TemporaryFolder m_folder;
};
} // namespace

TEST_F(ComparisonSetTest, ABenchmarkGivesSidesByKindOfStep) {
  const auto run = makeRun("bench", "bench", "", bench("baseline", "train", 900) + bench("opt2", "train", 1000) + bench("baseline", "sample", 50));
  const ComparisonSet set = gatherComparison({run});
  ASSERT_EQ(set.training.size(), 2u);
  EXPECT_EQ(set.training[0].name, "baseline");
  EXPECT_EQ(set.training[1].name, "opt2");
  EXPECT_EQ(set.training[0].device, "NVIDIA H200");
  ASSERT_EQ(set.sampling.size(), 1u);
  EXPECT_EQ(baselineAmong(set.training, set, ""), "baseline");
  EXPECT_EQ(baselineAmong(set.training, set, "opt2"), "opt2");
  EXPECT_EQ(baselineAmong(set.training, set, "bench"), "baseline");
  EXPECT_EQ(baselineAmong(set.training, set, run.string()), "baseline");
  EXPECT_EQ(baselineAmong(set.training, set, "nothing"), std::nullopt);
}

TEST_F(ComparisonSetTest, AProfileJoinsItsModesBenchmark) {
  makeRun("a_bench", "bench", "", bench("baseline", "train", 900) + bench("opt1", "train", 400));
  const auto profile = makeRun("b_profile", "profile", "opt1", "");
  fs::create_directories(profile / "profiles");
  fs::copy_file(testData() / "profiles/trace_opt1_128.json.gz", profile / "profiles/trace.json.gz");
  const ComparisonSet set = gatherComparison(all());
  const auto named = [&](const std::string& name) { return std::count_if(set.training.begin(), set.training.end(), [&](const ComparedRun& s) { return s.name == name; }); };
  ASSERT_GE(set.training.size(), 2u);
  EXPECT_EQ(named("baseline"), 1);
  bool joined = false;
  for (const ComparedRun& side : set.training)
    joined |= side.mode == "opt1" && side.profiled() && side.measure("duration_ms");
  EXPECT_TRUE(joined);
}

// Two sessions on one GPU stay two sides a mode, named by session; a profile goes to the session of most modes, and each side is held against
// its own session's baseline. The order in which runs are named plays no part.
TEST_F(ComparisonSetTest, SessionsKeepTheirBaselinesAndProfilesInAnyOrder) {
  makeRun("first", "bench", "", bench("baseline", "train", 1000) + bench("opt1", "train", 500));
  makeRun("second", "bench", "", bench("baseline", "train", 800) + bench("opt1", "train", 480) + bench("opt2", "train", 880));
  const auto profile = makeRun("a_profile", "profile", "opt1", "");
  fs::create_directories(profile / "profiles");
  fs::copy_file(testData() / "profiles/trace_opt1_128.json.gz", profile / "profiles/trace.json.gz");
  auto runs = all();
  std::optional<std::string> report;
  do {
    const ComparisonSet set = gatherComparison(runs);
    std::vector<std::string> names;
    const ComparedRun* profiled = nullptr;
    for (const ComparedRun& side : set.training) {
      names.push_back(side.name);
      profiled = side.profiled() ? &side : profiled;
    }
    EXPECT_EQ(names, (std::vector<std::string>{"baseline · first", "baseline · second", "opt1 · first", "opt1 · second", "opt2"}));
    ASSERT_TRUE(profiled);
    EXPECT_EQ(profiled->name, "opt1 · second");
    const auto document = experimentReport(set);
    ASSERT_TRUE(document) << document.error().message;
    const auto& told = document->sections[0].sentences;
    EXPECT_EQ(told[0], "The fastest: opt1 · first is 2.00 times as fast as baseline · first (1\u202f000 → 501 ms a step).");
    EXPECT_THAT(told, testing::Contains(HasSubstr("opt2 takes 1.10 times as long as baseline · second (801 → 881 ms a step).")));
    EXPECT_THAT(told, testing::Contains(HasSubstr("its own session")));
    EXPECT_THAT(told, testing::Not(testing::Contains(HasSubstr("baseline · second is"))));
    const auto comparison = compareRuns(set.training, "baseline · first").value();
    EXPECT_EQ(comparison.baselines, (std::vector<std::optional<std::size_t>>{0, 1, 0, 1, 1}));
    EXPECT_NEAR(comparison.measures[0].normalised[4].value(), 881.0 / 801, 1e-9);
    EXPECT_EQ(comparison.measures[0].normalised[1], 1.0);
    const Json& measures = document->data["training"]["measures"][0]["values"];
    for (std::size_t n = 0; n < comparison.runs.size(); ++n) // what a document tells is what compareRuns() tells
      EXPECT_EQ(measures[n]["normalised"], *comparison.measures[0].normalised[n]) << comparison.runs[n].name;
    const std::string text = writeReport(*document, ReportFormat::PlainText);
    EXPECT_EQ(report.value_or(text), text);
    report = text;
  } while (std::next_permutation(runs.begin(), runs.end()));
}

TEST_F(ComparisonSetTest, DevicesAreToldApart) {
  makeRun("a", "bench", "", bench("baseline", "train", 900));
  makeRun("b", "bench", "", bench("baseline", "train", 2900), "Synthetic GPU for tests");
  const ComparisonSet set = gatherComparison(all());
  ASSERT_EQ(set.training.size(), 2u);
  EXPECT_EQ(set.training[0].name, "baseline · NVIDIA H200");
  EXPECT_EQ(set.training[1].name, "baseline · Synthetic GPU for tests");
}

TEST_F(ComparisonSetTest, QualityMeetsSpeed) {
  makeRun("a_bench", "bench", "", bench("baseline", "sample", 50) + bench("bf16", "sample", 20));
  makeRun("b_s1", "sample", "baseline", sample("samples/x.nii.gz", 800, 50));
  makeRun("b_s2", "sample", "bf16", sample("samples/x.nii.gz", 300, 50));
  makeRun("b_s3", "sample", "bf16", sample("samples/x.nii.gz", 700, 100));
  addQuality("q1", "baseline", 50, 0.80);
  addQuality("q2", "bf16", 50, 0.79);
  addQuality("q3", "bf16", 100, 0.75);
  const ComparisonSet set = gatherComparison(all());
  ASSERT_EQ(set.points.size(), 3u);
  const auto front = qualityFront(set.points, "ssim");
  ASSERT_TRUE(front);
  ASSERT_EQ(front->entries.size(), 3u);
  EXPECT_TRUE(front->higherIsBetter);
  EXPECT_EQ(set.points[front->entries[0].point].name(), "bf16 · ddim 50");
  EXPECT_NEAR(front->entries[0].time_ms, 50 * 21, 1e-9); // steps × median step of the benchmark
  EXPECT_TRUE(front->entries[0].joined);                 // 128³ against 64³
  EXPECT_TRUE(front->entries[0].onFront);
  EXPECT_FALSE(front->entries[1].onFront); // slower and worse
  EXPECT_TRUE(front->entries[2].onFront);
  const auto sides = volumeSides(set.points);
  ASSERT_EQ(sides.size(), 3u);
  EXPECT_TRUE(sides[0].measure("ssim") && sides[0].measure("volume_ms") && sides[0].measure("full_volume_ms"));
}

TEST_F(ComparisonSetTest, TheFirstVolumeOfAStartTellsNoSpeedWhereThereAreOthers) {
  makeRun("several", "sample", "bf16", sample("samples/a.nii.gz", 843, 20) + sample("samples/b.nii.gz", 58, 20) + sample("samples/c.nii.gz", 60, 20));
  makeRun("one", "sample", "opt1", sample("samples/a.nii.gz", 215, 20));
  const ComparisonSet set = gatherComparison(all());
  ASSERT_EQ(set.points.size(), 2u);
  EXPECT_EQ(set.points[0].volume_ms, std::vector<double>({215}));
  EXPECT_EQ(set.points[1].volume_ms, std::vector<double>({58, 60}));
}

TEST_F(ComparisonSetTest, TheOrderIsNotThatOfTheRuns) {
  const auto modes = makeRun("m", "bench", "", bench("fused_bf16", "train", 50) + bench("opt12", "train", 300) + bench("bf16", "train", 90) + bench("opt2", "train", 700) + bench("baseline", "train", 900) + bench("opt1", "train", 400));
  const std::vector<fs::path> volumes{makeRun("a", "sample", "opt1", sample("x", 5, 50) + sample("y", 9, 100)), makeRun("b", "sample", "baseline", sample("x", 6, 100)), makeRun("c", "sample", "baseline", sample("x", 3, 50))};
  const std::vector<std::string> sides{"baseline", "opt1", "opt2", "opt12", "bf16", "fused_bf16"};
  const std::vector<std::string> points{"baseline · ddim 50", "opt1 · ddim 50", "baseline · ddim 100", "opt1 · ddim 100"};
  for (const auto& runs : {std::vector<fs::path>{modes, volumes[0], volumes[1], volumes[2]}, std::vector<fs::path>{volumes[2], volumes[0], modes, volumes[1]}}) {
    const ComparisonSet set = gatherComparison(runs);
    std::vector<std::string> found, foundPoints;
    for (const ComparedRun& side : set.training)
      found.push_back(side.name);
    for (const VolumePoint& point : set.points)
      foundPoints.push_back(point.name());
    EXPECT_EQ(found, sides);
    EXPECT_EQ(foundPoints, points);
  }
}

// One sampler with another η is another way to make volumes, and its quality belongs to it. Old runs that say nothing have the default.
TEST_F(ComparisonSetTest, FreshNoiseTellsPointsApart) {
  const auto drawn = [&](const std::string& name, const Json& eta, double ms) {
    const auto folder = makeRun(name, "sample", "bf16", sample("x", ms, 50));
    Json spec{{"schema", "1.0"}, {"kind", "sample"}};
    if (!eta.is_null())
      spec["sample"]["eta"] = eta;
    ASSERT_TRUE(writeJsonFile(folder / "spec.json", spec));
  };
  const auto judged = [&](const std::string& name, const Json& eta, double ssim) {
    addQuality(name, "bf16", 50, ssim);
    Json result = readJsonFile(m_folder / name / "quality.json").value();
    if (!eta.is_null())
      result["of"]["eta"] = eta;
    ASSERT_TRUE(writeJsonFile(m_folder / name / "quality.json", result));
  };
  drawn("a", 0.0, 10);
  drawn("b", 1.0, 20);
  drawn("c", nullptr, 30);
  judged("qa", 0.0, 0.5);
  judged("qb", 1.0, 0.7);
  ASSERT_TRUE(writeFileAtomically(makeRun("d", "sample", "bf16", "") / "events.jsonl",
                                  "{\"type\":\"hello\",\"time_s\":0,\"major\":1,\"minor\":0,\"start\":1,\"resume_step\":0}\n{\"type\":\"sample\",\"time_s\":1,\"path\":\"x\",\"sampler\":\"ddpm\",\"sampler_steps\":250,\"duration_ms\":5}\n"));
  ASSERT_TRUE(writeJsonFile(m_folder / "d/spec.json", {{"schema", "1.0"}, {"kind", "sample"}, {"sample", {{"eta", 0.0}}}}));
  const ComparisonSet set = gatherComparison(all());
  ASSERT_EQ(set.points.size(), 3u);
  EXPECT_EQ(set.points[0].name(), "bf16 · ddim 50");
  EXPECT_EQ(set.points[0].volume_ms, std::vector<double>({20, 30}));
  EXPECT_EQ(set.points[0].quality[0].value, 0.7);
  EXPECT_EQ(set.points[1].name(), "bf16 · ddim 50, η 0");
  EXPECT_EQ(set.points[1].volume_ms, std::vector<double>({10}));
  EXPECT_EQ(set.points[1].quality[0].value, 0.5);
  EXPECT_EQ(set.points[2].name(), "bf16 · ddpm 250") << "which knows no η";
}

TEST_F(ComparisonSetTest, SeveralResultsForTheSameVolumesComeTogether) {
  addQuality("q1", "bf16", 50, 0.5);
  addQuality("q2", "bf16", 50, 0.6);
  Json later = readJsonFile(m_folder / "q2/quality.json").value();
  later["measures"].push_back({{"name", "equal_seed_ssim"}, {"title", "3D SSIM to Baseline at equal seeds"}, {"better", "higher"}, {"value", 0.9}});
  later["measures"].push_back({{"name", "mmd"}, {"title", "MMD"}, {"better", "lower"}, {"value", nullptr}, {"refused", "too few"}});
  ASSERT_TRUE(writeJsonFile(m_folder / "q2/quality.json", later));
  const ComparisonSet set = gatherComparison(all());
  ASSERT_EQ(set.points.size(), 1u);
  ASSERT_EQ(set.points[0].quality.size(), 3u);
  EXPECT_EQ(set.points[0].quality[0].value, 0.6);
  EXPECT_EQ(qualityMeasures(set.points).back().first, "equal_seed_ssim");
}

// Folders of volumes of which nothing else is known are sets of their own, named by title or folder; no measure goes from one to another.
TEST_F(ComparisonSetTest, TwoFoldersStayTwoSets) {
  const auto judged = [&](const std::string& name, const std::string& folder, const std::string& title, const char* measure, double value) {
    const fs::path run = makeRun(name, "quality", "", "");
    Json info = readJsonFile(run / "run.json").value();
    info["title"] = title;
    ASSERT_TRUE(writeJsonFile(run / "run.json", info));
    ASSERT_TRUE(writeJsonFile(run / "spec.json", {{"schema", "1.0"}, {"kind", "quality"}, {"quality", {{"synthetic", "/data/" + folder}, {"real", "/data/real"}}}}));
    QualityResult result;
    QualityMeasure m;
    m.name = m.title = measure;
    m.value = value;
    m.count = 9;
    result.measures.push_back(m);
    ASSERT_TRUE(writeJsonFile(run / "quality.json", toJson(result)));
  };
  judged("q0", "noise0", "", "psnr", 80);
  judged("q10", "noise10/", "", "mae", 0.2);
  judged("q10_again", "noise10", "", "ssim", 0.4);
  judged("q40", "noise40", "Noise forty", "mae", 0.5);
  auto runs = all();
  do {
    const ComparisonSet set = gatherComparison(runs);
    ASSERT_EQ(set.points.size(), 3u);
    EXPECT_EQ(set.points[0].name(), "noise0");
    ASSERT_EQ(set.points[0].quality.size(), 1u);
    EXPECT_EQ(set.points[0].quality[0].name, "psnr");
    EXPECT_EQ(set.points[1].name(), "noise10");
    ASSERT_EQ(set.points[1].quality.size(), 2u) << "two results for one folder";
    EXPECT_EQ(set.points[2].name(), "Noise forty");
    EXPECT_EQ(volumeSides(set.points)[2].measure("mae")->spread.median, 0.5);
  } while (std::next_permutation(runs.begin(), runs.end()));
}

// Two networks under one mode and sampler are two points, whose quality finds them by the run that it judged.
TEST_F(ComparisonSetTest, TwoNetworksStayTwoPoints) {
  const auto drawn = [&](const std::string& name, const std::string& checkpoint, double ms) {
    ASSERT_TRUE(writeJsonFile(makeRun(name, "sample", "baseline", sample("x", ms, 5)) / "spec.json", {{"schema", "1.0"}, {"kind", "sample"}, {"sample", {{"checkpoint", checkpoint}}}}));
  };
  const auto judged = [&](const std::string& name, const std::string& synthetic, const std::string& real, double ssim) {
    addQuality(name, "baseline", 5, ssim);
    ASSERT_TRUE(writeJsonFile(m_folder / name / "spec.json", {{"schema", "1.0"}, {"kind", "quality"}, {"quality", {{"synthetic", synthetic}, {"real", real}}}}));
  };
  drawn("a", "/runs/train/checkpoints/step_12", 10);
  drawn("b", "/runs/train_b/checkpoints/step_4", 20);
  judged("qa", (m_folder / "a").string(), "/real", 0.1);
  judged("qb", "…/b", "…/real", 0.2); // as a bundle tells it
  auto runs = all();
  do {
    const ComparisonSet set = gatherComparison(runs);
    ASSERT_EQ(set.points.size(), 2u);
    EXPECT_EQ(set.points[0].name(), "baseline · ddim 5 · step_12");
    EXPECT_EQ(set.points[0].volume_ms, std::vector<double>({10}));
    EXPECT_EQ(set.points[0].quality.at(0).value, 0.1);
    EXPECT_EQ(set.points[1].name(), "baseline · ddim 5 · step_4");
    EXPECT_EQ(set.points[1].volume_ms, std::vector<double>({20}));
    EXPECT_EQ(set.points[1].quality.at(0).value, 0.2);
    const auto sides = volumeSides(set.points);
    EXPECT_EQ(baselineAmong(sides, set, "b"), "baseline · ddim 5 · step_4");
  } while (std::next_permutation(runs.begin(), runs.end()));
  drawn("c", "/runs/train_c/checkpoints/step_4", 30); // another file of the same name
  judged("qa_elsewhere", (m_folder / "a").string(), "/other", 0.9);
  std::vector<std::string> names;
  for (const VolumePoint& point : gatherComparison(all()).points)
    names.push_back(point.name());
  EXPECT_EQ(names, (std::vector<std::string>{"baseline · ddim 5 · step_12 · against real", "baseline · ddim 5 · step_12 · against other", "baseline · ddim 5 · step_4 · b", "baseline · ddim 5 · step_4 · c"}));
}

// What was judged apart stays apart, even of one network: one's similarity is not the other's distance.
TEST_F(ComparisonSetTest, SetsThatWereJudgedApartAreNotJoined) {
  for (const std::string name : {"a", "b"}) {
    makeRun(name, "sample", "bf16", sample("x", name == "a" ? 10 : 20, 50));
    addQuality("q" + name, "bf16", 50, name == "a" ? 0.3 : 0.4);
    ASSERT_TRUE(writeJsonFile(m_folder / ("q" + name) / "spec.json", {{"schema", "1.0"}, {"kind", "quality"}, {"quality", {{"synthetic", (m_folder / name / "samples").string()}}}}));
  }
  const ComparisonSet set = gatherComparison(all());
  ASSERT_EQ(set.points.size(), 2u);
  EXPECT_EQ(set.points[0].name(), "bf16 · ddim 50 · a");
  EXPECT_EQ(set.points[0].quality.at(0).value, 0.3);
  EXPECT_EQ(set.points[1].volume_ms, std::vector<double>({20}));
  EXPECT_EQ(set.points[1].quality.at(0).value, 0.4);
}

TEST_F(ComparisonSetTest, VolumesKnowWhatNoiseAndMaskTheyCameFrom) {
  const fs::path run = makeRun("a", "sample", "baseline", "{\"type\":\"sample\",\"time_s\":1,\"path\":\"samples/x.nii.gz\",\"seed\":7,\"mask\":\"/data/masks/head.nii.gz\",\"sampler\":\"ddim\",\"sampler_steps\":50}\n");
  ASSERT_TRUE(writeFileAtomically(run / "samples/x.nii.gz", "not read here"));
  const ComparisonSet set = gatherComparison({run});
  ASSERT_EQ(set.points.size(), 1u);
  ASSERT_EQ(set.points[0].samples.size(), 1u);
  EXPECT_EQ(set.points[0].samples[0].file, run / "samples/x.nii.gz");
  EXPECT_EQ(set.points[0].samples[0].seed, 7);
  EXPECT_EQ(set.points[0].samples[0].mask, "head.nii.gz");
}

TEST_F(ComparisonSetTest, SidesOfOneSizeNeedNoSizeInTheirNames) {
  ComparedRun small, large, other;
  small.mode = large.mode = "baseline";
  other.mode = "opt1";
  small.workload = "64 × 64 × 64";
  large.workload = other.workload = "128 × 128 × 128";
  std::vector<ComparedRun> all{large, other, small};
  EXPECT_EQ(workloadsOf(all), (std::vector<std::string>{"128 × 128 × 128", "64 × 64 × 64"}));
  nameSides(all);
  EXPECT_EQ(all[2].name, "baseline · 64 × 64 × 64");
  std::vector<ComparedRun> alike{large, other};
  nameSides(alike);
  EXPECT_EQ(alike[0].name, "baseline");
  EXPECT_EQ(alike[1].name, "opt1");
}

TEST_F(ComparisonSetTest, WhatCannotBeReadIsANote) {
  makeRun("a", "bench", "", bench("baseline", "train", 900));
  fs::create_directories(m_folder / "b_no_run");
  makeRun("c", "sample", "baseline", "");
  const ComparisonSet set = gatherComparison(all());
  EXPECT_EQ(set.training.size(), 1u);
  EXPECT_EQ(set.notes.size(), 2u);
  EXPECT_TRUE(gatherComparison({}).empty());
}

TEST_F(ComparisonSetTest, TheReportSaysEverythingWithoutScripts) {
  makeRun("a_bench", "bench", "", bench("baseline", "train", 900) + bench("<opt2>", "train", 1000));
  makeRun("b_s1", "sample", "baseline", sample("samples/x.nii.gz", 800, 50));
  makeRun("b_s2", "sample", "bf16", sample("samples/x.nii.gz", 300, 50));
  addQuality("q1", "baseline", 50, 0.80);
  addQuality("q2", "bf16", 50, 0.79);
  const ComparisonSet set = gatherComparison(all());
  ExperimentReportOptions options;
  options.pictures.push_back({"one", std::string("\x89PNG", 4)});
  const auto document = experimentReport(set, options);
  ASSERT_TRUE(document) << document.error().message;
  const std::string html = writeReport(*document, ReportFormat::HtmlPage);
  EXPECT_THAT(html, HasSubstr("&lt;opt2&gt; takes 1.11 times as long as baseline"));
  EXPECT_THAT(html, testing::Not(HasSubstr("<script")));
  EXPECT_THAT(html, testing::Not(HasSubstr("http://")));
  EXPECT_THAT(html, testing::Not(HasSubstr("<opt2>")));
  EXPECT_THAT(html, HasSubstr("data:image/png;base64,iVBORw=="));
  for (const char* heading : {"Training step", "Quality against speed", "Environment", "Method", "How to run it again", "<circle"})
    EXPECT_THAT(html, HasSubstr(heading));
  EXPECT_THAT(writeReport(*document, ReportFormat::CsvTables), HasSubstr("Time a step"));
  EXPECT_EQ(document->data.at("training").at("measures").at(0).at("name"), "duration_ms");
  options.baseline = "nobody";
  EXPECT_EQ(experimentReport(set, options).error().code, ExitCode::Usage);
  EXPECT_EQ(experimentReport({}).error().code, ExitCode::Data);
}

TEST_F(ComparisonSetTest, TheReportPassesAValidator) {
  const fs::path tidy = "/usr/bin/tidy";
  if (!fs::exists(tidy))
    GTEST_SKIP() << "tidy is not installed";
  const auto examples = sourceFolder() / "resources" / "examples";
  for (const char* mode : {"baseline", "opt12", "<&\"quoted\">"})
    makeRun("b_" + std::to_string(std::string(mode).size()), "sample", mode, sample("samples/x.nii.gz", 800, 50));
  addQuality("q1", "baseline", 50, 0.80);
  addQuality("q2", "opt12", 50, 0.79);
  auto runs = all();
  for (const char* name : {"baseline", "opt2", "opt12", "benchmark_modes_128"})
    runs.push_back(examples / name);
  ExperimentReportOptions options;
  options.pictures.push_back({"one & <two>", std::string("\x89PNG", 4)});
  const auto document = experimentReport(gatherComparison(runs), options);
  ASSERT_TRUE(document) << document.error().message;
  const TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder / "report.html", writeReport(*document, ReportFormat::HtmlPage)));
  const ProcessEnd end = runProcess(tidy, {"-q", "-e", "-utf8", (folder / "report.html").string()});
  EXPECT_EQ(end.exitCode, 0) << end.errors; // 1: warnings, 2: errors
}

// Each size has a comparison with its own Baseline, and names that need not tell the size.
TEST_F(ComparisonSetTest, AReportHasAPartForEachSize) {
  const auto small = makeRun("a", "bench", "", bench("baseline", "train", 90) + bench("opt1", "train", 30));
  ASSERT_TRUE(writeJsonFile(small / "spec.json", {{"schema", "1.0"}, {"kind", "bench"}, {"data", {{"size", {64, 64, 64}}}}}));
  makeRun("b", "bench", "", bench("baseline", "train", 900) + bench("opt1", "train", 400) + bench("bf16", "train", 200));
  const ComparisonSet set = gatherComparison(all());
  ExperimentReportOptions options;
  for (const char* wished : {"", "baseline", "baseline · 64 × 64 × 64"}) {
    options.baseline = wished;
    const auto document = experimentReport(set, options);
    ASSERT_TRUE(document) << document.error().message;
    EXPECT_EQ(document->sections[0].heading, "Training step at 128 × 128 × 128");
    EXPECT_EQ(document->sections[1].heading, "Training step at 64 × 64 × 64");
    EXPECT_EQ(document->sections[0].sentences.front(), "The fastest: bf16 is 4.5 times as fast as baseline (901 → 201 ms a step).");
    EXPECT_EQ(document->sections[1].sentences.front(), "The fastest: opt1 is 2.9 times as fast as baseline (91.0 → 31.0 ms a step).");
    EXPECT_EQ(document->data.at("training").at("runs").size(), 3u);
    EXPECT_EQ(document->data.at("training_at_64x64x64").at("runs").size(), 2u);
  }
  options.baseline = "opt1";
  EXPECT_EQ(experimentReport(set, options)->data.at("training_at_64x64x64").at("baseline"), "opt1");
  options.baseline = "bf16"; // which one size has
  EXPECT_EQ(experimentReport(set, options)->data.at("training").at("baseline"), "bf16");
  options.baseline = "opt3";
  EXPECT_EQ(experimentReport(set, options).error().code, ExitCode::Usage);
}

// Twenty sentences that a figure tells at a glance are not read: of many sides the fastest is told, and those that lose.
TEST_F(ComparisonSetTest, OfManySidesTheFastestAndTheSlowerAreTold) {
  std::string events = bench("baseline", "train", 900) + bench("opt2", "train", 1000);
  for (int n = 1; n < 9; ++n)
    events += bench("mode" + std::to_string(n), "train", 100 * n);
  makeRun("a", "bench", "", events);
  const auto document = experimentReport(gatherComparison(all()));
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(document->sections[0].sentences, (std::vector<std::string>{"The fastest: mode1 is 8.9 times as fast as baseline (901 → 101 ms a step).", "opt2 takes 1.11 times as long as baseline (901 → 1\u202f000 ms a step)."}));
}

TEST_F(ComparisonSetTest, WhatNoOtherRunHasIsNoMultipleOfTheBaseline) {
  makeRun("a", "bench", "", bench("baseline", "train", 900) + bench("opt1", "train", 400) +
                                "{\"type\":\"bench\",\"time_s\":1,\"mode\":\"baseline\",\"what\":\"train\",\"energy_j\":5}\n");
  const auto document = experimentReport(gatherComparison(all()));
  ASSERT_TRUE(document) << document.error().message;
  const auto& tables = document->sections[0].tables;
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(tables[0].rows.size(), 2u);
  ASSERT_EQ(tables[1].rows.size(), 1u);
  EXPECT_EQ(tables[1].rows[0][0].words, "Time a step");
}

// A table for each measure, the ways of making volumes under each other; what nobody could measure is told once.
TEST_F(ComparisonSetTest, QualityStandsByMeasure) {
  for (const int steps : {20, 50}) {
    const std::string name = "q" + std::to_string(steps);
    addQuality(name, "bf16", steps, steps / 100.0);
    Json result = readJsonFile(m_folder / name / "quality.json").value();
    result["measures"].push_back({{"name", "mmd"}, {"title", "MMD²"}, {"better", "lower"}, {"value", nullptr}, {"refused", "Needs 30 subjects."}});
    result["measures"].push_back({{"name", "frechet"}, {"title", "Fréchet distance"}, {"better", "lower"}, {"value", nullptr}, {"refused", "Needs 30 subjects."}});
    ASSERT_TRUE(writeJsonFile(m_folder / name / "quality.json", result));
  }
  const auto document = experimentReport(gatherComparison(all()));
  ASSERT_TRUE(document) << document.error().message;
  const auto section = std::find_if(document->sections.begin(), document->sections.end(), [](const ReportSection& s) { return s.heading == "Quality against speed"; });
  ASSERT_NE(section, document->sections.end());
  ASSERT_EQ(section->tables.size(), 1u);
  EXPECT_EQ(section->tables[0].caption, "3D SSIM: higher is better");
  ASSERT_EQ(section->tables[0].rows.size(), 2u);
  EXPECT_EQ(section->tables[0].rows[1][0].words, "bf16 · ddim 50");
  EXPECT_EQ(section->tables[0].rows[1][2].number, 0.5);
  EXPECT_EQ(section->tables[0].columns.back().title, "Of"); // no remark, nothing between real volumes
  EXPECT_EQ(section->sentences, (std::vector<std::string>{"Not measured: MMD², Fréchet distance. Needs 30 subjects."}));
}

// Two values drawn again and again give no interval, and copies of the training set are no quality: both are said.
TEST_F(ComparisonSetTest, FewValuesHaveNoIntervalAndCopiesAreTold) {
  for (const int steps : {20, 50}) {
    const std::string name = "q" + std::to_string(steps);
    addQuality(name, "bf16", steps, 0.7);
    Json result = readJsonFile(m_folder / name / "quality.json").value();
    result["measures"][0]["count"] = steps == 20 ? 2 : 5;
    result["measures"].push_back({{"name", "nearest_training_share"}, {"title", "Share of likely copies"}, {"better", "lower"}, {"value", steps == 20 ? 1.0 : 0.0}, {"interval_95", {1.0, 1.0}}, {"count", steps == 20 ? 2 : 5}});
    ASSERT_TRUE(writeJsonFile(m_folder / name / "quality.json", result));
  }
  const ComparisonSet set = gatherComparison(all());
  ASSERT_EQ(set.points.size(), 2u);
  EXPECT_FALSE(set.points[0].quality[0].interval);
  EXPECT_TRUE(set.points[1].quality[0].interval);
  const Spread few = volumeSides(set.points)[0].measure("ssim")->spread;
  EXPECT_EQ(few.lowerQuartile, few.upperQuartile) << "no whisker";
  const auto document = experimentReport(set);
  ASSERT_TRUE(document) << document.error().message;
  const auto section = std::find_if(document->sections.begin(), document->sections.end(), [](const ReportSection& s) { return s.heading == "Quality against speed"; });
  ASSERT_NE(section, document->sections.end());
  EXPECT_THAT(section->sentences[0], HasSubstr("Memorisation: in 1 of 2 sets 100 % of the volumes are likely copies"));
  EXPECT_THAT(section->sentences[1], HasSubstr("without a 95 % interval: Fewer than 5 volumes or pairs"));
  EXPECT_FALSE(section->tables[0].rows[0][3].number);
  EXPECT_TRUE(section->tables[0].rows[1][3].number);
}

TEST_F(ComparisonSetTest, SoftwareIsToldOnceWhereItIsTheSame) {
  const auto lines = [](const char* torch) { return std::string("{\"start\":1,\"gpu\":{\"name\":\"NVIDIA H200\"},\"device\":\"cuda:0\",\"versions\":{\"torch\":\"") + torch + "\",\"cudnn\":91900}}\n"; };
  for (const char* name : {"a", "b"})
    ASSERT_TRUE(writeFileAtomically(makeRun(name, "sample", "bf16", sample("x", 8, name[0])) / "environment.jsonl", lines("2.11.0")));
  const auto environment = [&] {
    const auto document = experimentReport(gatherComparison(all())).value();
    return *std::find_if(document.sections.begin(), document.sections.end(), [](const ReportSection& s) { return s.heading == "Environment"; });
  };
  EXPECT_EQ(environment().sentences, (std::vector<std::string>{"Software of all runs: LibTorch 2.11.0, cuDNN 9.19.0."}));
  EXPECT_EQ(environment().tables[0].columns.back().title, "Recorded");
  EXPECT_EQ(environment().tables[0].rows[0].back().words, "2026-01-31 14:25");
  ASSERT_TRUE(writeFileAtomically(m_folder / "b/environment.jsonl", lines("2.12.0")));
  EXPECT_EQ(environment().sentences.back(), "Software S2: LibTorch 2.12.0, cuDNN 9.19.0.");
  EXPECT_EQ(environment().tables[0].rows[1].back().words, "S2");
}

TEST_F(ComparisonSetTest, ManyWaysOfSamplingBecomeRows) {
  for (int steps = 10; steps < 20; ++steps)
    makeRun("s" + std::to_string(steps), "sample", "bf16", sample("samples/x.nii.gz", 30.0 * steps, steps));
  const auto document = experimentReport(gatherComparison(all()));
  ASSERT_TRUE(document) << document.error().message;
  const ReportTable& table = document->sections.front().tables.front();
  ASSERT_EQ(table.rows.size(), 10u);
  EXPECT_EQ(table.rows[9][0].words, "bf16 · ddim 19");
  EXPECT_EQ(table.rows[9][1].number, 570);
  EXPECT_EQ(table.columns[1].unit, "ms");
}

// A profiler makes short steps longer: where both were benchmarked, that is what is told.
TEST(WhyFaster, TellsTheBenchmarksTimes) {
  ComparedRun slow, quick;
  slow.name = "baseline", slow.wall_ms = 101;
  quick.name = "fused", quick.wall_ms = 50;
  quick.measures.push_back({"duration_ms", "Time a step", "ms", Direction::LowerIsBetter, spreadOf({40.0})});
  EXPECT_NE(whyFaster(slow, quick).sentence.find("(101 → 50.0 ms"), std::string::npos) << "one alone is not compared with a profile";
  slow.measures.push_back({"duration_ms", "Time a step", "ms", Direction::LowerIsBetter, spreadOf({100.0})});
  EXPECT_NE(whyFaster(slow, quick).sentence.find("(100 → 40.0 ms"), std::string::npos) << whyFaster(slow, quick).sentence;
}

// On a small CPU job a recorded step may take twice its time: no sentence adds the ones' milliseconds to the others'.
TEST(WhyFaster, ASentenceTellsTimesOfOneSource) {
  const auto side = [](const char* name, double profile_ms, double convolution_ms, std::vector<double> steps_ms) {
    ComparedRun run;
    run.name = name;
    run.wall_ms = profile_ms;
    ComparedWork work;
    work.category = KernelCategory::ConvolutionForward;
    work.time_ms = convolution_ms;
    run.work = {work};
    run.idle_ms[static_cast<std::size_t>(IdleCause::Host)] = profile_ms - convolution_ms;
    run.measures.push_back({"duration_ms", "Time a step", "ms", Direction::LowerIsBetter, spreadOf(std::move(steps_ms))});
    return run;
  };
  const auto base = side("baseline", 60, 50, {30, 30, 90}); // the median: one slow step is none of the mode's
  const RunDifference d = whyFaster(base, side("opt2", 80, 70, {33, 33, 33}));
  EXPECT_EQ(d.sentence, "opt2 takes 1.10 times as long as baseline (30.0 → 33.0 ms a step). In their profiles, whose steps took 60.0 and 80.0 ms: +20.0 ms forward convolutions.");
  EXPECT_EQ(whyFaster(base, side("opt2", 34, 24, {33, 34, 33})).sentence, "opt2 takes 1.10 times as long as baseline (30.0 → 33.0 ms a step). In their profiles, whose steps took 60.0 and 34.0 ms: −26.0 ms forward convolutions.");
  EXPECT_EQ(whyFaster(side("a", 30.5, 20, {30}), side("b", 33.4, 23, {33})).sentence, "b takes 1.10 times as long as a (30.0 → 33.0 ms a step). In their profiles: +3.00 ms forward convolutions.");
}

TEST_F(ComparisonSetTest, TimesOfOtherSizesAreNotDivided) {
  makeRun("a", "bench", "", bench("baseline", "train", 900));
  const auto small = makeRun("b", "bench", "", bench("baseline", "train", 90) + bench("opt1", "train", 30));
  ASSERT_TRUE(writeJsonFile(small / "spec.json", {{"schema", "1.0"}, {"kind", "bench"}, {"data", {{"size", {64, 64, 64}}}}}));
  const ComparisonSet set = gatherComparison(all());
  ASSERT_EQ(set.training.size(), 3u);
  EXPECT_EQ(set.training[0].name, "baseline · 128 × 128 × 128");
  EXPECT_EQ(set.training[2].name, "opt1 · 64 × 64 × 64");
  const auto comparison = compareRuns(set.training, set.training[0].name);
  EXPECT_EQ(comparison->measures.front().normalised[1], 1.0) << "each size has its own baseline";
  EXPECT_NEAR(*comparison->measures.front().normalised[2], 31.0 / 91, 1e-9);
  EXPECT_THAT(ownBaselineWords(*comparison, {"A", "B", "C"}), HasSubstr("of that size (also B)"));
  const auto otherBaseline = compareRuns({set.training[0], set.training[2]}, set.training[0].name);
  EXPECT_TRUE(!otherBaseline->measures.front().normalised[1] && otherBaseline->measures.front().values[1]) << "of another size";
}
