// SPDX-License-Identifier: GPL-3.0-or-later
// The core's words (UTF-8) as Qt's.
#pragma once
#include <QString>
#include <string_view>

namespace voxlab {

inline QString text(std::string_view words) { return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())); }

} // namespace voxlab
