// SPDX-License-Identifier: GPL-3.0-or-later
// The one window, and the only place that introduces rooms to each other.
#pragma once
#include "app/studio/settings.h"
#include "app/studio/studio_options.h"
#include "app/studio/workbench.h"
#include "widgets/pages/command_palette.h"
#include <QMainWindow>
#include <optional>

class QLabel;
class QToolButton;
class QSplitter;
class QStackedWidget;
class QTabBar;

namespace voxlab {

class ComparePage;
class FoldStrip;
class HostLoad;
class KernelsPage;
class LaunchPage;
class MonitorPage;
class NavRail;
class RunHeader;
class RunsPanel;
class SettingsPage;
class Toasts;
class ViewerPage;
enum class Landing;
enum class SampleStart;

class MainWindow : public QMainWindow {
  Q_OBJECT
public:
  explicit MainWindow(Settings& settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  void begin();                        // looks at the runs and asks the worker
  // Run folders and bundles, traces, counters and volumes; these on top of each other. Shows what was opened, or `page` instead.
  void openPaths(const QStringList& paths, const QString& page = {});
  void openVolume(const QString& file);
  void openProfile(const QString& file);
  void showPage(const QString& name);  // "monitor", "volumes", "kernels", "compare", "new-job", "settings"
  void startExperiment(const QString& title, const ExperimentPlan& plan);
  QString currentPage() const;
  // The runs stand beside every page; beside the volumes in a small window only where they were asked for. Remembered.
  void foldRuns(bool folded);
  bool showsRuns() const;
  // Nothing beside the volumes' views and tools. Other pages stay as they are.
  void setOnlyPictures(bool on);
  bool showsOnlyPictures() const;
  void resizeForNow(const QSize& size); // this time only: the next window is as large as the last that was not resized so
  QList<Command> commands(); // all that can be done now, with keys
  QList<Command> shortcuts(); // with the mouse, too; first what the page that is shown is looked through for
  // Nothing that was asked for is still on its way: runs, catalog, the opened run's pictures, volumes.
  bool isSettled() const;
  QString problem() const; // of what was opened last; empty if there is none

  Workbench& workbench() { return m_workbench; }
  LaunchPage* launchPage() const { return m_launch; }
  MonitorPage* monitorPage() const { return m_monitor; }
  RunsPanel* runsPanel() const { return m_runs; }
  RunHeader* runHeader() const { return m_header; }
  SettingsPage* settingsPage() const { return m_settingsPage; }
  Toasts* toasts() const { return m_toasts; }
  CommandPalette* palette() const { return m_palette; }
  ViewerPage* viewer() const { return m_viewer; }
  KernelsPage* kernels() const { return m_kernels; }
  ComparePage* comparePage() const { return m_compare; }

signals:
  void themeChosen(voxlab::ThemeChoice choice);
  void demoRequested();

protected:
  void closeEvent(QCloseEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  bool followPageKey(int key); // digits, and ? for the sheet of shortcuts
  void buildRail();
  QWidget* buildWorkspace();
  void arrangeSides();
  void toggleOnlyPictures();
  void showShortcuts();
  void addPage(const QString& name, const QString& title, QWidget* page);
  void buildStatusBar();
  void buildActions();
  void connectRuns();
  void connectVolumes();
  void connectKernels();
  void connectLaunch();
  void connectCompare();
  void offerRunsToCompare();
  void showExperiments();
  void askForExperiment();
  void openRunsDialog();
  void openExamples();
  void tellOpened(const QStringList& runs, int alreadyThere);
  void connectSettings();
  void restoreLayout();

  void showCurrentRun();
  void showHeading();
  RunHeading headingOfPage() const;
  QString runOf(const QString& file) const;
  void showSamples();
  void suggestCheckpoint();
  void sampleFromMask(const QString& mask, const QString& likeSample, SampleStart start);
  void lookForSampleOfOwnMask(const QString& runId);
  void showSampleOfOwnMask(const QString& mask, const QString& file, Landing wanted);
  void compareSamplesOf(const QStringList& ids); // of the same seed
  void showProfiles();
  void profileNextSteps(); // of the chosen run
  void showThroughput();
  void showQueue();
  void showEnd(const QString& runId);
  void runAction(const QString& action, const QStringList& ids);
  void queueAction(const QString& action, const QString& id);
  void removeAsked(const QStringList& ids);
  void openDialog();
  void cycleTheme();
  void showTheme();
  void fillSettings();

  Settings& m_settings;
  Workbench m_workbench;
  NavRail* m_rail;
  QStackedWidget* m_places;
  QSplitter* m_splitter;
  bool m_sizedForNow = false, m_isDivided = false, m_onlyPictures = false;
  std::optional<bool> m_runsFolded; // as the user wants it
  FoldStrip* m_foldRuns;
  QToolButton* m_onlyPicturesButton;
  RunsPanel* m_runs;
  RunHeader* m_header;
  QTabBar* m_tabs;
  QStackedWidget* m_pages;
  QStringList m_pageNames;
  MonitorPage* m_monitor;
  ViewerPage* m_viewer;
  KernelsPage* m_kernels;
  ComparePage* m_compare;
  LaunchPage* m_launch;
  SettingsPage* m_settingsPage;
  Toasts* m_toasts;
  CommandPalette* m_palette;
  HostLoad* m_hostLoad;
  QLabel* m_throughput;
  QLabel* m_folder;
  std::size_t m_samplesShown = 0, m_profilesShown = 0;
  QString m_profiledRun; // that the kernels page shows
  QString m_profileAskedOf; // run whose profile is to be announced when it is written
  QStringList m_ownMasks;  // edited in the viewer and handed to jobs that have drawn nothing yet
  bool m_staysInViewer = false; // when the job starts that was asked for there
  QString m_pageAskedFor;    // while bundles are unpacked: what is shown then, in place of what they hold
  bool m_catalogAnswered = false, m_comparesRuns = false;
};

} // namespace voxlab
