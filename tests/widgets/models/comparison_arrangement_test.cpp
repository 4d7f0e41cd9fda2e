// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/comparison_arrangement.h"
#include "widgets/models/comparison_model.h"
#include "widgets/models/volume_pairs.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
ComparedRun side(const std::string& mode, const std::string& device, std::vector<double> step_ms, const std::string& source = "run") {
  ComparedRun run;
  run.name = mode + " · " + device;
  run.mode = mode;
  run.device = device;
  run.source = source;
  run.workload = "128 × 128 × 128";
  run.measures.push_back({"sm_cycles", "SM cycles", "", Direction::LowerIsBetter, spreadOf({5})});
  run.measures.push_back({"duration_ms", "Time a step", "ms", Direction::LowerIsBetter, spreadOf(std::move(step_ms))});
  return run;
}

DrawnVolume drawn(const char* file, std::optional<std::int64_t> seed, const char* mask) { return {file, seed, mask}; }

VolumePoint point(const std::string& mode, std::int64_t steps, std::vector<DrawnVolume> samples) {
  VolumePoint p;
  p.mode = mode;
  p.sampler = "ddim";
  p.steps = steps;
  p.samples = std::move(samples);
  return p;
}
} // namespace

TEST(Arrangement, AModeThatSeveralRunsMeasuredComesOnce) {
  std::vector<ComparedRun> sides{side("baseline", "H200", {1}, "a"), side("opt1", "H200", {2}, "a"), side("baseline", "H200", {3}, "b"),
                                 side("opt1", "H200", {4}, "b"),     side("bf16", "H200", {5}, "b"), side("baseline", "A100", {6}, "c")};
  const auto sources = [&] {
    std::string out;
    for (const ComparedRun& one : eachModeOnce(sides, "baseline"))
      out += one.mode + one.source + ' ';
    return out;
  };
  EXPECT_EQ(sources(), "baselineb opt1b bf16b baselinec ") << "of the run with more modes; another device is another matter";
  sides[0].work.resize(1); // profiled
  EXPECT_EQ(sources(), "baselinea opt1a bf16b baselinec ");
  sides[0].work.clear();
  sides.erase(sides.begin() + 4);
  EXPECT_EQ(sources(), "baselinea opt1a baselinec ") << "else as they come";
}

TEST(Arrangement, TheWallClockLeadsAndCyclesNeedIt) {
  auto comparison = compareRuns({side("baseline", "H200", {100, 100}), side("opt1", "H200", {10, 20, 90})}, "baseline · H200");
  ASSERT_TRUE(comparison);
  orderMeasures(*comparison);
  EXPECT_EQ(comparison->measures.front().name, "duration_ms");
  EXPECT_EQ(wallClock(*comparison)->name, "duration_ms");
  EXPECT_TRUE(needsWallClock("sm_cycles") && needsWallClock("thread_instructions_fp16") && !needsWallClock("energy_j"));
  EXPECT_EQ(fastestSide(*comparison), std::optional<std::size_t>(1));
  EXPECT_DOUBLE_EQ(*comparison->measures.front().normalised[1], 0.2) << "the median of a benchmark's steps";
}

TEST(Arrangement, WhatIsPinnedComesFirstHoweverTheRestIsSorted) {
  auto comparison = compareRuns({side("baseline", "H200", {100}), side("slow", "H200", {200}), side("fast", "H200", {20})}, "baseline · H200");
  ASSERT_TRUE(comparison);
  orderMeasures(*comparison);
  ComparisonModel model;
  ComparisonFilter filter;
  filter.setSourceModel(&model);
  model.setComparison(*comparison);
  const auto order = [&] {
    QString modes;
    for (int row = 0; row < filter.rowCount(); ++row)
      modes += QString::fromStdString(model.side(filter.mapToSource(filter.index(row, 0)).row()).mode) + ' ';
    return modes.trimmed().toStdString();
  };
  EXPECT_EQ(order(), "baseline slow fast");
  model.togglePinned(2);
  EXPECT_EQ(order(), "fast baseline slow") << "before anything is sorted";
  model.togglePinned(1);
  EXPECT_EQ(order(), "slow fast baseline") << "pinned ones as they come";
  filter.sort(1, Qt::AscendingOrder);
  EXPECT_EQ(order(), "fast slow baseline");
  model.togglePinned(2);
  filter.sort(1, Qt::DescendingOrder);
  EXPECT_EQ(order(), "slow baseline fast");
  filter.sort(0, Qt::AscendingOrder);
  EXPECT_EQ(order(), "slow baseline fast");
  filter.sort(-1);
  model.togglePinned(1);
  EXPECT_EQ(order(), "baseline slow fast");
}

