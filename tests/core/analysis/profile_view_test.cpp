// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/profile_view.h"
#include "tests/core/analysis/trace_text.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

using namespace voxlab;

namespace {
std::shared_ptr<const Profile> profileOf(const std::string& name) {
  return loadProfile(profileSourceOf(recorded(name))).value();
}

double sumOf(const StepBreakdown& parts) {
  return std::accumulate(parts.category_ms.begin(), parts.category_ms.end(), 0.0) +
         std::accumulate(parts.idle_ms.begin(), parts.idle_ms.end(), 0.0);
}

double sumOf(const std::vector<KernelGroup>& groups) {
  double sum = 0;
  for (const auto& group : groups)
    sum += group.row.total_ms;
  return sum;
}
} // namespace

TEST(ProfileView, OfEverythingAddsUpToTheWallTime) {
  const auto profile = profileOf("trace_opt1_128.json.gz");
  const auto view = viewOf(*profile, {});
  ASSERT_TRUE(view->hasIdle);
  EXPECT_NEAR(sumOf(view->parts), profile->breakdown.mean.wall_ms, 1e-6);
  EXPECT_EQ(view->stepCount, 2);
  EXPECT_EQ(view->timeline, nullptr) << "everything is selected";
  ASSERT_TRUE(view->roofline);
  EXPECT_FALSE(view->roofline->points.empty());
  EXPECT_FALSE(view->priorities.empty());
  EXPECT_NEAR(view->modules.total_ms, view->selected_ms, 1e-6);
  EXPECT_EQ(viewOf(*profile, {}, [] {
              std::stop_source stop;
              stop.request_stop();
              return stop.get_token();
            }()),
            nullptr);
}

TEST(ProfileView, OneSelectionRulesEveryPart) {
  const auto profile = profileOf("trace_opt1_128.json.gz");
  ProfileQuery query;
  query.filter.categories = {KernelCategory::ConvolutionWeightGradient};
  query.filter.time_ns = {profile->trace.steps[1].start_ns, profile->trace.steps[1].end_ns};
  query.grouping = KernelGrouping::Category;
  const auto view = viewOf(*profile, query);
  EXPECT_EQ(view->stepCount, 1);
  ASSERT_EQ(view->groups.size(), 1u);
  EXPECT_EQ(view->groups[0].row.category, KernelCategory::ConvolutionWeightGradient);
  double kernels = 0, expected = 0;
  for (const auto& row : view->groups[0].kernels)
    kernels += row.total_ms;
  for (const auto& event : profile->trace.gpu)
    if (event.step == 1 && profile->index.of(event).category == KernelCategory::ConvolutionWeightGradient)
      expected += static_cast<double>(event.duration_ns) / 1e6;
  EXPECT_NEAR(kernels, expected, 1e-6);
  EXPECT_NEAR(view->selected_ms, expected, 1e-6);
  EXPECT_NEAR(view->modules.total_ms, expected, 1e-6);
  EXPECT_TRUE(view->hasIdle) << "a stretch of time has idle time of its own";
  EXPECT_NEAR(sumOf(view->parts), profile->breakdown.steps[1].wall_ms, 1e-6);
  EXPECT_GT(view->parts.category_ms[static_cast<std::size_t>(KernelCategory::Elementwise)], 0)
      << "the alternatives to what is chosen stay in sight";
  for (const auto& point : view->roofline->points)
    EXPECT_EQ(point.category, KernelCategory::ConvolutionWeightGradient);
  for (const auto& item : view->priorities)
    EXPECT_EQ(item.category, KernelCategory::ConvolutionWeightGradient);
  ASSERT_TRUE(view->timeline);
  std::size_t events = 0;
  for (const auto& lane : view->timeline->lanes())
    events += lane.events.size();
  std::size_t all = 0;
  for (const auto& event : profile->trace.gpu)
    all += profile->index.of(event).category == KernelCategory::ConvolutionWeightGradient;
  EXPECT_EQ(events, all) << "the time line shows the selection at all times";
}

