// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/analysis/run_state.h"
#include "core/protocol/run_directory.h"

namespace voxlab {

// The whole of a run folder's event file, reduced. A run that has not started gives the empty state. Fails with Data when the
// file cannot be read or was written by a newer major version.
Result<RunState> readRunState(const RunDirectory& run);

// How long each of its volumes took that tell a speed. The first of a start waits for libraries and for the choice of algorithms: it is left out
// wherever there are others. Previews of a training are none.
std::vector<double> settledVolumeTimes_ms(const RunState& state);

} // namespace voxlab
