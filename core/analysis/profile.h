// SPDX-License-Identifier: Apache-2.0
// A recorded profile with everything that is worked out of it once, to be looked at from many sides (profile_view.h).
#pragma once
#include "core/analysis/breakdown.h"
#include "core/analysis/device_peaks.h"
#include "core/analysis/event_timeline.h"
#include "core/analysis/ncu_report.h"
#include "core/analysis/roofline.h"
#include "core/analysis/span_lanes.h"
#include "core/analysis/trace_reader.h"
#include "core/protocol/mode_switches.h"
#include "core/protocol/run_directory.h"
#include <memory>

namespace voxlab {

// Where a profile is read from: a trace, counters that belong to it, or counters alone.
struct ProfileSource {
  std::string title;                               // file name
  std::filesystem::path trace;                     // may be empty
  std::vector<std::filesystem::path> counterPages; // may be empty
  std::optional<Precision> asked;                  // of the run's mode
  std::optional<double> unprofiled_ms;             // what a step took without the profiler, where the run measured it
};
// Of a run folder: its traces by name, the first with the run's counters; or the counters alone. Empty: no profile.
std::vector<ProfileSource> profileSourcesOf(const RunDirectory& run);
// A file by itself: *.csv and *.csv.gz are counters, everything else a trace.
ProfileSource profileSourceOf(const std::filesystem::path& file);
// Whether the name is that of a trace or of counters, as far as a name can say.
bool looksLikeProfile(const std::filesystem::path& file);

class Profile {
public:
  Profile(Trace recorded, NcuReport report, ProfileSource origin);
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  const ProfileSource source;
  const Trace trace;
  const NcuReport counters; // no launches: none were collected
  const KernelIndex index;
  const EventTimeline timeline;
  const Breakdown breakdown;
  const std::vector<SpanLane> besideStreams; // empty of counters
  const bool isOfCounters; // the launches stand back to back, as the trace is made of the counters
  const std::optional<OperatorBounds> bounds; // of devices whose ceilings are known
  bool hasCounters() const { return !counters.launches.empty(); }
  std::string deviceName() const;   // "NVIDIA H200"; empty: unknown
  const DevicePeaks* peaks() const; // of the device; nullptr for those that the table does not know
};

// Launches one after the other, each as long as its counter says.
Trace traceOfCounters(const NcuReport& report);

// Fails as readProfile (run_profile.h) and readNcuReport do.
Result<std::shared_ptr<const Profile>> loadProfile(const ProfileSource& source, const TraceOptions& options = {});

} // namespace voxlab
