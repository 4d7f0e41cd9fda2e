// SPDX-License-Identifier: GPL-3.0-or-later
// voxlab --report FILE.pdf RUN…: a comparison as a document, with slices and 3D pictures of the volumes, and no window.
#pragma once
#include "core/base/result.h"
#include <QStringList>
#include <functional>

namespace voxlab {

struct ReportRequest {
  QString file;     // .pdf
  QStringList runs; // run folders and packed runs; empty: those of runsFolder
  QString runsFolder;
};

// Notes that do not hinder the report are handed to `say`: that there is no display for 3D pictures, say. Fails with Data when there is
// nothing to compare or the file cannot be written, with Usage on a file that is no .pdf and on a path that is no run.
Status writeComparisonReport(const ReportRequest& request, const std::function<void(const QString&)>& say);

} // namespace voxlab
