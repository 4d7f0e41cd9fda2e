// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_loader.h"
#include <QMetaObject>
#include <QPointer>
#include <memory>

namespace voxlab {

ViewerLoader::ViewerLoader(QObject* parent) : QObject(parent) {}

ViewerLoader::~ViewerLoader() {
  m_thread.request_stop();
  if (m_thread.joinable())
    m_thread.join();
}

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
  const std::uint64_t request = ++m_request;
  m_busy = true;
  emit started(what);
  // The old thread ends by itself: the new one waits for it, so that two volumes are never read at once.
  auto previous = std::make_shared<std::jthread>(std::move(m_thread));
  previous->request_stop();
  m_thread = std::jthread([this, request, placement, work = std::move(work), previous](std::stop_token stop) {
    if (previous->joinable())
      previous->join();
    const auto report = [this, request](auto action) {
      QMetaObject::invokeMethod(
          this,
          [this, request, action] {
            if (request == m_request)
              action();
          },
          Qt::QueuedConnection);
    };
    int lastPercent = -1;
    const auto progress = [&](double share) {
      const int percent = static_cast<int>(share * 100);
      if (percent != lastPercent)
        report([this, share] { emit progressed(share); });
      lastPercent = percent;
    };
    auto result = std::make_shared<Result<ViewerVolume>>(work(stop, progress));
    if (stop.stop_requested())
      return;
    report([this, result, placement] {
      m_busy = false;
      if (*result)
        emit loaded(**result, placement);
      else
        emit failed(QString::fromStdString(result->error().message));
      emit finished();
    });
  });
}

void ViewerLoader::cancel() {
  if (!m_busy)
    return;
  ++m_request;
  m_thread.request_stop();
  m_busy = false;
  emit finished();
}

} // namespace voxlab
