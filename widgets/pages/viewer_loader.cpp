// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_loader.h"

namespace voxlab {

ViewerLoader::ViewerLoader(QObject* parent) : QObject(parent) {}

void ViewerLoader::load(const QString& path, Placement placement) {
  const std::filesystem::path file(path.toStdString());
  run(QString::fromStdString(file.filename().string()), placement,
      [file, options = m_prepare](std::stop_token stop, const std::function<void(double)>& progress) {
        ReadOptions read;
        read.cancel = stop;
        read.progress = progress;
        return readViewerVolume(file, read, options);
      });
}

void ViewerLoader::run(const QString& what, Placement placement, Work work) {
  emit started(what);
  m_work.start([this, placement, work = std::move(work)](std::stop_token stop, const NewestWork::Tell& tell) -> NewestWork::Report {
    int lastPercent = -1;
    const auto progress = [&](double share) {
      const int percent = static_cast<int>(share * 100);
      if (percent != lastPercent)
        tell([this, share] { emit progressed(share); });
      lastPercent = percent;
    };
    return [this, placement, result = work(stop, progress)] {
      if (result)
        emit loaded(*result, placement);
      else
        emit failed(QString::fromStdString(result.error().message));
      emit finished();
    };
  });
}

void ViewerLoader::cancel() {
  if (!isBusy())
    return;
  m_work.cancel();
  emit finished();
}

} // namespace voxlab
