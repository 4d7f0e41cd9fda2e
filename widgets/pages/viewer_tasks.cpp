// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_tasks.h"
#include "rendering/label_surfaces.h"
#include <QMetaObject>

namespace voxlab {

void ViewerSurfaceLoader::make(std::shared_ptr<const Volume> volume, std::vector<std::int64_t> values) {
  cancel();
  m_thread = std::jthread([this, request = m_request, volume = std::move(volume), values = std::move(values)](std::stop_token stop) {
    auto surfaces = makeLabelSurfaces(*volume, values, stop);
    if (stop.stop_requested())
      return;
    QMetaObject::invokeMethod(
        this,
        [this, request, surfaces] {
          if (request == m_request)
            emit made(surfaces);
        },
        Qt::QueuedConnection);
  });
}

void ViewerSurfaceLoader::cancel() {
  ++m_request;
  m_thread.request_stop();
  if (m_thread.joinable())
    m_thread.join();
}

void ViewerSeriesLister::list(const QString& folder) {
  m_thread.request_stop();
  if (m_thread.joinable())
    m_thread.join();
  m_thread = std::jthread([this, folder, request = ++m_request](std::stop_token stop) {
    const auto found = listDicomSeries(folder.toStdString(), stop);
    const std::vector<DicomSeries> series = found ? *found : std::vector<DicomSeries>{};
    QMetaObject::invokeMethod(
        this,
        [this, folder, series, request] {
          if (request == m_request)
            emit listed(folder, series);
        },
        Qt::QueuedConnection);
  });
}

VoxelType storedTypeFor(const ViewerVolume& volume) {
  if (volume.kind != LayerKind::Labels || volume.counts.empty() || volume.counts.begin()->first < 0)
    return VoxelType::Float32;
  const auto highest = volume.counts.rbegin()->first;
  return highest < 256 ? VoxelType::UInt8 : highest < 32768 ? VoxelType::Int16 : VoxelType::Int32;
}

ViewerSaver::~ViewerSaver() {
  if (m_thread.joinable())
    m_thread.join(); // a file that was begun is finished
}

void ViewerSaver::start(const QString& path, const ViewerVolume& volume, Done done) {
  if (m_thread.joinable())
    m_thread.join();
  m_thread = std::jthread([this, path, volume = volume.volume, type = storedTypeFor(volume), done = std::move(done)] {
    const auto status = writeNifti(path.toStdString(), *volume, type);
    const QString problem = status ? QString() : QString::fromStdString(status.error().message);
    QMetaObject::invokeMethod(this, [done, problem, path] { done(problem, path); }, Qt::QueuedConnection);
  });
}

} // namespace voxlab
