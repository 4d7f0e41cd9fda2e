// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/trace_reader.h"
#include "core/analysis/trace_attribution.h"
#include "core/analysis/trace_events.h"
#include "core/base/text.h"
#include <algorithm>
#include <map>

namespace voxlab {
namespace {
struct LaunchGeometryLess {
  bool operator()(const LaunchGeometry& a, const LaunchGeometry& b) const { return key(a) < key(b); }
  static std::array<double, 9> key(const LaunchGeometry& s) {
    return {double(s.grid[0]),
            double(s.grid[1]),
            double(s.grid[2]),
            double(s.block[0]),
            double(s.block[1]),
            double(s.block[2]),
            double(s.registersPerThread),
            double(s.sharedMemoryBytes),
            double(s.occupancy_percent)};
  }
};

GpuKind gpuKind(const std::string& category) {
  if (category == "kernel" || category == "Kernel" || category == "concurrent_kernel")
    return GpuKind::Kernel;
  if (category == "gpu_memcpy" || category == "Memcpy")
    return GpuKind::Copy;
  if (category == "gpu_memset" || category == "Memset")
    return GpuKind::Fill;
  return GpuKind::Unknown;
}

HostKind hostKind(const std::string& category) {
  static const std::map<std::string, HostKind, std::less<>> kKinds{
      {"cpu_op", HostKind::Operator},      {"Operator", HostKind::Operator},      {"user_annotation", HostKind::Range},
      {"cuda_runtime", HostKind::Runtime}, {"Runtime", HostKind::Runtime},        {"cuda_driver", HostKind::Runtime},
      {"hip_runtime", HostKind::Runtime},  {"python_function", HostKind::Python}, {"overhead", HostKind::Overhead}};
  const auto it = kKinds.find(category);
  return it == kKinds.end() ? HostKind::Unknown : it->second;
}

// Categories that repeat what other events say, or that no view shows.
bool skippedCategory(const std::string& category) {
  return category == "gpu_user_annotation" || category == "Trace" || category == "ac2g" || category == "async_cpu_to_gpu";
}

// LibTorch's C++ profiler files ranges that a program pushes under operators; module paths have dots, operators colons.
bool marksRange(const std::string& name) {
  const bool isPath = name.find('.') != std::string::npos && name.find_first_of(":( ") == std::string::npos;
  return isPath || marksStep(name) || phaseOfRange(name) != Phase::Unknown;
}

class Collector {
public:
  Collector(Trace& trace, std::size_t memoryLimitBytes) : m_trace(trace), m_limit(memoryLimitBytes) {}

  // A sentence to stop with, or nothing.
  std::string add(RawTraceEvent& event) {
    ++m_seen;
    if (event.phase == "X")
      complete(event);
    else if (event.phase == "B" || event.phase == "E")
      bracket(event);
    else if (event.phase == "M")
      metadata(event);
    else if ((event.phase == "s" || event.phase == "f") && event.category.starts_with("fwd"))
      flow(event);
    if ((m_trace.gpu.size() + m_trace.host.size()) % 4096 == 0 && m_trace.memoryBytes() > m_limit)
      return "it holds more events than fit into " + formatBytes(static_cast<double>(m_limit)) + " of memory.";
    return {};
  }

  // Times since the earliest event; ranges that were never closed end with the trace.
  void finish() {
    for (auto& [thread, open] : m_open)
      m_unclosed += open.size();
    std::int64_t first = m_trace.gpu.empty() && m_trace.host.empty() ? 0 : std::numeric_limits<std::int64_t>::max();
    for (const auto& e : m_trace.gpu)
      first = std::min(first, e.start_ns);
    for (const auto& e : m_trace.host)
      first = std::min(first, e.start_ns);
    for (auto& e : m_trace.gpu)
      e.start_ns -= first;
    for (auto& e : m_trace.host)
      e.start_ns -= first;
    for (auto& f : m_flows)
      f.time_ns -= first;
    m_trace.origin_ns = first;
    if (m_bad > 0)
      m_trace.notes.push_back(formatCount(static_cast<std::int64_t>(m_bad)) +
                              (m_bad == 1 ? " event has no usable time or duration and was skipped." : " events have no usable time or duration and were skipped."));
    if (m_unclosed > 0)
      m_trace.notes.push_back(formatCount(static_cast<std::int64_t>(m_unclosed)) +
                              (m_unclosed == 1 ? " range was begun and never ended; it was skipped." : " ranges were begun and never ended; they were skipped."));
  }

