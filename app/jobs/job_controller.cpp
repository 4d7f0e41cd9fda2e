// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/job_controller.h"
#include "app/jobs/run_store.h"
#include "widgets/base/when_done.h"
#include <QtConcurrent>

namespace voxlab {
namespace {
constexpr int kWatchInterval_ms = 250;

RunInfo infoOf(const JobSpec& spec, const QString& title, const QString& target) {
  RunInfo info;
  info.kind = spec.kind();
  info.title = title.toStdString();
  info.mode = spec.get<std::string>("mode");
  info.target = target.toStdString();
  return info;
}

QString idOf(const RunDirectory& run) { return QString::fromStdString(run.id()); }
QString pathOf(const RunDirectory& run) { return QString::fromStdString(run.path().string()); }
} // namespace

JobController::JobController(std::shared_ptr<const ComputeTarget> target, RunStore& store, QObject* parent) : QObject(parent), m_target(std::move(target)), m_store(store) {
  m_watch.setInterval(kWatchInterval_ms);
  connect(&m_watch, &QTimer::timeout, this, &JobController::watchStarts);
}

void JobController::launch(const JobSpec& spec, const QString& title) {
  prepare(spec, title, [this](const Result<RunDirectory>& run) {
    if (run)
      start(*run, StartFrom::Beginning);
    else
      emit failed(QString::fromStdString(run.error().message));
  });
}

void JobController::prepare(const JobSpec& spec, const QString& title, std::function<void(const Result<RunDirectory>&)> done) {
  const RunInfo info = infoOf(spec, title, m_target->name());
  whenDone(QtConcurrent::run([folder = m_store.folder(), spec, info] { return RunDirectory::create(folder, spec, info); }), this, [this, done = std::move(done)](const Result<RunDirectory>& run) {
        m_store.scanSoon();
        done(run);
      });
}

void JobController::start(const RunDirectory& run, StartFrom from) {
  const QString id = idOf(run);
  if (m_starting.contains(id))
    watchStarts(); // the worker of the start before may be gone since the last look
  if (m_starting.contains(id))
    return;
  m_starting.insert(id, {0, run, false});
  whenDone(QtConcurrent::run([target = m_target, run, from] { return target->start(run, from); }), this, [this, run, id](const Result<qint64>& started) {
    if (!started) {
      m_starting.remove(id);
      emit startFailed(id, QString::fromStdString(started.error().message));
      return;
    }
    m_starting[id].processId = *started;
    m_starting[id].isStarted = true;
    m_watch.start();
    m_store.scanSoon();
    emit launched(id, pathOf(run));
  });
}

void JobController::watchStarts() {
  for (const QString& id : m_starting.keys()) {
    const Starting starting = m_starting.value(id);
    if (!starting.isStarted)
      continue;
    const bool alive = m_target->isAlive(starting.processId);
    const RunListing* listing = m_store.find(id.toStdString());
    if (alive && !(listing && listing->outcome == RunOutcome::Running))
      continue;
    m_starting.remove(id);
    m_store.scanSoon();
    emit startSettled(id);
    if (alive || (listing && listing->outcome != RunOutcome::Waiting))
      continue;
    // It may have run and ended between two scans: ask the folder itself before calling it a failure.
    whenDone(QtConcurrent::run([run = *starting.run] { return std::pair(run.outcome(), run.logTail(1024)); }), this, [this, id](const std::pair<RunOutcome, std::string>& end) {
          if (end.first == RunOutcome::Waiting)
            emit startFailed(id, tr("The worker ended before it took the job. It said: %1").arg(QString::fromUtf8(end.second.c_str()).trimmed()));
        });
  }
  if (m_starting.isEmpty())
    m_watch.stop();
}

void JobController::request(const RunDirectory& run, const QString& command, const Json& fields) {
  const QString runId = idOf(run);
  m_requests[runId].append({command, {}});
  emit pendingChanged(runId);
  whenDone(QtConcurrent::run([run, name = command.toStdString(), fields] { return run.request(name, fields); }), this, [this, runId, command](const Result<std::string>& id) {
    for (qsizetype i = 0; i < m_requests[runId].size(); ++i) {
      Request& request = m_requests[runId][i];
      if (request.command != command || !request.id.isEmpty())
        continue;
      if (id) {
        request.id = QString::fromStdString(*id);
      } else {
        m_requests[runId].removeAt(i);
        emit refused(runId, QString::fromStdString(id.error().message));
      }
      break;
    }
    settle(runId);
    emit pendingChanged(runId);
  });
}

QSet<QString> JobController::pending(const QString& runId) const {
  QSet<QString> commands;
  for (const Request& request : m_requests.value(runId))
    commands.insert(request.command);
  return commands;
}

void JobController::noteAcks(const QString& runId, const RunState& state) {
  std::size_t& seen = m_acksSeen[runId];
  if (seen > state.acks().size())
    seen = 0; // another state of the same run
  for (; seen < state.acks().size(); ++seen)
    m_acks[runId][QString::fromStdString(state.acks()[seen].request)] = state.acks()[seen];
  settle(runId);
}

void JobController::settle(const QString& runId) {
  bool changed = false;
  QList<Request>& requests = m_requests[runId];
  for (qsizetype i = requests.size() - 1; i >= 0; --i) {
    const auto ack = m_acks[runId].constFind(requests[i].id);
    if (requests[i].id.isEmpty() || ack == m_acks[runId].constEnd())
      continue;
    if (!ack->accepted)
      emit refused(runId, QString::fromStdString(ack->message));
    requests.removeAt(i);
    changed = true;
  }
  if (changed)
    emit pendingChanged(runId);
}

void JobController::noteEnd(const QString& runId) {
  if (m_requests.remove(runId))
    emit pendingChanged(runId);
}

} // namespace voxlab
