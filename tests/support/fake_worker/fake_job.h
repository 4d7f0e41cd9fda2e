// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/protocol/run_directory.h"
#include "tests/support/fake_worker/misbehaviour.h"

namespace voxlab::fake {

// Pretends to do the run's job: events, samples, checkpoints, requests as the real worker's, numbers made up and
// the same every time. resume: go on from the newest checkpoint.
enum class Begin { Anew, Resume };
ExitCode runJob(const RunDirectory& run, Begin begin, const Misbehaviour& misbehaviour);

} // namespace voxlab::fake
