// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/settled_outcome.h"
#include <chrono>

namespace voxlab {

RunOutcome settledOutcome(const RunDirectory& run) {
  const RunOutcome outcome = run.outcome();
  if (outcome != RunOutcome::Lost)
    return outcome;
  std::error_code ec;
  const auto made = std::filesystem::last_write_time(run.lockFile(), ec);
  const bool isFresh = !ec && std::filesystem::file_time_type::clock::now() - made < std::chrono::seconds(2);
  return isFresh ? RunOutcome::Waiting : outcome;
}

} // namespace voxlab
