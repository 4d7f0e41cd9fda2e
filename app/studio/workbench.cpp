// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/workbench.h"
#include "core/protocol/run_bundle.h"
#include "widgets/base/qt_text.h"
#include "widgets/base/when_done.h"
#include "widgets/models/run_words.h"
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QtConcurrent>

namespace voxlab {
namespace {
constexpr int kSuggestedCheckpoints = 12;

RunRow rowOf(const RunListing& run) {
  RunRow row;
  row.id = text(run.id);
  row.path = text(run.path.string());
  row.kind = run.info.kind;
  row.title = Workbench::titleOf(run);
  row.mode = text(run.info.mode);
  row.target = text(run.info.target);
  row.outcome = run.outcome;
  row.phase = run.phase;
  row.step = run.step;
  row.totalSteps = run.totalSteps;
  row.fraction = run.fraction;
  row.message = text(run.message);
  row.created = QDateTime::fromString(text(run.info.created), Qt::ISODateWithMs);
  return row;
}
} // namespace

Workbench::Workbench(Settings& settings, QObject* parent)
    : QObject(parent), m_settings(settings), m_target(makeTarget(QStringLiteral("local"), settings.workerPath())),
      m_controller(new JobController(m_target, m_store, this)), m_queue(new JobQueue(*m_controller, m_store, this)), m_experiments(new ExperimentBook(*m_controller, *m_queue, m_store, this)),
      m_loader(new CatalogLoader(m_target, settings.cacheFile(QStringLiteral("catalog.json")), this)),
      m_datasets(new DatasetChecker(m_target, this)), m_model(new RunTableModel(this)) {
  connectJobs();
}

void Workbench::connectJobs() {
  connect(&m_store, &RunStore::scanned, this, &Workbench::takeScan);
  connect(&m_store, &RunStore::ended, this, &Workbench::runEnded);
  connect(&m_store, &RunStore::ended, m_controller, &JobController::noteEnd);
  connect(m_loader, &CatalogLoader::loaded, this, [this](const Catalog& catalog) {
    m_catalog = catalog;
    emit catalogChanged();
  });
  connect(m_loader, &CatalogLoader::failed, this, &Workbench::catalogFailed);
  connect(m_controller, &JobController::launched, this, &Workbench::runLaunched);
  connect(m_controller, &JobController::failed, this, [this](const QString& message) { emit trouble(message, {}); });
  connect(m_controller, &JobController::startFailed, this, [this](const QString& id, const QString& message) { emit trouble(message, id); });
  connect(m_controller, &JobController::refused, this, [this](const QString& id, const QString& message) { emit trouble(message, id); });
  connect(m_controller, &JobController::pendingChanged, this, [this](const QString& id) {
    if (id == m_current)
      emit headingChanged();
  });
  connect(m_queue, &JobQueue::failed, this, [this](const QString& message) { emit trouble(message, {}); });
  connect(m_experiments, &ExperimentBook::failed, this, [this](const QString& message) { emit trouble(message, {}); });
  const auto takeEvents = [this] {
    m_controller->noteAcks(m_current, *m_follower.state());
    emit headingChanged();
    emit currentGrew();
  };
  connect(&m_follower, &EventFollower::opened, this, [this, takeEvents] {
    emit currentChanged();
    takeEvents();
  });
  connect(&m_follower, &EventFollower::grew, this, takeEvents);
  connect(&m_follower, &EventFollower::standingChanged, this, [this] {
    m_store.scanSoon();
    emit headingChanged();
  });
  connect(&m_follower, &EventFollower::failed, this, [this](const QString& message) { emit trouble(message, m_current); });
}

void Workbench::begin() {
  useRunsFolder(m_settings.runsFolder());
  m_loader->load();
}

void Workbench::useRunsFolder(const QString& folder) {
  show({});
  emit runsFolderChanged(folder);
  m_store.setFolder(folder.toStdString());
  m_queue->open();
  m_experiments->open();
}

void Workbench::useWorker(const QString& path) {
  m_target = makeTarget(QStringLiteral("local"), path);
  m_loader->setTarget(m_target);
  m_datasets->setTarget(m_target);
  m_controller->setTarget(m_target);
  m_loader->load();
}

void Workbench::takeScan() {
  std::vector<RunRow> rows;
  for (const RunListing& run : m_store.runs())
    rows.push_back(rowOf(run));
  m_model->setRows(std::move(rows));
  if (!m_wanted.isEmpty() && m_store.find(m_wanted.toStdString()))
    show(m_wanted);
  if (!m_hasChosen && !m_store.runs().empty())
    chooseFirst();
  emit headingChanged();
}

// What one most likely came for: the job that goes on.
void Workbench::chooseFirst() {
  m_hasChosen = true;
  for (const RunListing& run : m_store.runs())
    if (run.outcome == RunOutcome::Running) {
      show(text(run.id));
      return;
    }
}

const RunListing* Workbench::current() const { return m_store.find(m_current.toStdString()); }

void Workbench::show(QString runId) {
  m_hasChosen = m_hasChosen || !runId.isEmpty();
  m_wanted.clear();
  if (runId == m_current && !runId.isEmpty())
    return;
  m_current = runId;
  if (!runId.isEmpty() && !m_store.find(runId.toStdString())) {
    m_wanted = runId;
    m_current.clear();
  }
  follow();
}

void Workbench::follow() {
  const RunListing* run = current();
  if (!run) {
    m_follower.stop();
    emit currentChanged();
    emit headingChanged();
    return;
  }
  m_follower.follow(RunDirectory(run->path));
  emit headingChanged();
}

RunHeading Workbench::heading() const {
  RunHeading heading;
  const RunListing* run = current();
  if (!run)
    return heading;
  heading.id = m_current;
  heading.title = titleOf(*run);
  heading.subtitle = specInWords(run->spec);
  heading.kind = text(run->info.kind);
  heading.outcome = run->outcome;
  heading.phase = run->phase;
  heading.step = run->step;
  heading.totalSteps = run->totalSteps;
  heading.fraction = run->fraction;
  heading.message = text(run->message);
  heading.canResumeFromCheckpoint = run->hasCheckpoint();
  heading.readOnly = run->info.target != m_target->name().toStdString() || run->info.kind == "import";
  heading.pending = m_controller->pending(m_current);
  const RunStanding& standing = m_follower.standing();
  if (standing.outcome != RunOutcome::Unknown)
    heading.outcome = standing.outcome;
  if (const auto state = m_follower.state()) {
    heading.phase = state->phase();
    heading.step = state->step();
    heading.totalSteps = state->totalSteps();
    heading.fraction = state->fractionDone();
    heading.timeLeft_s = state->timeLeft_s();
    heading.runTime_s = state->runTime_s();
    heading.loss = state->series(Measure::LossSmoothed).last();
    heading.volumesPerSecond = state->series(Measure::VolumesPerSecond).last();
    if (!state->endMessage().empty() && heading.outcome != RunOutcome::Lost)
      heading.message = text(state->endMessage());
  }
  return heading;
}

QString Workbench::commandForSpace() const {
  const RunHeading now = heading();
  if (now.outcome != RunOutcome::Running || now.readOnly || !now.pending.isEmpty())
    return {};
  return now.phase == RunPhase::Paused ? QStringLiteral("resume") : QStringLiteral("pause");
}

QString Workbench::titleOf(const RunListing& run) { return run.info.title.empty() ? jobTitle(run.spec) : text(run.info.title); }

void Workbench::launch(const JobSpec& spec) { m_controller->launch(spec, jobTitle(spec)); }
void Workbench::enqueue(const JobSpec& spec) { m_queue->add(spec, jobTitle(spec)); }

void Workbench::request(const QString& command) {
  if (const RunListing* run = current())
    m_controller->request(RunDirectory(run->path), command, command == QLatin1String(command::kProfileNext.data()) ? Json{{"steps", kProfiledSteps}} : Json::object());
}

void Workbench::restart(const QString& runId) {
  if (const RunListing* run = m_store.find(runId.toStdString()))
    m_controller->start(RunDirectory(run->path), run->hasCheckpoint() ? StartFrom::Checkpoint : StartFrom::Beginning);
}

bool Workbench::open(const QString& runFolder) {
  const std::filesystem::path path = runFolder.toStdString();
  if (!RunDirectory::looksLikeRun(path))
    return false;
  std::error_code ec;
  if (!std::filesystem::equivalent(path.parent_path(), m_store.folder(), ec))
    m_store.addOutside(path);
  show(text(path.filename().string()));
  return true;
}

bool Workbench::looksLikeBundle(const QString& file) { return QFileInfo(file).isFile() && file.endsWith(QLatin1String(".voxrun"), Qt::CaseInsensitive); }

void Workbench::openBundle(const QString& file) {
  ++m_unpacking;
  whenDone(QtConcurrent::run([bundle = file.toStdString(), runs = m_store.folder()] { return unpackRuns(bundle, runs); }), this, [this](const Result<UnpackedRuns>& unpacked) {
    --m_unpacking;
    if (!unpacked) {
      emit trouble(text(unpacked.error().message), {});
      return;
    }
    QStringList ids;
    for (const std::filesystem::path& run : unpacked->runs)
      ids << text(run.filename().string());
    m_store.scanSoon();
    if (!ids.isEmpty())
      show(ids.first());
    emit bundleOpened(ids, static_cast<int>(unpacked->alreadyThere.size()));
  });
}

void Workbench::removeRuns(const QStringList& ids) {
  QStringList folders;
  for (const QString& id : ids)
    if (const RunListing* run = m_store.find(id.toStdString()); run && run->outcome != RunOutcome::Running)
      folders << text(run->path.string());
  if (ids.contains(m_current))
    show({});
  whenDone(QtConcurrent::run([folders] {
    QStringList kept;
    for (const QString& folder : folders)
      if (!QFile::moveToTrash(folder))
        kept << folder;
    return kept;
  }), this, [this](const QStringList& kept) {
    m_store.scanSoon();
    if (!kept.isEmpty())
      emit trouble(tr("%1 could not be moved to the trash. Nothing was deleted.").arg(kept.join(QStringLiteral(", "))), {});
  });
}

QList<QueueRow> Workbench::queueRows() const {
  QList<QueueRow> rows;
  for (const QString& id : m_queue->ids()) {
    const RunListing* run = m_store.find(id.toStdString());
    const QString title = run ? titleOf(*run) : id;
    rows.append({id, title, m_queue->problem(id)});
  }
  return rows;
}

QList<Suggestion> Workbench::checkpointSuggestions() const {
  QList<Suggestion> suggestions;
  const QDir starters(m_settings.resourcesFolder() + QStringLiteral("/starter"));
  for (const QFileInfo& file : starters.entryInfoList({QStringLiteral("*.safetensors")}, QDir::Files))
    suggestions.append({tr("Starter weights: %1").arg(file.completeBaseName()), file.absoluteFilePath()});
  for (const RunListing& run : m_store.runs()) {
    if (suggestions.size() >= kSuggestedCheckpoints)
      break;
    if (run.hasCheckpoint())
      suggestions.append({tr("%1, %2").arg(rowOf(run).title, text(run.newestCheckpoint.filename().string())), text(run.newestCheckpoint.string())});
  }
  return suggestions;
}

} // namespace voxlab
