// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at a data set by asking the worker, in the background. The newest question wins.
#pragma once
#include "app/jobs/compute_target.h"
#include "core/protocol/catalog.h"
#include "core/protocol/job_spec.h"
#include <QPointer>

namespace voxlab {

class DatasetChecker : public QObject {
  Q_OBJECT
public:
  explicit DatasetChecker(std::shared_ptr<const ComputeTarget> target, QObject* parent = nullptr) : QObject(parent), m_target(std::move(target)) {}
  void check(const JobSpec& spec);
  void cancel();
  void setTarget(std::shared_ptr<const ComputeTarget> target) { m_target = std::move(target); }

signals:
  void checked(const voxlab::Json& report);
  void failed(const QString& message);

private:
  void take(const WorkerAnswer& answer);
  std::shared_ptr<const ComputeTarget> m_target;
  QPointer<WorkerQuestion> m_question;
};

// The verb and its options for a specification's "data.*" values.
QStringList datasetCheckArguments(const JobSpec& spec);

} // namespace voxlab
