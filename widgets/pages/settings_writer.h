// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that are changed while the window works: at once for whoever reads them in this program, on the disk a moment later. QSettings
// alone would wait for the disk in the window's thread.
#pragma once
#include <QSettings>
#include <functional>

namespace voxlab {

void changeSettings(const std::function<void(QSettings&)>& change);

} // namespace voxlab
