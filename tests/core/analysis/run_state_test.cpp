// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/run_state.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Event make(std::string_view type, double time_s, Json fields = Json::object()) {
  return {std::string(type), time_s, std::move(fields)};
}
Event hello(int start, int resumeStep, Json more = Json::object()) {
  Json fields{{"major", 1}, {"minor", 0}, {"start", start}, {"resume_step", resumeStep}, {"wall_time", "2026-01-31T14:25:30Z"}};
  fields.update(more);
  return make(event::kHello, 0, fields);
}
Event step(int number, double time_s, double loss) {
  return make(event::kStep, time_s, {{"step", number}, {"loss", loss}});
}

void feed(RunState& state, const std::vector<Event>& events) {
  for (const auto& e : events)
    ASSERT_TRUE(state.apply(e));
}
} // namespace

TEST(RunState, FromWaitingToFinished) {
  RunState s;
  EXPECT_EQ(s.outcome(), RunOutcome::Waiting);
  EXPECT_EQ(s.fractionDone(), std::nullopt);
  feed(s, {hello(1, 0, {{"kind", "train"}, {"total_steps", 100}}), make(event::kState, 0.5, {{"state", "preparing"}})});
  EXPECT_EQ(s.outcome(), RunOutcome::Running);
  EXPECT_EQ(s.phase(), RunPhase::Preparing);
  EXPECT_EQ(s.kind(), "train");
  EXPECT_EQ(s.timeLeft_s(), std::nullopt);
  feed(s, {step(10, 1, 0.8), step(20, 3, 0.7)});
  EXPECT_EQ(s.phase(), RunPhase::Running);
  EXPECT_EQ(s.step(), 20);
  EXPECT_DOUBLE_EQ(*s.fractionDone(), 0.2);
  EXPECT_DOUBLE_EQ(*s.timeLeft_s(), 80 * 2.0 / 10); // 80 steps left, 10 steps took 2 s
  EXPECT_EQ(s.series(Measure::Loss).last(), 0.7);
  EXPECT_TRUE(s.series(Measure::GradientNorm).empty());
  feed(s, {make(event::kFinished, 9, {{"exit_code", 0}, {"message", "done"}})});
  EXPECT_EQ(s.outcome(), RunOutcome::Finished);
  EXPECT_EQ(s.exitCode(), ExitCode::Finished);
  EXPECT_EQ(s.endMessage(), "done");
  EXPECT_EQ(s.timeLeft_s(), std::nullopt);
  EXPECT_DOUBLE_EQ(s.runTime_s(), 9);
}

TEST(RunState, AResumeDropsWhatItWillDoAgain) {
  RunState s;
  feed(s, {hello(1, 0, {{"total_steps", 50}}), step(10, 1, 1.0),
           make(event::kCheckpoint, 1.5, {{"step", 10}, {"path", "checkpoints/step_00000010"}}),
           make(event::kSample, 2, {{"step", 10}, {"path", "samples/step_00000010/a.nii.gz"}, {"seed", 7}}), step(20, 3, 2.0),
           make(event::kSample, 3.5, {{"step", 20}, {"path", "samples/step_00000020/a.nii.gz"}}),
           make(event::kGpu, 4, {{"power_w", 600.0}}), step(30, 5, 3.0)});
  EXPECT_EQ(s.samples().size(), 2u);
  feed(s, {hello(2, 10)});
  EXPECT_EQ(s.step(), 10);
  EXPECT_EQ(s.totalSteps(), 50) << "a start that does not say keeps the total";
  EXPECT_EQ(s.series(Measure::Loss).size(), 1u);
  EXPECT_EQ(s.samples().size(), 1u);
  EXPECT_EQ(s.samples()[0].seed, 7);
  EXPECT_EQ(s.checkpoints().size(), 1u);
  feed(s, {step(20, 2, 2.5), make(event::kGpu, 3, {{"power_w", 650.0}})});
  EXPECT_EQ(s.series(Measure::Loss).x().back(), 20);
  EXPECT_EQ(s.series(Measure::Loss).last(), 2.5);
  EXPECT_EQ(s.series(Measure::GpuPower).size(), 2u) << "what was measured by time is kept";
  EXPECT_DOUBLE_EQ(s.series(Measure::GpuPower).x().back(), 5 + 3) << "run seconds go on over starts";
  ASSERT_EQ(s.starts().size(), 2u);
  EXPECT_EQ(s.starts()[1].resumeStep, 10);
  EXPECT_DOUBLE_EQ(s.starts()[1].begin_s, 5);
}

