// SPDX-License-Identifier: GPL-3.0-or-later
// A report on paper: what the HTML page says, as a PDF of A4 pages.
#pragma once
#include "core/analysis/report_document.h"
#include "core/base/result.h"
#include <QString>

namespace voxlab {

// Fails with Data when the file cannot be written. Needs a QGuiApplication, no display.
Status writeReportPdf(const ReportDocument& document, const QString& file);

} // namespace voxlab