// What the user gave to a mode stays when all of its runs are shown, and when it is measured anew.
TEST(Arrangement, NamesAndPinsStayWhateverElseIsShown) {
  const std::vector<ComparedRun> all{side("baseline", "H200", {100}, "a"), side("opt1", "H200", {50}, "a"), side("opt1", "H200", {60}, "b")};
  ComparisonModel model;
  const auto show = [&](const std::vector<ComparedRun>& sides) {
    std::vector<ComparedRun> named = sides;
    nameSides(named);
    model.setComparison(compareRuns(named, "baseline").value());
  };
  show({all[0], all[1]});
  model.setData(model.index(1, 0), "Ours", Qt::EditRole);
  model.setNote(1, "quiet night");
  model.togglePinned(1);
  show(all);
  EXPECT_EQ(model.nameOf(1), "Ours");
  EXPECT_EQ(model.noteOf(1), "quiet night");
  EXPECT_TRUE(model.isPinned(1) && !model.isPinned(2));
  EXPECT_EQ(model.nameOf(2), "opt1 · b") << "the other run is another matter";
  show({all[0], all[2]});
  EXPECT_TRUE(model.nameOf(1) == "Ours" && model.isPinned(1)) << "measured anew: the mode keeps what it was given";
  model.setData(model.index(1, 0), "", Qt::EditRole);
  EXPECT_EQ(model.nameOf(1), "opt1") << "until it is taken away";
  model.togglePinned(1);
  EXPECT_FALSE(model.isPinned(1));
  ComparisonDress older; // keys without a run, as they were written once
  older.names["opt1|H200|128 × 128 × 128"] = "Half";
  model.setDress(older);
  show(all);
  EXPECT_EQ(model.nameOf(1), "Half · a");
  EXPECT_EQ(model.nameOf(2), "Half · b");
}

TEST(Arrangement, LargeCountsAreScaled) {
  EXPECT_EQ(measureText(6260, ""), QStringLiteral("6\u202f260"));
  EXPECT_EQ(measureText(86.1e9, ""), QStringLiteral("86.1 G"));
}

TEST(Arrangement, LongHeadingsGoOnInTheNextLine) {
  ComparedRun one = side("baseline", "H200", {100});
  one.measures.push_back({"full_volume_ms", "Time a volume at 128 × 128 × 128 (steps × step time)", "ms", Direction::LowerIsBetter, spreadOf({1})});
  const auto comparison = compareRuns({one}, "baseline · H200");
  ASSERT_TRUE(comparison);
  ComparisonModel model;
  model.setComparison(*comparison);
  EXPECT_EQ(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString().toStdString(), "SM cycles ↓");
  EXPECT_EQ(model.headerData(3, Qt::Horizontal, Qt::DisplayRole).toString().toStdString(), "Time a volume at\n128 × 128 × 128\n(steps × step time) ↓");
}

TEST(Arrangement, EveryDeviceCanHaveItsOwnBaseline) {
  auto comparison = compareRuns({side("baseline", "H200", {100}), side("opt1", "H200", {50}), side("baseline", "A100", {400}), side("opt1", "A100", {100}), side("opt1", "V100", {7})}, "baseline · H200", DeviceScope::Within);
  ASSERT_TRUE(comparison);
  const NormalisedMeasure* time = wallClock(*comparison);
  EXPECT_DOUBLE_EQ(*time->normalised[1], 0.5);
  EXPECT_DOUBLE_EQ(*time->normalised[2], 1);
  EXPECT_DOUBLE_EQ(*time->normalised[3], 0.25);
  EXPECT_FALSE(time->normalised[4]) << "no baseline was measured there";
  EXPECT_FALSE(comparison->baselineOf(4));
}