TEST(RunState, TheSameFileAgainIsOneRecord) {
  RunState s;
  feed(s, {hello(1, 0), make(event::kSample, 1, {{"path", "samples/a.nii.gz"}, {"duration_ms", 5.0}}),
           make(event::kSample, 2, {{"path", "samples/a.nii.gz"}, {"duration_ms", 6.0}}), make(event::kSample, 3, Json::object())});
  ASSERT_EQ(s.samples().size(), 1u);
  EXPECT_EQ(s.samples()[0].duration_ms, 6.0);
  EXPECT_EQ(s.samples()[0].step, std::nullopt);
  EXPECT_EQ(s.incompleteEvents(), 1u);
}

TEST(RunState, PausesDoNotCountIntoTheTimeLeft) {
  RunState s;
  feed(s, {hello(1, 0, {{"total_steps", 10}}), step(1, 1, 1), step(2, 2, 1), make(event::kState, 2, {{"state", "pausing"}}),
           make(event::kState, 2, {{"state", "paused"}})});
  EXPECT_EQ(s.phase(), RunPhase::Paused);
  feed(s, {make(event::kState, 1000, {{"state", "running"}}), step(3, 1001, 1)});
  EXPECT_EQ(s.timeLeft_s(), std::nullopt) << "one point after the pause, and no step time was ever given";
  feed(s, {step(4, 1002, 1)});
  EXPECT_DOUBLE_EQ(*s.timeLeft_s(), 6);
}

TEST(RunState, OneStepWithItsDurationIsEnoughForAnEstimate) {
  RunState s;
  feed(s, {hello(1, 0, {{"total_steps", 11}}), make(event::kStep, 1, {{"step", 1}, {"step_time_ms", 250.0}})});
  EXPECT_DOUBLE_EQ(*s.timeLeft_s(), 2.5);
}

TEST(RunState, ProgressStandsInWhereThereAreNoSteps) {
  RunState s;
  feed(s, {hello(1, 0, {{"kind", "sample"}}), make(event::kProgress, 1, {{"what", "sampling"}, {"done", 1}, {"total", 20}}),
           make(event::kProgress, 2, {{"what", "sampling"}, {"done", 5}, {"total", 20}})});
  EXPECT_DOUBLE_EQ(*s.fractionDone(), 0.25);
  EXPECT_DOUBLE_EQ(*s.timeLeft_s(), 15.0 / 4);
  feed(s, {make(event::kProgress, 3, {{"what", "writing"}, {"done", 1}, {"total", 2}})});
  EXPECT_EQ(s.timeLeft_s(), std::nullopt);
}

TEST(RunState, OutcomesByExitCode) {
  const auto outcome = [](std::string_view type, int code) {
    RunState s;
    feed(s, {hello(1, 0), make(type, 1, {{"exit_code", code}})});
    return s.outcome();
  };
  EXPECT_EQ(outcome(event::kFinished, 0), RunOutcome::Finished);
  EXPECT_EQ(outcome(event::kFinished, 6), RunOutcome::Stopped);
  EXPECT_EQ(outcome(event::kFinished, 7), RunOutcome::Finished);
  EXPECT_EQ(outcome(event::kFailed, 5), RunOutcome::Failed);
}

TEST(RunState, ANewerMajorVersionIsRefusedWithBothNumbers) {
  RunState s;
  Event e = hello(1, 0);
  e.fields["major"] = 2;
  const auto status = s.apply(e);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ExitCode::Data);
  EXPECT_NE(status.error().message.find("version 2"), std::string::npos);
  EXPECT_NE(status.error().message.find("version 1"), std::string::npos);
  EXPECT_FALSE(s.apply(step(1, 1, 1)));
  EXPECT_EQ(s.step(), 0);
}

