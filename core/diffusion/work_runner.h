// SPDX-License-Identifier: Apache-2.0
// The seam for recording work: what is the same in every step is handed to a runner, which may do it, or record it once and
// replay it.
#pragma once
#include <functional>
#include <string>

namespace voxlab {

class WorkRunner {
public:
  virtual ~WorkRunner() = default;
  // Does the work once. Calls with one name are the same work on tensors at the same addresses; what the host decides from
  // step to step stays outside.
  virtual void run(const std::string& name, const std::function<void()>& work) = 0;
  // The addresses have changed: what was recorded is no longer valid.
  virtual void forget() = 0;
};

} // namespace voxlab
