// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/event_timeline.h"
#include <algorithm>
#include <array>
#include <map>

namespace voxlab {

EventTimeline::EventTimeline(const Trace& trace, const KernelIndex& index, const EventFilter& filter)
    : m_trace(trace), m_index(index) {
  const EventMatcher matches(filter, trace, index);
  std::map<std::pair<std::pair<std::int32_t, std::int64_t>, std::uint16_t>, std::vector<std::uint32_t>> byStream;
  std::vector<std::vector<std::uint32_t>*> lists(trace.streams.size(), nullptr);
  for (std::uint32_t i = 0; i < trace.gpu.size(); ++i) {
    if (!matches(trace.gpu[i]))
      continue;
    const std::uint16_t stream = trace.gpu[i].stream;
    if (!lists[stream])
      lists[stream] = &byStream[{{trace.streams[stream].device, trace.streams[stream].stream}, stream}];
    lists[stream]->push_back(i);
  }
  for (auto& [key, events] : byStream) {
    std::vector<std::int64_t> ends;
    std::vector<Sums> blocks;
    Sums sums{};
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (i % kBlock == 0)
        blocks.push_back(sums);
      const GpuEvent& event = trace.gpu[events[i]];
      sums[static_cast<std::size_t>(index.of(event).category)] += event.duration_ns;
      ends.push_back(std::max(ends.empty() ? event.end_ns() : ends.back(), event.end_ns()));
    }
    m_lanes.push_back({key.second, std::move(events)});
    m_ends.push_back(std::move(ends));
    m_blocks.push_back(std::move(blocks));
  }
}

std::int64_t EventTimeline::end_ns() const {
  std::int64_t end = 0;
  for (const auto& ends : m_ends)
    end = ends.empty() ? end : std::max(end, ends.back());
  return end;
}

std::size_t EventTimeline::firstEndingAfter(std::size_t lane, std::int64_t time_ns) const {
  const auto& ends = m_ends[lane];
  return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), time_ns) - ends.begin());
}

std::size_t EventTimeline::firstStartingFrom(std::size_t lane, std::int64_t time_ns) const {
  const auto& events = m_lanes[lane].events;
  return static_cast<std::size_t>(
      std::lower_bound(events.begin(), events.end(), time_ns,
                       [this](std::uint32_t i, std::int64_t t) { return m_trace.gpu[i].start_ns < t; }) -
      events.begin());
}

EventTimeline::Sums EventTimeline::categorySums(std::size_t lane, std::size_t first, std::size_t last) const {
  const auto before = [&](std::size_t position) {
    Sums sums = m_blocks[lane][std::min(position / kBlock, m_blocks[lane].size() - 1)];
    for (std::size_t i = std::min(position / kBlock, m_blocks[lane].size() - 1) * kBlock; i < position; ++i) {
      const GpuEvent& event = m_trace.gpu[m_lanes[lane].events[i]];
      sums[static_cast<std::size_t>(m_index.of(event).category)] += event.duration_ns;
    }
    return sums;
  };
  Sums sums = before(last);
  const Sums start = before(first);
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] -= start[i];
  return sums;
}

std::vector<TimelineSlice> EventTimeline::slices(std::size_t lane, std::int64_t first_ns, std::int64_t last_ns,
                                                 std::size_t pixels) const {
  std::vector<TimelineSlice> out;
  if (lane >= m_lanes.size() || last_ns <= first_ns || pixels == 0)
    return out;
  const auto& events = m_lanes[lane].events;
  const std::int64_t pixel_ns = std::max<std::int64_t>(1, (last_ns - first_ns) / static_cast<std::int64_t>(pixels));
  std::int64_t reached_ns = first_ns;
  for (std::size_t i = firstEndingAfter(lane, first_ns); i < events.size() && out.size() < pixels;) {
    const GpuEvent& event = m_trace.gpu[events[i]];
    const std::int64_t start_ns = std::max(event.start_ns, reached_ns);
    if (event.start_ns >= last_ns)
      break;
    if (event.end_ns() - start_ns >= pixel_ns) { // wide enough to be seen
      out.push_back({start_ns, std::min(event.end_ns(), last_ns), m_index.of(event).category, events[i], 1, 1});
      reached_ns = event.end_ns();
      i = std::max(i + 1, firstEndingAfter(lane, reached_ns));
      continue;
    }
    // Everything that begins within a pixel from here, up to the next event that is wide enough, as one slice.
    const std::size_t end = std::max(i + 1, firstStartingFrom(lane, start_ns + pixel_ns));
    const Sums sums = categorySums(lane, i, end);
    std::int64_t covered = 0;
    std::size_t category = 0;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      covered += sums[k];
      category = sums[k] > sums[category] ? k : category;
    }
    const std::int64_t end_ns = std::min(last_ns, start_ns + pixel_ns);
    const double length = static_cast<double>(std::max<std::int64_t>(1, end_ns - start_ns));
    out.push_back({start_ns, end_ns, static_cast<KernelCategory>(category), end - i == 1 ? events[i] : kNoIndex,
                   static_cast<std::uint32_t>(end - i), std::min(1.0, static_cast<double>(covered) / length)});
    reached_ns = end_ns;
    i = end;
    // The last of them may reach beyond the pixel and be seen on its own.
    if (const GpuEvent& last = m_trace.gpu[events[end - 1]]; last.end_ns() - reached_ns >= pixel_ns && reached_ns < last_ns)
      i = end - 1;
  }
  return out;
}

std::uint32_t EventTimeline::eventAt(std::size_t lane, std::int64_t time_ns) const {
  if (lane >= m_lanes.size())
    return kNoIndex;
  const auto& events = m_lanes[lane].events;
  for (std::size_t i = firstEndingAfter(lane, time_ns); i < events.size() && m_trace.gpu[events[i]].start_ns <= time_ns; ++i)
    if (m_trace.gpu[events[i]].end_ns() > time_ns)
      return events[i];
  return kNoIndex;
}

} // namespace voxlab
