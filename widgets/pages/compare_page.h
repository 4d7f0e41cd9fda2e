// SPDX-License-Identifier: GPL-3.0-or-later
// Modes and runs side by side: a heat table, why the fast ones are fast, bars, categories, quality against speed. Reads run folders
// of any machine; nothing needs a GPU.
#pragma once
#include "core/analysis/experiment_report.h"
#include <QStringList>
#include <QWidget>
#include <stop_token>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTabBar;

namespace voxlab {

class CompareCharts;
class CompareDifferences;
class CompareHeatTable;
class ComparisonModel;

// A run that could be compared.
struct CompareCandidate {
  QString id, path, title, kind;
  QString state; // in words; a run whose state changes is read again
  bool operator==(const CompareCandidate&) const = default;
};

class ComparePage : public QWidget {
  Q_OBJECT
public:
  explicit ComparePage(QWidget* parent = nullptr);
  ~ComparePage() override;

  // Runs that hold benchmarks, profiles, samples or quality results. Until the user chooses, all of them are compared.
  void setCandidates(const QList<CompareCandidate>& candidates);
  void chooseRuns(const QStringList& ids); // only these
  QStringList chosenRuns() const { return m_chosen; }
  bool isReady() const { return !m_loading; } // everything chosen has been read
  // .html, .csv, .json, .txt or .md, told by the suffix. Fails with Usage on another, with Data when it cannot be written.
  Status exportTo(const QString& file) const;

  ComparisonModel* model() const { return m_model; }
  CompareHeatTable* table() const { return m_table; }
  CompareCharts* charts() const { return m_charts; }
  CompareDifferences* differences() const { return m_differences; }
  QLabel* sentences() const { return m_sentences; }

protected:
  void showEvent(QShowEvent* event) override;

signals:
  void volumeRequested(const QString& file);
  void compareModesRequested();
  void examplesRequested();
  void message(const QString& words);

private:
  enum class Part { Training, Sampling, Volumes };
  QWidget* buildBar();
  QWidget* buildEmpty();
  QWidget* buildContent();
  void chooseInteractively();
  void exportInteractively();
  void reload();
  void take(int generation, const ComparisonSet& set);
  void showPart();
  void showSentences();
  const std::vector<ComparedRun>& sidesOf(Part part) const;
  Part part() const;

  QList<CompareCandidate> m_candidates;
  QStringList m_chosen;
  bool m_userHasChosen = false, m_loading = false, m_stale = false; // stale: to be read as soon as it is seen
  int m_generation = 0;
  std::stop_source m_stop;
  ComparisonSet m_set;
  std::vector<ComparedRun> m_volumes;
  std::string m_baseline; // a mode or side's name; empty: the usual one
  ComparisonModel* m_model;
  QStackedWidget* m_stack;
  QTabBar* m_parts;
  QComboBox *m_baselineBox, *m_show;
  QLineEdit* m_filter;
  QPushButton* m_runsButton;
  QProgressBar* m_busy;
  QLabel *m_sentences, *m_notes, *m_emptyWords;
  CompareHeatTable* m_table;
  CompareCharts* m_charts;
  CompareDifferences* m_differences;
};

} // namespace voxlab
