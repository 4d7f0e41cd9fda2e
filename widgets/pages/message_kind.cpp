// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/message_kind.h"

namespace voxlab {

QString messageIcon(MessageKind kind) {
  return kind == MessageKind::Failure ? QStringLiteral("error") : kind == MessageKind::Attention ? QStringLiteral("warning") : QStringLiteral("info");
}

IconTint messageTint(MessageKind kind) {
  return kind == MessageKind::Failure ? IconTint::Danger : kind == MessageKind::Attention ? IconTint::Warning : IconTint::Muted;
}

} // namespace voxlab
