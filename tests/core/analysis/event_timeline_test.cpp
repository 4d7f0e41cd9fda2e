// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/event_timeline.h"
#include "core/analysis/module_tree.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>
#include <random>

using namespace voxlab;

namespace {
// What a lane's slices say, checked against every event by hand.
void expectConsistent(const Trace& trace, const EventTimeline& timeline, std::size_t lane, std::int64_t first, std::int64_t last,
                      std::size_t pixels) {
  const auto slices = timeline.slices(lane, first, last, pixels);
  EXPECT_LE(slices.size(), pixels);
  std::int64_t reached = first;
  for (const auto& slice : slices) {
    EXPECT_GE(slice.start_ns, reached);
    EXPECT_GT(slice.end_ns, slice.start_ns);
    EXPECT_LE(slice.end_ns, last);
    EXPECT_GE(slice.count, 1u);
    EXPECT_GE(slice.busy, 0);
    EXPECT_LE(slice.busy, 1);
    EXPECT_TRUE(slice.event == kNoIndex || trace.gpu[slice.event].stream == timeline.lanes()[lane].stream);
    reached = slice.end_ns;
  }
}
} // namespace

TEST(EventTimeline, WideEventsAreThemselvesAndNarrowOnesAreOne) {
  TraceText text;
  text.kernel("sgemm", 0, 0, 500);
  for (int i = 0; i < 50; ++i)
    text.kernel(i % 5 == 0 ? "silu_elementwise" : "nchwToNhwcKernel", 600 + i, 600 + 0.2 * i, 0.1); // 600…610: 10 µs
  text.kernel("sgemm", 700, 900, 100);
  const Trace trace = text.read();
  const KernelIndex index(trace);
  const EventTimeline timeline(trace, index);
  ASSERT_EQ(timeline.lanes().size(), 1u);
  const auto slices = timeline.slices(0, 0, 1000000, 100); // pixels of 10 µs
  ASSERT_EQ(slices.size(), 3u);
  EXPECT_EQ(slices[0].end_ns, 500000);
  EXPECT_EQ(slices[0].category, KernelCategory::MatrixProduct);
  EXPECT_EQ(slices[0].event, 0u);
  EXPECT_EQ(slices[1].event, kNoIndex);
  EXPECT_EQ(slices[1].count, 50u);
  EXPECT_EQ(slices[1].category, KernelCategory::LayoutConversion);
  EXPECT_NEAR(slices[1].busy, 0.5, 1e-9);
  EXPECT_EQ(slices[2].start_ns, 900000);
  // Zoomed in, each is itself.
  EXPECT_EQ(timeline.slices(0, 600000, 610000, 10000).size(), 50u);
  EXPECT_EQ(timeline.eventAt(0, 250000), 0u);
  EXPECT_EQ(timeline.eventAt(0, 550000), kNoIndex);
  EXPECT_TRUE(timeline.slices(0, 5, 5, 10).empty());
  EXPECT_TRUE(timeline.slices(7, 0, 5, 10).empty());
}

TEST(EventTimeline, RecordedAtRandomZooms) {
  const Trace trace = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const KernelIndex index(trace);
  const EventTimeline timeline(trace, index);
  std::mt19937 random(1);
  const std::int64_t end = trace.end_ns();
  for (int i = 0; i < 300; ++i) {
    const std::int64_t first = static_cast<std::int64_t>(random()) % end;
    expectConsistent(trace, timeline, 0, first, first + 1 + static_cast<std::int64_t>(random()) % (end / (1 + i)),
                     1 + random() % 2000);
  }
  std::uint32_t shown = 0;
  for (const auto& slice : timeline.slices(0, 0, end, 1000))
    shown += slice.count;
  EXPECT_GT(shown, 3000u) << "hardly an event is lost in a full view";
}

TEST(ModuleTree, SumsUpTheModules) {
  TraceText text;
  text.range("train_step", 0, 10000);
  const char* modules[] = {"blocks.10.conv", "blocks.9.conv", "blocks.9", "out"};
  for (int i = 0; i < 4; ++i)
    text.range(modules[i], 100 * i, 50).kernel("sgemm", 100 * i + 1, 1000 + 100 * i, 10 * (i + 1));
  text.kernel("silu_elementwise", 900, 2000, 5);
  const Trace trace = text.read();
  const ModuleNode root = moduleTree(trace, KernelIndex(trace));
  EXPECT_NEAR(root.total_ms, 0.105, 1e-9);
  EXPECT_NEAR(root.self_ms, 0.005, 1e-9);
  EXPECT_EQ(root.calls, 5u);
  ASSERT_EQ(root.children.size(), 2u);
  const ModuleNode& blocks = root.children[0];
  EXPECT_NEAR(blocks.total_ms, 0.060, 1e-9);
  EXPECT_EQ(blocks.children[0].name, "9") << "numbers by value";
  EXPECT_NEAR(blocks.children[0].self_ms, 0.030, 1e-9);
  EXPECT_NEAR(blocks.children[0].total_ms, 0.050, 1e-9);
  EXPECT_EQ(blocks.children[1].children[0].path, "blocks.10.conv");
}
