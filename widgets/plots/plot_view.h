// SPDX-License-Identifier: GPL-3.0-or-later
// What all plots share: theme from the palette, axis titles with units, export to SVG, PDF, PNG and CSV, a sentence while
// there is nothing to draw, wheel to zoom, drag to move, double click to see everything again.
#pragma once
#include "core/base/result.h"
#include "widgets/plots/theme_colours.h"
#include <QWidget>

class QCustomPlot;
class QLabel;

namespace voxlab {

enum class AxisScale { Linear, Logarithmic };

class PlotView : public QWidget {
  Q_OBJECT
public:
  explicit PlotView(QWidget* parent = nullptr);
  ~PlotView() override;

  void setAxisTitles(const QString& x, const QString& y); // with units: "Step", "Step time (ms)"
  void setEmptyText(const QString& sentence);             // shown instead of an empty plot
  void setExportName(const QString& name);                // suggested file name, without suffix
  // The format is told by the suffix: .svg, .pdf, .png (twice the size on screen) or .csv (the numbers, not the picture).
  // Fails with Data when the file cannot be written, with Usage on another suffix.
  Status exportTo(const QString& file);
  bool showsData() const { return m_showsData; }
  QSize sizeHint() const override { return {420, 160}; }
  QSize minimumSizeHint() const override { return {200, 110}; }

public slots:
  void resetView(); // everything in sight, and follow what comes

protected:
  QCustomPlot* canvas() const { return m_canvas; }
  ThemeKind themeKind() const;
  bool followsData() const { return m_followsData; }
  void setShowsData(bool showsData);
  void redraw(); // soon: several calls are drawn once
  void setLegendShown(bool shown);

  virtual void applyColours(const ThemeColours& colours); // the base dresses axes, grid and legend
  virtual void rescale() = 0;                             // axes to the data
  virtual void viewChanged() {}                           // the user moved or zoomed
  virtual QString tableText() const = 0;                  // the numbers as CSV

  void changeEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void dress();
  void setUpInteraction();
  void saveInteractively();
  Status exportPicture(const QString& file, const QString& suffix);

  QCustomPlot* m_canvas = nullptr;
  QLabel* m_empty = nullptr;
  QString m_exportName = QStringLiteral("plot");
  bool m_showsData = false;
  bool m_followsData = true;
};

} // namespace voxlab
