// SPDX-License-Identifier: GPL-3.0-or-later
// One horizontal bar a name, in groups (one a colour), with the spread drawn and the value written at its end.
#pragma once
#include "widgets/plots/plot_view.h"
#include <optional>
#include <vector>

namespace voxlab {

class BarPlot : public PlotView {
  Q_OBJECT
public:
  struct Bar {
    std::optional<double> value;  // unknown: no bar
    std::optional<double> spread; // half the length of the whisker
  };
  struct Group {
    QString name;   // in the legend
    QString colour; // a name for namedColour()
    std::vector<Bar> bars; // one for each name
  };

  explicit BarPlot(QWidget* parent = nullptr);
  void setBars(const QStringList& names, std::vector<Group> groups);
  void setReference(std::optional<double> value); // a line across all bars: 1 for measures normalised to a baseline
  void setWhole(std::optional<double> value);     // where the axis ends, should no bar be longer: 100 for parts of a hundred
  // Every name's bars divided by that of one group, spread too; names that it has no value of become unknown.
  static std::vector<Group> normalised(std::vector<Group> groups, std::size_t baseline);
  QSize sizeHint() const override;

protected:
  void applyColours(const ThemeColours& colours) override;
  void rescale() override;
  void viewChanged() override;
  QString tableText() const override;

private:
  void addGroup(std::size_t index);
  void addReference();
  static QString valueText(const Bar& bar);
  double position(std::size_t group, qsizetype name) const;

  QStringList m_names;
  std::vector<Group> m_groups;
  std::optional<double> m_reference, m_whole;
};

} // namespace voxlab
