// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/span_lanes.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
const SpanLane* laneOf(const std::vector<SpanLane>& lanes, LaneKind kind) {
  for (const SpanLane& lane : lanes)
    if (lane.kind() == kind)
      return &lane;
  return nullptr;
}

std::vector<std::string> wordsOf(const Trace& trace, const SpanLane& lane) { // "name start-end" in µs
  std::vector<std::string> words;
  for (const LaneSpan& span : lane.spans())
    words.push_back(trace.name(trace.host[span.id].name) + " " + std::to_string(span.start_ns / 1000) + "-" + std::to_string(span.end_ns / 1000));
  return words;
}
} // namespace

TEST(SpanLanes, NestedRangesAndOperatorsBecomeOneLineOfTheInnermost) {
  TraceText text;
  text.range("train_step", 0, 100).range("forward", 10, 60).op("aten::linear", 20, 20).op("aten::mm", 25, 10).kernel("gemm", 30, 45, 20).op("aten::add", 50, 5);
  const Trace trace = text.read();
  const auto lanes = lanesBesideStreams(trace);
  const SpanLane* work = laneOf(lanes, LaneKind::Work);
  ASSERT_NE(work, nullptr);
  EXPECT_EQ(wordsOf(trace, *work), (std::vector<std::string>{"train_step 0-10", "forward 10-20", "aten::linear 20-40", "forward 40-50", "aten::add 50-55",
                                                             "forward 55-70", "train_step 70-100"}));
  const SpanLane* calls = laneOf(lanes, LaneKind::Calls);
  ASSERT_NE(calls, nullptr);
  EXPECT_EQ(wordsOf(trace, *calls), std::vector<std::string>{"cudaLaunchKernel 30-32"});
  EXPECT_EQ(laneOf(lanes, LaneKind::Idle), nullptr) << "one kernel leaves no gap";
}

TEST(SpanLanes, GapsBetweenKernelsAreIdleTimeWithACause) {
  TraceText text;
  text.range("train_step", 0, 100).kernel("a", 1, 10, 10).kernel("b", 40, 50, 10).kernel("c", 41, 60, 10);
  const auto lanes = lanesBesideStreams(text.read());
  const SpanLane* idle = laneOf(lanes, LaneKind::Idle);
  ASSERT_NE(idle, nullptr);
  std::int64_t sum = 0;
  for (const LaneSpan& span : idle->spans())
    sum += span.end_ns - span.start_ns;
  EXPECT_EQ(sum, 30000); // from 20 to 50
  EXPECT_LT(idle->spans().front().id, static_cast<std::uint32_t>(IdleCause::Count));
}

TEST(SpanLanes, ManySpansInAPixelAreOneSliceAndZoomedInEachIsItself) {
  std::vector<LaneSpan> spans;
  for (std::uint32_t i = 0; i < 1000; ++i)
    spans.push_back({i * 100, i * 100 + 50, i});
  spans.push_back({100000, 200000, 1000});
  const SpanLane lane(LaneKind::Calls, 0, spans);
  const auto far = lane.slices(0, 200000, 20);
  ASSERT_EQ(far.size(), 11u);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(far[i].count, 100u);
    EXPECT_NEAR(far[i].busy, 0.5, 0.01);
  }
  EXPECT_EQ(far[10].id, 1000u);
  EXPECT_EQ(far[10].end_ns, 200000);
  const auto near = lane.slices(1000, 1300, 300);
  ASSERT_EQ(near.size(), 3u);
  EXPECT_EQ(near[1].start_ns, 1100);
  EXPECT_EQ(near[1].id, 11u);
  EXPECT_EQ(near[1].count, 1u);
  ASSERT_NE(lane.at(1125), nullptr);
  EXPECT_EQ(lane.at(1125)->id, 11u);
  EXPECT_EQ(lane.at(1175), nullptr);
  EXPECT_TRUE(lane.slices(5, 5, 10).empty());
  EXPECT_TRUE(lane.slices(0, 10, 0).empty());
}

TEST(SpanLanes, ARecordedStepHasIdleTimeAndTwoThreads) {
  const Trace trace = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const auto lanes = lanesBesideStreams(trace);
  ASSERT_EQ(lanes.size(), 5u); // idle, and work and calls of the threads that go forward and backward
  EXPECT_EQ(lanes[0].kind(), LaneKind::Idle);
  EXPECT_NE(lanes[1].thread(), lanes[3].thread());
  for (const SpanLane& lane : lanes)
    for (std::size_t i = 1; i < lane.spans().size(); ++i)
      ASSERT_LE(lane.spans()[i - 1].end_ns, lane.spans()[i].start_ns);
}
