// SPDX-License-Identifier: GPL-3.0-or-later
// Slow work beside reading: label surfaces, the series of a folder, saving; each on a thread of its own.
#pragma once
#include "core/imaging/dicom_importer.h"
#include "widgets/pages/newest_work.h"
#include "widgets/pages/viewer_volume.h"
#include <QThreadPool>

namespace voxlab {

class ViewerSurfaceLoader : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;
  void make(std::shared_ptr<const Volume> volume, std::vector<std::int64_t> values);
  void cancel() { m_work.cancel(); }
  bool isBusy() const { return m_work.isBusy(); }

signals:
  void made(std::shared_ptr<const voxlab::LabelSurfaces> surfaces);
  void progressed(int done, int of); // labels, every tenth

private:
  NewestWork m_work;
};

// The DICOM series of a folder, listed in the background.
class ViewerSeriesLister : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;
  void list(const QString& folder);

signals:
  void listed(const QString& folder, const std::vector<voxlab::DicomSeries>& series); // empty where the folder holds none

private:
  NewestWork m_work;
};

// Writes volumes as NIfTI, stored as in the file that they came from where that loses nothing; else labels as the smallest integer
// type that holds them, images as FP32.
class ViewerSaver : public QObject {
  Q_OBJECT
public:
  explicit ViewerSaver(QObject* parent = nullptr) : QObject(parent) { m_pool.setMaxThreadCount(1); }
  using Done = std::function<void(const QString& problem, const QString& path)>; // called on this object's thread
  void start(const QString& path, const ViewerVolume& volume, Done done);

private:
  QThreadPool m_pool; // one after another; its destructor waits: a file that was begun is finished
};

NiftiStorage storageFor(const ViewerVolume& volume); // looks at every voxel: not on the window's thread

} // namespace voxlab
