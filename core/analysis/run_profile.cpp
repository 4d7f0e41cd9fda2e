// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/run_profile.h"
#include "core/analysis/counters.h"
#include "core/analysis/run_history.h"
#include "core/analysis/trace_adoption.h"
#include "core/base/text.h"
#include "core/protocol/events.h"
#include "core/protocol/parameter_value.h"
#include <algorithm>

namespace voxlab {
namespace {
bool isPlainOrGzip(const std::string& name, const std::string& ending) {
  return name.ends_with(ending) || name.ends_with(ending + ".gz");
}

// Counter pages that belong together; an empty report when there are none.
Result<NcuReport> countersOf(const ProfileFiles& files) {
  if (files.counterPages.empty())
    return NcuReport();
  return readNcuReport(files.counterPages);
}

// Told by the work: only training goes backward.
std::string kindOfStep(const ComparedRun& side) {
  const auto trains = [](const ComparedWork& work) { return work.phase == Phase::Backward || work.phase == Phase::Optimizer; };
  return std::any_of(side.work.begin(), side.work.end(), trains) ? "train" : "sample";
}

std::string runTitle(const RunDirectory& run) {
  const auto info = run.info();
  return info && !info->title.empty() ? info->title : run.id();
}

// CUDA writes 13.0 as 13000, cuDNN 9.19.0 as 91900.
std::string versionNumber(std::string_view key, const Json& value) {
  if (!value.is_number_integer())
    return valueToText(value);
  const auto number = value.get<std::int64_t>();
  if (key == "cudnn")
    return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." + std::to_string(number % 100);
  return std::to_string(number / 1000) + "." + std::to_string(number / 10 % 100);
}
} // namespace

Json newestEnvironment(const RunDirectory& run) {
  const auto lines = LineReader(run.environmentFile()).poll();
  return lines && !lines->empty() ? lines->back() : Json::object();
}

std::string deviceNameOf(const Json& environment) {
  if (const auto gpu = environment.find("gpu"); gpu != environment.end())
    if (const auto name = jsonGet<std::string>(*gpu, "name"))
      return *name;
  if (const auto name = jsonGet<std::string>(environment, "device_name"))
    return *name;
  const auto device = jsonGet<std::string>(environment, "device").value_or("");
  const auto processor = jsonGet<std::string>(environment, "processor").value_or("");
  return device == "cpu" && !processor.empty() ? processor : device;
}

ProfileFiles profileFilesOf(const RunDirectory& run) {
  ProfileFiles files;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(run.profiles(), ec)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("."))
      continue; // not finished
    if (isPlainOrGzip(name, ".json"))
      files.traces.push_back(entry.path());
    else if (isPlainOrGzip(name, ".csv"))
      files.counterPages.push_back(entry.path());
  }
  std::sort(files.traces.begin(), files.traces.end());
  std::sort(files.counterPages.begin(), files.counterPages.end());
  return files;
}

std::filesystem::path eagerCounterpart(const std::filesystem::path& trace) {
  return trace.parent_path() / "eager" / trace.filename();
}

Result<Trace> readProfile(const std::filesystem::path& file, const TraceOptions& options) {
  auto trace = readTrace(file, options);
  std::error_code ec;
  if (!trace || !std::filesystem::exists(eagerCounterpart(file), ec))
    return trace;
  TraceOptions quietly = options;
  quietly.progress = nullptr;
  const auto eager = readTrace(eagerCounterpart(file), quietly);
  if (!eager)
    return fail(eager.error());
  if (const std::size_t filled = adoptAttribution(*trace, *eager); filled > 0) {
    const auto all = std::count_if(trace->gpu.begin(), trace->gpu.end(), [](const GpuEvent& event) { return event.kind != GpuKind::Operator && event.step != kNoIndex; });
    trace->notes.push_back("Operators, their inputs and modules of " + formatCount(static_cast<std::int64_t>(filled)) + " of " + formatCount(all) +
                           " kernels, copies and fills were taken from a recording of the same work without graphs.");
  }
  return trace;
}

std::optional<Precision> askedPrecision(const RunDirectory& run) {
  const Json environment = newestEnvironment(run);
  const auto switches = environment.find("switches");
  if (switches == environment.end() || !switches->is_object())
    return std::nullopt;
  const Precision precision = precisionFromName(jsonGet<std::string>(*switches, "precision").value_or(""));
  return precision == Precision::Unknown ? std::nullopt : std::optional(precision);
}

