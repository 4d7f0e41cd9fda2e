// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/main_window.h"
#include "app/studio/host_load.h"
#include "core/analysis/profile.h"
#include "core/base/text.h"
#include "widgets/models/run_words.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/fold_strip.h"
#include "widgets/pages/kernels_page.h"
#include "widgets/pages/launch_page.h"
#include "widgets/pages/monitor_page.h"
#include "widgets/pages/nav_rail.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/settings_page.h"
#include "widgets/pages/toasts.h"
#include "widgets/pages/viewer_page.h"
#include <QApplication>
#include <QDir>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QScreen>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace voxlab {
namespace {
constexpr int kRunsWidth = 312, kRoomForRuns = 1200; // beside the volumes
const QString kWorkspace = QStringLiteral("runs"), kNewJob = QStringLiteral("new-job"), kSettings = QStringLiteral("settings");
const QString kMonitor = QStringLiteral("monitor"), kVolumes = QStringLiteral("volumes"), kKernels = QStringLiteral("kernels");
const QString kCompare = QStringLiteral("compare");
} // namespace

MainWindow::MainWindow(Settings& settings, QWidget* parent)
    : QMainWindow(parent), m_settings(settings), m_workbench(settings), m_rail(new NavRail), m_places(new QStackedWidget) {
  setWindowTitle(tr("Voxlab"));
  qApp->installEventFilter(this); // for keys that lists would take
  m_launch = new LaunchPage;
  m_settingsPage = new SettingsPage;
  m_places->addWidget(buildWorkspace());
  m_places->addWidget(m_launch);
  m_places->addWidget(m_settingsPage);
  buildRail();
  auto* center = new QWidget;
  auto* row = new QHBoxLayout(center);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(m_rail);
  row->addWidget(m_places, 1);
  setCentralWidget(center);
  m_toasts = new Toasts(this);
  m_palette = new CommandPalette(this);
  buildStatusBar();
  buildActions();
  connectRuns();
  connectVolumes();
  connectKernels();
  connectLaunch();
  connectCompare();
  connectSettings();
  setAcceptDrops(true);
  restoreLayout();
  showPage(kMonitor);
  arrangeSides();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildRail() {
  m_rail->addPlace(kNewJob, tr("New job"), QStringLiteral("new-job"));
  m_rail->addPlace(kWorkspace, tr("Runs"), QStringLiteral("runs"));
  m_rail->addPlace(kSettings, tr("Settings"), QStringLiteral("settings"));
  m_rail->addTool(QStringLiteral("commands"), tr("Commands (Ctrl+K)"), QStringLiteral("search"));
  m_rail->addTool(QStringLiteral("theme"), tr("Theme"), QStringLiteral("sun"));
  m_rail->addTool(QStringLiteral("shortcuts"), tr("Shortcuts (?)"), QStringLiteral("keyboard"));
  connect(m_rail, &NavRail::placeChosen, this, [this](const QString& name) { showPage(name); });
  connect(m_rail, &NavRail::toolPressed, this, [this](const QString& name) {
    if (name == QLatin1String("commands"))
      m_palette->open(commands());
    else if (name == QLatin1String("theme"))
      cycleTheme();
    else
      showShortcuts();
  });
  m_hostLoad = new HostLoad(this);
  connect(m_hostLoad, &HostLoad::measured, this, [this](std::optional<double> share) {
    m_rail->cpuMeter()->add(share, tr("Load of this computer's processors"));
    const auto state = m_workbench.follower().state();
    const bool live = state && m_workbench.heading().outcome == RunOutcome::Running;
    const auto load = live ? state->series(Measure::GpuUtilisation).last() : std::nullopt;
    m_rail->gpuMeter()->add(load ? std::optional(*load / 100) : std::nullopt,
                            load ? tr("Load of the GPU, as the selected run reports it") : tr("No figures: the selected run does not use a GPU"));
  });
}

QWidget* MainWindow::buildWorkspace() {
  m_runs = new RunsPanel(m_workbench.runs());
  m_header = new RunHeader;
  m_tabs = new QTabBar;
  m_tabs->setDrawBase(false);
  m_tabs->setExpanding(false);
  m_tabs->setAccessibleName(tr("Pages"));
  m_tabs->setObjectName(QStringLiteral("pages"));
  m_pages = new QStackedWidget;
  m_monitor = new MonitorPage;
  addPage(kMonitor, tr("Monitor"), m_monitor);
  m_viewer = new ViewerPage;
  addPage(kVolumes, tr("Volumes"), m_viewer);
  m_kernels = new KernelsPage;
  addPage(kKernels, tr("Kernels"), m_kernels);
  m_compare = new ComparePage;
  addPage(kCompare, tr("Compare"), m_compare);

  auto* tabRow = new QFrame;
  setRole(tabRow, "header");
  auto* tabs = new QHBoxLayout(tabRow);
  tabs->setContentsMargins(22, 0, 24, 0);
  tabs->addWidget(m_tabs, 1);
  m_onlyPicturesButton = makeToolButton(QStringLiteral("viewer-focus"), tr("Only the pictures, and back (F11)"));
  m_onlyPicturesButton->setCheckable(true);
  connect(m_onlyPicturesButton, &QToolButton::clicked, this, &MainWindow::setOnlyPictures);
  tabs->addWidget(m_onlyPicturesButton);
  auto* column = new QVBoxLayout;
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_header);
  column->addWidget(tabRow);
  column->addWidget(m_pages, 1);
  m_foldRuns = new FoldStrip(FoldStrip::Side::Left, tr("the runs"), tr("Ctrl+B"));
  connect(m_foldRuns, &FoldStrip::clicked, this, [this] { foldRuns(showsRuns()); });
  auto* right = new QWidget;
  auto* row = new QHBoxLayout(right);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(m_foldRuns);
  row->addLayout(column, 1);
  m_splitter = new QSplitter;
  m_splitter->setChildrenCollapsible(false);
  m_splitter->setHandleWidth(1);
  m_splitter->addWidget(m_runs);
  m_splitter->addWidget(right);
  m_splitter->setStretchFactor(1, 1);
  m_splitter->setSizes({kRunsWidth, 1000});
  connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
    m_pages->setCurrentIndex(index);
    showHeading();
    arrangeSides();
    showThroughput();
  });
  return m_splitter;
}

