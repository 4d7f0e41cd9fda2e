// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/profile.h"
#include "core/analysis/counters.h"
#include "core/analysis/run_profile.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
bool endsWith(const std::filesystem::path& file, std::string_view ending) {
  std::string name = file.filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.ends_with(ending) || name.ends_with(std::string(ending) + ".gz");
}

std::uint32_t wholeNumber(std::optional<double> value) {
  return value && *value > 0 && *value < 4e9 ? static_cast<std::uint32_t>(*value) : 0;
}

LaunchGeometry shapeOf(const NcuReport& report, const NcuLaunch& launch) {
  LaunchGeometry shape;
  std::copy(std::begin(launch.grid), std::end(launch.grid), std::begin(shape.grid));
  std::copy(std::begin(launch.block), std::end(launch.block), std::begin(shape.block));
  shape.registersPerThread = wholeNumber(report.value(launch, "launch__registers_per_thread"));
  shape.sharedMemoryBytes = wholeNumber(report.value(launch, "launch__shared_mem_per_block"));
  return shape;
}

TraceDevice deviceOf(const NcuReport& report, int id) {
  TraceDevice device;
  device.id = id;
  device.name = report.deviceName;
  return device;
}
} // namespace

bool looksLikeProfile(const std::filesystem::path& file) {
  return endsWith(file, ".json") || endsWith(file, ".csv");
}

ProfileSource profileSourceOf(const std::filesystem::path& file) {
  ProfileSource source;
  source.title = file.filename().string();
  if (endsWith(file, ".csv"))
    source.counterPages.push_back(file);
  else
    source.trace = file;
  return source;
}

std::vector<ProfileSource> profileSourcesOf(const RunDirectory& run) {
  const ProfileFiles files = profileFilesOf(run);
  std::vector<ProfileSource> sources;
  for (const auto& trace : files.traces)
    sources.push_back(profileSourceOf(trace));
  if (sources.empty() && !files.counterPages.empty())
    sources.push_back(profileSourceOf(files.counterPages.front()));
  if (!sources.empty())
    sources.front().counterPages = files.counterPages;
  const auto asked = askedPrecision(run);
  for (auto& source : sources) {
    source.asked = asked;
    if (!source.trace.empty())
      source.unprofiled_ms = unprofiledStep_ms(run, source.trace);
  }
  return sources;
}

Trace traceOfCounters(const NcuReport& report) {
  Trace trace;
  trace.producer = "Nsight Compute";
  std::vector<std::int32_t> devices;
  for (const auto& launch : report.launches) {
    auto device = std::find(devices.begin(), devices.end(), launch.device);
    if (device == devices.end()) {
      device = devices.insert(devices.end(), launch.device);
      trace.streams.push_back({launch.device, 0});
      trace.devices.push_back(deviceOf(report, launch.device));
    }
    const LaunchGeometry shape = shapeOf(report, launch);
    const auto known = std::find(trace.launchShapes.begin(), trace.launchShapes.end(), shape);
    GpuEvent event;
    event.kind = GpuKind::Kernel;
    event.name = trace.names.intern(launch.kernel);
    event.stream = static_cast<std::uint16_t>(device - devices.begin());
    event.shape = static_cast<std::uint32_t>(known - trace.launchShapes.begin());
    event.step = 0;
    event.start_ns = trace.gpu.empty() ? 0 : trace.gpu.back().end_ns();
    event.duration_ns = std::llround(std::clamp(counterValue(report, launch, Counter::Duration).value_or(0), 0.0, 1e6) * 1e9);
    if (known == trace.launchShapes.end())
      trace.launchShapes.push_back(shape);
    trace.gpu.push_back(event);
  }
  if (!trace.gpu.empty()) {
    trace.steps.push_back({"everything", 0, trace.gpu.back().end_ns(), 0});
    trace.stepOrigin = StepOrigin::Whole;
  }
  trace.notes.push_back("Counters alone: launches stand back to back, in the order in which they were collected.");
  return trace;
}

Profile::Profile(Trace recorded, NcuReport report, ProfileSource origin)
    : source(std::move(origin)), trace(std::move(recorded)), counters(std::move(report)), index(trace), timeline(trace, index),
      breakdown(breakDown(trace, index)), besideStreams(lanesBesideStreams(trace)), isOfCounters(source.trace.empty()),
      bounds(peaks() ? std::optional<OperatorBounds>(std::in_place, trace, index, *peaks()) : std::nullopt) {}

std::string Profile::deviceName() const {
  for (const auto& device : trace.devices)
    if (device.id == breakdown.device && !device.name.empty())
      return device.name;
  return counters.deviceName;
}

const DevicePeaks* Profile::peaks() const {
  return devicePeaks(deviceName());
}

Result<std::shared_ptr<const Profile>> loadProfile(const ProfileSource& source, const TraceOptions& options) {
  NcuReport report;
  if (!source.counterPages.empty()) {
    auto read = readNcuReport(source.counterPages);
    if (!read)
      return fail(read.error());
    report = std::move(*read);
  }
  if (source.trace.empty()) {
    Trace trace = traceOfCounters(report);
    return std::make_shared<const Profile>(std::move(trace), std::move(report), source);
  }
  auto trace = readProfile(source.trace, options); // with what an eager recording beside it knows
  if (!trace)
    return fail(trace.error());
  return std::make_shared<const Profile>(std::move(*trace), std::move(report), source);
}

} // namespace voxlab
