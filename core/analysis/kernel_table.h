// SPDX-License-Identifier: Apache-2.0
// The kernels of a trace, described once a name, filtered and summed into rows.
#pragma once
#include "core/analysis/kernels.h"
#include "core/analysis/trace.h"
#include <functional>
#include <set>

namespace voxlab {

// What describeKernel and its kin say of every event of a trace. Names that come into the trace later (adoptAttribution) do
// not change it.
class KernelIndex {
public:
  explicit KernelIndex(const Trace& trace);
  const KernelInfo& of(const GpuEvent& event) const { return m_infos[m_byName[place(event)]]; }
  std::uint32_t family(const GpuEvent& event) const { return m_families[m_byName[place(event)]]; } // a number for each family

private:
  static std::size_t place(const GpuEvent& event) { return 2 * static_cast<std::size_t>(event.name) + (event.ofFusedGradient ? 1 : 0); }

  std::vector<std::uint32_t> m_byName; // and by what the launch tells
  std::vector<KernelInfo> m_infos;
  std::vector<std::uint32_t> m_families; // of m_infos
};

// One selection for every view. Empty members select everything.
struct EventFilter {
  std::optional<std::pair<std::int64_t, std::int64_t>> time_ns; // events that reach into it; sums count the part within
  std::set<KernelCategory> categories;
  std::string module;       // this module and those below it ("input_blocks.3")
  std::string operatorName; // this operator
  bool withoutModule = false, withoutOperator = false; // only what none was recorded for; the name above is empty then
  std::string text;   // in the name, short name, operator or module; letter case ignored
  std::optional<std::uint32_t> step;
  std::optional<Phase> phase;
  bool stepsOnly = false; // leave out what belongs to no step
};
bool passes(const EventFilter& filter, const GpuEvent& event, const Trace& trace, const KernelIndex& index);

// Of an event's time, what lies in the selected range.
double selectedMs(const EventFilter& filter, const GpuEvent& event);

// The same as passes for many events: what a name says to the filter is worked out once a name. Filter, trace and index have to outlive it.
class EventMatcher {
public:
  EventMatcher(const EventFilter& filter, const Trace& trace, const KernelIndex& index);
  bool operator()(const GpuEvent& event) const;

private:
  enum class Answer : std::uint8_t { Unasked, No, Yes };
  bool moduleMatches(NameId module) const;
  bool textMatches(const GpuEvent& event) const;

  const EventFilter& m_filter;
  const Trace& m_trace;
  const KernelIndex& m_index;
  mutable std::vector<Answer> m_modules, m_texts, m_kernels; // by name; kernels: name or short name has the text
};

// Steps that a selection is divided by: all of the trace, or those of a time range that holds whole steps and no part of another (but
// for a fiftieth, as ranges are drawn by hand). 1 for a range that cuts a step: it is looked at as it is.
double stepsIn(const EventFilter& filter, const Trace& trace);

// Wall time of a step: the mean of the trace's, or that of the step that the filter names; 0 without steps. Shares of the step are of it.
double stepWall_ms(const EventFilter& filter, const Trace& trace);

enum class KernelGrouping { Unknown, Kernel, Launch, Family, Category, Operator, Module, Phase }; // Launch: kernel and launch shape

struct KernelRow {
  std::string key;                                   // of the group: full name, family, operator, …
  std::string title;                                 // to show: of kernels KernelInfo::title, of launches with what their shapes differ in; or the key
  KernelCategory category = KernelCategory::Unknown; // that most of the time belongs to
  std::string family, operatorName, module;          // that most of the time belongs to
  Phase phase = Phase::Unknown;
  KernelArithmetic arithmetic = KernelArithmetic::Unknown;
  bool tensorCores = false;
  std::optional<LaunchGeometry> shape; // when all launches share it
  std::optional<double> achievedOccupancy_percent, theoreticalOccupancy_percent; // by counters of this kernel (addOccupancy)
  std::uint64_t calls = 0, bytes = 0;
  double total_ms = 0;                               // in the selected time range
  double whole_ms = 0, minimum_ms = 0, maximum_ms = 0; // of calls from begin to end, also beyond the range
  double share = 0; // of the time of all rows, 0…1
  double mean_ms() const { return calls ? whole_ms / static_cast<double>(calls) : 0; }
  std::uint32_t example = kNoIndex; // into trace.gpu: the longest
};

// Longest total first.
std::vector<KernelRow> kernelRows(const Trace& trace, const KernelIndex& index, KernelGrouping grouping,
                                  const EventFilter& filter = {});

// A row with what it is made of: the kernels of a category, of a module, …
struct KernelGroup {
  KernelRow row;
  std::vector<KernelRow> kernels; // longest first; their share is of the time of all groups. Empty when grouped by kernel or launch.
};
std::vector<KernelGroup> kernelGroups(const Trace& trace, const KernelIndex& index, KernelGrouping grouping,
                                      const EventFilter& filter = {});

} // namespace voxlab
