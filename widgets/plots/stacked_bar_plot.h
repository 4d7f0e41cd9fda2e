// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that add up to a bar, one bar a name: the categories of each step or of each mode, lying, first name on top.
#pragma once
#include "widgets/plots/plot_view.h"
#include <optional>
#include <vector>

class QCPBars;

namespace voxlab {

class StackedBarPlot : public PlotView {
  Q_OBJECT
public:
  struct Part {
    QString name;                              // in the legend
    QString colour;                            // a name for namedColour()
    std::vector<std::optional<double>> values; // one for each bar; unknown: nothing is drawn
  };

  explicit StackedBarPlot(QWidget* parent = nullptr);
  // Parts that are nowhere above 0 are left out of the legend.
  void setBars(const QStringList& names, std::vector<Part> parts);
  void setLegendVisible(bool visible); // on; where colours are explained elsewhere it can go
  QSize sizeHint() const override;

signals:
  void partClicked(int bar, int part);

protected:
  void applyColours(const ThemeColours& colours) override;
  void rescale() override;
  void viewChanged() override;
  QString tableText() const override;

private:
  void addPart(std::size_t index);
  void addTotals();
  double total(qsizetype bar) const;
  // Bar and part at a place on the canvas; -1 for neither.
  std::pair<int, int> partAt(const QPoint& position) const;
  void showHint(const QPoint& position);

  QStringList m_names;
  std::vector<Part> m_parts;
  bool m_legendVisible = true;
};

} // namespace voxlab
