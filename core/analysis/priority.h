// SPDX-License-Identifier: Apache-2.0
// Where work on a kernel pays: share of the step's wall time × estimated speed-up, with the reason in words.
#pragma once
#include "core/analysis/counters.h"
#include "core/analysis/roofline.h"
#include <span>

namespace voxlab {

enum class PrioritySource { Unknown, Counters, Analytic }; // analytic: from shapes and the device's ceilings, an estimate

struct PriorityItem {
  std::string title; // short name of the kernel
  std::string key;   // its full name
  KernelCategory category = KernelCategory::Unknown;
  std::string operatorName;                       // empty without a trace
  std::uint64_t launches = 0;                     // a step, or in the report
  double time_ms = 0;                             // of all of them
  double share = 0;                               // of the step's wall time; of counters alone, of all launches' time; 0…1, also where streams overlap
  double saving = 0;                              // estimated reduction of its time, 0…1
  double score() const { return share * saving; } // of the whole that could be saved
  double saved_ms() const { return time_ms * saving; }
  std::string reason; // the rule's text or the bound's; of an item without an estimate, why there is none. A sentence or more
  PrioritySource source = PrioritySource::Unknown;
};

// The largest estimated reduction that a rule gives for a whole launch ("global"); nullptr when there is none.
const NcuRule* decisiveRule(const NcuLaunch& launch);

// Kernels of a report by their rules; launches of one kernel are one item, their savings weighted by time. A report without any rule (the
// raw page alone) has what the busier of SM and memory leaves of its peak instead. Highest score first.
std::vector<PriorityItem> rankPriorities(const NcuReport& report);

// Kernels of a trace. Where the report (may be nullptr) has the launch, its rules decide; elsewhere the bound of its operator,
// where the device and the operator are known (bounds may be nullptr). Highest score first. Of a selection, too, the
// shares are of the step's wall time.
std::vector<PriorityItem> rankPriorities(const Trace& trace, const KernelIndex& index, const OperatorBounds* bounds,
                                         const NcuReport* report, const EventFilter& filter = {});

// How many of the items have something to gain; they come first.
std::size_t gainful(std::span<const PriorityItem> items);

// Why none has, in a sentence. `bounds` and `report` as above; onGpu: of kernels, not of operators on a processor.
enum class WorkPlace { Unknown, Gpu, Processor };
std::string withoutGainWords(WorkPlace place, bool hasBounds, const NcuReport* report);

} // namespace voxlab
