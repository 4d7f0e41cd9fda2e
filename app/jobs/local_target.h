// SPDX-License-Identifier: GPL-3.0-or-later
// This computer: the worker runs detached, in a session of its own, so that closing or killing the studio leaves it alone.
#pragma once
#include "app/jobs/compute_target.h"

namespace voxlab {

class LocalTarget : public ComputeTarget {
public:
  explicit LocalTarget(QString worker) : m_worker(std::move(worker)) {}

  QString name() const override { return QStringLiteral("local"); }
  QString title() const override;
  Result<qint64> start(const RunDirectory& run, StartFrom from) const override;
  bool isAlive(qint64 processId) const override;
  WorkerQuestion* ask(const QStringList& arguments, QObject* parent) const override;
  QString fingerprint() const override;

  // The given path, else VOXLAB_WORKER, else beside the studio, else on the PATH. Fails with NoDevice, saying where was looked.
  Result<QString> findWorker() const;

private:
  QString m_worker;
};

} // namespace voxlab
