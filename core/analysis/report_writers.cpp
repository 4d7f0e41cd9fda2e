// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/named_colours.h"
#include "core/analysis/report_document.h"
#include "core/base/csv.h"
#include "core/base/milliseconds.h"
#include "core/base/text.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace voxlab {
namespace {
std::string numberIn(double value, std::string_view unit) {
  return unit == "ms" ? formatMilliseconds(value) : formatSignificant(value);
}

std::string shown(const ReportCell& cell, const ReportColumn& column) {
  if (cell.number && cell.words.empty())
    return numberIn(*cell.number, column.unit);
  return cell.words.empty() && column.kind == ColumnKind::Number ? std::string(kUnknown) : cell.words;
}

// Names come from elsewhere: a line end in one would break the table.
std::string oneLine(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

// Without the columns that are for programs.
ReportTable forPeople(ReportTable table) {
  for (std::size_t i = table.columns.size(); i-- > 0;) {
    if (table.columns[i].kind != ColumnKind::DataWords)
      continue;
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& row : table.rows)
      if (i < row.size())
        row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return table;
}

std::string heading(const ReportColumn& column) {
  return column.unit.empty() ? column.title : column.title + " [" + column.unit + "]";
}

// Characters on a terminal: continuation bytes of UTF-8 do not count.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t columns, ColumnKind kind) {
  const std::string space(columns - std::min(columns, width(text)), ' ');
  return kind == ColumnKind::Words ? text + space : space + text;
}

// Of a table that is shortened; empty: all are there.
std::string wordsOfRest(const ReportTable& table) {
  const std::size_t rest = table.rows.size() - table.rowsToShow();
  return rest == 0 ? std::string() : "… and " + std::to_string(rest) + (rest == 1 ? " row more; CSV holds it." : " rows more; CSV holds them.");
}

// Cuts between characters.
std::string shortened(const std::string& text, std::size_t columns) {
  if (width(text) <= columns)
    return text;
  std::string out;
  std::size_t seen = 0;
  for (const char c : text) {
    seen += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (seen >= columns)
      break;
    out += c;
  }
  return out + "…";
}

std::string textTable(const ReportTable& whole) {
  const ReportTable table = forPeople(whole);
  constexpr std::size_t kWidest = 60, kWidestLast = 200; // the last column may run on
  std::vector<std::vector<std::string>> lines(1);
  for (const auto& column : table.columns)
    lines[0].push_back(heading(column));
  for (std::size_t n = 0; n < table.rowsToShow(); ++n) {
    const auto& row = table.rows[n];
    lines.emplace_back();
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      lines.back().push_back(
          i < row.size() ? shortened(oneLine(shown(row[i], table.columns[i])), i + 1 < table.columns.size() ? kWidest : kWidestLast)
                         : "");
  }
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], width(line[i]));
  std::string text = table.caption.empty() ? "" : table.caption + "\n";
  for (const auto& line : lines) {
    std::string written;
    for (std::size_t i = 0; i < line.size(); ++i)
      written += "  " + padded(line[i], widths[i], table.columns[i].kind);
    text += written.substr(0, written.find_last_not_of(' ') + 1) + "\n";
  }
  if (const std::string rest = wordsOfRest(table); !rest.empty())
    text += "  " + rest + "\n";
  return text + "\n";
}

std::string text(const ReportDocument& document) {
  std::string out = document.title + "\n";
  if (!document.subtitle.empty())
    out += document.subtitle + "\n";
  for (const auto& section : document.sections) {
    out += "\n" + section.heading + "\n" + std::string(width(section.heading), '-') + "\n";
    for (const auto& sentence : section.sentences)
      out += sentence + "\n";
    for (const auto& command : section.commands)
      out += "  " + command + "\n";
    for (const auto& table : section.tables)
      out += textTable(table);
  }
  return out;
}

std::string plainNumber(double value) {
  char buffer[40];
  constexpr double kExact = 9007199254740992; // 2^53: up to here whole numbers are told exactly, and large ones without an exponent
  std::snprintf(buffer, sizeof buffer, (std::floor(value) == value || std::abs(value) >= 1e9) && std::abs(value) <= kExact ? "%.0f" : "%.10g", value);
  return buffer;
}

std::string csv(const ReportDocument& document) {
  std::string out;
  for (const auto& section : document.sections) {
    for (const auto& table : section.tables) {
      out += out.empty() ? "" : "\n";
      out += csvLine({"table", table.caption.empty() ? section.heading : table.caption});
      std::vector<std::string> fields;
      for (const auto& column : table.columns)
        fields.push_back(heading(column));
      out += csvLine(fields);
      for (const auto& row : table.rows) {
        fields.clear();
        for (const auto& cell : row)
          fields.push_back(cell.number ? plainNumber(*cell.number) : cell.words);
        out += csvLine(fields);
      }
    }
  }
  return out;
}

