// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/protocol/run_directory.h"

namespace voxlab {

// RunDirectory::outcome(), but a worker that is just starting is not called lost: it makes its lock file a moment before it
// holds the lock. Within two seconds of that such a run still counts as waiting.
RunOutcome settledOutcome(const RunDirectory& run);

} // namespace voxlab