void MainWindow::addPage(const QString& name, const QString& title, QWidget* page) {
  m_pageNames << name;
  m_pages->addWidget(page);
  m_tabs->addTab(title);
}

void MainWindow::buildStatusBar() {
  m_throughput = makeLabel({});
  m_folder = makeLabel({});
  m_folder->setToolTip(tr("Folder of the runs; change it in the settings"));
  statusBar()->setSizeGripEnabled(false);
  m_throughput->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long sentence must not widen the window
  statusBar()->addWidget(m_throughput, 1);
  statusBar()->addPermanentWidget(m_folder);
}

void MainWindow::restoreLayout() {
  resize(1440, 900);
  restoreGeometry(m_settings.windowLayout(QStringLiteral("geometry")));
  const QByteArray divided = m_settings.windowLayout(QStringLiteral("splitter"));
  m_isDivided = m_splitter->restoreState(divided);
  if (const QByteArray runs = m_settings.windowLayout(QStringLiteral("runs")); !runs.isEmpty())
    m_runsFolded = runs == "folded";
  showTheme();
}

// In a small window the pages need the room more than the runs; until the user divides it.
void MainWindow::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (std::exchange(m_isDivided, true))
    return;
  const int runs = std::min(kRunsWidth, width() / 4);
  m_splitter->setSizes({runs, m_splitter->width() - runs});
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  arrangeSides();
}

bool MainWindow::showsOnlyPictures() const { return m_onlyPictures && m_pageNames.value(m_tabs->currentIndex()) == kVolumes; }
bool MainWindow::showsRuns() const { return !m_runs->isHidden(); }

void MainWindow::foldRuns(bool folded) {
  m_runsFolded = folded;
  m_settings.setWindowLayout(QStringLiteral("runs"), folded ? "folded" : "shown");
  arrangeSides();
}

void MainWindow::setOnlyPictures(bool on) {
  m_onlyPictures = on;
  arrangeSides();
}

void MainWindow::arrangeSides() {
  const bool besideVolumes = m_pageNames.value(m_tabs->currentIndex()) == kVolumes, onlyPictures = showsOnlyPictures();
  const bool folded = m_runsFolded.value_or(besideVolumes && width() < kRoomForRuns);
  m_runs->setVisible(!folded && !onlyPictures);
  m_foldRuns->setFolded(folded);
  m_foldRuns->setVisible(!onlyPictures);
  m_rail->setVisible(!onlyPictures);
  m_onlyPicturesButton->setVisible(besideVolumes);
  m_onlyPicturesButton->setChecked(onlyPictures);
  m_viewer->setOnlyPictures(onlyPictures);
  m_header->setVisible(!m_header->heading().title.isEmpty() && !onlyPictures);
}

