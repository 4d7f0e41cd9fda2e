// SPDX-License-Identifier: GPL-3.0-or-later
// Makes run folders, starts workers on them and asks running ones for things. Nothing here waits in the GUI thread: files are
// written and workers started in the background, and the answer comes by signal.
#pragma once
#include "app/jobs/compute_target.h"
#include "core/analysis/run_state.h"
#include <QHash>
#include <QSet>
#include <QTimer>
#include <functional>

namespace voxlab {

class RunStore;

class JobController : public QObject {
  Q_OBJECT
public:
  JobController(std::shared_ptr<const ComputeTarget> target, RunStore& store, QObject* parent = nullptr);
  void setTarget(std::shared_ptr<const ComputeTarget> target) { m_target = std::move(target); }
  QString targetName() const { return m_target->name(); }

  void launch(const JobSpec& spec, const QString& title); // makes the run and starts it
  // Makes the run, which waits; `done` is called in this thread, with the error if no run came of it.
  void prepare(const JobSpec& spec, const QString& title, std::function<void(const Result<RunDirectory>&)> done);
  void start(const RunDirectory& run, StartFrom from);
  bool isStarting(const QString& runId) const { return m_starting.contains(runId); }

  // "pause", "resume", "stop", "sample_now", "checkpoint_now"
  void request(const RunDirectory& run, const QString& command, const Json& fields = Json::object());
  // Commands that were asked for and not acknowledged yet.
  QSet<QString> pending(const QString& runId) const;
  // Tells what the run's events say, so that acknowledged requests stop pending.
  void noteAcks(const QString& runId, const RunState& state);
  void noteEnd(const QString& runId); // nobody is left to acknowledge anything

signals:
  void launched(const QString& runId, const QString& path); // a worker has been started on it
  void failed(const QString& message);                      // no run came of it
  // The worker ended without ever taking the run's lock: it could not be loaded, say.
  void startFailed(const QString& runId, const QString& message);
  void startSettled(const QString& runId); // a started worker has taken its run, or is gone
  void pendingChanged(const QString& runId);
  void refused(const QString& runId, const QString& message); // by the worker

private:
  struct Request {
    QString command, id; // id: empty until it is written
  };
  struct Starting {
    qint64 processId = 0;
    std::optional<RunDirectory> run;
    bool isStarted = false;
  };
  void watchStarts();
  void settle(const QString& runId);

  std::shared_ptr<const ComputeTarget> m_target;
  RunStore& m_store;
  QHash<QString, QList<Request>> m_requests;
  QHash<QString, QHash<QString, AckRecord>> m_acks; // by run and request id
  QHash<QString, std::size_t> m_acksSeen;
  QHash<QString, Starting> m_starting;
  QTimer m_watch;
};

} // namespace voxlab
