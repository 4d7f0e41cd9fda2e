// SPDX-License-Identifier: GPL-3.0-or-later
// Follows one run's events from a thread of its own: what the file holds is reduced there first, whatever its length, and
// handed over whole; what comes later arrives in batches, at most ten a second.
#pragma once
#include "core/analysis/run_state.h"
#include "core/protocol/run_directory.h"
#include <QObject>
#include <QThread>
#include <memory>

namespace voxlab {

// How the run stands besides its events: asked with each batch.
struct RunStanding {
  RunOutcome outcome = RunOutcome::Unknown;
  bool hasCheckpoint = false;
  QString logTail;
  bool operator==(const RunStanding&) const = default;
};

class EventFollower : public QObject {
  Q_OBJECT
public:
  explicit EventFollower(QObject* parent = nullptr);
  ~EventFollower() override;

  void follow(const RunDirectory& run); // drops the run that was followed before
  void stop();
  QString folder() const { return m_folder; }
  // Grows in this object's thread; null until opened().
  std::shared_ptr<const RunState> state() const { return m_state; }
  const RunStanding& standing() const { return m_standing; }

signals:
  void opened();                       // state() is there
  void grew();                         // state() has taken new events
  void standingChanged();
  void failed(const QString& message); // the file cannot be read, or is of a newer version; nothing more comes

private:
  void takeOver(int generation, std::shared_ptr<RunState> state);
  void take(int generation, const std::vector<Event>& events);

  QThread m_thread;
  QObject* m_worker = nullptr; // lives in m_thread
  QString m_folder;
  std::shared_ptr<RunState> m_state;
  RunStanding m_standing;
  int m_generation = 0;
};

} // namespace voxlab
