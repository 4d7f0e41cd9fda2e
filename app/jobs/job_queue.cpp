// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/job_queue.h"
#include "app/jobs/run_store.h"
#include "core/base/files.h"
#include "widgets/base/when_done.h"
#include <QPointer>
#include <QtConcurrent>

namespace voxlab {
namespace {
constexpr const char* kFile = "queue.json";

std::vector<QString> idsIn(const Json& json) {
  std::vector<QString> ids;
  const auto waiting = json.is_object() ? json.find("waiting") : json.end();
  if (json.is_object() && waiting != json.end() && waiting->is_array())
    for (const Json& id : *waiting)
      if (id.is_string())
        ids.push_back(QString::fromStdString(id.get<std::string>()));
  return ids;
}
} // namespace

JobQueue::JobQueue(JobController& controller, RunStore& store, QObject* parent) : QObject(parent), m_controller(controller), m_store(store) {
  m_writer.setMaxThreadCount(1);
  connect(&m_store, &RunStore::scanned, this, &JobQueue::serve);
  connect(&m_controller, &JobController::startSettled, this, &JobQueue::serve);
  connect(&m_controller, &JobController::launched, this, [this](const QString& id) {
    if (m_ids.removeAll(id)) {
      save();
      emit changed();
    }
  });
  connect(&m_controller, &JobController::startFailed, this, [this](const QString& id, const QString& message) {
    if (m_begun == id)
      m_begun.clear();
    if (m_ids.contains(id)) {
      m_problems[id] = message;
      emit changed();
    }
    serve();
  });
}

std::filesystem::path JobQueue::file() const { return m_store.folder() / kFile; }

void JobQueue::open() {
  m_ids.clear();
  m_removed.clear();
  m_problems.clear();
  m_begun.clear();
  m_writer.waitForDone(); // what is being written is what is read
  m_lock.reset();
  if (auto lock = RunLock::take(m_store.folder() / "queue.lock"))
    m_lock = std::move(*lock);
  std::error_code ec;
  if (std::filesystem::exists(file(), ec)) {
    const auto json = readJsonFile(file());
    if (!json)
      emit failed(QString::fromStdString(json.error().message));
    else
      for (const QString& id : idsIn(*json))
        if (!m_ids.contains(id))
          m_ids << id;
  }
  emit changed();
}

// Flushing to the disk can take long: not on the window's thread.
void JobQueue::save() {
  Json waiting = Json::array();
  for (const QString& id : m_ids)
    waiting.push_back(id.toStdString());
  whenDone(QtConcurrent::run(&m_writer, [file = file(), queue = Json{{"schema", "1.0"}, {"waiting", std::move(waiting)}}] {
    return writeJsonFile(file, queue);
  }), this, [this](const Status& written) {
    if (!written)
      emit failed(QString::fromStdString(written.error().message));
  });
}

void JobQueue::add(const JobSpec& spec, const QString& title) {
  m_controller.prepare(spec, title, [this, alive = QPointer(this)](const Result<RunDirectory>& run) {
    if (!alive)
      return;
    if (!run) {
      emit failed(QString::fromStdString(run.error().message));
      return;
    }
    addMade({QString::fromStdString(run->id())});
  });
}

void JobQueue::addMade(const QStringList& ids, Place place) {
  QStringList fresh;
  for (const QString& id : ids)
    if (!m_ids.contains(id))
      fresh << id;
  m_ids = place == Place::Front ? fresh + m_ids : m_ids + fresh;
  save();
  emit changed();
  serve(); // the scan that found their folders may be over already
}

void JobQueue::reorder(const QStringList& ids) {
  QStringList ordered;
  for (const QString& id : ids)
    if (m_ids.removeOne(id))
      ordered << id;
  m_ids = ordered + m_ids;
  save();
  emit changed();
}

void JobQueue::moveToFront(QString id) {
  if (m_ids.contains(id))
    reorder({id});
}

void JobQueue::remove(QString id) {
  if (!m_ids.removeOne(id))
    return;
  m_removed.insert(id);
  m_problems.remove(id);
  save();
  emit changed();
  const auto folder = m_store.folder() / id.toStdString();
  whenDone(QtConcurrent::run([folder] {
    const RunDirectory run(folder);
    std::error_code ec;
    if (RunDirectory::looksLikeRun(folder) && run.outcome() == RunOutcome::Waiting)
      std::filesystem::remove_all(folder, ec);
  }), this, [this] { m_store.scanSoon(); });
}

void JobQueue::retry(QString id) {
  m_problems.remove(id);
  emit changed();
  serve();
}

void JobQueue::startNow(QString id) {
  if (!m_ids.contains(id))
    return;
  m_problems.remove(id);
  m_inTurn.clear();
  begin(id);
}

void JobQueue::begin(QString id) {
  m_begun = id;
  const RunListing* run = m_store.find(id.toStdString());
  const bool goesOn = run && run->outcome == RunOutcome::Lost;
  m_controller.start(RunDirectory(m_store.folder() / id.toStdString()), goesOn ? StartFrom::Checkpoint : StartFrom::Beginning);
}

// Jobs that ran or vanished by other means are not waiting any more.
void JobQueue::forgetStarted() {
  const auto before = m_ids.size();
  m_ids.removeIf([this](const QString& id) {
    const RunListing* run = m_store.find(id.toStdString());
    std::error_code ec;
    return run ? run->outcome != RunOutcome::Waiting && run->outcome != RunOutcome::Lost : !std::filesystem::exists(m_store.folder() / id.toStdString(), ec);
  });
  if (m_ids.size() == before)
    return;
  save();
  emit changed();
}

void JobQueue::serve() {
  if (!m_store.isScanned() || m_choosing)
    return;
  m_choosing = true;
  emit aboutToServe();
  m_choosing = false;
  forgetStarted();
  if (!m_begun.isEmpty()) {
    const RunListing* run = m_store.find(m_begun.toStdString());
    if (m_controller.isStarting(m_begun) || !run || run->outcome == RunOutcome::Waiting)
      return;
    m_begun.clear();
  }
  if (!m_lock)
    return;
  for (const RunListing& run : m_store.runs())
    if (run.outcome == RunOutcome::Running || m_controller.isStarting(QString::fromStdString(run.id)))
      return;
  for (const QString& id : m_ids)
    if (!m_problems.contains(id)) {
      m_inTurn = id;
      begin(id);
      return;
    }
}

} // namespace voxlab
