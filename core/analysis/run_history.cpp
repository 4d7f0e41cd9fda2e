// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/run_history.h"

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

} // namespace voxlab
