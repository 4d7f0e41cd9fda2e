// SPDX-License-Identifier: Apache-2.0
// A trace's time line at any zoom: what each pixel shows, without looking at every event.
#pragma once
#include "core/analysis/kernel_table.h"
#include <array>

namespace voxlab {

// What a stretch of the view shows: one event, or many that are narrower than a pixel.
struct TimelineSlice {
  std::int64_t start_ns = 0, end_ns = 0;
  KernelCategory category = KernelCategory::Unknown; // of many: that most of their time belongs to
  std::uint32_t event = kNoIndex;                    // into trace.gpu; kNoIndex: many
  std::uint32_t count = 0;                           // events
  double busy = 1;                                   // share of the stretch that is covered, 0…1
};

struct TimelineLane {
  std::uint16_t stream = 0;          // into trace.streams
  std::vector<std::uint32_t> events; // into trace.gpu, by start
};

// Building it takes one pass over the events; a view of p pixels then takes about p·log(n) steps, however many events it covers.
// The trace and the index have to outlive it.
class EventTimeline {
public:
  EventTimeline(const Trace& trace, const KernelIndex& index, const EventFilter& filter = {});

  const std::vector<TimelineLane>& lanes() const { return m_lanes; } // streams with events, by device and id
  std::int64_t end_ns() const; // of the last event
  // At most `pixels` slices of a lane between two times, in order, gaps left out.
  std::vector<TimelineSlice> slices(std::size_t lane, std::int64_t first_ns, std::int64_t last_ns, std::size_t pixels) const;
  // The event under a moment, or kNoIndex.
  std::uint32_t eventAt(std::size_t lane, std::int64_t time_ns) const;

private:
  static constexpr std::size_t kBlock = 64;
  using Sums = std::array<std::int64_t, static_cast<std::size_t>(KernelCategory::Count)>;
  // Index within the lane of the first event that ends after the time.
  std::size_t firstEndingAfter(std::size_t lane, std::int64_t time_ns) const;
  std::size_t firstStartingFrom(std::size_t lane, std::int64_t time_ns) const;
  Sums categorySums(std::size_t lane, std::size_t first, std::size_t last) const; // of durations

  const Trace& m_trace;
  const KernelIndex& m_index;
  std::vector<TimelineLane> m_lanes;
  std::vector<std::vector<std::int64_t>> m_ends; // by lane: latest end so far, so that it only grows
  std::vector<std::vector<Sums>> m_blocks;       // by lane: sums before each block of events
};

} // namespace voxlab
