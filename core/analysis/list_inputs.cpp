// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/list_inputs.h"
#include "core/analysis/trace_attribution.h"

namespace voxlab {
namespace {
bool isOptimizerRange(const Trace& trace, const HostEvent& e) {
  return e.kind == HostKind::Range && e.inputs != 0 && phaseOfRange(trace.name(e.name)) == Phase::Optimizer;
}

// What the innermost optimizer range around an event says; empty: there is none.
std::string parametersAround(const Trace& trace, const HostEvent& event) {
  for (auto i = event.parent; i != kNoIndex; i = trace.host[i].parent)
    if (isOptimizerRange(trace, trace.host[i])) {
      const auto inputs = operatorInputs(trace.name(trace.host[i].inputs));
      const std::string& count = inputs.front().concrete;
      return !count.empty() && count.find_first_not_of("0123456789") == std::string::npos ? count : std::string();
    }
  return {};
}
} // namespace

bool worksOnParameterLists(std::string_view name) {
  return name.starts_with("aten::_foreach_") || name.starts_with("aten::_fused_adam") || name.starts_with("aten::_amp_foreach_") ||
         name == "voxlab::optimiser_step_";
}

void fillListInputs(Trace& trace) {
  constexpr std::string_view kUnknownList = "\tTensorList\t"; // no shapes
  for (HostEvent& event : trace.host) {
    if (event.kind != HostKind::Operator || event.inputs == 0 || !worksOnParameterLists(trace.name(event.name)) ||
        !std::string_view(trace.name(event.inputs)).starts_with(kUnknownList))
      continue;
    if (const std::string count = parametersAround(trace, event); !count.empty())
      event.inputs = trace.names.intern(count + trace.name(event.inputs));
  }
}

} // namespace voxlab
