// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/settings_writer.h"
#include <QThreadPool>
#include <memory>

namespace voxlab {

// All QSettings of a file share its values in memory; only sync() and the destructor go to the disk.
void changeSettings(const std::function<void(QSettings&)>& change) {
  auto settings = std::make_shared<QSettings>();
  change(*settings);
  settings->moveToThread(nullptr); // no event loop flushes it here
  QThreadPool::globalInstance()->start([settings = std::move(settings)]() mutable {
    settings->sync();
    settings.reset();
  });
}

} // namespace voxlab
