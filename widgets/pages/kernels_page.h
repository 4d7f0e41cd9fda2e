// SPDX-License-Identifier: GPL-3.0-or-later
// Where the GPU's time goes, kernel by kernel: a run's profiles, or a trace or counters from anywhere. One selection (time,
// categories, module, words) rules every view. Reading and adding up happen in the background.
#pragma once
#include "core/analysis/profile_view.h"
#include "widgets/models/kernel_table_model.h"
#include "widgets/models/priority_model.h"
#include "widgets/models/profile_selection.h"
#include "widgets/pages/newest_work.h"
#include "widgets/plots/table_text.h"
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QHBoxLayout;
class QSplitter;
class QStackedWidget;
class QVBoxLayout;

namespace voxlab {

class CategoryBar;
class CountersPanel;
class ElidedLabel;
class FactLine;
class IcicleView;
class KernelDetails;
class KernelTableView;
class PlotWidget;
class PriorityList;
class ScatterPlot;
class SelectionBar;
class StackedBarPlot;
class TabCard;
class TimelineView;

class KernelsPage : public QWidget {
  Q_OBJECT
public:
  explicit KernelsPage(QWidget* parent = nullptr);
  ~KernelsPage() override;

  // A run's profiles are read when the page is in sight. Call again when the run has more of them.
  void setRun(const QString& folder, const QString& title);
  void openFile(const QString& path); // a trace or counters by themselves; the run is a click away
  void offerRun(const QString& folder, const QString& title); // behind the file that is shown
  void backToRun();
  enum class RecordOffer { Unknown, NewJob, NextSteps }; // what a run without a profile offers: a running training records at once
  void setRecordOffer(RecordOffer offer);
  void clear();
  bool isLoading() const { return m_reader.isBusy() || m_viewer.isBusy(); }
  QString file() const { return m_file; } // that is shown by itself; empty: a run's
  QString problem() const { return m_problem; }

  ProfileSelection& selection() { return m_selection; }
  const std::shared_ptr<const Profile>& profile() const { return m_profile; }
  const std::shared_ptr<const ProfileView>& view() const { return m_view; }
  void setGrouping(KernelGrouping grouping);
  void chooseKernel(const QString& fullName);
  // "priorities", "kernel", "roofline", "counters" stand beside the table, "timeline", "modules", "steps" below it; in a narrow
  // window all of them do.
  void showTab(const QString& name);
  // In the background, one at a time; reportWritten() tells how it went. Table by suffix: .csv, .json. The report: .html, .txt too.
  void exportTable(const QString& file);
  void exportReport(const QString& file);
  bool isWriting() const { return m_writer.isBusy(); }
  void cancelWriting(); // leaves no new file

signals:
  void openRequested();                        // choose a file
  void recordRequested();                      // a profile of the run that is shown
  void profileShown();
  void viewShown();
  void loadFailed(const QString& sentence);
  void reportWritten(const QString& file, const QString& problem);

protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  struct Loaded {
    std::vector<ProfileSource> sources;
    std::size_t shown = 0;
    std::shared_ptr<const Profile> profile;
    QString problem;
  };
  QWidget* buildEmpty();
  QWidget* buildLoading();
  QWidget* buildContent();
  QWidget* buildToolRow();
  QWidget* buildSide();
  QWidget* buildBottom();
  enum class Width { Unknown, Narrow, Wide };
  void arrange(Width width);
  void fillGroupings(QComboBox* box);
  void buildExportMenu(QPushButton* button);
  void connectViews();
  void connectSelection();

  void read(std::vector<ProfileSource> sources, std::size_t which);
  // Reads one of the sources, on whatever thread it is called; tells how far it is.
  Loaded load(std::vector<ProfileSource> sources, std::size_t which, std::stop_token stop, const NewestWork::Tell& tell);
  void readRun();
  void take(const Loaded& loaded);
  void showProblem(const QString& sentence);
  void askForView();
  void showView(std::shared_ptr<const ProfileView> view);
  void showWayBack();
  void showEmptyTexts();
  bool isOfRange() const; // what is shown is of a time range, and not a step
  QString per() const;    // what its times are of: " a step"
  void showHeadline();
  void showSteps();
  void showRoofline();
  void showDetails();
  void showSelection(); // parts of it that views show at once
  void chooseModulePath(const QString& path);
  void saveAs(const QString& title, const QString& name, const QString& filter, const std::function<void(const QString&)>& save);
  void savePlot(PlotWidget* plot);
  QWidget* buildWriting();
  // Writes a file beside the window, and says so where that takes long. The work returns what went wrong, or nothing.
  using WriteFile = std::function<QString(std::stop_token, const std::function<void(double)>& progress)>;
  void write(const QString& file, WriteFile work);
  void writeNumbers(const QString& file, TableSource numbers); // without a file: to the clipboard
  bool mayWrite(const QString& file);

  ProfileSelection m_selection;
  NewestWork m_reader, m_viewer, m_writer;
  QString m_folder, m_runTitle, m_file, m_problem; // the run; a file by itself
  QString m_title;                                 // of what is shown
  bool m_isRunRead = false;
  std::vector<ProfileSource> m_sources;
  std::shared_ptr<const Profile> m_profile;
  std::shared_ptr<const ProfileView> m_view;
  KernelGrouping m_grouping = KernelGrouping::Kernel;
  int m_stepsABar = 1;
  QStringList m_roofOperators; // of the roofline's points
  Width m_width = Width::Unknown;
  QString m_sideShown, m_bottomShown; // in front there when there was room beside the table

  KernelTableModel* m_tableModel;
  PriorityModel* m_priorityModel;
  QStackedWidget* m_states;
  QWidget *m_empty, *m_loading, *m_content;
  QLabel *m_emptyTitle, *m_emptyHelp, *m_loadingWhat;
  QPushButton* m_record;
  QProgressBar *m_progress, *m_written;
  QWidget* m_writing; // which file, how far, and a way to stop it
  ElidedLabel* m_writingWhat;
  QComboBox *m_sourceBox, *m_groupBox;
  QPushButton *m_back, *m_backFromEmpty;
  QLineEdit* m_search;
  FactLine* m_headline;
  QVBoxLayout* m_column; // tools, selection where it has a row of its own, summary, all else
  QHBoxLayout* m_tools;
  SelectionBar* m_chips;
  CategoryBar* m_bar;
  QSplitter *m_middle, *m_all; // table and what stands beside it; both and what lies below
  KernelTableView* m_table;
  TabCard *m_side, *m_bottom;
  PriorityList* m_priorities;
  KernelDetails* m_details;
  ScatterPlot* m_roofline;
  QLabel* m_rooflineNote;
  CountersPanel* m_counters;
  QLabel* m_noCounters;
  TimelineView* m_timeline;
  IcicleView* m_icicle;
  StackedBarPlot* m_steps;
};

} // namespace voxlab
