// SPDX-License-Identifier: Apache-2.0
// The profiles of a run folder: found, read and judged with what the folder says of the run. The same for runs recorded here, on a
// cluster, or imported from files of other programs.
#pragma once
#include "core/analysis/comparison.h"
#include "core/analysis/profile_report.h"
#include "core/analysis/trace_reader.h"
#include "core/protocol/run_directory.h"

namespace voxlab {

struct ProfileFiles {
  std::vector<std::filesystem::path> traces;       // *.json, *.json.gz
  std::vector<std::filesystem::path> counterPages; // *.csv, *.csv.gz
};
// Of profiles/, by name. An absent folder has none.
ProfileFiles profileFilesOf(const RunDirectory& run);

// Where an eager recording of the same work lies, of which a recording of replayed graphs takes operators and modules:
// profiles/01_train.json.gz, profiles/eager/01_train.json.gz.
std::filesystem::path eagerCounterpart(const std::filesystem::path& trace);
// readTrace, and what the eager counterpart knows, if there is one (trace_adoption.h).
Result<Trace> readProfile(const std::filesystem::path& trace, const TraceOptions& options = {});

// Precision of the mode that the run asked for, from its environment; nullopt when it does not say.
std::optional<Precision> askedPrecision(const RunDirectory& run);

// What a step took without the profiler, as the run measured it beside this trace; nullopt when it did not.
std::optional<double> unprofiledStep_ms(const RunDirectory& run, const std::filesystem::path& trace);

// Everything about the run's profiles as one document: the first trace with the counters, then the other traces. The JSON is that
// of the first (profileReport), the others stand in "others". Fails with Data when the run has no profile or one cannot be read.
Result<ReportDocument> runProfileReport(const RunDirectory& run, const TraceOptions& options = {}, std::size_t rows = 20);

// What computed, as a line of environment.jsonl says: "NVIDIA H200", or the processor's name.
std::string deviceNameOf(const Json& environment);
std::string softwareWords(const Json& environment); // "LibTorch 2.11.0, CUDA 13.0, …, NVIDIA driver 580.1"; empty where nothing is known
Json newestEnvironment(const RunDirectory& run); // the last line of environment.jsonl; empty where there is none

// The run as a side of a comparison: its profile and counters where it has any, and the measures of its benchmark. A benchmark of
// several modes gives several sides. Named by mode, or by id where the mode is not known.
Result<std::vector<ComparedRun>> comparedRuns(const RunDirectory& run, const TraceOptions& options = {});

} // namespace voxlab