void MainWindow::resizeForNow(const QSize& size) {
  m_sizedForNow = true;
  resize(size);
  const QRect room = screen()->availableGeometry(); // where the last window lay, this one may reach out
  const QSize whole = frameGeometry().size();
  move(std::clamp(x(), room.left(), std::max(room.left(), room.right() + 1 - whole.width())),
       std::clamp(y(), room.top(), std::max(room.top(), room.bottom() + 1 - whole.height())));
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!m_viewer->mayLoseEdits())
    return event->ignore();
  if (!m_sizedForNow)
    m_settings.setWindowLayout(QStringLiteral("geometry"), saveGeometry());
  m_settings.setWindowLayout(QStringLiteral("splitter"), m_splitter->saveState());
  event->accept(); // jobs go on without the window
}

void MainWindow::begin() {
  m_workbench.begin();
  m_folder->setText(tr("runs in %1").arg(m_settings.runsFolder()));
  fillSettings();
}

void MainWindow::showPage(const QString& name) {
  if (name == kNewJob || name == kSettings) {
    m_places->setCurrentWidget(name == kNewJob ? static_cast<QWidget*>(m_launch) : m_settingsPage);
    m_rail->setCurrent(name);
    return;
  }
  m_places->setCurrentIndex(0);
  m_rail->setCurrent(kWorkspace);
  const QStringList parts = name.split(QLatin1Char('/')); // "kernels/roofline/steps": a page and what is in front on it
  if (const auto index = m_pageNames.indexOf(parts.first()); index >= 0)
    m_tabs->setCurrentIndex(static_cast<int>(index));
  for (const QString& part : parts.mid(1)) {
    m_kernels->showTab(part);
    m_compare->bringToFront(part);
  }
}

QString MainWindow::currentPage() const {
  if (m_places->currentWidget() == m_launch)
    return kNewJob;
  if (m_places->currentWidget() == m_settingsPage)
    return kSettings;
  return m_pageNames.value(m_tabs->currentIndex());
}

void MainWindow::openPaths(const QStringList& paths, const QString& page) {
  m_pageAskedFor = page;
  QStringList volumes;
  for (const QString& given : paths) {
    const QString path = QDir::cleanPath(given); // file managers drop folders with a slash at the end
    if (Workbench::looksLikeBundle(path))
      m_workbench.openBundle(path);
    else if (m_workbench.open(path))
      showPage(kMonitor);
    else if (looksLikeProfile(path.toStdString()))
      openProfile(path);
    else
      volumes << path;
  }
  if (!volumes.isEmpty()) {
    showPage(kVolumes);
    m_viewer->openFiles(volumes); // on top of each other
  }
  if (!page.isEmpty())
    showPage(page);
}

void MainWindow::openVolume(const QString& file) {
  showPage(kVolumes);
  m_viewer->openFile(file);
  if (const QString run = runOf(file); !run.isEmpty())
    m_workbench.show(run); // so that everything around the volume speaks of its run
}

void MainWindow::openDialog() {
  if (currentPage() == kKernels) {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a profile"), {}, tr("Traces and counters (*.json *.json.gz *.csv *.csv.gz)"));
    if (!file.isEmpty())
      openProfile(file);
    return;
  }
  if (currentPage() == kCompare)
    return openRunsDialog();
  showPage(kVolumes);
  m_viewer->chooseFile();
}

QString MainWindow::problem() const { return m_viewer->problem().isEmpty() ? m_kernels->problem() : m_viewer->problem(); }

bool MainWindow::isSettled() const {
  if (!m_workbench.store().isScanned() || !m_catalogAnswered || m_workbench.isOpening() || m_workbench.isUnpacking())
    return false;
  return m_viewer->isSettled() && !m_kernels->isLoading() && m_compare->isReady() && (m_workbench.currentId().isEmpty() || m_monitor->isReady());
}

