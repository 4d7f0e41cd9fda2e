// SPDX-License-Identifier: GPL-3.0-or-later
// How the modes use the GPU, from recorded counters and shapes: instruction mix, why warps wait, and every mode's operators on one roofline.
#pragma once
#include "widgets/models/comparison_model.h"
#include "widgets/pages/card_grid.h"

class QCheckBox;
class QLabel;

namespace voxlab {

class PlotCard;
class ScatterPlot;
class StackedBarPlot;

class CompareCounters : public CardGrid {
  Q_OBJECT
public:
  explicit CompareCounters(const ComparisonModel* model, QWidget* parent = nullptr);
  void refresh(); // the model has changed
  StackedBarPlot* instructions() const { return m_instructions; }
  StackedBarPlot* stalls() const { return m_stalls; }
  ScatterPlot* roofline() const { return m_roofline; }

protected:
  void changeEvent(QEvent* event) override;

private:
  void showInstructions();
  void showStalls();
  void showRoofline();
  QString nameWithTime(std::size_t side) const;
  QString legendOf(const std::vector<std::pair<QString, QString>>& namesAndColours) const;

  const ComparisonModel* m_model;
  StackedBarPlot *m_instructions, *m_stalls;
  ScatterPlot* m_roofline;
  PlotCard *m_instructionsCard, *m_stallsCard, *m_rooflineCard;
  QLabel *m_instructionsWords, *m_stallsWords, *m_rooflineWords;
  QCheckBox* m_shares;
};

} // namespace voxlab