TEST(ProfileView, FilteredTotalsAreTheSumOfTheirParts) {
  const auto profile = profileOf("trace_baseline_128.json.gz");
  const double all = sumOf(viewOf(*profile, {})->groups);
  double parts = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(KernelCategory::Count); ++i) {
    ProfileQuery query;
    query.filter.categories = {static_cast<KernelCategory>(i)};
    parts += sumOf(viewOf(*profile, query)->groups);
  }
  EXPECT_NEAR(parts, all, 1e-6);
  for (const auto grouping : {KernelGrouping::Launch, KernelGrouping::Family, KernelGrouping::Category, KernelGrouping::Operator,
                              KernelGrouping::Module, KernelGrouping::Phase}) {
    double kernels = 0;
    const auto groups = kernelGroups(profile->trace, profile->index, grouping);
    EXPECT_NEAR(sumOf(groups), all, 1e-6);
    for (const auto& group : groups)
      for (const auto& row : group.kernels)
        kernels += row.total_ms;
    EXPECT_NEAR(kernels, grouping == KernelGrouping::Launch ? 0 : all, 1e-6);
  }
}

TEST(EventMatcher, SaysWhatPassesSays) {
  const auto profile = profileOf("trace_opt1_128.json.gz");
  std::vector<EventFilter> filters(5);
  filters[0].text = "WGRAD";
  filters[1].operatorName = "aten::convolution_backward";
  filters[2].phase = Phase::Forward;
  filters[3].step = 1;
  filters[4].time_ns = {profile->trace.steps[0].start_ns, profile->trace.steps[0].start_ns + 5000000};
  for (const auto& filter : filters) {
    const EventMatcher matches(filter, profile->trace, profile->index);
    std::size_t count = 0;
    for (std::size_t i = 0; i < profile->trace.gpu.size(); i += 7) {
      const GpuEvent& event = profile->trace.gpu[i];
      ASSERT_EQ(matches(event), passes(filter, event, profile->trace, profile->index));
      count += matches(event);
    }
    EXPECT_GT(count, 0u);
    EXPECT_LT(count, profile->trace.gpu.size() / 7);
  }
}

TEST(StepsIn, CountsWholeStepsOfARangeThatCutsNone) {
  const auto profile = profileOf("trace_opt1_128.json.gz");
  const auto& steps = profile->trace.steps;
  EventFilter filter;
  EXPECT_EQ(stepsIn(filter, profile->trace), 2);
  filter.time_ns = {steps[0].start_ns, steps[0].end_ns + steps[1].duration_ns() / 3};
  EXPECT_EQ(stepsIn(filter, profile->trace), 1);
  filter.time_ns = {steps[0].start_ns, steps[0].start_ns + 10};
  EXPECT_EQ(stepsIn(filter, profile->trace), 1) << "a part of a step is looked at as it is";
  filter.time_ns = {steps[0].start_ns, steps[1].end_ns};
  EXPECT_EQ(stepsIn(filter, profile->trace), 2);
  filter.time_ns = {steps[0].start_ns + steps[0].duration_ns() / 3, steps[1].end_ns - steps[1].duration_ns() / 4};
  EXPECT_EQ(stepsIn(filter, profile->trace), 1) << "parts of two steps are no two steps";
  filter.time_ns = {steps[0].start_ns + steps[0].duration_ns() / 100, steps[1].end_ns - steps[1].duration_ns() / 100};
  EXPECT_EQ(stepsIn(filter, profile->trace), 2) << "drawn by hand";
}

