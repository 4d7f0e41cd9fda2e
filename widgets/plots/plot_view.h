// SPDX-License-Identifier: GPL-3.0-or-later
// What all plots with axes share: theme from the palette, axis titles with units, a sentence while there is nothing to draw,
// wheel to zoom, drag to move, double click to see everything again.
#pragma once
#include "widgets/plots/plot_widget.h"

class QCustomPlot;
class QLabel;

namespace voxlab {

enum class AxisScale { Linear, Logarithmic };

class PlotView : public PlotWidget {
  Q_OBJECT
public:
  explicit PlotView(QWidget* parent = nullptr);
  ~PlotView() override;

  void setAxisTitles(const QString& x, const QString& y); // with units: "Step", "Step time (ms)"
  void setEmptyText(const QString& sentence);             // shown instead of an empty plot
  bool showsData() const override { return m_showsData; }
  QSize sizeHint() const override { return {420, 160}; }
  QSize minimumSizeHint() const override { return {200, 110}; }

public slots:
  void resetView() override; // everything in sight, and follow what comes

protected:
  QCustomPlot* canvas() const { return m_canvas; }
  bool followsData() const { return m_followsData; }
  void setShowsData(bool showsData);
  void redraw(); // soon: several calls are drawn once
  // Names at the left axis, one a unit; long ones are shortened in the middle, so that the plot keeps more than half of the width.
  void nameRows(const QStringList& names, qsizetype stride = 1);
  void setLegendShown(bool shown);

  virtual void applyColours(const ThemeColours& colours); // the base dresses axes, grid and legend
  virtual void rescale() = 0;                             // axes to the data
  virtual void viewChanged() {}                           // the user moved or zoomed

  void changeEvent(QEvent* event) override;
  bool writePicture(const QString& file, const QString& suffix) override;
  QPixmap picture() override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void dress();
  void setUpInteraction();

  QCustomPlot* m_canvas = nullptr;
  QLabel* m_empty = nullptr;
  bool m_showsData = false;
  bool m_followsData = true;
};

} // namespace voxlab
