// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/span_lanes.h"
#include <algorithm>

namespace voxlab {
namespace {
struct ThreadEvents {
  std::uint16_t thread = 0;
  std::size_t first = 0, count = 0; // of trace.host
};

std::vector<ThreadEvents> busiestThreads(const Trace& trace, std::size_t most) {
  std::vector<ThreadEvents> threads;
  for (std::size_t i = 0; i < trace.host.size(); ++i) {
    if (threads.empty() || threads.back().thread != trace.host[i].thread)
      threads.push_back({trace.host[i].thread, i, 0});
    ++threads.back().count;
  }
  std::stable_sort(threads.begin(), threads.end(), [](const ThreadEvents& a, const ThreadEvents& b) { return a.count > b.count; });
  threads.resize(std::min(threads.size(), most));
  std::sort(threads.begin(), threads.end(), [&](const ThreadEvents& a, const ThreadEvents& b) { return trace.host[a.first].start_ns < trace.host[b.first].start_ns; });
  return threads;
}

// Nested events as one line: at every moment the innermost one that is open.
class Flattener {
public:
  explicit Flattener(const Trace& trace) : m_trace(trace) {}

  void add(std::uint32_t index) {
    const HostEvent& event = m_trace.host[index];
    closeUntil(event.start_ns);
    if (!m_open.empty())
      emit(event.start_ns, m_open.back());
    m_reached_ns = std::max(m_reached_ns, event.start_ns);
    m_open.push_back(index);
  }
  bool isInOperator(std::int64_t time_ns) {
    closeUntil(time_ns);
    return !m_open.empty() && m_trace.host[m_open.back()].kind == HostKind::Operator;
  }
  std::vector<LaneSpan> finish() {
    closeUntil(std::numeric_limits<std::int64_t>::max());
    return std::move(m_spans);
  }

private:
  void closeUntil(std::int64_t time_ns) {
    while (!m_open.empty() && m_trace.host[m_open.back()].end_ns() <= time_ns) {
      emit(m_trace.host[m_open.back()].end_ns(), m_open.back());
      m_open.pop_back();
    }
  }
  void emit(std::int64_t end_ns, std::uint32_t index) {
    const std::int64_t start_ns = std::max(m_reached_ns, m_trace.host[index].start_ns);
    if (start_ns < end_ns)
      m_spans.push_back({start_ns, end_ns, index});
    m_reached_ns = std::max(m_reached_ns, end_ns);
  }

  const Trace& m_trace;
  std::vector<std::uint32_t> m_open;
  std::int64_t m_reached_ns = std::numeric_limits<std::int64_t>::min();
  std::vector<LaneSpan> m_spans;
};

bool isRange(HostKind kind) { return kind == HostKind::Range || kind == HostKind::Python; }

std::vector<LaneSpan> workOf(const Trace& trace, const ThreadEvents& thread) {
  const bool withOperators = trace.hasGpu();
  Flattener flat(trace);
  for (std::size_t i = thread.first; i < thread.first + thread.count; ++i) {
    const HostEvent& event = trace.host[i];
    if (isRange(event.kind) || (withOperators && event.kind == HostKind::Operator && !flat.isInOperator(event.start_ns)))
      flat.add(static_cast<std::uint32_t>(i));
  }
  return flat.finish();
}

std::vector<LaneSpan> callsOf(const Trace& trace, const ThreadEvents& thread) {
  Flattener flat(trace);
  for (std::size_t i = thread.first; i < thread.first + thread.count; ++i)
    if (trace.host[i].kind == HostKind::Runtime)
      flat.add(static_cast<std::uint32_t>(i));
  return flat.finish();
}

std::vector<LaneSpan> idleOf(const Trace& trace) {
  std::vector<LaneSpan> spans;
  for (const IdleGap& gap : deviceTimeline(trace, busiestDevice(trace)).idle)
    if (gap.start_ns < gap.end_ns)
      spans.push_back({gap.start_ns, gap.end_ns, static_cast<std::uint32_t>(gap.cause)});
  return spans;
}
} // namespace

SpanLane::SpanLane(LaneKind kind, std::uint16_t thread, std::vector<LaneSpan> spans) : m_kind(kind), m_thread(thread), m_spans(std::move(spans)) {
  m_covered_ns.reserve(m_spans.size() + 1);
  m_covered_ns.push_back(0);
  for (const LaneSpan& span : m_spans)
    m_covered_ns.push_back(m_covered_ns.back() + span.end_ns - span.start_ns);
}

std::size_t SpanLane::firstEndingAfter(std::int64_t time_ns) const {
  return static_cast<std::size_t>(std::partition_point(m_spans.begin(), m_spans.end(), [time_ns](const LaneSpan& s) { return s.end_ns <= time_ns; }) - m_spans.begin());
}

std::vector<SpanSlice> SpanLane::slices(std::int64_t first_ns, std::int64_t last_ns, std::size_t pixels) const {
  std::vector<SpanSlice> out;
  if (pixels == 0 || last_ns <= first_ns)
    return out;
  const std::int64_t pixel_ns = std::max<std::int64_t>(1, (last_ns - first_ns) / static_cast<std::int64_t>(pixels));
  std::int64_t reached_ns = first_ns;
  for (std::size_t i = firstEndingAfter(first_ns); i < m_spans.size() && out.size() < pixels;) {
    const std::int64_t start_ns = std::max(m_spans[i].start_ns, reached_ns);
    if (start_ns >= last_ns)
      break;
    if (m_spans[i].end_ns - start_ns >= pixel_ns) {
      reached_ns = std::min(m_spans[i].end_ns, last_ns);
      out.push_back({start_ns, reached_ns, m_spans[i].id, 1, 1});
      ++i;
      continue;
    }
    // Everything that ends within a pixel from here, as one slice.
    const std::size_t end = std::max(i + 1, firstEndingAfter(start_ns + pixel_ns - 1));
    reached_ns = std::min(last_ns, start_ns + pixel_ns);
    const auto covered = static_cast<double>(m_covered_ns[end] - m_covered_ns[i]);
    out.push_back({start_ns, reached_ns, m_spans[i].id, static_cast<std::uint32_t>(end - i),
                   std::min(1.0, covered / static_cast<double>(std::max<std::int64_t>(1, reached_ns - start_ns)))});
    i = end;
  }
  return out;
}

const LaneSpan* SpanLane::at(std::int64_t time_ns) const {
  const std::size_t i = firstEndingAfter(time_ns);
  return i < m_spans.size() && m_spans[i].start_ns <= time_ns ? &m_spans[i] : nullptr;
}

std::vector<SpanLane> lanesBesideStreams(const Trace& trace, std::size_t mostThreads) {
  std::vector<SpanLane> lanes;
  const auto add = [&lanes](LaneKind kind, std::uint16_t thread, std::vector<LaneSpan> spans) {
    if (!spans.empty())
      lanes.emplace_back(kind, thread, std::move(spans));
  };
  if (trace.gpu.empty())
    return lanes;
  add(LaneKind::Idle, 0, idleOf(trace));
  for (const ThreadEvents& thread : busiestThreads(trace, mostThreads)) {
    add(LaneKind::Work, thread.thread, workOf(trace, thread));
    if (trace.hasGpu())
      add(LaneKind::Calls, thread.thread, callsOf(trace, thread));
  }
  return lanes;
}

} // namespace voxlab
