// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace voxlab {

// Lets idle OpenMP threads sleep instead of spin. Spinning gains a percent on an idle machine and costs a factor of ten as soon
// as another program (the studio that draws the samples, say) wants one of the same cores. The OpenMP runtime reads its
// environment before main, so the program is started anew once, in the same process; where that fails it goes on as it is.
// A value of OMP_WAIT_POLICY that the user has set stays.
void letIdleThreadsSleep(char** argv);

} // namespace voxlab
