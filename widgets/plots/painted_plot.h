// SPDX-License-Identifier: GPL-3.0-or-later
// A plot that paints itself, for what has no axes: bars of categories, time lines, icicles.
#pragma once
#include "widgets/plots/plot_widget.h"

namespace voxlab {

class PaintedPlot : public PlotWidget {
  Q_OBJECT
public:
  explicit PaintedPlot(QWidget* parent = nullptr);
  void setEmptyText(const QString& sentence);

protected:
  // Draws everything into a rectangle of this size from the origin: the widget, or a file's page.
  virtual void paint(QPainter& painter, const QSize& size) = 0;
  virtual QSize pageSize() const; // of pictures in files and in the clipboard: all of it, where the widget has to be scrolled
  QFont smallFont() const;
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool writePicture(const QString& file, const QString& suffix) override;
  QPixmap picture() override;

private:
  void paintPage(QPainter& painter, const QSize& size);
  QString m_emptyText;
};

// Dark or light words, whichever stand out more on this colour.
QColor readableOn(const QColor& background);
QColor blended(const QColor& from, const QColor& to, double share); // share 0: from, 1: to

} // namespace voxlab
