// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/protocol/control_point.h"
#include "core/protocol/run_session.h"
#include "tests/support/temporary_folder.h"
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
class RunSessionTest : public testing::Test {
protected:
  void SetUp() override { m_run = RunDirectory::create(m_folder.path(), JobSpec("train"), {}).value(); }

  std::unique_ptr<RunSession> start(std::int64_t resumeStep = 0, std::chrono::milliseconds beat = 1h) {
    auto session = RunSession::start(m_run, {resumeStep, 10, beat, 1ms});
    EXPECT_TRUE(session) << session.error().message;
    return session ? std::move(*session) : nullptr;
  }
  std::vector<Event> events() const { return EventReader(m_run.eventsFile()).poll().value(); }
  std::vector<std::string> types() const {
    std::vector<std::string> names;
    for (const Event& e : events())
      names.push_back(e.type);
    return names;
  }
  TemporaryFolder m_folder;
  RunDirectory m_run{""};
};
} // namespace

TEST_F(RunSessionTest, SaysHelloAndHowItEnded) {
  const auto session = start();
  EXPECT_TRUE(m_run.isLocked());
  session->emit(event::kStep, {{"step", 1}});
  session->setStep(1);
  session->finish(ExitCode::Finished, "Done.", {{"loss", 0.5}});
  session->emit(event::kStep, {{"step", 2}}); // too late
  const auto all = events();
  EXPECT_THAT(types(), ElementsAre("hello", "step", "finished"));
  EXPECT_EQ(all[0].fields["start"], 1);
  EXPECT_EQ(all[0].fields["kind"], "train");
  EXPECT_EQ(all[0].fields["total_steps"], 10);
  EXPECT_EQ(all[2].fields["exit_code"], 0);
  EXPECT_EQ(readJsonFile(m_run.summaryFile()).value()["loss"], 0.5);
  EXPECT_EQ(readJsonFile(m_run.finishedFile()).value()["step"], 1);
  EXPECT_LE(all[0].time_s, all[2].time_s);
}

TEST_F(RunSessionTest, ASecondStartRepairsCountsAndForgetsTheEnd) {
  {
    const auto first = start();
    first->finish(ExitCode::Stopped, "Stopped.", {{"a", 1}});
  }
  EXPECT_EQ(m_run.outcome(), RunOutcome::Stopped);
  { std::ofstream(m_run.eventsFile(), std::ios::app) << "{\"type\":\"st"; }
  const auto second = start(7);
  EXPECT_EQ(m_run.outcome(), RunOutcome::Running);
  EXPECT_FALSE(std::filesystem::exists(m_run.finishedFile()));
  EXPECT_FALSE(std::filesystem::exists(m_run.summaryFile()));
  EXPECT_EQ(second->number(), 2);
  EXPECT_THAT(types(), ElementsAre("hello", "finished", "hello"));
  EXPECT_EQ(events().back().fields["resume_step"], 7);
}

TEST_F(RunSessionTest, ARunOfANewerMajorVersionIsRefusedAndLeftAsItIs) {
  {
    std::ofstream(m_run.eventsFile()) << R"({"type":"hello","time_s":0,"major":99,"minor":1,"start":1,"resume_step":0,"wall_time":"2030-01-31T11:59:00.000Z"})"
                                      << "\n{\"type\":\"st";
    std::ofstream(m_run.summaryFile()) << "{}";
  }
  const auto before = readTextFile(m_run.eventsFile());
  const auto refused = RunSession::start(m_run, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("99.1"), std::string::npos) << refused.error().message;
  EXPECT_EQ(readTextFile(m_run.eventsFile()).value(), before.value());
  EXPECT_TRUE(std::filesystem::exists(m_run.summaryFile()));
}

TEST_F(RunSessionTest, WarningsAreHeard) {
  std::vector<std::string> heard;
  SessionStart options;
  options.onWarning = [&heard](const std::string& words) { heard.push_back(words); };
  const auto session = RunSession::start(m_run, options);
  ASSERT_TRUE(session);
  (*session)->warn("The loss grows.");
  EXPECT_THAT(heard, ElementsAre("The loss grows."));
}

TEST_F(RunSessionTest, ADeadStartIsLost) {
  start().reset();
  EXPECT_EQ(m_run.outcome(), RunOutcome::Lost);
}

TEST_F(RunSessionTest, TwoAtOnceAreRefused) {
  const auto session = start();
  const auto second = RunSession::start(m_run, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ExitCode::Usage);
  EXPECT_THAT(types(), ElementsAre("hello"));
}

TEST_F(RunSessionTest, EnvironmentCarriesTheStart) {
  const auto session = start();
  session->appendEnvironment({{"threads", 2}});
  const auto lines = LineReader(m_run.environmentFile()).poll().value();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["start"], 1);
  EXPECT_EQ(lines[0]["threads"], 2);
}

