// SPDX-License-Identifier: Apache-2.0
#include "app/worker/waiting_threads.h"
#include <cstdlib>
#include <unistd.h>

namespace voxlab {

void letIdleThreadsSleep(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY"))
    return;
  ::setenv("OMP_WAIT_POLICY", "passive", 1);
  ::execv("/proc/self/exe", argv);
}

} // namespace voxlab
