// SPDX-License-Identifier: GPL-3.0-or-later
// A place where workers run. The run folder is all that the studio and a worker share, so a target only has to start one
// there and to answer questions with a worker's output.
#pragma once
#include "core/base/result.h"
#include "core/protocol/run_directory.h"
#include <QObject>
#include <QStringList>
#include <functional>
#include <memory>

namespace voxlab {

// What a worker program printed before it ended.
struct WorkerAnswer {
  int exitCode = -1;
  QByteArray output, errors;
};

// A question that is being asked. Deleting it ends the worker that works on it.
class WorkerQuestion : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

signals:
  // Once one of them: the worker ran to its end, or none could be run.
  void answered(const voxlab::WorkerAnswer& answer);
  void failed(const QString& message);
};

enum class StartFrom { Beginning, Checkpoint };

// Shared by all who ask it: a worker may still be on its way when the window and everything in it are gone.
class ComputeTarget {
public:
  virtual ~ComputeTarget() = default;
  virtual QString name() const = 0;  // "local"
  virtual QString title() const = 0; // "This computer"

  // Starts a worker on the run that goes on when the studio ends, and returns its process id (0 where there is none). Takes
  // some milliseconds; thread-safe. Fails with NoDevice when there is no worker program, with Internal when it cannot be started.
  virtual Result<qint64> start(const RunDirectory& run, StartFrom from) const = 0;
  // Whether a worker that was just started is still there; true when that cannot be told.
  virtual bool isAlive(qint64 processId) const = 0;
  // Runs a worker verb to its end: "describe", "dataset check DIR". Returns at once; the answer comes by signal.
  virtual WorkerQuestion* ask(const QStringList& arguments, QObject* parent) const = 0;
  // Names the worker's version on this target: answers that are kept must be thrown away when it changes.
  virtual QString fingerprint() const = 0;
};

// The one place that lists the targets. `worker`: path of the worker program, empty to look for it.
std::shared_ptr<const ComputeTarget> makeTarget(const QString& name, const QString& worker);

} // namespace voxlab