// A range that begins and ends in the middle of kernels, within the first step: everything shown of it adds up to its length.
TEST(ProfileView, CutsKernelsAtTheEdgesOfTheRange) {
  const auto profile = profileOf("trace_opt1_128.json.gz");
  const Trace& trace = profile->trace;
  const auto longest = std::max_element(trace.gpu.begin(), trace.gpu.begin() + static_cast<std::ptrdiff_t>(trace.gpu.size() / 4),
                                        [](const GpuEvent& a, const GpuEvent& b) { return a.duration_ns < b.duration_ns; });
  ASSERT_GT(longest->duration_ns, 1000000);
  const std::int64_t start_ns = longest->start_ns + longest->duration_ns / 3;
  ProfileQuery query;
  query.filter.time_ns = {start_ns, start_ns + 50000000};
  const auto view = viewOf(*profile, query);
  EXPECT_EQ(view->stepCount, 1);
  ASSERT_TRUE(view->hasIdle);
  EXPECT_NEAR(sumOf(view->parts), 50, 1e-6) << "with the idle time between the kernels";
  EXPECT_GT(view->parts.idleTotal_ms(), 0);
  EXPECT_NEAR(view->selected_ms, view->parts.busy_ms, 1e-3) << "one stream: hardly anything overlaps";
  EXPECT_NEAR(view->modules.total_ms, view->selected_ms, 1e-6);
  double shares = 0;
  for (const auto& group : view->groups) {
    shares += group.row.share;
    EXPECT_GE(group.row.mean_ms(), group.row.minimum_ms - 1e-12) << "a call is as long as it was";
    EXPECT_LE(group.row.mean_ms(), group.row.maximum_ms + 1e-12);
  }
  EXPECT_NEAR(shares, 1, 1e-9);
  query.filter.time_ns = {longest->start_ns + 1000, longest->start_ns + 3000};
  EXPECT_NEAR(viewOf(*profile, query)->selected_ms, 0.002, 1e-9) << "the middle of one kernel";
}

TEST(ModuleTree, NodesBelongToTheCategoryOfMostOfTheirTime) {
  TraceText text;
  text.range("train_step", 0, 1000);
  text.kernel("sgemm_128", 10, 20, 100).kernel("nchwToNhwcKernel", 130, 140, 30);
  const Trace trace = text.read();
  EXPECT_FALSE(namesModules(trace));
  const KernelIndex index(trace);
  const ModuleNode tree = operatorTree(trace, index);
  EXPECT_NEAR(tree.total_ms, 0.13, 1e-9);
  EXPECT_EQ(tree.category, index.of(trace.gpu[0]).category);
  ASSERT_EQ(tree.children.size(), 1u);
  EXPECT_EQ(tree.children[0].path, kNoOperator);
  ASSERT_EQ(tree.children[0].children.size(), 2u);
  EXPECT_EQ(tree.children[0].children[1].category, KernelCategory::LayoutConversion) << "longest first";
}

TEST(ProfileView, WhatHasNoModuleOrOperatorIsASelectionOfItsOwn) {
  TraceText text;
  text.range("input_blocks.0", 0, 50).op("aten::mm", 1, 20).kernel("inBoth", 2, 100, 10).kernel("inAModule", 30, 110, 20).op("aten::add", 60, 20).kernel("ofAnOperator", 61, 130, 30).kernel("alone", 90, 160, 40);
  const auto profile = std::make_shared<const Profile>(text.read(), NcuReport(), ProfileSource());
  const auto selected = [&](EventFilter filter) {
    std::set<std::string> names;
    const auto view = viewOf(*profile, {std::move(filter), KernelGrouping::Kernel});
    for (const auto& group : view->groups)
      names.insert(group.row.key);
    EXPECT_FALSE(view->modules.children.empty()) << "the alternatives stay in sight";
    EXPECT_FALSE(view->hasIdle);
    return names;
  };
  EventFilter noModule, noOperator;
  noModule.withoutModule = noOperator.withoutOperator = true;
  EXPECT_EQ(selected(noModule), (std::set<std::string>{"ofAnOperator", "alone"}));
  EXPECT_EQ(selected(noOperator), (std::set<std::string>{"inAModule", "alone"}));
}