void MainWindow::connectRuns() {
  connect(m_runs, &RunsPanel::selectionChanged, this, [this](const QStringList& ids) {
    if (ids.size() == 1)
      m_workbench.show(ids.first());
  });
  connect(m_runs, &RunsPanel::demoClicked, this, &MainWindow::demoRequested);
  connect(m_runs, &RunsPanel::examplesClicked, this, &MainWindow::openExamples);
  connect(m_runs, &RunsPanel::actionChosen, this, &MainWindow::runAction);
  connect(m_runs, &RunsPanel::queueActionChosen, this, &MainWindow::queueAction);
  connect(m_runs, &RunsPanel::queueOrderChanged, &m_workbench.queue(), &JobQueue::reorder);
  connect(&m_workbench.queue(), &JobQueue::changed, this, &MainWindow::showQueue);
  connect(&m_workbench.store(), &RunStore::scanned, this, [this] {
    m_runs->setRunsKnown(true);
    showQueue();
    m_launch->setSuggestions(QStringLiteral("train.start"), m_workbench.checkpointSuggestions());
    m_launch->setSuggestions(QStringLiteral("sample.checkpoint"), m_workbench.checkpointSuggestions());
  });
  connect(m_header, &RunHeader::requested, &m_workbench, &Workbench::request);
  connect(m_header, &RunHeader::profileRequested, this, &MainWindow::profileNextSteps);
  connect(m_header, &RunHeader::restartRequested, this, [this] { m_workbench.restart(m_workbench.currentId()); });
  connect(m_header, &RunHeader::logRequested, this, [this] {
    showPage(kMonitor);
    m_monitor->showLog();
  });
  connect(m_monitor, &MonitorPage::openSampleRequested, this, &MainWindow::openVolume);
  connect(m_monitor, &MonitorPage::newJobClicked, this, [this] { showPage(kNewJob); });
  connect(&m_workbench, &Workbench::currentChanged, this, &MainWindow::showCurrentRun);
  connect(&m_workbench, &Workbench::currentGrew, this, [this] {
    m_monitor->refresh();
    showSamples();
    showProfiles();
    showThroughput();
  });
  connect(m_viewer, &ViewerPage::statusMessage, this, [this](const QString& text) {
    if (currentPage() != kVolumes)
      return;
    m_throughput->setText(text);
    statusBar()->clearMessage(); // a view's hint must not lie over what has just happened
  });
  connect(&m_workbench, &Workbench::headingChanged, this, &MainWindow::showHeading);
  connect(&m_workbench, &Workbench::runEnded, this, &MainWindow::showEnd);
  connect(&m_workbench, &Workbench::trouble, this, [this](const QString& message, const QString& runId) {
    m_staysInViewer = false;
    if (runId.isEmpty())
      m_toasts->add(ToastKind::Failure, message);
    else
      m_toasts->add(ToastKind::Failure, message, tr("Show the run"), [this, runId] {
        m_runs->select(runId);
        showPage(kMonitor);
      });
  });
}

void MainWindow::connectLaunch() {
  connect(m_launch, &LaunchPage::launchRequested, &m_workbench, &Workbench::launch);
  connect(m_launch, &LaunchPage::queueRequested, this, [this](const JobSpec& spec) {
    m_workbench.enqueue(spec);
    m_toasts->add(ToastKind::Information, tr("The job is in the queue."), tr("Show the queue"), [this] { showPage(kWorkspace); });
  });
  connect(m_launch, &LaunchPage::datasetCheckRequested, &m_workbench.datasets(), &DatasetChecker::check);
  connect(m_launch, &LaunchPage::datasetCheckCancelled, &m_workbench.datasets(), &DatasetChecker::cancel);
  connect(m_launch, &LaunchPage::catalogRequested, &m_workbench.loader(), &CatalogLoader::load);
  connect(m_launch, &LaunchPage::workerSettingsRequested, this, [this] { showPage(kSettings); });
  connect(&m_workbench.datasets(), &DatasetChecker::checked, this, [this](const Json& report) { m_launch->setDatasetReport(datasetReportFrom(report)); });
  connect(&m_workbench.datasets(), &DatasetChecker::failed, this, [this](const QString& message) {
    DatasetReport report;
    report.failure = message;
    m_launch->setDatasetReport(report);
  });
  connect(&m_workbench, &Workbench::catalogChanged, this, [this] {
    m_catalogAnswered = true;
    m_launch->setCatalog(m_workbench.catalog());
    m_launch->setBlocker({});
    const QString version = QString::fromStdString(jsonGet<std::string>(m_workbench.catalog().versions, "voxlab").value_or(""));
    const QString torch = QString::fromStdString(jsonGet<std::string>(m_workbench.catalog().versions, "torch").value_or(""));
    m_settingsPage->setWorkerState(tr("Worker %1 with LibTorch %2.").arg(version, torch));
  });
  connect(&m_workbench, &Workbench::catalogFailed, this, [this](const QString& message) {
    m_catalogAnswered = true;
    m_settingsPage->setWorkerState(message);
    if (m_workbench.hasCatalog())
      m_launch->setBlocker(message);
    else
      m_launch->setCatalogProblem(message);
  });
  connect(&m_workbench, &Workbench::runLaunched, this, [this](const QString& runId) {
    if (m_workbench.queue().beganInTurn(runId))
      return; // whoever looks at something else meanwhile goes on looking
    if (std::exchange(m_staysInViewer, false))
      return; // its sample comes to the mask
    m_runs->select(runId);
    m_workbench.show(runId);
    showPage(kMonitor);
  });
}

