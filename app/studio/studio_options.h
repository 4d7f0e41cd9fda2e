// SPDX-License-Identifier: GPL-3.0-or-later
// The studio's command line.
#pragma once
#include "core/base/result.h"
#include <QSize>
#include <QStringList>

namespace voxlab {

struct StudioOptions {
  bool demo = false;
  QStringList open;      // files and run folders
  QString page;          // "monitor", "volumes", "new-job", "settings", …
  QString screenshot;    // draw, save, leave
  QString report;        // a comparison as PDF instead of a window
  QString theme;         // "light" or "dark": for this time only
  QString runs;          // folder of runs, for this time only
  QSize size;            // of the window; invalid: as remembered
  QString text;          // help or version, to be printed instead of starting
};

// Fails with Usage, with a sentence, on what it does not know.
Result<StudioOptions> parseOptions(const QStringList& arguments);

} // namespace voxlab
