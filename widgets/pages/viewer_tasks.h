// SPDX-License-Identifier: GPL-3.0-or-later
// Slow work beside reading: label surfaces and saving, each on a thread of its own; the newest request wins.
#pragma once
#include "core/imaging/dicom_importer.h"
#include "widgets/pages/viewer_volume.h"
#include <QObject>
#include <functional>
#include <thread>

namespace voxlab {

class ViewerSurfaceLoader : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;
  ~ViewerSurfaceLoader() override { cancel(); }
  void make(std::shared_ptr<const Volume> volume, std::vector<std::int64_t> values);
  void cancel();

signals:
  void made(std::shared_ptr<const voxlab::LabelSurfaces> surfaces);

private:
  std::jthread m_thread;
  std::uint64_t m_request = 0;
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
  std::jthread m_thread;
  std::uint64_t m_request = 0;
};

// Writes volumes as NIfTI: labels as the smallest integer type that holds them, images as FP32.
class ViewerSaver : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;
  ~ViewerSaver() override;
  using Done = std::function<void(const QString& problem, const QString& path)>; // called on this object's thread
  void start(const QString& path, const ViewerVolume& volume, Done done);

private:
  std::jthread m_thread;
};

VoxelType storedTypeFor(const ViewerVolume& volume);

} // namespace voxlab
