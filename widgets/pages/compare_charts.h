// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison in pictures: any measure as bars normalised to the baseline, where a step's time goes in each mode, quality against
// speed.
#pragma once
#include "core/analysis/experiment_report.h"
#include "widgets/models/comparison_model.h"
#include "widgets/pages/card_grid.h"
#include <QHash>

class QCheckBox;
class QComboBox;
class QLabel;

namespace voxlab {

class BarPlot;
class PlotCard;
class ScatterPlot;
class StackedBarPlot;

class CompareCharts : public CardGrid {
  Q_OBJECT
public:
  explicit CompareCharts(const ComparisonModel* model, QWidget* parent = nullptr);
  void setSet(const ComparisonSet* set); // outlives the charts' use of it
  void refresh();                        // the model has changed
  void setVolumeNames(const QHash<QString, QString>& names); // the user's, of points as recorded
  void chooseMeasure(int column);
  void setFrontShown(bool shown);      // the card of quality against speed
  void setCategoriesShown(bool shown); // where a step's time goes
  BarPlot* bars() const { return m_bars; }
  QComboBox* measureBox() const { return m_measure; }
  StackedBarPlot* categories() const { return m_categories; }
  ScatterPlot* front() const { return m_front; }
  QLabel* frontLegend() const { return m_frontLegend; } // which colour is which mode
  QLabel* frontWords() const { return m_frontWords; }   // what its values are, and what a click did not do

signals:
  void volumeRequested(const QString& file);
  void differenceRequested(const QString& first, const QString& second); // of two points of the front
  void message(const QString& words);

protected:
  void changeEvent(QEvent* event) override;

private:
  void fillMeasures();
  void showBars();
  void showCategories();
  void showFront();
  void showFrontLegend();
  void setFrontNote(const QString& note);
  void showFrontWords(const QString& problem); // of the last click, above the note, which stays
  void choosePoint(int point, Qt::KeyboardModifiers modifiers);
  const VolumePoint* pointOf(int point) const; // of the plot's; nullptr: none

  const ComparisonModel* m_model;
  const ComparisonSet* m_set = nullptr;
  PlotCard *m_barsCard, *m_categoriesCard, *m_frontCard;
  BarPlot* m_bars;
  StackedBarPlot* m_categories;
  ScatterPlot* m_front;
  QComboBox *m_measure, *m_quality;
  bool m_measureChosen = false; // by the user
  QCheckBox *m_shares;
  QLabel *m_frontWords, *m_legend, *m_frontLegend;
  QString m_frontNote;
  QHash<QString, QString> m_volumeNames;
  std::vector<std::size_t> m_frontPoints; // into the set's points, by index of the plot's
};

} // namespace voxlab
