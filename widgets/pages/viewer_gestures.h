// SPDX-License-Identifier: GPL-3.0-or-later
// What mouse and arrow keys do in the viewer's views, for the sheet of shortcuts: no commands, for they need a place.
#pragma once
#include "widgets/pages/command_palette.h"

namespace voxlab {

QList<Command> viewerGestures(); // `keys` says how; there is nothing to run

} // namespace voxlab