// Two sessions on one device, whose clocks differed: bars, heat table, headline and exports all take each one's own baseline.
TEST(Arrangement, SessionsAreHeldAgainstTheirOwnBaselines) {
  const auto of = [](const std::string& mode, double step_ms, const std::string& session) {
    ComparedRun run = side(mode, "H200", {step_ms}, session);
    run.name = mode + " · " + session;
    run.folder = session;
    return run;
  };
  const std::vector<ComparedRun> all{of("baseline", 1000, "cool"), of("baseline", 1200, "warm"), of("opt1", 500, "cool"), of("opt1", 700, "warm"), of("opt2", 1080, "warm"), of("bf16", 400, "cool"), of("fp16", 420, "cool")};
  std::vector<ComparedRun> shown = eachModeOnce(all, "baseline");
  ASSERT_EQ(shown.size(), 6u) << "each mode once, and the baseline that opt2 is held against";
  const auto comparison = compareRuns(shown, "baseline · cool");
  ASSERT_TRUE(comparison);
  ComparisonModel model;
  model.setComparison(*comparison);
  const auto row = [&](const QString& name) {
    int found = -1;
    for (int n = 0; n < model.rowCount(); ++n)
      found = model.nameOf(n) == name ? n : found;
    return found;
  };
  const int opt2 = row("opt2 · warm");
  ASSERT_GE(opt2, 0);
  EXPECT_DOUBLE_EQ(*wallClock(*comparison)->normalised[static_cast<std::size_t>(opt2)], 0.9) << "faster than its own baseline, though not than the other's";
  EXPECT_EQ(model.baselineNameOf(opt2), "baseline · warm");
  EXPECT_TRUE(model.index(row("baseline · warm"), 0).data(ComparisonModel::BaselineRole).toBool());
  EXPECT_TRUE(model.hasOwnBaselines());
  model.setData(model.index(row("baseline · warm"), 0), "FP32, warm", Qt::EditRole);
  EXPECT_TRUE(model.ownBaselineSentence().contains("(also FP32, warm)")) << model.ownBaselineSentence().toStdString();
  EXPECT_TRUE(model.tableText().contains("1080,1080,1080,1,0.9,\"FP32, warm\"")) << model.tableText().toStdString();
}

TEST(VolumePairs, OnlyEqualSeedAndMaskAreHeldAgainstEachOther) {
  const VolumePoint base = point("baseline", 50, {drawn("b0", 0, "m1"), drawn("b1", 1, "m1"), drawn("bx", {}, "m1")});
  const VolumePoint other = point("opt1", 50, {drawn("o1", 1, "m1"), drawn("o2", 0, "m2")});
  const auto pair = equalNoise(base, other);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, "b1");
  EXPECT_EQ(pair->second, "o1");
  EXPECT_FALSE(equalNoise(point("a", 1, {drawn("x", {}, "m")}), point("b", 1, {drawn("y", {}, "m")})));
}

TEST(VolumePairs, ATripleForEachModeOfOneSampling) {
  const std::vector<VolumePoint> points{point("baseline", 50, {drawn("b", 3, "m")}), point("opt1", 50, {drawn("o", 3, "m")}), point("opt1", 20, {drawn("o20", 3, "m")}), point("bf16", 50, {drawn("h", 4, "m")})};
  EXPECT_EQ(samplingsOf(points, "baseline"), std::vector<std::string>{"ddim 50"});
  const auto triples = volumeTriples(points, "baseline", "ddim 50");
  ASSERT_EQ(triples.size(), 1u);
  EXPECT_EQ(triples[0].other, "o");
  EXPECT_EQ(triples[0].seed, 3);
}
