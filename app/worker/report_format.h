// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/worker/verbs.h"
#include "core/analysis/report_document.h"

namespace voxlab {

inline ReportFormat reportFormatOf(OutputFormat format) {
  switch (format) {
  case OutputFormat::JsonDocument:
    return ReportFormat::JsonDocument;
  case OutputFormat::CsvTable:
    return ReportFormat::CsvTables;
  case OutputFormat::HtmlPage:
    return ReportFormat::HtmlPage;
  case OutputFormat::MarkdownText:
    return ReportFormat::MarkdownText;
  default:
    return ReportFormat::PlainText;
  }
}

} // namespace voxlab