std::string escaped(std::string_view text) {
  return escapedForHtml(text);
}

// Okabe & Ito's set, told apart by most colour-blind readers, for parts that have no colour of their own; repeated lighter where there are more.
constexpr std::array<std::string_view, 8> kColours{"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                                   "#56b4e9", "#d55e00", "#f0e442", "#7f7f7f"};

std::string htmlBar(const ReportBar& bar) {
  const double total = std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0,
                                       [](double sum, const ReportPart& part) { return sum + std::max(0.0, part.value); });
  if (!(total > 0))
    return {};
  std::string svg = "<figure>\n<figcaption>" + escaped(bar.title) +
                    "</figcaption>\n<svg viewBox=\"0 0 1000 40\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"" + escaped(bar.title) + "\">\n";
  std::string legend = "<ul class=\"legend\">\n";
  double x = 0;
  for (std::size_t i = 0; i < bar.parts.size(); ++i) {
    const auto& [name, value, key] = bar.parts[i];
    const NamedColour* own = findNamedColour(key);
    const double length = 1000 * std::max(0.0, value) / total;
    const std::string colour = own ? htmlColour(own->light) : std::string(kColours[i % kColours.size()]), opacity = own || i < kColours.size() ? "1" : "0.5";
    char place[96];
    std::snprintf(place, sizeof place, "x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"40\"", x, length);
    const std::string label = escaped(name) + ": " + numberIn(value, bar.unit) + " " + escaped(bar.unit);
    svg += "<rect " + std::string(place) + " fill=\"" + colour + "\" fill-opacity=\"" + opacity + "\"><title>" + label +
           "</title></rect>\n";
    legend += "<li><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect width=\"10\" height=\"10\" fill=\"" +
              colour + "\" fill-opacity=\"" + opacity + "\"/></svg> " + label + "</li>\n";
    x += length;
  }
  return svg + "</svg>\n" + legend + "</ul>\n</figure>\n";
}

// "128 × 128 × 128" stays on one line of a narrow column.
std::string unbroken(std::string text) {
  constexpr std::string_view kTimes = " × ", kKept = "\u00a0×\u00a0";
  for (std::size_t at = 0; (at = text.find(kTimes, at)) != std::string::npos; at += kKept.size())
    if (at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1])) && at + kTimes.size() < text.size() && std::isdigit(static_cast<unsigned char>(text[at + kTimes.size()])))
      text.replace(at, kTimes.size(), kKept);
  return text;
}

std::string htmlTable(const ReportTable& whole) {
  const ReportTable table = forPeople(whole);
  constexpr std::size_t kWide = 8; // smaller on paper
  std::string out = std::string("<div class=\"scroll") + (table.columns.size() > kWide ? " wide" : "") + "\"><table>\n";
  if (!table.caption.empty())
    out += "<caption>" + escaped(table.caption) + "</caption>\n";
  out += "<thead><tr>";
  const auto cellClass = [](ColumnKind kind) {
    return kind == ColumnKind::Words ? std::string() : std::string(" class=\"number\"");
  };
  for (const auto& column : table.columns)
    out += "<th scope=\"col\"" + cellClass(column.kind) + ">" + escaped(unbroken(heading(column))) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t n = 0; n < table.rowsToShow(); ++n) {
    const auto& row = table.rows[n];
    out += "<tr>";
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      out += "<td" + cellClass(table.columns[i].kind) + ">" +
             (i < row.size() ? escaped(shown(row[i], table.columns[i])) : "") + "</td>";
    out += "</tr>\n";
  }
  out += "</tbody>\n</table></div>\n";
  const std::string rest = wordsOfRest(table);
  return rest.empty() ? out : out + "<p>" + escaped(rest) + "</p>\n";
}

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #8886; --soft: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 1rem; max-width: 72rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2rem; }
p.subtitle { margin-top: 0.2rem; opacity: 0.75; }
.scroll { overflow-x: auto; }
table { border-collapse: separate; border-spacing: 0; margin: 0.8rem 0; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.3rem; }
th, td { padding: 0.2rem 0.7rem 0.2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: break-word; max-width: 26rem; }
td { white-space: pre-wrap; } th { vertical-align: bottom; } th:first-child, td:first-child { position: sticky; left: 0; min-width: 9rem; background: Canvas; } .number { text-align: right; } td.number { white-space: nowrap; }
figure { margin: 0.8rem 0; } figure > svg { width: 100%; height: 2.2rem; display: block; }
figure.drawing { max-width: 44rem; } figure.drawing > svg { height: auto; } .drawing text { fill: currentColor; font: 12px system-ui, sans-serif; }
.pictures { display: flex; flex-wrap: wrap; gap: 0.6rem; } .pictures div { font-size: 0.8rem; } .pictures img { display: block; width: 8.5rem; max-width: 42vw; image-rendering: auto; background: #000; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.5rem 0.7rem; background: var(--soft); border-radius: 4px; font-size: 0.85rem; }
figcaption { font-weight: 600; } ul.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; font-size: 0.85rem; }
svg.key { width: 0.7rem; height: 0.7rem; }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 9.5pt; } h2, caption { break-after: avoid; } tr, figure { break-inside: avoid; } thead { display: table-header-group; }
.scroll { overflow: visible; } table { font-size: 7.5pt; width: 100%; } th, td { padding-right: 0.3rem; } .wide th, td:first-child { overflow-wrap: anywhere; } th:first-child, td:first-child { position: static; min-width: 0; } .wide table { font-size: 5.5pt; } pre { font-size: 7pt; background: none; padding: 0; } }
)";

