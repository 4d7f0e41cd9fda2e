// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"

namespace voxlab {

// Parses the command line and does what it says. Wrong usage prints what is wrong and gives ExitCode::Usage; --help and
// --version print and give Finished. What verbs throw passes through.
ExitCode runCommandLine(int argc, char** argv);

} // namespace voxlab
