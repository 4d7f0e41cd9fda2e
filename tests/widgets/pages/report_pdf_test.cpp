// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/report_pdf.h"
#include "core/analysis/report_figures.h"
#include "core/base/files.h"
#include "tests/support/temporary_folder.h"
#include "widgets/pages/paper_layout.h"
#include <QAbstractTextDocumentLayout>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
ReportDocument example(int rows) {
  ReportDocument document;
  document.title = "Modes";
  ReportSection section{"Measures", {"opt2 takes 1.11 times as long as baseline."}, {{"A step", "ms", {{"convolution", 3}, {"copy", 1}}}}, {}};
  ReportTable table{"Table", {{"Mode", "", ColumnKind::Words}, {"Time", "ms"}}, {}};
  for (int n = 0; n < rows; ++n)
    table.rows.push_back({ReportCell("mode " + std::to_string(n)), ReportCell(1.5 * n)});
  section.tables.push_back(table);
  section.figures.push_back(barFigure("Bars", {{"a", 1.0, 0.9, 1.1, "1 ×"}, {"b", 0.2, {}, {}, "0.2 ×"}}, 1.0));
  document.sections.push_back(section);
  return document;
}
} // namespace

TEST(ReportPdf, IsWrittenWithItsFigures) {
  const TemporaryFolder folder;
  const QString file = QString::fromStdString((folder / "report.pdf").string());
  ASSERT_TRUE(writeReportPdf(example(3), file));
  const std::string few = readTextFile(folder / "report.pdf").value();
  EXPECT_TRUE(few.starts_with("%PDF-"));
  EXPECT_EQ(few.find("/Subtype /Image"), std::string::npos) << "drawings are lines";
  ASSERT_TRUE(writeReportPdf(example(300), file));
  EXPECT_GT(readTextFile(folder / "report.pdf")->size(), few.size()) << "more pages";
}

// Every kind of drawing that a report can have is one that paper shows: what cannot be read would be a blank.
TEST(ReportPdf, EveryDrawingCanBeRead) {
  PaperDrawings drawings;
  ReportDocument document = example(3);
  document.sections.front().figures.push_back(scatterFigure("Front", "Time", "SSIM", {{"a", 1, 0.7, "baseline", true}, {"b", 2, 0.8, "opt1", true}}, FigureScale::Logarithmic));
  EXPECT_GE(paperHtml(document, drawings).count("drawing:"), 4);
  EXPECT_FALSE(drawings.anyUnreadable());
  drawings.add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" width=\"1\"/>", {1, 1});
  EXPECT_TRUE(drawings.anyUnreadable());
}

TEST(ReportPdf, FamiliesAreIndentedAndNoWordIsBroken) {
  ReportDocument document = example(0);
  ReportTable table{"By category", {{"Category", "", ColumnKind::Words}}, {}};
  for (int n = 0; n < 6; ++n)
    table.columns.push_back({"fused_bf16_graph" + std::to_string(n), "ms"});
  for (const char* name : {"Convolution", "    xmma fprop", "of 64 × 64 × 64"}) {
    table.rows.push_back({ReportCell(name)});
    table.rows.back().resize(7, ReportCell(1.0));
  }
  document.sections.front().tables = {table};
  PaperDrawings drawings;
  const QString html = paperHtml(document, drawings);
  EXPECT_TRUE(html.contains(QStringLiteral("<td>\u00a0\u00a0\u00a0\u00a0xmma fprop")));
  EXPECT_TRUE(html.contains(QStringLiteral("64\u00a0×\u00a064\u00a0×\u00a064")));
  EXPECT_EQ(html.count(QStringLiteral("(continued)")), 1) << "seven columns of such names do not stand beside each other";
}

// A command to paste goes on in the next line: what runs over the edge of the paper cannot be read.
TEST(ReportPdf, LongCommandsStayOnThePage) {
  ReportDocument document = example(1);
  document.sections.front().commands = {"voxlab-worker experiment --modes " + std::string(300, 'x') + " --count 2"};
  PaperDrawings drawings;
  QTextDocument text;
  layPaperText(text, paperHtml(document, drawings));
  text.setPageSize(QSizeF(600, 800));
  EXPECT_GT(text.pageCount(), 0); // lays out
  int lines = 0;
  for (QTextBlock block = text.begin(); block.isValid(); block = block.next())
    if (block.text().startsWith(QStringLiteral("voxlab-worker"))) {
      lines = block.layout()->lineCount();
      for (int n = 0; n < lines; ++n)
        EXPECT_LE(block.layout()->lineAt(n).naturalTextWidth(), 600);
    }
  EXPECT_GT(lines, 2);
}

// Pages of a PDF: each has an entry of this type.
int pagesOf(const std::filesystem::path& file) {
  const std::string text = readTextFile(file).value();
  int count = 0;
  for (std::size_t at = 0; (at = text.find("/Type /Page\n", at)) != std::string::npos; ++at)
    ++count;
  return count;
}

TEST(ReportPdf, WideTablesStandInPartsWithoutEmptyRows) {
  const TemporaryFolder folder;
  ReportDocument document = example(1);
  ReportTable wide{"Wide", {{"Mode", "", ColumnKind::Words}}, {}};
  for (int column = 0; column < 30; ++column)
    wide.columns.push_back({"A measure of " + std::to_string(column), "ms"});
  for (int row = 0; row < 200; ++row) { // each mode knows one measure
    std::vector<ReportCell> cells(31);
    cells[0] = ReportCell("mode " + std::to_string(row));
    cells[1 + static_cast<std::size_t>(row) % 30] = ReportCell(1.0 * row);
    wide.rows.push_back(std::move(cells));
  }
  document.sections.front().tables = {wide};
  ASSERT_TRUE(writeReportPdf(document, QString::fromStdString((folder / "report.pdf").string())));
  const int pages = pagesOf(folder / "report.pdf");
  EXPECT_GE(pages, 4) << "two hundred rows";
  EXPECT_LE(pages, 10) << "with the empty rows of each part there are five times as many";
}

TEST(ReportPdf, SaysWhereItCannotBeWritten) {
  const TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder / "file", ""));
  const auto written = writeReportPdf(example(1), QString::fromStdString((folder / "file" / "report.pdf").string()));
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("report.pdf"), std::string::npos);
}
