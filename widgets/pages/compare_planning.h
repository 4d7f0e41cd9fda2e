// SPDX-License-Identifier: GPL-3.0-or-later
// What the modes cost those who use them: latency, throughput, energy and money a volume, and a whole training. Prices are the user's.
#pragma once
#include "core/analysis/deployment.h"
#include <QFrame>
#include <QHash>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QSpinBox;
class QTableWidget;

namespace voxlab {

class BarPlot;

class ComparePlanning : public QFrame {
  Q_OBJECT
public:
  explicit ComparePlanning(QWidget* parent = nullptr);
  // Sides of one size, as they are shown; names: what the user calls them, by their own.
  void setSides(std::vector<ComparedRun> sampling, std::vector<ComparedRun> training, const QHash<QString, QString>& names);
  void setPlan(const DeploymentPlan& plan, const QString& currency);
  const DeploymentPlan& plan() const { return m_plan; }
  QString currency() const;
  BarPlot* chart() const { return m_chart; }
  QTableWidget* table() const { return m_table; }
  Status exportTo(const QString& file) const; // the table; as writeTable()

signals:
  void planChanged(); // by the user
  void message(const QString& words);

private:
  enum class Figure { Latency, Throughput, Energy, Cost, Training, TrainingEnergy, TrainingCost };
  void buildPrices();
  void refresh();
  void showChart();
  void showTable();
  QString tableText() const;
  void exportInteractively();
  QString nameOf(const DeploymentRow& row) const;

  DeploymentPlan m_plan;
  std::vector<ComparedRun> m_sampling, m_training;
  std::vector<DeploymentRow> m_rows;
  QHash<QString, QString> m_names;
  QComboBox* m_figure;
  QSpinBox *m_samplingSteps, *m_trainingSteps;
  QLineEdit* m_currency;
  QWidget* m_prices;
  QLabel* m_words;
  BarPlot* m_chart;
  QTableWidget* m_table;
  QStringList m_pricedDevices;
  bool m_filling = false;
};

} // namespace voxlab