TEST(ProfileView, ARecordingWithoutStepsIsKnownAsOne) {
  EXPECT_EQ(TraceText().kernel("a", 1, 10, 5).kernel("b", 20, 30, 5).read().stepOrigin, StepOrigin::Whole);
  EXPECT_EQ(TraceText().range("everything", 0, 40).range("everything", 50, 40).kernel("a", 1, 10, 5).kernel("b", 51, 60, 5).read().stepOrigin, StepOrigin::Ranges) << "whatever the steps are called";
  EXPECT_EQ(TraceText().range("train_step", 0, 40).kernel("a", 1, 10, 5).read().stepOrigin, StepOrigin::Ranges);
  EXPECT_EQ(profileOf("ncu_raw_opt1_128.csv.gz")->trace.stepOrigin, StepOrigin::Whole);
}

TEST(Profile, OfCountersAloneStandsBackToBack) {
  const auto profile = profileOf("ncu_raw_opt1_128.csv.gz");
  EXPECT_TRUE(profile->isOfCounters);
  EXPECT_EQ(profile->trace.gpu.size(), profile->counters.launches.size());
  ASSERT_EQ(profile->trace.steps.size(), 1u);
  for (std::size_t i = 1; i < profile->trace.gpu.size(); ++i)
    EXPECT_EQ(profile->trace.gpu[i].start_ns, profile->trace.gpu[i - 1].end_ns());
  double seconds = 0;
  for (const auto& launch : profile->counters.launches)
    seconds += counterValue(profile->counters, launch, Counter::Duration).value();
  const auto view = viewOf(*profile, {});
  EXPECT_NEAR(view->selected_ms, seconds * 1e3, 1e-3);
  EXPECT_FALSE(view->isOfSteps);
  EXPECT_FALSE(view->counters.coverage) << "of what step?";
  EXPECT_EQ(view->counters.coverageWords(), "What share of a step they cover is unknown: no recording of one stands beside them.");
  EXPECT_EQ(view->withoutGain, "") << "the raw page tells what the busier of SM and memory leaves";
  EXPECT_GT(gainful(view->priorities), 5u);
  EXPECT_GT(launchesOf(profile->counters, profile->counters.launches[0].kernel).size(), 0u);
}

TEST(Profile, OfARunTakesItsTracesAndItsCounters) {
  const TemporaryFolder folder;
  const RunDirectory run(folder.path());
  EXPECT_TRUE(profileSourcesOf(run).empty());
  std::filesystem::create_directories(run.profiles());
  std::filesystem::copy(recorded("ncu_raw_opt1_128.csv.gz"), run.profiles() / "counters.csv.gz");
  auto sources = profileSourcesOf(run);
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_TRUE(sources[0].trace.empty());
  std::filesystem::copy(recorded("trace_opt1_128.json.gz"), run.profiles() / "b.json.gz");
  std::ofstream(run.profiles() / "c.json") << TraceText().kernel("sgemm", 0, 5, 10).text();
  std::ofstream(run.environmentFile()) << R"({"switches":{"precision":"tf32"}})" << '\n';
  sources = profileSourcesOf(run);
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources[0].title, "b.json.gz");
  EXPECT_EQ(sources[0].counterPages.size(), 1u);
  EXPECT_TRUE(sources[1].counterPages.empty());
  EXPECT_EQ(sources[0].asked, Precision::Tf32);
  const auto profile = loadProfile(sources[0]).value();
  EXPECT_TRUE(profile->hasCounters());
  EXPECT_FALSE(profile->isOfCounters);
  ASSERT_TRUE(profile->peaks());
  EXPECT_EQ(profile->peaks()->name, "NVIDIA H200");
  EXPECT_TRUE(looksLikeProfile("A.JSON.GZ"));
  EXPECT_TRUE(looksLikeProfile("a.csv"));
  EXPECT_FALSE(looksLikeProfile("a.nii.gz"));
  EXPECT_FALSE(loadProfile(profileSourceOf(folder.path() / "absent.json")));
}
