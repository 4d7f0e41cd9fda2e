// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/paper_layout.h"
#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
struct Paper {
  Paper() : pdf(&buffer) {
    buffer.open(QIODevice::WriteOnly);
    pdf.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Portrait, QMarginsF()));
  }
  QBuffer buffer;
  QPdfWriter pdf;
};

// Drawings with captions, which fall on every place of a page.
QString figures(PaperDrawings& drawings, int count) {
  QString html;
  for (int n = 0; n < count; ++n) {
    const int number = drawings.add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 300\"><rect width=\"560\" height=\"300\"/></svg>", {560, 300});
    html += QStringLiteral("<h2>Part %1</h2>").arg(n) + QStringLiteral("<p>words</p>").repeated(n % 7) + QStringLiteral("<p><b>Caption %1</b></p><p><img src=\"drawing:%2\"></p>").arg(n).arg(number);
  }
  return html;
}
} // namespace

TEST(PaperLayout, CaptionsStandOnThePageOfTheirDrawing) {
  PaperDrawings drawings;
  QTextDocument document;
  document.setHtml(figures(drawings, 40));
  drawings.takeTheirPlaces(document);
  Paper paper;
  layOutPages(document, paper.pdf);
  EXPECT_TRUE(strayCaptions(document).empty());
  EXPECT_GT(document.pageCount(), 13);
  EXPECT_LT(document.pageCount(), 30);
  const double height = document.pageSize().height();
  int captions = 0;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    if (!block.text().startsWith(QStringLiteral("Caption")))
      continue;
    ++captions;
    const QRectF place = document.documentLayout()->blockBoundingRect(block), drawing = document.documentLayout()->blockBoundingRect(block.next());
    EXPECT_EQ(static_cast<int>(place.top() / height), static_cast<int>((drawing.bottom() - 1) / height)) << block.text().toStdString();
  }
  EXPECT_EQ(captions, 40);
}

// A drawing, its caption and its legend of several lines are not torn apart; a table begins with more than one row.
TEST(PaperLayout, LegendsStandBelowTheirDrawings) {
  PaperDrawings drawings;
  QString html;
  for (int n = 0; n < 40; ++n) {
    const int number = drawings.add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 560 32\"><rect width=\"560\" height=\"32\"/></svg>", {560, 32});
    html += QStringLiteral("<p>words</p>").repeated(n % 5) + QStringLiteral("<p><b>Caption</b></p><p><img src=\"drawing:%1\"></p><p>legend %2</p><p>and more</p>").arg(number).arg(QStringLiteral("of many words ").repeated(30));
    html += QStringLiteral("<p><b>Table</b></p><table><thead><tr><th>a</th></tr></thead>%1</table>").arg(QStringLiteral("<tr><td>1</td></tr>").repeated(3 + n % 4));
  }
  QTextDocument document;
  document.setHtml(html);
  drawings.takeTheirPlaces(document);
  Paper paper;
  layOutPages(document, paper.pdf);
  EXPECT_TRUE(strayCaptions(document).empty());
  const double height = document.pageSize().height();
  const auto pageOf = [&](double y) { return static_cast<int>(y / height); };
  int found = 0;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    if (block.text().startsWith(QStringLiteral("Caption"))) {
      ++found;
      const QRectF caption = document.documentLayout()->blockBoundingRect(block), last = document.documentLayout()->blockBoundingRect(block.next().next().next());
      EXPECT_EQ(pageOf(caption.top() + block.layout()->lineAt(0).y()), pageOf(last.bottom() - 1)) << found; // its line may have moved to the next page
    }
  EXPECT_EQ(found, 40);
}

TEST(PaperLayout, DrawingsStayLines) {
  PaperDrawings drawings;
  QTextDocument document;
  document.setHtml(figures(drawings, 3));
  drawings.takeTheirPlaces(document);
  Paper paper;
  layOutPages(document, paper.pdf);
  drawPages(document, paper.pdf);
  paper.buffer.close();
  EXPECT_TRUE(paper.buffer.data().startsWith("%PDF-"));
  EXPECT_EQ(paper.buffer.data().indexOf("/Subtype /Image"), -1);
}

TEST(PaperLayout, AColumnOfWordsGetsMoreOfAWideTableThanOneOfNumbers) {
  QTextDocument document;
  QString row = QStringLiteral("<tr><td>a measure of something</td>");
  for (int n = 0; n < 6; ++n)
    row += QStringLiteral("<td>0.%1</td>").arg(n);
  document.setHtml(QStringLiteral("<table><thead><tr><th>Measure</th><th>a</th><th>b</th><th>c</th><th>d</th><th>e</th><th>f</th><th>Remark</th></tr></thead>") +
                   (row + QStringLiteral("<td>Needs 30 real and 30 synthetic subjects at least, copies of one counted once.</td></tr>")).repeated(5) + QStringLiteral("</table>"));
  shareColumns(document);
  const auto* table = qobject_cast<QTextTable*>(document.rootFrame()->childFrames().first());
  ASSERT_NE(table, nullptr);
  const auto widths = table->format().columnWidthConstraints();
  ASSERT_EQ(widths.size(), 8);
  double all = 0;
  for (const QTextLength& width : widths)
    all += width.rawValue();
  EXPECT_NEAR(all, 100, 1);
  EXPECT_GT(widths[7].rawValue(), 35);
  EXPECT_GT(widths[0].rawValue(), 12);
  EXPECT_LT(widths[3].rawValue(), 8);
}