std::optional<double> unprofiledStep_ms(const RunDirectory& run, const std::filesystem::path& trace) {
  const std::string path = run.relative(trace).generic_string();
  std::optional<double> found;
  LineReader reader(run.eventsFile());
  do {
    const auto lines = reader.poll();
    if (!lines)
      return std::nullopt;
    for (const Json& line : *lines)
      if (jsonGet<std::string>(line, "type").value_or("") == event::kProfile && jsonGet<std::string>(line, "path").value_or("") == path)
        if (const auto ms = jsonGet<double>(line, "measured_ms_per_step"); ms && *ms > 0)
          found = *ms; // the newest holds
  } while (!reader.atEnd());
  return found;
}

Result<ReportDocument> runProfileReport(const RunDirectory& run, const TraceOptions& options, std::size_t rows) {
  const ProfileFiles files = profileFilesOf(run);
  if (files.traces.empty() && files.counterPages.empty())
    return fail(ExitCode::Data,
                "The run " + run.id() + " holds no profile. Record one with voxlab-worker profile, or import a trace.");
  const auto counters = countersOf(files);
  if (!counters)
    return fail(counters.error());
  if (files.traces.empty())
    return counterReport(*counters, runTitle(run), rows);
  ReportDocument document;
  for (std::size_t i = 0; i < files.traces.size(); ++i) {
    const auto trace = readProfile(files.traces[i], options);
    if (!trace)
      return fail(trace.error());
    ProfileReportOptions report;
    report.title = runTitle(run);
    report.asked = askedPrecision(run);
    report.rows = rows;
    report.unprofiled_ms = unprofiledStep_ms(run, files.traces[i]);
    if (i == 0 && !counters->launches.empty())
      report.counters = &*counters;
    ReportDocument part = profileReport(*trace, KernelIndex(*trace), report);
    const std::string file = files.traces[i].filename().string();
    part.data["file"] = file;
    if (i == 0) {
      document = std::move(part);
      continue;
    }
    for (auto& section : part.sections) {
      section.heading = file + ": " + section.heading;
      document.sections.push_back(std::move(section));
    }
    document.data["others"].push_back(std::move(part.data));
  }
  return document;
}

Result<std::vector<ComparedRun>> comparedRuns(const RunDirectory& run, const TraceOptions& options) {
  const auto state = readRunState(run);
  if (!state)
    return fail(state.error());
  const std::string device = deviceNameOf(newestEnvironment(run));
  std::vector<ComparedRun> sides = comparedBench(*state, device);
  const ProfileFiles files = profileFilesOf(run);
  const auto counters = countersOf(files);
  if (!counters)
    return fail(counters.error());
  const auto info = run.info();
  const std::string mode = info && !info->mode.empty() ? info->mode : run.id();
  for (const auto& file : files.traces) {
    const auto trace = readProfile(file, options);
    if (!trace)
      return fail(trace.error());
    const KernelIndex index(*trace);
    const std::string name = files.traces.size() == 1 ? mode : mode + " · " + file.filename().string();
    ComparedRun side = comparedProfile(name, *trace, index);
    side.mode = mode;
    side.what = kindOfStep(side);
    side.device = side.device.empty() ? device : side.device;
    if (const DevicePeaks* peaks = devicePeaks(side.device))
      side.roofline = roofline(*trace, index, *peaks).points;
    if (&file == &files.traces.front() && !counters->launches.empty())
      addCounters(side, aggregateCounters(*counters, *trace, index));
    sides.push_back(std::move(side));
  }
  if (files.traces.empty() && !counters->launches.empty()) {
    ComparedRun side;
    side.name = side.mode = mode;
    side.device = counters->deviceName;
    addCounters(side, aggregateCounters(*counters));
    sides.push_back(std::move(side));
  }
  if (sides.empty())
    return fail(ExitCode::Data,
                "The run " + run.id() + " holds neither a benchmark nor a profile, so there is nothing to compare.");
  return sides;
}

std::string softwareWords(const Json& environment) {
  std::string words;
  const auto versions = environment.find("versions");
  if (versions == environment.end() || !versions->is_object())
    return words;
  for (const auto& [key, title] : {std::pair{"torch", "LibTorch"}, {"cuda_runtime", "CUDA"}, {"cuda_driver", "driver for CUDA"}, {"cudnn", "cuDNN"}, {"voxlab", "Voxlab"}})
    if (const auto it = versions->find(key); it != versions->end())
      words += std::string(words.empty() ? "" : ", ") + title + " " + versionNumber(key, *it);
  if (const auto driver = jsonGet<std::string>(environment, "driver"))
    words += ", NVIDIA driver " + *driver;
  return words;
}

} // namespace voxlab