void MainWindow::connectSettings() {
  connect(m_settingsPage, &SettingsPage::changed, this, [this](const SettingsValues& values) {
    if (values.runsFolder != m_settings.runsFolder() && !values.runsFolder.isEmpty()) {
      m_settings.setRunsFolder(values.runsFolder);
      m_workbench.useRunsFolder(m_settings.runsFolder());
      m_folder->setText(tr("runs in %1").arg(m_settings.runsFolder()));
    }
    if (values.workerPath != m_settings.workerPath()) {
      m_settings.setWorkerPath(values.workerPath);
      m_settingsPage->setWorkerState(tr("Asking the worker…"));
      m_workbench.useWorker(values.workerPath);
    }
    const ThemeChoice theme = values.theme == QLatin1String("light") ? ThemeChoice::Light : values.theme == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
    if (theme != m_settings.theme()) {
      m_settings.setTheme(theme);
      showTheme();
      emit themeChosen(theme);
    }
  });
}

void MainWindow::fillSettings() {
  const QString theme = m_settings.theme() == ThemeChoice::Light ? QStringLiteral("light") : m_settings.theme() == ThemeChoice::Dark ? QStringLiteral("dark") : QStringLiteral("system");
  m_settingsPage->setValues({m_settings.runsFolder(), m_settings.workerPath(), theme});
}

void MainWindow::showTheme() {
  const ThemeChoice choice = m_settings.theme();
  m_rail->setThemeIcon(choice == ThemeChoice::Light ? QStringLiteral("sun") : choice == ThemeChoice::Dark ? QStringLiteral("moon") : QStringLiteral("theme"),
                       choice == ThemeChoice::Light ? tr("Theme: light") : choice == ThemeChoice::Dark ? tr("Theme: dark") : tr("Theme: as the system"));
  fillSettings();
}

void MainWindow::cycleTheme() {
  const ThemeChoice next = m_settings.theme() == ThemeChoice::System ? ThemeChoice::Light : m_settings.theme() == ThemeChoice::Light ? ThemeChoice::Dark : ThemeChoice::System;
  m_settings.setTheme(next);
  showTheme();
  emit themeChosen(next);
}

void MainWindow::showCurrentRun() {
  const RunListing* run = m_workbench.current();
  const auto state = m_workbench.follower().state();
  m_samplesShown = 0;
  m_comparesRuns = false;
  m_viewer->setRunSamples(run ? Workbench::titleOf(*run) : QString(), {});
  if (run && m_runs->selectedIds() != QStringList{m_workbench.currentId()})
    m_runs->select(m_workbench.currentId());
  if (!run || !state) {
    m_monitor->clear();
    m_throughput->clear();
    if (!run && !m_profiledRun.isEmpty()) {
      m_profiledRun.clear();
      m_kernels->clear();
    }
    return;
  }
  m_monitor->setRun(state, m_workbench.follower().folder(), QString::fromStdString(run->info.kind));
  m_monitor->setLog(m_workbench.follower().standing().logTail);
  showSamples();
  showProfiles();
  showThroughput();
}

void MainWindow::showThroughput() {
  const auto state = m_workbench.follower().state();
  QStringList parts;
  const auto rate = [&](Measure measure, const char* unit) {
    if (const auto value = state ? state->series(measure).median(20) : std::nullopt)
      parts << QString::fromStdString(formatQuantity(*value, unit));
  };
  if (const auto volumes = state ? state->series(Measure::VolumesPerSecond).median(20) : std::nullopt)
    parts << tr("%1 volumes/s").arg(QString::fromStdString(formatSignificant(*volumes)));
  rate(Measure::VoxelsPerSecond, "voxel/s");
  rate(Measure::FlopsPerSecond, "FLOP/s");
  const bool live = m_workbench.heading().outcome == RunOutcome::Running;
  if (const auto left = live && state ? state->timeLeft_s() : std::nullopt)
    parts << tr("%1 left").arg(QString::fromStdString(formatDuration(*left)));
  m_throughput->setText(parts.join(QStringLiteral("  ·  ")));
}

void MainWindow::showQueue() { m_runs->setQueue(m_workbench.queueRows()); }

} // namespace voxlab