TEST_F(RunSessionTest, BeatsWithItsStep) {
  const auto session = start(0, 1ms);
  session->setStep(5);
  LineReader reader(m_run.eventsFile());
  for (bool seen = false; !seen;) { // the listener's beat is the event waited for
    const auto lines = reader.poll();
    ASSERT_TRUE(lines);
    for (const Json& line : *lines)
      seen |= line["type"] == "heartbeat" && line["step"] == 5;
  }
}

TEST_F(RunSessionTest, PauseResumeAndStopAreAcknowledged) {
  const auto session = start();
  ControlPoint point(*session, {command::kCheckpointNow});
  ASSERT_TRUE(m_run.request(command::kPause));
  session->waitForRequest();
  std::thread studio([this] {
    EXPECT_TRUE(m_run.request(command::kCheckpointNow));
    EXPECT_TRUE(m_run.request(command::kSampleNow));
    EXPECT_TRUE(m_run.request(command::kResume));
  });
  bool checkpoint = false;
  do
    checkpoint |= point.poll("running").checkpoint;
  while (point.paused());
  studio.join();
  EXPECT_TRUE(checkpoint);
  ASSERT_TRUE(m_run.request(command::kStop));
  session->waitForRequest();
  point.poll("running");
  EXPECT_TRUE(point.stopRequested());
  session->finish(ExitCode::Stopped, "");
  EXPECT_THAT(types(), ElementsAre("hello", "ack", "state", "ack", "ack", "ack", "state", "ack", "state", "finished"));
  const auto all = events();
  EXPECT_EQ(all[2].fields["state"], "paused");
  EXPECT_EQ(all[4].fields["command"], "sample_now");
  EXPECT_EQ(all[4].fields["accepted"], false);
  EXPECT_EQ(all[6].fields["state"], "running");
  EXPECT_EQ(all[8].fields["state"], "stopping");
}

TEST_F(RunSessionTest, RequestsThatMakeNoSenseAreRefusedInWords) {
  const auto session = start();
  ControlPoint point(*session, {command::kProfileNext});
  for (const auto name : {"resume", "dance", "profile_next"}) {
    ASSERT_TRUE(m_run.request(name, {{"steps", 1e9}}));
    session->waitForRequest();
    const auto wishes = point.poll("running");
    EXPECT_EQ(wishes.profileSteps, std::string(name) == "profile_next" ? 1000 : 0);
  }
  const auto all = events();
  EXPECT_EQ(all[1].fields["message"], "The run is not paused.");
  EXPECT_NE(all[2].fields["message"].get<std::string>().find("dance"), std::string::npos);
  EXPECT_EQ(all[3].fields["accepted"], true);
  ASSERT_TRUE(m_run.request("profile_next", {{"steps", -3}}));
  session->waitForRequest();
  EXPECT_EQ(point.poll("running").profileSteps, 0);
  EXPECT_EQ(events().back().fields["accepted"], false);
  for (const Json& steps : {Json("five"), Json(2.5), Json()}) {
    ASSERT_TRUE(m_run.request(command::kProfileNext, {{"steps", steps}}));
    session->waitForRequest();
    EXPECT_EQ(point.poll("running").profileSteps, 0) << steps;
    EXPECT_EQ(events().back().fields["accepted"], false) << steps;
    EXPECT_THAT(events().back().fields["message"].get<std::string>(), HasSubstr("a whole number")) << steps;
  }
}

TEST_F(RunSessionTest, OfTwoRequestsToRecordTheLongerIsFollowed) {
  const auto session = start();
  ControlPoint point(*session, {command::kProfileNext, command::kCheckpointNow});
  for (const int steps : {5, 2})
    ASSERT_TRUE(m_run.request(command::kProfileNext, {{"steps", steps}}));
  ASSERT_TRUE(m_run.request(command::kCheckpointNow)); // the last to be read
  std::int64_t steps = 0;
  for (bool all = false; !all;) {
    session->waitForRequest();
    const ControlWishes wishes = point.poll("running");
    steps = std::max(steps, wishes.profileSteps);
    all = wishes.checkpoint;
  }
  EXPECT_EQ(steps, 5);
}

TEST_F(RunSessionTest, ASignalEndsAPause) {
  const auto session = start();
  ControlPoint point(*session, {});
  ASSERT_TRUE(m_run.request(command::kPause));
  session->waitForRequest();
  std::thread signal([&] { session->stop(); });
  point.poll("running");
  EXPECT_TRUE(point.stopRequested());
  EXPECT_FALSE(point.paused());
  signal.join();
}

TEST_F(RunSessionTest, UnwritableEventsAreRemembered) {
  const auto session = start();
  EXPECT_TRUE(session->writeStatus());
  ASSERT_TRUE(std::filesystem::create_directory(m_run.summaryFile()));
  session->finish(ExitCode::Finished, "", {{"a", 1}}); // summary.json cannot be renamed over a folder
  EXPECT_FALSE(session->writeStatus());
  EXPECT_TRUE(readJsonFile(m_run.finishedFile()));
}
