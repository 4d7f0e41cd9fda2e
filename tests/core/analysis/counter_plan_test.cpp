// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/counter_plan.h"
#include "core/analysis/counters.h"
#include "core/analysis/trace_reader.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>
#include <set>

using namespace voxlab;

TEST(CounterPlan, OneInstanceOfEachLaunchUntilNineTenthsAreCovered) {
  const Trace trace = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const KernelIndex index(trace);
  const CounterPlan plan = planCounters(trace, index, 0.9, 1000);
  ASSERT_FALSE(plan.targets.empty());
  EXPECT_GE(plan.coverage, 0.9);
  EXPECT_LT(plan.coverage - plan.targets.back().share, 0.9) << "no more than needed";
  std::set<std::string> seen;
  double before = 1, sum = 0;
  for (const CounterTarget& t : plan.targets) {
    EXPECT_TRUE(seen.insert(launchKey(t.kernel, t.shape.grid, t.shape.block)).second) << t.kernel;
    EXPECT_LE(t.share, before);
    before = t.share;
    sum += t.share;
  }
  EXPECT_NEAR(sum, plan.coverage, 1e-12);
  EXPECT_GE(plan.launches, plan.targets.size());
  EXPECT_LT(plan.launches, trace.gpu.size() / 4) << "a small part of a step";
}

TEST(CounterPlan, TheOrdinalFindsTheOperatorAgain) {
  const Trace trace = readTrace(recorded("trace_baseline_128.json.gz")).value();
  const CounterPlan plan = planCounters(trace, KernelIndex(trace), 0.9, 5);
  ASSERT_EQ(plan.targets.size(), 5u);
  for (const CounterTarget& target : plan.targets) {
    std::vector<std::pair<std::int64_t, std::uint32_t>> calls;
    for (std::uint32_t i = 0; i < trace.host.size(); ++i)
      if (trace.host[i].kind == HostKind::Operator && trace.name(trace.host[i].name) == target.operatorName)
        calls.emplace_back(trace.host[i].start_ns, i);
    std::sort(calls.begin(), calls.end());
    ASSERT_LT(target.ordinal, calls.size());
    const std::uint32_t op = calls[target.ordinal].second;
    EXPECT_TRUE(std::any_of(trace.gpu.begin(), trace.gpu.end(),
                            [&](const GpuEvent& e) { return e.op == op && trace.name(e.name) == target.kernel; }))
        << target.kernel;
  }
}

TEST(CounterPlan, SurvivesJsonAndRefusesWhatIsNone) {
  const Trace trace = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const CounterPlan plan = planCounters(trace, KernelIndex(trace), 0.5, 3);
  const auto again = counterPlanFromJson(toJson(plan));
  ASSERT_TRUE(again);
  EXPECT_EQ(toJson(*again), toJson(plan));
  for (const Json& none : {Json(3), Json::object(), Json{{"targets", {{{"kernel", "x"}}}}}})
    EXPECT_EQ(counterPlanFromJson(none).error().code, ExitCode::Data);
}

TEST(CounterPlan, WithoutKernelsThereIsNothingToCount) {
  EXPECT_TRUE(planCounters(Trace(), KernelIndex(Trace())).targets.empty());
}