std::string htmlSections(const ReportDocument& document) {
  std::string out;
  for (const auto& section : document.sections) {
    out += "<section>\n<h2>" + escaped(section.heading) + "</h2>\n";
    for (const auto& sentence : section.sentences)
      out += "<p>" + escaped(sentence) + "</p>\n";
    for (const auto& figure : section.figures)
      out += "<figure class=\"drawing\">\n<figcaption>" + escaped(figure.caption) + "</figcaption>\n" + figure.markup + "</figure>\n";
    for (const auto& bar : section.bars)
      out += htmlBar(bar);
    for (const auto& command : section.commands)
      out += "<pre><code>" + escaped(command) + "</code></pre>\n";
    for (const auto& table : section.tables)
      out += htmlTable(table);
    out += "</section>\n";
  }
  return out;
}

std::string html(const ReportDocument& document) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                    "content=\"width=device-width, initial-scale=1\">\n<title>" +
                    escaped(document.title) + "</title>\n<style>" + std::string(kStyle) + "</style>\n</head>\n<body>\n<h1>" +
                    escaped(document.title) + "</h1>\n";
  if (!document.subtitle.empty())
    out += "<p class=\"subtitle\">" + escaped(document.subtitle) + "</p>\n";
  return out + htmlSections(document) + "</body>\n</html>\n";
}

std::string markdownTable(const ReportTable& whole) {
  const ReportTable table = forPeople(whole);
  std::string out = table.caption.empty() ? "" : "**" + table.caption + "**\n\n";
  const auto cell = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
      text.insert(at, 1, '\\');
    return " " + text + " |";
  };
  std::string rule = "|";
  out += "|";
  for (const auto& column : table.columns) {
    out += cell(column.unit.empty() ? column.title : column.title + ", " + column.unit);
    rule += column.kind == ColumnKind::Words ? " --- |" : " ---: |";
  }
  out += "\n" + rule + "\n";
  for (std::size_t n = 0; n < table.rowsToShow(); ++n) {
    const auto& row = table.rows[n];
    out += "|";
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      out += cell(i < row.size() ? oneLine(shown(row[i], table.columns[i])) : "");
    out += "\n";
  }
  if (const std::string rest = wordsOfRest(table); !rest.empty())
    out += "\n" + rest + "\n";
  return out + "\n";
}

std::string markdown(const ReportDocument& document) {
  std::string out = "# " + document.title + "\n\n";
  if (!document.subtitle.empty())
    out += document.subtitle + "\n\n";
  for (const auto& section : document.sections) {
    out += section.heading.empty() ? "" : "## " + section.heading + "\n\n";
    for (const auto& sentence : section.sentences)
      out += sentence + "\n\n";
    for (const auto& command : section.commands)
      out += "    " + command + "\n\n";
    for (const auto& table : section.tables)
      out += markdownTable(table);
  }
  return out.substr(0, out.find_last_not_of('\n') + 1) + "\n";
}
} // namespace

std::string escapedForHtml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return out;
}

ReportFormat reportFormatFrom(std::string_view name) {
  if (name == "text")
    return ReportFormat::PlainText;
  if (name == "json")
    return ReportFormat::JsonDocument;
  if (name == "csv")
    return ReportFormat::CsvTables;
  if (name == "markdown")
    return ReportFormat::MarkdownText;
  return name == "html" ? ReportFormat::HtmlPage : ReportFormat::Unknown;
}

std::string writeReport(const ReportDocument& document, ReportFormat format) {
  switch (format) {
  case ReportFormat::JsonDocument:
    return document.data.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  case ReportFormat::CsvTables:
    return csv(document);
  case ReportFormat::HtmlPage:
    return html(document);
  case ReportFormat::MarkdownText:
    return markdown(document);
  default:
    return text(document);
  }
}

void dropUnknownColumns(ReportTable& table) {
  for (std::size_t i = table.columns.size(); i-- > 0;) {
    const auto known = [i](const std::vector<ReportCell>& row) { return row[i].number || !row[i].words.empty(); };
    if (std::any_of(table.rows.begin(), table.rows.end(), known))
      continue;
    table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& row : table.rows)
      row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

} // namespace voxlab
