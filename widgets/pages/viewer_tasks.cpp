// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_tasks.h"
#include "rendering/label_surfaces.h"
#include "widgets/base/when_done.h"
#include <QtConcurrent>

namespace voxlab {

void ViewerSurfaceLoader::make(std::shared_ptr<const Volume> volume, std::vector<std::int64_t> values) {
  m_work.start([this, volume = std::move(volume), values = std::move(values)](std::stop_token stop, const NewestWork::Tell& tell) -> NewestWork::Report {
    constexpr std::size_t kEvery = 10;
    const auto progress = [&](std::size_t done) {
      if (done % kEvery == 0)
        tell([this, done, all = values.size()] { emit progressed(static_cast<int>(done), static_cast<int>(all)); });
    };
    return [this, surfaces = makeLabelSurfaces(*volume, values, stop, progress)] { emit made(surfaces); };
  });
}

void ViewerSeriesLister::list(const QString& folder) {
  m_work.start([this, folder](std::stop_token stop, const auto&) -> NewestWork::Report {
    const auto found = listDicomSeries(folder.toStdString(), stop);
    return [this, folder, series = found ? *found : std::vector<DicomSeries>{}] { emit listed(folder, series); };
  });
}

NiftiStorage storageFor(const ViewerVolume& volume) {
  const NiftiStorage asRead = storageOf(*volume.volume);
  if (asRead.type != VoxelType::Float32 || volume.kind != LayerKind::Labels || volume.counts.empty())
    return asRead;
  for (const VoxelType type : {VoxelType::UInt8, VoxelType::Int16, VoxelType::Int32})
    if (canStore(type, *volume.volume))
      return type;
  return asRead;
}

void ViewerSaver::start(const QString& path, const ViewerVolume& volume, Done done) {
  whenDone(QtConcurrent::run(&m_pool, [path, volume] {
    const auto status = writeNifti(path.toStdString(), *volume.volume, storageFor(volume));
    return status ? QString() : QString::fromStdString(status.error().message);
  }), this, [done = std::move(done), path](const QString& problem) { done(problem, path); });
}

} // namespace voxlab
