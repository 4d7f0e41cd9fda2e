// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/protocol/run_session.h"

namespace voxlab {

// While it lives, SIGTERM and SIGINT ask the session to stop with its state saved; a second one ends the process at once.
class StopSignals {
public:
  explicit StopSignals(RunSession& session);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
};

} // namespace voxlab
