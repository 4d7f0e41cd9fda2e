// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs that wait for their turn: run folders that no worker has started yet, in the order of <runs>/queue.json. The next one
// starts when nothing runs. Of several studios on one folder, one serves the queue.
#pragma once
#include "app/jobs/job_controller.h"
#include "core/protocol/run_lock.h"
#include <QHash>
#include <QStringList>
#include <QThreadPool>
#include <memory>

namespace voxlab {

class RunStore;

// Ids are taken by value: callers pass elements of ids(), which changes meanwhile.
class JobQueue : public QObject {
  Q_OBJECT
public:
  JobQueue(JobController& controller, RunStore& store, QObject* parent = nullptr);

  void open();                                // reads the folder's queue; again when the store's folder changed
  const QStringList& ids() const { return m_ids; }
  QString problem(const QString& id) const { return m_problems.value(id); } // why it did not start; empty otherwise
  bool isServedHere() const { return m_lock != nullptr; }

  void add(const JobSpec& spec, const QString& title);
  // Runs of the folder that wait, or whose worker vanished: these go on where they were.
  enum class Place { Front, Back };
  void addMade(const QStringList& ids, Place place = Place::Back);
  void reorder(const QStringList& ids);       // of the same jobs; others keep their place behind
  void moveToFront(QString id);
  void remove(QString id);             // its folder goes too: it has never run
  bool wasRemoved(const QString& id) const { return m_removed.contains(id); } // its folder may still be seen for a moment
  void retry(QString id);              // after a problem
  void startNow(QString id);           // out of turn
  bool beganInTurn(const QString& id) const { return id == m_inTurn; } // nobody asked for it just now

signals:
  void aboutToServe(); // before the next job is chosen: what should come first can still be added
  void changed();
  void failed(const QString& message);        // a job could not join, or the queue's file not be read or written

private:
  void serve();
  void begin(QString id);
  void forgetStarted();
  void save();
  std::filesystem::path file() const;

  JobController& m_controller;
  RunStore& m_store;
  QStringList m_ids;
  QSet<QString> m_removed;
  QHash<QString, QString> m_problems;
  bool m_choosing = false;
  QString m_begun;         // handed to a worker that does not run yet
  QString m_inTurn;        // the newest that was, because its turn had come
  std::unique_ptr<RunLock> m_lock;
  QThreadPool m_writer;    // of one thread, so that the newest order is written last
};

} // namespace voxlab
