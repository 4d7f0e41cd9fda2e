// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/paper_layout.h"
#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kDrawing = QTextFormat::UserObject + 1, kNumber = QTextFormat::UserProperty + 1;
constexpr double kCssPixels = 96, kInch_cm = 2.54, kMargin_cm = 2; // CSS pixels an inch
constexpr double kCharacters = 98, kPadding = 3;                     // of a line, and between columns
constexpr double kLongestWord = 18, kLongestTitle = 19, kLongestText = 72; // what more asks for is broken
constexpr double kMostKept = 0.8; // of a page, what is moved to the next for being in one piece
constexpr int kFirstRows = 3;      // of a table, that stand below its caption
const QString kName = QStringLiteral("drawing:");

double pixelsAUnit(const QTextDocument& document) {
  const QPaintDevice* device = document.documentLayout()->paintDevice();
  return device ? device->logicalDpiY() / kCssPixels : 1;
}

struct ColumnNeed {
  double least = 1, most = 1; // characters
};

// Header cells stand in two or three lines where their column is narrow.
ColumnNeed needOf(const QTextTable& table, int column) {
  ColumnNeed need;
  for (int row = 0; row < table.rows(); ++row) {
    const QTextTableCell cell = table.cellAt(row, column);
    QTextCursor words = cell.firstCursorPosition();
    words.setPosition(cell.lastPosition(), QTextCursor::KeepAnchor);
    const QString text = words.selectedText();
    double longest = 0;
    for (const QString& word : text.split(QLatin1Char(' ')))
      longest = std::max(longest, static_cast<double>(word.size()));
    need.least = std::max(need.least, row == 0 ? std::min(longest + 1, kLongestTitle) : std::min(longest, kLongestWord));
    need.most = std::max(need.most, row == 0 ? need.least : std::min(static_cast<double>(text.size()), kLongestText));
  }
  need.most = std::max(need.most, need.least);
  return need;
}

bool holdsPictures(const QTextTable& table) {
  QTextCursor cells = table.firstCursorPosition();
  cells.setPosition(table.lastCursorPosition().position(), QTextCursor::KeepAnchor);
  return cells.selectedText().contains(QChar::ObjectReplacementCharacter);
}

void shareColumnsOf(QTextTable& table) {
  if (holdsPictures(table))
    return;
  std::vector<ColumnNeed> needs;
  double least = 0, most = 0;
  for (int column = 0; column < table.columns(); ++column) {
    needs.push_back(needOf(table, column));
    least += needs.back().least + kPadding;
    most += needs.back().most + kPadding;
  }
  if (most <= kCharacters)
    return;
  const double left = std::max(0.0, kCharacters - least), wanted = std::max(1e-9, most - least);
  QList<QTextLength> widths;
  for (const ColumnNeed& need : needs)
    widths << QTextLength(QTextLength::PercentageLength, 100 * (need.least + kPadding + left * (need.most - need.least) / wanted) / std::max(least, kCharacters));
  QTextTableFormat format = table.format();
  format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
  format.setColumnWidthConstraints(widths);
  table.setFormat(format);
}

bool isHeading(const QTextBlock& block) {
  if (block.text().trimmed().isEmpty() || QTextCursor(block).currentTable())
    return false;
  if (block.blockFormat().headingLevel() > 0)
    return true;
  for (auto it = block.begin(); !it.atEnd(); ++it)
    if (it.fragment().charFormat().fontWeight() < QFont::Bold || it.fragment().charFormat().objectType() != QTextFormat::NoObject)
      return false;
  return true;
}

struct Pages {
  explicit Pages(const QTextDocument& document) : layout(*document.documentLayout()), height(document.pageSize().height()) {}
  int of(const QTextBlock& block) const { // of its first line, which may have moved to a page of its own
    const double top = layout.blockBoundingRect(block).top();
    return static_cast<int>((top + (block.layout()->lineCount() > 0 ? block.layout()->lineAt(0).y() : 0)) / height);
  }
  int ofEnd(const QTextBlock& block) const { return static_cast<int>((layout.blockBoundingRect(block).bottom() - 1) / height); }
  bool haveRoomFor(const QTextBlock& first, const QTextBlock& last) const { // on a page of their own
    return layout.blockBoundingRect(last).bottom() - layout.blockBoundingRect(first).top() < kMostKept * height;
  }
  const QAbstractTextDocumentLayout& layout;
  double height;
};

bool isDrawing(const QTextBlock& block) { return block.text().trimmed() == QString(QChar::ObjectReplacementCharacter) && !QTextCursor(block).currentTable(); }

