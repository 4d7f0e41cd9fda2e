// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments: many runs that belong together and are made one after the other by the queue. What belongs to which is kept in
// <runs>/experiments/ID.json, so that an experiment goes on when the studio, or the whole computer, comes back: what waited waits again,
// and a job whose worker vanished is resumed once.
#pragma once
#include "app/jobs/job_queue.h"
#include "core/protocol/experiment_plan.h"

namespace voxlab {

struct ExperimentRecord {
  QString id, title, created;
  QStringList runs;    // ids, in the order of the plan
  QStringList resumed; // of those, what was taken up again after its worker had vanished
  bool isStopped = false;
};

struct ExperimentStanding {
  QString id, title;
  QString now; // title of the run that is being made; empty: none
  int done = 0, failed = 0, total = 0; // done: ended, well or not; total: runs that are still there
  bool isOver = false;
};

class ExperimentBook : public QObject {
  Q_OBJECT
public:
  ExperimentBook(JobController& controller, JobQueue& queue, RunStore& store, QObject* parent = nullptr);

  void open(); // reads the folder's experiments; again when the store's folder changed
  // Makes the runs, in the background, and hands them to the queue. Either all of them or none.
  void start(const QString& title, const std::vector<PlannedJob>& jobs, const Catalog& catalog);
  void stop(const QString& id); // what waits leaves the queue; what runs goes on
  QList<ExperimentStanding> standings() const; // newest first
  const QList<ExperimentRecord>& records() const { return m_records; }

signals:
  void started(const QString& id, int runs);
  void changed();
  void failed(const QString& message);

private:
  struct Made {
    ExperimentRecord record;
    std::vector<std::filesystem::path> runs;
  };
  static Result<Made> makeRuns(const std::filesystem::path& runs, const QString& title, const std::vector<PlannedJob>& jobs, const Catalog& catalog, const QString& target);
  void goOn();
  void save(const ExperimentRecord& record);
  std::filesystem::path folder() const;

  JobController& m_controller;
  JobQueue& m_queue;
  RunStore& m_store;
  QList<ExperimentRecord> m_records; // newest first
  QThreadPool m_writer;              // of one thread
};

} // namespace voxlab
