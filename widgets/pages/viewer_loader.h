// SPDX-License-Identifier: GPL-3.0-or-later
// Reads volumes on a thread of its own. The newest request wins: an older one is cancelled and never reported.
#pragma once
#include "widgets/pages/newest_work.h"
#include "widgets/pages/viewer_volume.h"
#include <QObject>
#include <QStringList>
#include <functional>

namespace voxlab {

class ViewerLoader : public QObject {
  Q_OBJECT
public:
  explicit ViewerLoader(QObject* parent = nullptr);

  enum class Placement { Replace, OnTop };
  void load(const QString& path, Placement placement);
  // For volumes that are in memory already, and for other slow work on one.
  using Work = std::function<Result<ViewerVolume>(std::stop_token, const std::function<void(double)>& progress)>;
  void run(const QString& what, Placement placement, Work work);
  void cancel();
  bool isBusy() const { return m_work.isBusy(); }
  void setRayCastVoxelLimit(std::int64_t limit) { m_prepare.rayCastVoxelLimit = limit; }
  const PrepareOptions& prepareOptions() const { return m_prepare; }

signals:
  void started(const QString& what);
  void progressed(double share);
  void loaded(const voxlab::ViewerVolume& volume, voxlab::ViewerLoader::Placement placement);
  void failed(const QString& sentence);
  void finished(); // after loaded, failed or cancel

private:
  PrepareOptions m_prepare;
  NewestWork m_work;
};

} // namespace voxlab