// What has to stand on the page of what names it: of a table the first rows, of a drawing the last paragraph of its legend.
QTextBlock lastToKeep(const QTextBlock& named) {
  if (const QTextTable* table = QTextCursor(named).currentTable())
    return table->cellAt(std::min(kFirstRows, table->rows() - 1), 0).firstCursorPosition().block();
  QTextBlock last = named;
  if (isDrawing(named))
    for (QTextBlock next = named.next(); next.isValid() && !isHeading(next) && !QTextCursor(next).currentTable(); next = next.next())
      if (!next.text().trimmed().isEmpty())
        last = next;
  return last;
}

// The heading, or the first of several in a row, that does not stand where what it names begins; from `block` on.
QTextBlock nextStray(const QTextDocument& document, QTextBlock block) {
  const Pages pages(document);
  for (; block.isValid(); block = block.next()) {
    if (!isHeading(block))
      continue;
    const QTextBlock first = block;
    while (block.isValid() && isHeading(block))
      block = block.next();
    QTextBlock named = block;
    while (named.isValid() && named.text().trimmed().isEmpty() && !QTextCursor(named).currentTable())
      named = named.next();
    if (!named.isValid())
      break;
    const QTextBlock last = lastToKeep(named);
    if (pages.of(first) != pages.of(named) || (pages.of(first) != pages.ofEnd(last) && pages.haveRoomFor(first, last)))
      return first;
  }
  return {};
}
} // namespace

int PaperDrawings::add(QByteArray svg, const QSizeF& size) {
  m_drawings.push_back({std::move(svg), size});
  return static_cast<int>(m_drawings.size()) - 1;
}

bool PaperDrawings::anyUnreadable() const {
  return std::any_of(m_drawings.begin(), m_drawings.end(), [](const Drawing& drawing) { return !QSvgRenderer(drawing.svg).isValid(); });
}

void PaperDrawings::takeTheirPlaces(QTextDocument& document) {
  document.documentLayout()->registerHandler(kDrawing, this);
  QTextCursor cursor(&document);
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QString name = it.fragment().charFormat().toImageFormat().name();
      if (!name.startsWith(kName))
        continue;
      QTextCharFormat format;
      format.setObjectType(kDrawing);
      format.setProperty(kNumber, name.mid(kName.size()).toInt());
      cursor.setPosition(it.fragment().position());
      cursor.setPosition(it.fragment().position() + it.fragment().length(), QTextCursor::KeepAnchor);
      cursor.setCharFormat(format);
      it = block.begin(); // fragments are others now
    }
}

QSizeF PaperDrawings::intrinsicSize(QTextDocument* document, int, const QTextFormat& format) {
  return m_drawings.at(static_cast<std::size_t>(format.intProperty(kNumber))).size * pixelsAUnit(*document);
}

void PaperDrawings::drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format) {
  QSvgRenderer(m_drawings.at(static_cast<std::size_t>(format.intProperty(kNumber))).svg).render(painter, place);
}

void shareColumns(QTextDocument& document) {
  for (QTextFrame* frame : document.rootFrame()->childFrames())
    if (auto* table = qobject_cast<QTextTable*>(frame))
      shareColumnsOf(*table);
}

void layOutPages(QTextDocument& document, const QPdfWriter& paper) {
  document.documentLayout()->setPaintDevice(const_cast<QPdfWriter*>(&paper)); // only measured with
  QTextFrameFormat root = document.rootFrame()->frameFormat();
  root.setMargin(kMargin_cm / kInch_cm * kCssPixels); // the layout takes it to the device
  document.rootFrame()->setFrameFormat(root);
  document.setPageSize(QSizeF(paper.width(), paper.height()));
  for (QTextBlock stray = nextStray(document, document.begin()); stray.isValid(); stray = nextStray(document, stray.next())) {
    QTextBlockFormat format = stray.blockFormat();
    format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    QTextCursor(stray).setBlockFormat(format);
    document.markContentsDirty(0, document.characterCount()); // where only a part is laid out anew, pages come out that lack lines
  }
}

std::vector<int> strayCaptions(const QTextDocument& document) {
  std::vector<int> found;
  for (QTextBlock stray = nextStray(document, document.begin()); stray.isValid(); stray = nextStray(document, stray.next()))
    found.push_back(stray.position());
  return found;
}

void drawPages(QTextDocument& document, QPdfWriter& paper) {
  QPainter painter(&paper);
  const double height = document.pageSize().height(), width = document.pageSize().width(), margin = document.rootFrame()->frameFormat().margin() * pixelsAUnit(document);
  QAbstractTextDocumentLayout::PaintContext context;
  context.palette.setColor(QPalette::Text, Qt::black);
  for (int page = 0; page < document.pageCount(); ++page) {
    if (page > 0)
      paper.newPage();
    painter.save();
    painter.translate(0, -page * height);
    context.clip = QRectF(0, page * height, width, height);
    painter.setClipRect(context.clip);
    document.documentLayout()->draw(&painter, context);
    painter.restore();
    painter.drawText(QRectF(margin, height - margin, width - 2 * margin, margin / 2), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), QString::number(page + 1));
  }
}

} // namespace voxlab
