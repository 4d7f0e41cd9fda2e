// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/report_pdf.h"
#include "core/base/text.h"
#include "widgets/pages/paper_layout.h"
#include <QFileInfo>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSaveFile>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <algorithm>

namespace voxlab {
namespace {
constexpr double kFigureWidth = 560, kKey = 9; // of the document's units, of which a line has some twelve
constexpr double kBarHeight = 32, kPictureWidth = 120, kTallest = 860; // a page has 971
constexpr int kPicturesInARow = 5;
constexpr std::size_t kColumnsOnPaper = 8, kLettersOnPaper = 96, kBetweenColumns = 3, kLongestWord = 18, kOfNumber = 7;

const char* const kStyle = "body { font-family: sans-serif; font-size: 9pt; color: #1d2329; } h1 { font-size: 16pt; } h2 { font-size: 12pt; } "
                           "td, th { padding: 2px 8px 2px 0px; } th { text-align: left; } .number { text-align: right; } pre { font-size: 7.5pt; white-space: pre-wrap; } figcaption, caption { font-weight: bold; }";

double lengthOf(const QString& svg, const char* attribute) {
  const auto found = QRegularExpression(QStringLiteral("<svg[^>]*\\s%1=\"([0-9.]+)\"").arg(QLatin1String(attribute))).match(svg);
  return found.hasMatch() ? found.captured(1).toDouble() : 0;
}

// Shares of the page's width become lengths, and what the page's style sheet says is written out: Qt's SVG knows neither.
QString plainSvg(QString svg, const QSizeF& size) {
  static const QRegularExpression share(QStringLiteral("\\s(x|x1|x2|cx|width)=\"(-?[0-9.]+)%\""));
  QString out;
  qsizetype from = 0;
  const qsizetype head = svg.indexOf(QLatin1Char('>'));
  for (auto it = share.globalMatch(svg); it.hasNext();) {
    const auto match = it.next();
    if (match.capturedStart() < head)
      continue;
    out += svg.mid(from, match.capturedStart() - from) + QStringLiteral(" %1=\"%2\"").arg(match.captured(1)).arg(match.captured(2).toDouble() / 100 * size.width());
    from = match.capturedEnd();
  }
  out += svg.mid(from);
  out.replace(QLatin1String("currentColor"), QLatin1String("#1d2329"));
  const bool hasBox = out.contains(QLatin1String("viewBox="));
  const QString box = hasBox ? QString() : QStringLiteral(" viewBox=\"0 0 %1 %2\"").arg(size.width()).arg(size.height());
  out.replace(QRegularExpression(QStringLiteral("^<svg([^>]*)\\swidth=\"100%\"")), QStringLiteral("<svg\\1"));
  out.replace(0, 4, QStringLiteral("<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#1d2329\"") + (out.contains(QLatin1String("preserveAspectRatio=")) ? QString() : QStringLiteral(" preserveAspectRatio=\"none\"")) + box); // an attribute that comes twice makes it unreadable
  return out;
}

QSizeF sizeOf(const QString& svg) {
  if (svg.contains(QLatin1String("class=\"key\"")))
    return {kKey, kKey};
  if (const double height = lengthOf(svg, "height"); height > 0)
    return {kFigureWidth, height};
  return {kFigureWidth, kBarHeight};
}

// Pictures with words below stand in rows.
QString withRows(const QString& html) {
  static const QRegularExpression one(QStringLiteral("<div>(<img [^>]*>)(.*?)</div>\\s*"), QRegularExpression::DotMatchesEverythingOption);
  QString out;
  qsizetype from = 0;
  int inRow = 0;
  for (auto it = one.globalMatch(html); it.hasNext();) {
    const auto match = it.next();
    const bool goesOn = inRow > 0 && match.capturedStart() == from; // right behind the one before
    if (inRow > 0 && (!goesOn || inRow == kPicturesInARow)) {
      out += QLatin1String("</tr></table>");
      inRow = 0;
    }
    out += html.mid(from, match.capturedStart() - from);
    if (inRow == 0)
      out += QLatin1String("<table><tr>");
    out += QStringLiteral("<td>%1<br>%2</td>").arg(match.captured(1), match.captured(2));
    ++inRow;
    from = match.capturedEnd();
  }
  return out + (inRow > 0 ? QStringLiteral("</tr></table>") : QString()) + html.mid(from);
}

bool isKnown(const ReportCell& cell) { return cell.number.has_value() || !(cell.words.empty() || cell.words == kUnknown); }

// The first column and those named, without rows that would be empty.
ReportTable partOf(const ReportTable& table, const std::vector<std::size_t>& columns) {
  ReportTable part{table.caption, {table.columns.front()}, {}};
  for (const std::size_t n : columns)
    part.columns.push_back(table.columns[n]);
  for (const auto& row : table.rows) {
    std::vector<ReportCell> cells{row.front()};
    for (const std::size_t n : columns)
      cells.push_back(n < row.size() ? row[n] : ReportCell());
    if (std::any_of(cells.begin() + 1, cells.end(), isKnown))
      part.rows.push_back(std::move(cells));
  }
  return part;
}

QString withSizesInOnePiece(QString words) { return words.replace(QStringLiteral(" × "), QStringLiteral("\u00a0×\u00a0")); }

std::size_t longestWord(const std::string& text) {
  qsizetype longest = 0;
  for (const QString& word : withSizesInOnePiece(QString::fromStdString(text)).split(QLatin1Char(' ')))
    longest = std::max(longest, word.size());
  return std::min(static_cast<std::size_t>(longest), kLongestWord);
}

// Letters that a column needs, so that no word of it is broken.
std::size_t widthOf(const ReportTable& table, std::size_t column) {
  std::size_t width = longestWord(table.columns[column].title) + 1; // bold
  for (const auto& row : table.rows)
    if (column < row.size() && isKnown(row[column]))
      width = std::max(width, row[column].words.empty() ? kOfNumber : longestWord(row[column].words));
  return width + kBetweenColumns;
}

// What scrolls on a screen stands in parts below each other on paper.
std::vector<ReportTable> inParts(const ReportTable& table) {
  std::size_t letters = 0;
  for (std::size_t n = 0; n < table.columns.size(); ++n)
    letters += widthOf(table, n);
  if (table.columns.empty() || (table.columns.size() <= kColumnsOnPaper && letters <= kLettersOnPaper))
    return {table};
  std::vector<std::size_t> known;
  for (std::size_t n = 1; n < table.columns.size(); ++n)
    if (std::any_of(table.rows.begin(), table.rows.end(), [n](const auto& row) { return n < row.size() && isKnown(row[n]); }))
      known.push_back(n);
  std::vector<ReportTable> parts;
  for (std::size_t from = 0, count = 0; from < known.size(); from += count) {
    letters = widthOf(table, 0);
    for (count = 0; from + count < known.size() && count < kColumnsOnPaper - 1; ++count)
      if (letters += widthOf(table, known[from + count]); letters > kLettersOnPaper && count > 0)
        break;
    const auto first = known.begin() + static_cast<std::ptrdiff_t>(from);
    parts.push_back(partOf(table, {first, first + static_cast<std::ptrdiff_t>(count)}));
    if (parts.size() > 1 && !table.caption.empty())
      parts.back().caption = QObject::tr("%1 (continued)").arg(QString::fromStdString(table.caption)).toStdString();
  }
  return parts;
}

ReportDocument onPaper(ReportDocument report) {
  for (ReportSection& section : report.sections) {
    std::vector<ReportTable> tables;
    for (const ReportTable& table : section.tables)
      for (ReportTable& part : inParts(table))
        tables.push_back(std::move(part));
    section.tables = std::move(tables);
  }
  return report;
}

// Every drawing has its place in the text.
QString withPictures(const QString& html, PaperDrawings& drawings) {
  static const QRegularExpression drawing(QStringLiteral("<svg.*?</svg>"), QRegularExpression::DotMatchesEverythingOption);
  QString out;
  qsizetype from = 0;
  for (auto it = drawing.globalMatch(html); it.hasNext();) {
    const auto match = it.next();
    const QString svg = match.captured();
    const QSizeF size = sizeOf(svg), onPage = size.height() > kTallest ? size * (kTallest / size.height()) : size;
    const QString image = QStringLiteral("<img src=\"drawing:%1\">").arg(drawings.add(plainSvg(svg, size).toUtf8(), onPage));
    out += html.mid(from, match.capturedStart() - from) + (size.height() > kKey ? QStringLiteral("<p>%1</p>").arg(image) : image); // a line of its own
    from = match.capturedEnd();
  }
  out += html.mid(from);
  out.remove(QRegularExpression(QStringLiteral("<style>.*?</style>"), QRegularExpression::DotMatchesEverythingOption));
  out.replace(QLatin1String("<figcaption>"), QLatin1String("<p><b>")).replace(QLatin1String("</figcaption>"), QLatin1String("</b></p>")); // lines of their own
  out.replace(QLatin1String("<ul class=\"legend\">"), QLatin1String("<p>")).replace(QLatin1String("</ul>"), QLatin1String("</p>")); // in lines, not in a column
  out.remove(QLatin1String("<li>")).replace(QLatin1String("</li>"), QLatin1String(" &nbsp; &nbsp; "));
  out = withRows(out);
  out.replace(QLatin1String("<img alt="), QStringLiteral("<img width=\"%1\" alt=").arg(kPictureWidth)); // slices
  static const QRegularExpression indented(QStringLiteral("<td>( +)")); // families below their category
  for (auto match = indented.match(out); match.hasMatch(); match = indented.match(out, match.capturedStart() + 1))
    out.replace(match.capturedStart(1), match.capturedLength(1), QString(match.capturedLength(1), QChar(0xa0)));
  out = withSizesInOnePiece(std::move(out));
  out.replace(QLatin1String("<table>"), QLatin1String("<table cellspacing=\"0\" cellpadding=\"2\">"));
  return out;
}
} // namespace

QString paperHtml(const ReportDocument& report, PaperDrawings& drawings) {
  return withPictures(QString::fromStdString(writeReport(onPaper(report), ReportFormat::HtmlPage)), drawings);
}

void layPaperText(QTextDocument& document, const QString& html) {
  document.setUndoRedoEnabled(false);
  document.setDefaultStyleSheet(QLatin1String(kStyle));
  document.setHtml(html);
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    if (QTextBlockFormat format = block.blockFormat(); format.nonBreakableLines()) { // commands
      format.setNonBreakableLines(false);
      QTextCursor(block).setBlockFormat(format);
    }
}

Status writeReportPdf(const ReportDocument& report, const QString& file) {
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly))
    return fail(ExitCode::Data, QObject::tr("%1 could not be written. Choose a folder that you may write to.").arg(file).toStdString());
  PaperDrawings drawings;
  QTextDocument document;
  layPaperText(document, paperHtml(report, drawings));
  if (drawings.anyUnreadable())
    return fail(ExitCode::Internal, "A drawing of the report could not be read. Please tell the program's makers.");
  drawings.takeTheirPlaces(document);
  shareColumns(document);
  {
    QPdfWriter pdf(&out);
    pdf.setTitle(QString::fromStdString(report.title));
    pdf.setCreator(QStringLiteral("Voxlab"));
    pdf.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Portrait, QMarginsF())); // the document leaves two centimetres itself
    layOutPages(document, pdf);
    drawPages(document, pdf);
  }
  if (!out.commit())
    return fail(ExitCode::Data, QObject::tr("%1 could not be written: %2.").arg(file, out.errorString()).toStdString());
  return {};
}

} // namespace voxlab
