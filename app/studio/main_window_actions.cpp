// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done by key, menu and palette.
#include "app/studio/main_window.h"
#include "widgets/models/run_words.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/launch_page.h"
#include "widgets/pages/toasts.h"
#include "widgets/pages/viewer_gestures.h"
#include "widgets/pages/viewer_page.h"
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QKeyEvent>
#include <QMessageBox>
#include <QPushButton>
#include <QTabBar>
#include <QUrl>
#include <algorithm>

namespace voxlab {

void MainWindow::buildActions() {
  const auto add = [this](const QKeySequence& keys, auto what) {
    auto* action = new QAction(this);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, what);
    addAction(action);
  };
  add(Qt::CTRL | Qt::Key_N, [this] { showPage(QStringLiteral("new-job")); });
  add(Qt::CTRL | Qt::Key_O, [this] { openDialog(); });
  add(Qt::CTRL | Qt::Key_K, [this] { m_palette->open(commands()); });
  add(Qt::CTRL | Qt::SHIFT | Qt::Key_E, [this] { compareSamplesOf(m_runs->selectedIds()); });
  add(Qt::CTRL | Qt::Key_Comma, [this] { showPage(QStringLiteral("settings")); });
  add(Qt::CTRL | Qt::Key_B, [this] { foldRuns(showsRuns()); });
  add(Qt::Key_F11, [this] { toggleOnlyPictures(); });
  add(Qt::CTRL | Qt::Key_Q, [this] { close(); });
}

namespace {
bool takesText(const QWidget* widget) { return widget && widget->testAttribute(Qt::WA_InputMethodEnabled); }
bool isAlone(const QKeyEvent& event) { return (event.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0; }
} // namespace

// A list would look for rows that begin with a digit or a question mark: there, too, these are the window's.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && isAlone(*static_cast<QKeyEvent*>(event)))
    if (const auto* list = qobject_cast<QAbstractItemView*>(watched); list && list->window() == this)
      return followPageKey(static_cast<QKeyEvent*>(event)->key());
  return QMainWindow::eventFilter(watched, event);
}

bool MainWindow::followPageKey(int key) {
  const bool isPage = key >= Qt::Key_1 && key < Qt::Key_1 + m_pageNames.size();
  if (isPage)
    showPage(m_pageNames[key - Qt::Key_1]);
  else if (key == Qt::Key_Question)
    showShortcuts();
  return isPage || key == Qt::Key_Question;
}

// Keys by themselves: only those that the focused widget had no use for arrive here.
void MainWindow::keyPressEvent(QKeyEvent* event) {
  if (!isAlone(*event) || takesText(QApplication::focusWidget())) {
    QMainWindow::keyPressEvent(event);
  } else if (event->key() == Qt::Key_Space) {
    if (const QString command = m_workbench.commandForSpace(); !command.isEmpty())
      m_workbench.request(command);
  } else if (event->key() == Qt::Key_Escape && showsOnlyPictures()) {
    setOnlyPictures(false);
  } else if (!followPageKey(event->key())) {
    QMainWindow::keyPressEvent(event);
  }
}

