// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/live_pace.h"
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
struct Outcome {
  std::int64_t recordings = 0;
  double elapsed_s = 0, worst_percent = 0; // the worst at any moment after a recording
  double shortest_s = 1e9;                 // between two recordings
};

// A training of equal steps whose recordings cost what `cost` says of the n-th, from 0.
Outcome train(LivePace& pace, std::int64_t steps, double step_s, const std::function<double(std::int64_t)>& cost) {
  Outcome outcome;
  double last_s = 0;
  pace.begin(0);
  for (std::int64_t step = 0; step < steps; ++step) {
    const bool due = pace.isDue(step, outcome.elapsed_s);
    outcome.elapsed_s += step_s;
    if (!due)
      continue;
    const double cost_s = cost(pace.count());
    outcome.elapsed_s += cost_s;
    if (pace.count() > 0)
      outcome.shortest_s = std::min(outcome.shortest_s, outcome.elapsed_s - cost_s - last_s);
    last_s = outcome.elapsed_s;
    pace.recorded(step, outcome.elapsed_s, cost_s);
    outcome.worst_percent = std::max(outcome.worst_percent, pace.overhead_percent(outcome.elapsed_s));
  }
  outcome.recordings = pace.count();
  return outcome;
}
} // namespace

TEST(LivePace, StaysBelowOnePercentAtEveryMomentWhateverAStepTakes) {
  for (const double step_s : {0.002, 0.02, 0.25, 1.3, 20.0}) {
    LivePace pace(0);
    const Outcome outcome = train(pace, std::max<std::int64_t>(200, static_cast<std::int64_t>(1000 / step_s)), step_s,
                                  [](std::int64_t n) { return n == 0 ? 0.45 : 0.085; });
    EXPECT_LT(outcome.worst_percent, 1) << step_s;
    EXPECT_LE(pace.overhead_percent(outcome.elapsed_s), 100 * LivePace::kShare + 1e-9) << step_s;
    EXPECT_GT(outcome.recordings, 10) << step_s;
    EXPECT_GE(outcome.shortest_s, 0.085 / LivePace::kShare - 1e-9) << step_s; // spread over the run, never in a row
  }
}

TEST(LivePace, RecordingsThatBecomeDearerBecomeRarer) {
  LivePace cheap(0), dear(0);
  const auto few = train(dear, 40000, 0.1, [](std::int64_t n) { return n < 3 ? 0.1 : 2.0; });
  const auto many = train(cheap, 40000, 0.1, [](std::int64_t) { return 0.1; });
  EXPECT_NEAR(static_cast<double>(many.recordings), 40000 * 0.1 * LivePace::kShare / 0.1, 8); // the budget, well used
  EXPECT_LT(few.recordings, 15);
  EXPECT_LT(few.worst_percent, 2.6); // only the first that was dearer than all before it may pass the share
  EXPECT_LE(dear.overhead_percent(few.elapsed_s), 100 * LivePace::kShare + 1e-9);
}

TEST(LivePace, NothingInTheFirstSteps) {
  LivePace pace(3);
  pace.begin(500);
  EXPECT_FALSE(pace.isDue(500 + LivePace::kSettling - 1, 1e6));
  EXPECT_TRUE(pace.isDue(500 + LivePace::kSettling, 1e6));
  LivePace adaptive(0);
  adaptive.begin(0);
  EXPECT_FALSE(adaptive.isDue(50, LivePace::kFirstCost_s / LivePace::kShare - 1));
  EXPECT_TRUE(adaptive.isDue(50, LivePace::kFirstCost_s / LivePace::kShare + 1));
}

TEST(LivePace, AGivenDistanceIsKept) {
  LivePace pace(4);
  const Outcome outcome = train(pace, 24, 0.01, [](std::int64_t) { return 1.0; });
  EXPECT_EQ(outcome.recordings, 4); // of the steps 11, 15, 19, 23: the first after ten, then every fourth
  EXPECT_EQ(pace.everySteps(0.01), 4);
}

TEST(LivePace, TellsTheDistanceThatACostAllows) {
  LivePace pace(0);
  pace.recorded(100, 120, 0.085);
  EXPECT_EQ(pace.everySteps(0.25), 68); // 0.085 s / 0.5 % / 0.25 s
  EXPECT_EQ(pace.everySteps(100), 1);
  EXPECT_EQ(pace.everySteps(0), 1);
}

TEST(LivePace, OtherCostsCountToo) {
  LivePace pace(0);
  pace.begin(0);
  pace.charge(1.5); // a whole recording of the first step, say
  EXPECT_FALSE(pace.isDue(1000, 349));
  EXPECT_TRUE(pace.isDue(1000, 351)); // (1.5 + 0.25) s / 0.5 %
  EXPECT_DOUBLE_EQ(pace.overhead_percent(300), 0.5);
  EXPECT_EQ(pace.count(), 0);
  EXPECT_EQ(pace.overhead_percent(0), 0);
}
