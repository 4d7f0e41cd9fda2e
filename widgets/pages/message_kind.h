// SPDX-License-Identifier: GPL-3.0-or-later
// What a message to the user is, and how it is marked: red is for failure only, amber for what wants attention.
#pragma once
#include "widgets/pages/icons.h"

namespace voxlab {

enum class MessageKind { Information, Attention, Failure };

QString messageIcon(MessageKind kind); // a name for themedIcon()
IconTint messageTint(MessageKind kind);

} // namespace voxlab
