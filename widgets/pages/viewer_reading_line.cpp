// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_reading_line.h"
#include <QContextMenuEvent>
#include <QEvent>
#include <QGuiApplication>
#include <QClipboard>
#include <QMenu>

namespace voxlab {
namespace {

// One row for each volume, values at the right edge of theirs.
QString asTip(const ViewerReading& reading) {
  QString rows;
  const auto add = [&](const QString& name, const QString& value, const QString& voxel) {
    rows += QStringLiteral("<tr><td>%1</td><td align='right'>&nbsp;&nbsp;<b>%2</b></td><td>&nbsp;&nbsp;%3</td></tr>")
                .arg(name.toHtmlEscaped(), value.toHtmlEscaped(), voxel.toHtmlEscaped());
  };
  for (const ViewerReading::Value& each : reading.values)
    add(each.name, each.value, each.voxel);
  QString text = QStringLiteral("<p>%1</p><table>%2</table>").arg(QStringList({reading.position, reading.voxel}).join(QStringLiteral(" &nbsp; ")), rows);
  for (const QString& more : {reading.difference, reading.label})
    if (!more.isEmpty())
      text += QStringLiteral("<p>%1</p>").arg(more.toHtmlEscaped());
  return text;
}

} // namespace

ViewerReadingLine::ViewerReadingLine(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  setAccessibleName(tr("Position, value and label under the pointer"));
}

void ViewerReadingLine::setReading(const ViewerReading& reading) {
  m_reading = reading;
  fit();
}

void ViewerReadingLine::copy() const { QGuiApplication::clipboard()->setText(m_reading.table()); }

void ViewerReadingLine::fit() {
  const int room = contentsRect().width();
  const auto width = [this](const QString& text) { return fontMetrics().horizontalAdvance(text); };
  const QString line = m_reading.fitted(width, room);
  setText(fontMetrics().elidedText(line, Qt::ElideRight, room));
  const bool says = m_reading.values.size() > 1 || text() != m_reading.text(); // more than the line does
  setToolTip(says ? asTip(m_reading) : QString());
}

void ViewerReadingLine::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  fit();
}

void ViewerReadingLine::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::FontChange)
    fit();
}

void ViewerReadingLine::contextMenuEvent(QContextMenuEvent* event) {
  if (m_reading.position.isEmpty())
    return;
  QMenu menu(this);
  menu.addAction(tr("Copy the values"), this, &ViewerReadingLine::copy);
  menu.exec(event->globalPos());
}

} // namespace voxlab