  std::uint64_t seen() const { return m_seen; }
  std::uint64_t bad() const { return m_bad + m_unclosed; }
  const std::vector<TraceFlow>& flows() const { return m_flows; }

private:
  void complete(RawTraceEvent& event) {
    if (skippedCategory(event.category))
      return;
    if (!event.time_ns || !event.duration_ns || *event.duration_ns < 0) {
      ++m_bad;
      return;
    }
    if (const GpuKind kind = gpuKind(event.category); kind != GpuKind::Unknown)
      addGpu(event, kind);
    else
      addHost(event, *event.time_ns, *event.duration_ns);
  }

  void addGpu(const RawTraceEvent& event, GpuKind kind) {
    GpuEvent e;
    e.kind = kind;
    e.start_ns = *event.time_ns;
    e.duration_ns = *event.duration_ns;
    e.name = m_trace.names.intern(event.name);
    e.correlation = event.correlation;
    e.bytes = event.bytes;
    e.stream = stream(event);
    if (event.hasShape) {
      const auto [it, added] = m_shapes.emplace(event.shape, static_cast<std::uint32_t>(m_trace.launchShapes.size()));
      if (added)
        m_trace.launchShapes.push_back(event.shape);
      e.shape = it->second;
    }
    m_trace.gpu.push_back(e);
  }

  void addHost(const RawTraceEvent& event, std::int64_t time_ns, std::int64_t duration_ns) {
    HostEvent e;
    e.kind = hostKind(event.category);
    if (e.kind == HostKind::Unknown || (e.kind == HostKind::Operator && marksRange(event.name)))
      e.kind = HostKind::Range;
    e.start_ns = time_ns;
    e.duration_ns = duration_ns;
    e.name = m_trace.names.intern(event.name);
    e.inputs = m_trace.names.intern(event.inputs);
    e.sequence = event.sequence;
    e.correlation = e.kind == HostKind::Runtime ? event.correlation : 0;
    e.thread = thread(event);
    m_trace.host.push_back(e);
  }

  void bracket(RawTraceEvent& event) {
    if (skippedCategory(event.category))
      return;
    if (!event.time_ns) {
      ++m_bad;
      return;
    }
    auto& open = m_open[thread(event)];
    if (event.phase == "B") {
      if (open.size() < 10000)
        open.push_back(std::move(event));
      else
        ++m_bad;
      return;
    }
    if (open.empty()) {
      ++m_bad;
      return;
    }
    if (*event.time_ns >= *open.back().time_ns)
      addHost(open.back(), *open.back().time_ns, *event.time_ns - *open.back().time_ns);
    else
      ++m_bad;
    open.pop_back();
  }

  void metadata(const RawTraceEvent& event) {
    if (event.name == "thread_name" && !event.label.empty())
      m_trace.threads[thread(event)].name = event.label;
  }

  void flow(const RawTraceEvent& event) {
    if (event.time_ns)
      m_flows.push_back({event.flow, thread(event), *event.time_ns, event.phase == "s"});
  }

  std::uint16_t thread(const RawTraceEvent& event) {
    const auto [it, added] =
        m_threads.emplace(std::make_pair(event.process, event.thread), static_cast<std::uint16_t>(m_trace.threads.size()));
    if (added) {
      if (m_trace.threads.size() == 65535) { // nobody has as many: a broken file
        m_threads.erase(it);
        return 65534;
      }
      m_trace.threads.push_back({event.process, event.thread, ""});
    }
    return it->second;
  }

  std::uint16_t stream(const RawTraceEvent& event) {
    const auto number = [](const std::string& text) { return static_cast<std::int64_t>(std::strtoll(text.c_str(), nullptr, 10)); };
    const std::int64_t device = event.device >= 0 ? event.device : number(event.process);
    const std::int64_t id = event.stream >= 0 ? event.stream : number(event.thread);
    const auto [it, added] = m_streams.emplace(std::make_pair(device, id), static_cast<std::uint16_t>(m_trace.streams.size()));
    if (added) {
      if (m_trace.streams.size() == 65535) {
        m_streams.erase(it);
        return 65534;
      }
      m_trace.streams.push_back({static_cast<std::int32_t>(device), id});
    }
    return it->second;
  }