TEST(RunState, UnknownAndIncompleteEventsAreCounted) {
  RunState s;
  feed(s, {hello(1, 0), make("from_the_future", 1), make("from_the_future", 2), make(event::kStep, 3, {{"loss", 1.0}}),
           make(event::kStep, 3, {{"step", "three"}}), make(event::kStep, 4, {{"step", 5}, {"loss", nullptr}, {"new_field", 3}})});
  EXPECT_EQ(s.unknownTypes().at("from_the_future"), 2u);
  EXPECT_EQ(s.incompleteEvents(), 2u);
  EXPECT_EQ(s.step(), 5);
  ASSERT_EQ(s.series(Measure::Loss).size(), 1u);
  EXPECT_TRUE(std::isnan(s.series(Measure::Loss).y()[0])) << "null is a gap";
}

TEST(RunState, WarningsProfilesBenchAndAcks) {
  RunState s;
  feed(s,
       {hello(1, 0), make(event::kWarning, 1, {{"message", "loss is NaN"}, {"step", 3}}),
        make(event::kProfile, 2,
             {{"path", "profiles/p.json.gz"},
              {"step", 3},
              {"steps", 2},
              {"wall_ms_per_step", 230.0},
              {"categories_ms", {{"convolution", 150.0}, {"idle", 3.0}}}}),
        make(event::kBench, 3, {{"mode", "opt1"}, {"what", "train"}, {"repetition", 2}, {"duration_ms", 229.5}, {"energy_j", 120}}),
        make(event::kAck, 4, {{"request", "r1"}, {"command", "pause"}, {"accepted", true}}), make(event::kHeartbeat, 5)});
  EXPECT_EQ(s.warnings().at(0).step, 3);
  EXPECT_EQ(s.profiles().at(0).categories_ms.at(0), std::make_pair(std::string("convolution"), 150.0));
  EXPECT_EQ(s.profiles().at(0).kernel_ms_per_step, std::nullopt);
  EXPECT_EQ(s.bench().at(0).fields.at("energy_j"), 120);
  EXPECT_TRUE(s.acks().at(0).accepted);
  EXPECT_TRUE(s.unknownTypes().empty());
  EXPECT_DOUBLE_EQ(s.runTime_s(), 5);
  for (std::size_t i = 0; i < RunState::kMaximumWarnings + 5; ++i)
    feed(s, {make(event::kWarning, 6, {{"message", std::to_string(i)}})});
  EXPECT_EQ(s.warnings().size(), RunState::kMaximumWarnings);
  EXPECT_EQ(s.warningCount(), RunState::kMaximumWarnings + 6);
  EXPECT_EQ(s.warnings().back().message, "1004");
}

TEST(RunState, LightRecordingsAreProfilesWithoutAFile) {
  RunState s;
  feed(s, {hello(1, 0), make(event::kProfile, 2, {{"path", ""}, {"step", 70}, {"what", "live"}, {"categories_ms", {{"reduction", 1.5}}}, {"every_steps", 68}, {"overhead_percent", 0.42}})});
  ASSERT_EQ(s.profiles().size(), 1u);
  EXPECT_EQ(s.profiles()[0].path, "");
  EXPECT_EQ(s.profiles()[0].step, 70);
  EXPECT_EQ(s.profiles()[0].everySteps, 68);
  EXPECT_EQ(s.profiles()[0].overhead_percent, 0.42);
}

TEST(RunState, EveryMeasureIsTakenFromItsEvent) {
  RunState s;
  feed(s, {hello(1, 0)});
  double value = 0;
  std::map<std::string_view, Json> fields;
  for (const auto& row : measureTable())
    fields[row.event][std::string(row.field)] = ++value;
  for (auto& [type, json] : fields) {
    json["step"] = 1;
    feed(s, {make(type, 1, json)});
  }
  value = 0;
  for (const auto& row : measureTable())
    EXPECT_EQ(s.series(row.measure).last(), ++value) << row.field;
  EXPECT_EQ(measureTable().size() + 1, static_cast<std::size_t>(Measure::Count)) << "a measure without a row";
  EXPECT_EQ(measureInfo(Measure::None).title, "");
}

TEST(RunState, TheThrottleReasonIsTheNewest) {
  RunState s;
  feed(s, {hello(1, 0), make(event::kGpu, 1, {{"throttle", "power cap"}}), make(event::kGpu, 2, {{"power_w", 1}})});
  EXPECT_EQ(s.throttle(), "power cap");
  feed(s, {make(event::kGpu, 3, {{"throttle", ""}})});
  EXPECT_EQ(s.throttle(), "");
}
