// SPDX-License-Identifier: GPL-3.0-or-later
// Modes and runs side by side: a heat table, why the fast ones are fast, bars, categories, counters, cost in use, quality against speed,
// equal seeds. Reads run folders of any machine; nothing needs a GPU.
#pragma once
#include "core/analysis/experiment_report.h"
#include "widgets/models/saved_comparison.h"
#include <QStringList>
#include <QWidget>
#include <optional>
#include <stop_token>

class QComboBox;
class QFrame;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTabBar;
class QTimer;

namespace voxlab {

class CompareCharts;
class CompareCounters;
class CompareDifferences;
class CompareHeatTable;
class ComparePlanning;
class CompareTriptych;
class ComparisonModel;

// A run that could be compared.
struct CompareCandidate {
  QString id, path, title, kind;
  QString state; // in words; a run whose state changes is read again
  bool operator==(const CompareCandidate&) const = default;
};

// An experiment that is under way: how much of it there is already.
struct ExperimentProgress {
  QString title, now; // now: what is being done
  int done = 0, failed = 0, total = 0;
  bool operator==(const ExperimentProgress&) const = default;
};

class ComparePage : public QWidget {
  Q_OBJECT
public:
  explicit ComparePage(QWidget* parent = nullptr);
  ~ComparePage() override;

  // Runs that hold benchmarks, profiles, samples or quality results. Until the user chooses, all of them are compared.
  void setCandidates(const QList<CompareCandidate>& candidates);
  void chooseRuns(const QStringList& ids); // only these
  int runCount() const; // that are compared
  bool isReady() const; // everything chosen has been read
  // .html, .pdf, .csv, .json, .txt or .md, told by the suffix. Fails with Usage on another, with Data when it cannot be written.
  Status exportTo(const QString& file) const;

  // Where comparisons are kept: names, notes, order, prices. The one that was used last is taken up again.
  void setRunsFolder(const QString& folder);
  void setExperiments(const QList<ExperimentProgress>& experiments);
  const SavedComparison& saved() const { return m_saved; }
  Status saveAs(const QString& name);
  Status openSaved(const QString& name);

  ComparisonModel* model() const { return m_model; }
  CompareHeatTable* table() const { return m_table; }
  CompareCharts* charts() const { return m_charts; }
  CompareCounters* counters() const { return m_counters; }
  ComparePlanning* planning() const { return m_planning; }
  CompareTriptych* triptych() const { return m_triptych; }
  CompareDifferences* differences() const { return m_differences; }
  QLabel* headline() const { return m_headline; }
  QLabel* sentences() const { return m_sentences; }
  QLabel* lack() const { return m_lack; } // that what was asked for is not there
  QComboBox* workloadBox() const { return m_workloadBox; }
  QComboBox* repeatsBox() const { return m_repeatsBox; } // each mode once, or as often as runs measured it
  QFrame* experimentStrip() const { return m_experiments; }
  // "training", "sampling", "volumes": what is compared; "charts", "equal-seeds", "why", "in-use", "counters": scrolled to, as soon as it is
  // read. Other words are left alone.
  void bringToFront(const QString& part);

protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override; // what is scrolled grows as it is filled

signals:
  void volumeRequested(const QString& file);
  void differenceRequested(const QString& first, const QString& second);
  void compareModesRequested();
  void experimentStopRequested();
  void choiceChanged(); // other runs are compared
  void examplesRequested();
  void message(const QString& words);

private:
  enum class Part { Training, Sampling, Volumes };
  enum class Reading { Beginning, Everything };
  QWidget* buildBar();
  QWidget* buildEmpty();
  QWidget* buildContent();
  QFrame* buildHeatCard();
  void buildExperiments();
  void connectContent();
  void chooseInteractively();
  void exportInteractively();
  void reload();
  void take(int generation, const ComparisonSet& set, Reading reading);
  void refresh();
  void fillBoxes(const std::vector<ComparedRun>& all, const std::vector<ComparedRun>& shown);
  void showNames();
  void showHeadline();
  void showSentences();
  void moveSide(int row, int by);
  void scrollToWanted();
  QWidget* placeNamed(const QString& name) const; // nullptr: there is none of that name
  void showLack();
  void takeSaved(const SavedComparison& saved);
  void fillSavedMenu();
  void nameButtons(); // by words where there is room
  void saveSoon();
  Status saveNow();
  const std::vector<ComparedRun>& sidesOf(Part part) const;
  std::vector<ComparedRun> shownOf(Part part) const; // of the chosen size and device, named, in the user's order
  std::optional<std::string> workloadOf(Part part) const;
  std::string baselineModeOf(const std::vector<ComparedRun>& sides) const;
  QHash<QString, QString> namesOf(const std::vector<ComparedRun>& sides) const;
  Part part() const;
  QString lackOf(Part part) const;

  QList<CompareCandidate> m_candidates;
  QStringList m_chosen;
  bool m_userHasChosen = false, m_loading = false, m_stale = false; // stale: to be read as soon as it is seen
  bool m_partAsked = false; // m_wantedPart is somebody's wish
  int m_generation = 0;
  QString m_wanted; // to be scrolled to
  int m_wantedPart = 0; // of m_parts: shown as soon as there is something of it
  std::stop_source m_stop;
  ComparisonSet m_set;
  std::vector<ComparedRun> m_volumes;
  SavedComparison m_saved;
  std::optional<ComparisonShelf> m_shelf;
  QString m_savedName;
  ComparisonModel* m_model;
  QStackedWidget* m_stack;
  QScrollArea* m_scroll = nullptr;
  QHBoxLayout* m_bar;
  QTabBar* m_parts;
  QComboBox *m_baselineBox, *m_show, *m_workloadBox, *m_deviceBox, *m_repeatsBox;
  QLineEdit* m_filter;
  QPushButton *m_runsButton, *m_savedButton, *m_reportButton, *m_modesButton;
  QMenu* m_savedMenu;
  QProgressBar* m_busy;
  QFrame* m_experiments;
  QProgressBar* m_experimentBar;
  QLabel *m_headline, *m_sentences, *m_lack, *m_notes, *m_emptyWords, *m_experimentWords;
  QTimer* m_saveTimer;
  CompareHeatTable* m_table;
  CompareCharts* m_charts;
  CompareCounters* m_counters;
  ComparePlanning* m_planning;
  CompareTriptych* m_triptych;
  CompareDifferences* m_differences;
};

} // namespace voxlab
