// SPDX-License-Identifier: Apache-2.0
// A report before it has a format: headings, sentences, tables and bars. One description, written as text, CSV or HTML.
#pragma once
#include "core/base/json.h"
#include <optional>
#include <string>
#include <vector>

namespace voxlab {

enum class ColumnKind { Unknown, Words, Number, DataWords }; // data: for programs, in CSV alone

struct ReportColumn {
  std::string title;
  std::string unit; // "ms"; shown in the heading
  ColumnKind kind = ColumnKind::Number;
};

// A number keeps its value for CSV and is rounded where people read it; an empty cell is unknown.
struct ReportCell {
  std::string words;
  std::optional<double> number;
  ReportCell() = default;
  ReportCell(std::string text) : words(std::move(text)) {}
  ReportCell(const char* text) : words(text) {}
  ReportCell(double value) : number(value) {}
  ReportCell(std::optional<double> value) : number(value) {}
  ReportCell(std::string text, double value) : words(std::move(text)), number(value) {} // shown as text, kept as a number
};

struct ReportTable {
  std::string caption;
  std::vector<ReportColumn> columns;
  std::vector<std::vector<ReportCell>> rows;
  std::size_t shownRows = 0; // that people are shown, with a word of how many more there are; 0: all. CSV holds all
  std::size_t rowsToShow() const { return shownRows > 0 && shownRows < rows.size() ? shownRows : rows.size(); }
};

// Columns of which nothing is known say nothing: energy without NVML, say.
void dropUnknownColumns(ReportTable& table);

// Parts of a whole, drawn as one bar: a step's categories. `key` is a part's name in exports, which has one colour everywhere (named_colours.h).
struct ReportPart {
  std::string name;
  double value = 0;
  std::string key = {};
};
struct ReportBar {
  std::string title, unit;
  std::vector<ReportPart> parts;
};

// A drawing for the HTML page: markup that was made, and escaped, by report_figures.h.
struct ReportFigure {
  std::string caption, markup;
};

struct ReportSection {
  std::string heading;
  std::vector<std::string> sentences;
  std::vector<ReportBar> bars;
  std::vector<ReportTable> tables;
  std::vector<ReportFigure> figures = {};
  std::vector<std::string> commands = {}; // lines for a shell
};

struct ReportDocument {
  std::string title, subtitle;
  std::vector<ReportSection> sections;
  Json data = Json::object(); // the same in full, for programs
};

enum class ReportFormat { Unknown, PlainText, JsonDocument, CsvTables, HtmlPage, MarkdownText };
ReportFormat reportFormatFrom(std::string_view name); // "text", "json", "csv", "html", "markdown"

// Text: aligned columns, at most three significant digits. CSV: every table with a line that names it, values as they are. HTML:
// one self-contained page, no scripts. Markdown: headings and tables, rounded as in text. JSON: one document.
std::string writeReport(const ReportDocument& document, ReportFormat format);
// "<", ">", "&" and quotes as HTML has them; control characters as spaces.
std::string escapedForHtml(std::string_view text);

} // namespace voxlab
