// SPDX-License-Identifier: GPL-3.0-or-later
// Files dropped anywhere on the window; pages that want them for something of their own take them first.
#include "app/studio/main_window.h"
#include <QDragEnterEvent>
#include <QMimeData>

namespace voxlab {
namespace {
QStringList filesIn(const QMimeData* data) {
  QStringList paths;
  for (const QUrl& url : data->urls())
    if (url.isLocalFile())
      paths << url.toLocalFile();
  return paths;
}
} // namespace

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!filesIn(event->mimeData()).isEmpty())
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  activateWindow(); // the keys go where the files went
  openPaths(filesIn(event->mimeData()));
}

} // namespace voxlab
