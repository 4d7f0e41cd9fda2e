// SPDX-License-Identifier: GPL-3.0-or-later
// A report on paper: what the HTML page says, as a PDF of A4 pages.
#pragma once
#include "core/analysis/report_document.h"
#include "core/base/result.h"
#include <QString>

class QTextDocument;

namespace voxlab {

// Fails with Data when the file cannot be written. Needs a QGuiApplication, no display.
Status writeReportPdf(const ReportDocument& document, const QString& file);

class PaperDrawings; // paper_layout.h

// The report as rich text for pages: tables in parts in which no word is broken, what is below something else indented, drawings in their places.
QString paperHtml(const ReportDocument& report, PaperDrawings& drawings);
void layPaperText(QTextDocument& document, const QString& html); // in the style of the paper

} // namespace voxlab
