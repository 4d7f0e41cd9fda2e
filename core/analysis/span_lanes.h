// SPDX-License-Identifier: Apache-2.0
// What a time line shows beside the GPU's streams: its idle time by cause, and what the host did meanwhile.
#pragma once
#include "core/analysis/breakdown.h"

namespace voxlab {

enum class LaneKind : std::uint8_t {
  Unknown,
  Idle,  // of the busiest device; a span's id is its IdleCause
  Work,  // of a thread: the innermost range, or the outermost operator within it; id: into trace.host
  Calls, // of a thread: runtime calls; id: into trace.host
};

struct LaneSpan {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t id = kNoIndex;
};

// What a stretch of the view shows: one span, or many that are narrower than a pixel.
struct SpanSlice {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t id = kNoIndex; // of the span, or of the first of many
  std::uint32_t count = 0;
  double busy = 1; // share of the stretch that is covered, 0…1
};

// Spans that do not overlap. A view of p pixels takes about p·log(n) steps.
class SpanLane {
public:
  SpanLane(LaneKind kind, std::uint16_t thread, std::vector<LaneSpan> spans); // by start, without overlaps

  LaneKind kind() const { return m_kind; }
  std::uint16_t thread() const { return m_thread; } // into trace.threads; of the host's lanes
  const std::vector<LaneSpan>& spans() const { return m_spans; }
  // At most `pixels` slices between two times, in order, gaps left out.
  std::vector<SpanSlice> slices(std::int64_t first_ns, std::int64_t last_ns, std::size_t pixels) const;
  const LaneSpan* at(std::int64_t time_ns) const; // nullptr: none

private:
  std::size_t firstEndingAfter(std::int64_t time_ns) const;

  LaneKind m_kind;
  std::uint16_t m_thread;
  std::vector<LaneSpan> m_spans;
  std::vector<std::int64_t> m_covered_ns; // before each span, and after the last
};

// Idle time first, then work and calls of the busiest threads, those with the most events, in the order in which they begin. Without a GPU, whose part the operators
// take, only ranges. Lanes with nothing in them are left out.
std::vector<SpanLane> lanesBesideStreams(const Trace& trace, std::size_t mostThreads = 2);

} // namespace voxlab
