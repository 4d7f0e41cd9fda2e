// SPDX-License-Identifier: GPL-3.0-or-later
// What Qt's rich text leaves undone on paper: drawings that stay lines and letters, columns that share a table's width by what stands in
// them, headings and captions on the page of what they name, pages with numbers.
#pragma once
#include <QByteArray>
#include <QObject>
#include <QSizeF>
#include <QTextObjectInterface>
#include <vector>

class QPdfWriter;
class QTextDocument;

namespace voxlab {

// Draws SVG where the document's text has <img src="drawing:N">, N as add() gave it.
class PaperDrawings : public QObject, public QTextObjectInterface {
  Q_OBJECT
  Q_INTERFACES(QTextObjectInterface)
public:
  using QObject::QObject;
  int add(QByteArray svg, const QSizeF& size); // the size in CSS pixels
  bool anyUnreadable() const; // which would be left blank
  void takeTheirPlaces(QTextDocument& document); // once its text is set; the drawings outlive the document
  QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
  void drawObject(QPainter* painter, const QRectF& place, QTextDocument* document, int position, const QTextFormat& format) override;

private:
  struct Drawing {
    QByteArray svg;
    QSizeF size;
  };
  std::vector<Drawing> m_drawings;
};

// Tables wider than the page: every column has its longest word, and of what is left by how much more stands in it.
void shareColumns(QTextDocument& document);

// Lays out for the writer's pages, with margins of two centimetres. Headings and captions go to the page where what follows them begins: of a
// table its first rows, of a drawing all of it with the legend below it.
void layOutPages(QTextDocument& document, const QPdfWriter& paper);
// Characters at which blocks begin that stand on another page than what they name; empty after layOutPages().
std::vector<int> strayCaptions(const QTextDocument& document);

void drawPages(QTextDocument& document, QPdfWriter& paper);

} // namespace voxlab