QList<Command> MainWindow::commands() {
  const QString go = tr("Go to"), job = tr("Selected job"), files = tr("Files"), program = tr("Program");
  const RunHeading heading = m_workbench.heading();
  const bool live = heading.outcome == RunOutcome::Running && !heading.readOnly, training = heading.kind == QLatin1String("train");
  const auto ask = [this](const char* command) { return [this, command] { m_workbench.request(QLatin1String(command)); }; };
  QList<Command> list{
      {tr("New job"), go, QStringLiteral("new-job"), tr("Ctrl+N"), [this] { showPage(QStringLiteral("new-job")); }, true},
      {tr("Monitor"), go, QStringLiteral("monitor"), QStringLiteral("1"), [this] { showPage(QStringLiteral("monitor")); }, true},
      {tr("Volumes"), go, QStringLiteral("volumes"), QStringLiteral("2"), [this] { showPage(QStringLiteral("volumes")); }, true},
      {tr("Kernels"), go, QStringLiteral("kernels"), QStringLiteral("3"), [this] { showPage(QStringLiteral("kernels")); }, true},
      {tr("Compare"), go, QStringLiteral("compare"), QStringLiteral("4"), [this] { showPage(QStringLiteral("compare")); }, true},
      {tr("Settings"), go, QStringLiteral("settings"), tr("Ctrl+,"), [this] { showPage(QStringLiteral("settings")); }, true},
      {tr("The list of runs, or more room"), go, QStringLiteral("runs"), tr("Ctrl+B"), [this] { foldRuns(showsRuns()); }, true},
      {tr("Only the pictures, and back"), go, QStringLiteral("viewer-focus"), tr("F11"), [this] { toggleOnlyPictures(); }, true},
      {heading.phase == RunPhase::Paused ? tr("Resume") : tr("Pause"), job, heading.phase == RunPhase::Paused ? QStringLiteral("play") : QStringLiteral("pause"),
       tr("Space"), [this] { m_workbench.request(m_workbench.commandForSpace()); }, !m_workbench.commandForSpace().isEmpty()},
      {tr("Stop"), job, QStringLiteral("stop"), {}, ask("stop"), live},
      {tr("Sample now"), job, QStringLiteral("sample"), {}, ask("sample_now"), live && training},
      {tr("Profile the next steps"), job, QStringLiteral("profile"), {}, [this] { profileNextSteps(); }, heading.takesProfileRequest()},
      {tr("Samples of the same seed, side by side"), tr("Selected runs"), QStringLiteral("viewer-compare"), tr("Ctrl+Shift+E"), [this] { compareSamplesOf(m_runs->selectedIds()); }, m_runs->selectedIds().size() > 1},
      {tr("Checkpoint now"), job, QStringLiteral("checkpoint"), {}, ask("checkpoint_now"), live && training},
      {currentPage() == QLatin1String("kernels") ? tr("Open a trace…") : currentPage() == QLatin1String("compare") ? tr("Open runs…") : tr("Open a volume…"), files, QStringLiteral("folder"), tr("Ctrl+O"), [this] { openDialog(); }, true},
      {tr("Open packed runs (.voxrun)…"), files, QStringLiteral("open"), {}, [this] { openRunsDialog(); }, true},
      {tr("Open the examples"), files, QStringLiteral("open"), {}, [this] { openExamples(); }, true},
      {tr("Compare modes…"), program, QStringLiteral("compare"), {}, [this] { askForExperiment(); }, true},
      {tr("Open the runs folder"), files, QStringLiteral("folder"), {}, [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_settings.runsFolder())); }, true},
      {tr("Start the demo"), program, QStringLiteral("play"), {}, [this] { emit demoRequested(); }, true},
      {tr("Change the theme"), program, QStringLiteral("sun"), {}, [this] { cycleTheme(); }, true},
      {tr("Commands"), program, QStringLiteral("search"), tr("Ctrl+K"), [this] { m_palette->open(commands()); }, true},
      {tr("Shortcuts"), program, QStringLiteral("keyboard"), QStringLiteral("?"), [this] { showShortcuts(); }, true},
      {tr("Quit; jobs go on"), program, QStringLiteral("close"), tr("Ctrl+Q"), [this] { close(); }, true},
  };
  for (QAction* action : m_viewer->commands())
    list.append({action->text(), action->property("group").toString(), action->objectName(), // which is its icon's
                  action->shortcut().toString(QKeySequence::NativeText), [this, action] {
                   showPage(QStringLiteral("volumes"));
                   action->trigger();
                 }, action->isEnabled()});
  for (const QString& file : m_viewer->recentFiles())
    list.append({file, tr("Recent file"), QStringLiteral("file"), {}, [this, file] { openVolume(file); }, true});
  for (const RunListing& run : m_workbench.store().runs()) {
    const QString id = QString::fromStdString(run.id), title = Workbench::titleOf(run);
    list.append({title, tr("Run, %1").arg(outcomeWord(run.outcome)), kindIcon(run.info.kind), {}, [this, id] {
                   m_runs->select(id);
                   showPage(QStringLiteral("monitor"));
                 }, true});
  }
  return list;
}

