// SPDX-License-Identifier: GPL-3.0-or-later
// What runs, experiments and the compare page have to do with each other.
#include "app/studio/main_window.h"
#include "app/studio/run_drops.h"
#include "widgets/models/run_words.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/experiment_dialog.h"
#include "widgets/pages/kernels_page.h"
#include "widgets/pages/launch_page.h"
#include "widgets/pages/toasts.h"
#include "widgets/pages/viewer_page.h"
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>
#include <array>

namespace voxlab {

void MainWindow::connectCompare() {
  connect(&m_workbench.store(), &RunStore::scanned, this, &MainWindow::offerRunsToCompare);
  connect(&m_workbench, &Workbench::runsFolderChanged, m_compare, &ComparePage::setRunsFolder);
  connect(m_runs, &RunsPanel::selectionChanged, this, [this](const QStringList& ids) {
    if (ids.size() > 1)
      m_compare->chooseRuns(ids);
  });
  connect(m_compare, &ComparePage::volumeRequested, this, &MainWindow::openVolume);
  connect(m_compare, &ComparePage::differenceRequested, this, [this](const QString& first, const QString& second) {
    m_viewer->showDifference(first, second);
    showPage(QStringLiteral("volumes"));
  });
  connect(m_compare, &ComparePage::examplesRequested, m_runs, &RunsPanel::examplesClicked);
  connect(m_compare, &ComparePage::message, this, [this](const QString& words) { m_toasts->add(ToastKind::Information, words); });
  connect(m_compare, &ComparePage::choiceChanged, this, &MainWindow::showHeading);
  connect(m_compare, &ComparePage::compareModesRequested, this, &MainWindow::askForExperiment);
  connect(m_launch, &LaunchPage::experimentRequested, this, &MainWindow::askForExperiment);
  ExperimentBook& experiments = m_workbench.experiments();
  connect(&experiments, &ExperimentBook::changed, this, &MainWindow::showExperiments);
  connect(&experiments, &ExperimentBook::started, this, [this](const QString&, int runs) {
    m_toasts->add(ToastKind::Information, tr("%n job(s) are in the queue; this page fills as they end.", nullptr, runs));
    showPage(QStringLiteral("compare"));
  });
  connect(m_compare, &ComparePage::experimentStopRequested, this, [this] {
    for (const ExperimentStanding& standing : m_workbench.experiments().standings())
      if (!standing.isOver) {
        m_workbench.experiments().stop(standing.id);
        return;
      }
  });
  connect(&m_workbench, &Workbench::bundleOpened, this, &MainWindow::tellOpened);
  auto* drops = new RunDrops(this);
  for (QWidget* page : {static_cast<QWidget*>(m_viewer), static_cast<QWidget*>(m_kernels)}) // they take drops of their own
    drops->watch(page);
  connect(drops, &RunDrops::dropped, this, [this](const QStringList& paths) { openPaths(paths); });
}

// A run that has more in it than before is read again: its outcome is part of what tells candidates apart.
void MainWindow::offerRunsToCompare() {
  static constexpr std::array<std::string_view, 5> kKinds{"bench", "profile", "sample", "quality", "import"};
  QList<CompareCandidate> candidates;
  for (const RunListing& run : m_workbench.store().runs()) {
    const bool hasResults = run.outcome != RunOutcome::Waiting && run.outcome != RunOutcome::Running;
    if (hasResults && std::find(kKinds.begin(), kKinds.end(), run.info.kind) != kKinds.end())
      candidates.append({QString::fromStdString(run.id), QString::fromStdString(run.path.string()), Workbench::titleOf(run), QString::fromStdString(run.info.kind),
                         outcomeWord(run.outcome)});
  }
  m_compare->setCandidates(candidates);
}

void MainWindow::showExperiments() {
  QList<ExperimentProgress> progress;
  for (const ExperimentStanding& standing : m_workbench.experiments().standings())
    if (!standing.isOver)
      progress.prepend({standing.title, standing.now, standing.done, standing.failed, standing.total}); // the oldest is made first
  m_compare->setExperiments(progress);
}

void MainWindow::askForExperiment() {
  if (!m_workbench.hasCatalog()) {
    m_toasts->add(ToastKind::Attention, tr("The worker has not said yet what it can do here; the settings tell why."), tr("Settings"), [this] { showPage(QStringLiteral("settings")); });
    return;
  }
  ExperimentDialog dialog(m_workbench.catalog(), this);
  dialog.setCheckpoints(m_workbench.checkpointSuggestions());
  const QString demo = m_settings.demoFolder();
  if (QFileInfo(demo + QStringLiteral("/masks")).isDir())
    dialog.setData(demo + QStringLiteral("/masks"), demo + QStringLiteral("/images"));
  if (dialog.exec() == QDialog::Accepted)
    startExperiment(dialog.title(), dialog.plan());
}

void MainWindow::startExperiment(const QString& title, const ExperimentPlan& plan) {
  const auto jobs = plannedJobs(plan, m_workbench.store().folder());
  if (jobs)
    m_workbench.experiments().start(title, *jobs, m_workbench.catalog());
  else
    m_toasts->add(ToastKind::Failure, QString::fromStdString(jobs.error().message));
}

void MainWindow::openExamples() {
  const QString folder = m_settings.examplesFolder();
  if (folder.isEmpty()) {
    m_toasts->add(ToastKind::Attention, tr("This build has no example runs beside it."));
    return;
  }
  showPage(QStringLiteral("compare")); // which fills while they are read
  for (const QFileInfo& entry : QDir(folder).entryInfoList(QDir::Dirs | QDir::Files | QDir::NoDotAndDotDot))
    if (Workbench::looksLikeBundle(entry.absoluteFilePath()))
      m_workbench.openBundle(entry.absoluteFilePath());
    else if (entry.isDir())
      m_workbench.open(entry.absoluteFilePath());
}

void MainWindow::tellOpened(const QStringList& runs, int alreadyThere) {
  const int all = static_cast<int>(runs.size()), fresh = all - alreadyThere;
  QString words = fresh > 0 ? tr("%n run(s) were opened.", nullptr, fresh) : tr("They are open already: %n run(s).", nullptr, all);
  if (fresh > 0 && alreadyThere > 0)
    words += QLatin1Char(' ') + tr("%n more lay here already.", nullptr, alreadyThere);
  m_toasts->add(ToastKind::Information, words);
  showPage(!m_pageAskedFor.isEmpty() ? m_pageAskedFor : all > 1 ? QStringLiteral("compare") : QStringLiteral("monitor"));
}

void MainWindow::openRunsDialog() {
  const QStringList files = QFileDialog::getOpenFileNames(this, tr("Open runs"), {}, tr("Packed runs (*.voxrun);;All files (*)"));
  if (!files.isEmpty())
    openPaths(files);
}

} // namespace voxlab
