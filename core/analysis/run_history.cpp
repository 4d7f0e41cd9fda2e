// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/run_history.h"
#include <set>

namespace voxlab {

Result<RunState> readRunState(const RunDirectory& run) {
  RunState state;
  LineReader reader(run.eventsFile());
  for (;;) {
    const auto lines = reader.poll();
    if (!lines)
      return fail(lines.error());
    for (const auto& line : *lines)
      if (const auto event = eventFromJson(line))
        if (const auto status = state.apply(*event); !status)
          return fail(Error{status.error().code, run.eventsFile().string() + ": " + status.error().message});
    if (lines->empty() || reader.atEnd())
      return state;
  }
}

std::vector<double> settledVolumeTimes_ms(const RunState& state) {
  std::vector<double> first, settled;
  std::set<std::size_t> begun;
  for (const auto& sample : state.samples())
    if (!sample.step && sample.duration_ms && *sample.duration_ms > 0)
      (begun.insert(sample.start).second ? first : settled).push_back(*sample.duration_ms);
  return settled.empty() ? first : settled;
}

} // namespace voxlab
