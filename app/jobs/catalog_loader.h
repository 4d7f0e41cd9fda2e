// SPDX-License-Identifier: GPL-3.0-or-later
// What the worker can do: asked once with `describe`, kept on the disk, so that the form stands at once the next time.
#pragma once
#include "app/jobs/compute_target.h"
#include "core/protocol/catalog.h"
#include <QPointer>

namespace voxlab {

class CatalogLoader : public QObject {
  Q_OBJECT
public:
  // cacheFile may be empty: nothing is kept.
  CatalogLoader(std::shared_ptr<const ComputeTarget> target, QString cacheFile, QObject* parent = nullptr);

  // First what was kept of the same worker program, if anything, then what it says now: devices come and go.
  void load();
  void setTarget(std::shared_ptr<const ComputeTarget> target) { m_target = std::move(target); }

signals:
  void loaded(const voxlab::Catalog& catalog);
  void failed(const QString& message);

private:
  void take(const WorkerAnswer& answer, const QString& fingerprint);
  bool takeKept(const QString& fingerprint);

  std::shared_ptr<const ComputeTarget> m_target;
  QString m_cacheFile;
  QPointer<WorkerQuestion> m_question;
  QByteArray m_lastOutput;
};

} // namespace voxlab
