// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/event_reader.h"
#include "tests/support/temporary_folder.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace voxlab;
namespace fs = std::filesystem;

namespace {
void append(const fs::path& file, const Json& json) {
  ASSERT_TRUE(LineWriter::open(file)->append(json));
}

Event hello(int start, int resumeStep) {
  return {std::string(event::kHello),
          0,
          {{"major", kProtocolMajor},
           {"minor", kProtocolMinor},
           {"start", start},
           {"resume_step", resumeStep},
           {"wall_time", "2026-01-31T14:25:30.123Z"}}};
}
Event step(int n, double loss = 1) {
  return {std::string(event::kStep), 1.5, {{"step", n}, {"loss", loss}}};
}

std::vector<int> stepsOf(const std::vector<Event>& events) {
  std::vector<int> steps;
  for (const Event& e : events)
    if (e.type == event::kStep)
      steps.push_back(e.fields["step"]);
  return steps;
}
} // namespace

TEST(Events, RoundTrip) {
  const Json json = toJson(step(3, 0.5));
  EXPECT_EQ(compactJson(json), R"({"type":"step","time_s":1.5,"step":3,"loss":0.5})");
  const auto back = eventFromJson(json);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->type, "step");
  EXPECT_EQ(back->time_s, 1.5);
  EXPECT_EQ(back->fields, step(3, 0.5).fields);
  EXPECT_FALSE(eventFromJson({{"time_s", 1}}));
}

TEST(Events, EveryTypeOfTheHeaderIsKnown) {
  for (const auto type : {event::kHello, event::kState, event::kStep, event::kProgress, event::kSample, event::kCheckpoint,
                          event::kMemory, event::kGpu, event::kProfile, event::kBench, event::kWarning, event::kAck,
                          event::kHeartbeat, event::kFailed, event::kFinished})
    EXPECT_NE(check({std::string(type), 0, Json::object()}), EventCheck::UnknownType) << type;
}

TEST(Events, RequiredFieldsAndTheirTypes) {
  EXPECT_EQ(check(step(1)), EventCheck::Fine);
  EXPECT_EQ(check({"step", 0, Json::object()}), EventCheck::Malformed);
  EXPECT_EQ(check({"step", 0, {{"step", "three"}}}), EventCheck::Malformed);
  EXPECT_EQ(check({"ack", 0, {{"request", "a"}, {"command", "stop"}, {"accepted", 1}}}), EventCheck::Malformed);
  EXPECT_EQ(check({"later", 0, Json::object()}), EventCheck::UnknownType);
  EXPECT_EQ(unknownFields({"bench", 0, {{"mode", "m"}, {"anything", 1}}}), 0u);
  EXPECT_EQ(unknownFields({"step", 0, {{"step", 1}, {"later", 1}}}), 1u);
}

TEST(EventReader, SkipsAndCountsWhatItDoesNotKnow) {
  TemporaryFolder folder;
  const auto file = folder / "events.jsonl";
  append(file, toJson(hello(1, 0)));
  append(file, {{"type", "hologram"}, {"depth", 4}});
  append(file, {{"type", "step"}, {"step", 1}, {"new_measure", 2.5}});
  append(file, {{"type", "step"}});
  append(file, {{"no", "type"}});
  EventReader reader(file);
  const auto events = reader.poll();
  ASSERT_TRUE(events);
  EXPECT_EQ(events->size(), 2u);
  EXPECT_EQ(events->back().fields["new_measure"], 2.5); // kept, though not understood
  EXPECT_EQ(reader.unknownEvents(), 1u);
  EXPECT_EQ(reader.unknownFields(), 1u);
  EXPECT_EQ(reader.skippedLines(), 2u);
  EXPECT_TRUE(reader.unknownTypes().count("hologram"));
}

TEST(EventReader, RefusesANewerMajorVersionNamingBoth) {
  TemporaryFolder folder;
  const auto file = folder / "events.jsonl";
  Event newer = hello(1, 0);
  newer.fields["major"] = 7;
  newer.fields["minor"] = 3;
  append(file, toJson(newer));
  EventReader reader(file);
  for (int i = 0; i < 2; ++i) {
    const auto events = reader.poll();
    ASSERT_FALSE(events);
    EXPECT_NE(events.error().message.find("7.3"), std::string::npos);
    EXPECT_NE(events.error().message.find(schemaVersion()), std::string::npos);
  }
}

TEST(EventReader, TakesANewerMinorVersion) {
  TemporaryFolder folder;
  Event newer = hello(1, 0);
  newer.fields["minor"] = 99;
  append(folder / "events.jsonl", toJson(newer));
  EXPECT_EQ(EventReader(folder / "events.jsonl").poll()->size(), 1u);
}

TEST(EffectiveEvents, LaterStartsReplaceWhatLiesBeyondTheirResumeStep) {
  const std::vector<Event> events{hello(1, 0),  step(1), step(2),     step(3),     hello(2, 2),
                                  step(3, 0.3), step(4), hello(3, 2), step(3, 0.4)};
  const auto kept = effectiveEvents(events);
  EXPECT_EQ(stepsOf(kept), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(kept.back().fields["loss"], 0.4);
}

TEST(EffectiveEvents, AStartFromNothingReplacesEverything) {
  EXPECT_EQ(stepsOf(effectiveEvents({hello(1, 0), step(1), step(2), hello(2, 2), step(3), hello(3, 0), step(1)})),
            (std::vector<int>{1}));
}

TEST(EffectiveEvents, SamplesAndCheckpointsBeyondGoTooOthersStay) {
  const Event sample{"sample", 0, {{"path", "p"}, {"info_path", "i"}, {"step", 3}}};
  const Event warning{"warning", 0, {{"message", "m"}}};
  const auto kept = effectiveEvents({hello(1, 0), step(1), sample, warning, hello(2, 1)});
  ASSERT_EQ(kept.size(), 4u);
  EXPECT_EQ(kept[2].type, "warning");
}

TEST(ControlReader, IgnoresRequestsOlderThanTheStart) {
  TemporaryFolder folder;
  const auto file = folder / "control.jsonl";
  append(file, {{"id", "a"}, {"command", "stop"}, {"wall_time", "2026-01-31T10:00:00.000Z"}});
  append(file, {{"id", "b"}, {"command", "pause"}, {"wall_time", "2026-01-31T12:00:00.000Z"}});
  ControlReader reader(file, "2026-01-31T12:00:00.000Z");
  const auto requests = reader.poll();
  ASSERT_EQ(requests->size(), 1u);
  EXPECT_EQ(requests->front().id, "b");
  EXPECT_EQ(reader.ignoredRequests(), 1u);
}

TEST(ControlReader, TakesWhatIsAppendedAfterTheStartWhateverTheClockSays) {
  TemporaryFolder folder;
  const auto file = folder / "control.jsonl";
  ControlReader reader(file, "2026-01-31T12:00:00.000Z");
  append(file, {{"id", "a"}, {"command", "profile_next"}, {"wall_time", "2026-01-31T11:59:00.000Z"}, {"steps", 4}});
  append(file, {{"command", "stop"}});
  const auto requests = reader.poll();
  ASSERT_EQ(requests->size(), 1u);
  EXPECT_EQ(requests->front().fields["steps"], 4);
  EXPECT_EQ(reader.skippedLines(), 1u);
  EXPECT_TRUE(reader.poll()->empty());
}