  Trace& m_trace;
  std::size_t m_limit;
  std::uint64_t m_seen = 0, m_bad = 0, m_unclosed = 0;
  std::map<LaunchGeometry, std::uint32_t, LaunchGeometryLess> m_shapes;
  std::map<std::pair<std::string, std::string>, std::uint16_t> m_threads;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint16_t> m_streams;
  std::map<std::uint16_t, std::vector<RawTraceEvent>> m_open;
  std::vector<TraceFlow> m_flows;
};

// Figures of a step are those of one GPU: of several, the one that worked longest is kept, the first of equals, and a note says so.
void keepOneGpu(Trace& trace) {
  std::map<std::int32_t, std::int64_t> busy_ns;
  for (const GpuEvent& event : trace.gpu)
    busy_ns[trace.streams[event.stream].device] += event.duration_ns;
  if (busy_ns.empty())
    return;
  const std::int32_t shown = std::max_element(busy_ns.begin(), busy_ns.end(), [](const auto& a, const auto& b) { return a.second < b.second; })->first;
  const auto isShown = [shown](const auto& of) { return of.id == shown; };
  if (std::any_of(trace.devices.begin(), trace.devices.end(), isShown)) // the machine's others, too: the first names the recording
    std::erase_if(trace.devices, [&](const TraceDevice& device) { return !isShown(device); });
  if (busy_ns.size() < 2)
    return;
  const std::size_t before = trace.gpu.size();
  std::erase_if(trace.gpu, [&](const GpuEvent& event) { return trace.streams[event.stream].device != shown; });
  std::vector<TraceStream> streams;
  std::vector<std::uint16_t> renumbered(trace.streams.size(), 0);
  for (std::size_t i = 0; i < trace.streams.size(); ++i)
    if (trace.streams[i].device == shown) {
      renumbered[i] = static_cast<std::uint16_t>(streams.size());
      streams.push_back(trace.streams[i]);
    }
  for (GpuEvent& event : trace.gpu)
    event.stream = renumbered[event.stream];
  trace.streams = std::move(streams);
  const std::size_t left = before - trace.gpu.size();
  trace.notes.push_back("The recording holds " + std::to_string(busy_ns.size()) + " GPUs. Everything here is of GPU " + std::to_string(shown) + ", which worked longest; " +
                        formatCount(static_cast<std::int64_t>(left)) + (left == 1 ? " kernel or copy" : " kernels and copies") + " of the others " + (left == 1 ? "is" : "are") + " left out.");
}
} // namespace

Result<Trace> readTrace(ByteSource& source, const TraceOptions& options) {
  Trace trace;
  Collector collector(trace, options.memoryLimitBytes);
  TraceEventParser parser([&collector](RawTraceEvent& event) { return collector.add(event); });
  JsonStreamOptions stream;
  stream.cancel = options.cancel;
  if (options.progress)
    stream.progress = [&options](double fraction) { options.progress(0.95 * fraction); };
  if (const auto status = readJsonStream(source, parser, stream); !status)
    return fail(status.error());
  if (!parser.header().isTrace)
    return fail(ExitCode::Data, source.name() + " is JSON, but not a trace: it has no list of events (traceEvents).");
  if (trace.gpu.empty() && trace.host.empty() && collector.bad() > 0)
    return fail(ExitCode::Data, source.name() + " is a trace without anything usable: " +
                                    (collector.bad() == 1 ? "its only event was" : "all of its " + formatCount(static_cast<std::int64_t>(collector.bad())) + " events were") +
                                    " skipped, as " + (collector.bad() == 1 ? "it has" : "they have") + " no usable time (ts) or duration (dur).");
  if (trace.gpu.empty() && trace.host.empty())
    return fail(ExitCode::Data, source.name() + " is a trace without any kernel, operator or range: nothing was recorded in it.");
  trace.devices = parser.header().devices;
  trace.producer = parser.header().schemaVersion.empty() ? "Chrome trace" : "Kineto";
  collector.finish();
  if (const auto count = parser.header().replacedCharacters; count > 0)
    trace.notes.push_back(formatCount(static_cast<std::int64_t>(count)) + (count == 1 ? " character is" : " characters are") + " no valid UTF-8 and shown as \xef\xbf\xbd.");
  keepOneGpu(trace);
  if (!attributeTrace(trace, collector.flows(), options.cancel))
    return fail(ExitCode::Stopped, "Reading " + source.name() + " was cancelled.");
  if (options.progress)
    options.progress(1);
  return trace;
}

Result<Trace> readTrace(const std::filesystem::path& file, const TraceOptions& options) {
  auto source = openByteSource(file);
  if (!source)
    return fail(source.error());
  return readTrace(**source, options);
}

} // namespace voxlab