void MainWindow::toggleOnlyPictures() {
  const bool on = !showsOnlyPictures();
  showPage(QStringLiteral("volumes"));
  setOnlyPictures(on);
}

void MainWindow::showShortcuts() { ShortcutsSheet(shortcuts(), this).exec(); }

// Newcomers to the volumes look for the mouse first.
QList<Command> MainWindow::shortcuts() {
  QList<Command> all = commands();
  if (currentPage() != QLatin1String("volumes"))
    return all + viewerGestures();
  const auto firstOfViewer = std::find_if(all.begin(), all.end(), [this](const Command& each) { return each.group == m_viewer->commands().first()->property("group").toString(); });
  std::rotate(all.begin(), firstOfViewer, all.end());
  return viewerGestures() + all;
}

void MainWindow::runAction(const QString& action, const QStringList& ids) {
  QStringList paths;
  for (const QString& id : ids)
    if (const RunListing* run = m_workbench.store().find(id.toStdString()))
      paths << QString::fromStdString(run->path.string());
  if (paths.isEmpty())
    return;
  if (action == QLatin1String("open-folder"))
    QDesktopServices::openUrl(QUrl::fromLocalFile(paths.first()));
  else if (action == QLatin1String("copy-path"))
    QApplication::clipboard()->setText(paths.join(QLatin1Char('\n')));
  else if (action == QLatin1String("resume"))
    m_workbench.restart(ids.first());
  else if (action == QLatin1String("remove"))
    removeAsked(ids);
  else if (action == QLatin1String("compare-samples"))
    compareSamplesOf(ids);
  else if (action == QLatin1String("compare")) {
    m_compare->chooseRuns(ids);
    showPage(QStringLiteral("compare"));
  }
  else if (action == QLatin1String("again"))
    if (const RunListing* run = m_workbench.store().find(ids.first().toStdString())) {
      m_launch->setSpec(run->spec);
      showPage(QStringLiteral("new-job"));
    }
}

void MainWindow::removeAsked(const QStringList& ids) {
  QMessageBox box(QMessageBox::Question, tr("Move to the trash?"), tr("%n run(s) with all checkpoints, samples and records go to the trash.", nullptr, static_cast<int>(ids.size())),
                  QMessageBox::Cancel, this);
  QPushButton* remove = box.addButton(tr("Move to the trash"), QMessageBox::DestructiveRole);
  box.exec();
  if (box.clickedButton() == remove)
    m_workbench.removeRuns(ids);
}

void MainWindow::queueAction(const QString& action, const QString& id) {
  JobQueue& queue = m_workbench.queue();
  if (action == QLatin1String("start"))
    queue.startNow(id);
  else if (action == QLatin1String("first"))
    queue.moveToFront(id);
  else if (action == QLatin1String("retry"))
    queue.retry(id);
  else if (action == QLatin1String("remove"))
    queue.remove(id);
}

void MainWindow::showEnd(const QString& runId) {
  const RunListing* run = m_workbench.store().find(runId.toStdString());
  if (!run)
    return;
  const QString title = Workbench::titleOf(*run);
  const bool bad = run->outcome == RunOutcome::Failed || run->outcome == RunOutcome::Lost;
  QString words = tr("%1 %2.").arg(title, outcomeWord(run->outcome));
  if (bad && !run->message.empty())
    words += QLatin1Char(' ') + QString::fromStdString(run->message);
  m_toasts->add(bad ? ToastKind::Failure : ToastKind::Information, words, tr("Show the run"), [this, runId] {
    m_runs->select(runId);
    showPage(QStringLiteral("monitor"));
  });
}

} // namespace voxlab
