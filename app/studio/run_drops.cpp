// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/run_drops.h"
#include "app/studio/workbench.h"
#include <QDropEvent>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

namespace voxlab {

void RunDrops::watch(QWidget* page) { page->installEventFilter(this); }

QStringList RunDrops::runsIn(const QMimeData* data) {
  QStringList paths;
  for (const QUrl& url : data->urls()) {
    const QString path = url.toLocalFile();
    if (!Workbench::looksLikeBundle(path) && !RunDirectory::looksLikeRun(path.toStdString()))
      return {};
    paths << path;
  }
  return paths;
}

bool RunDrops::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
    return QObject::eventFilter(watched, event);
  auto* drop = static_cast<QDropEvent*>(event); // a drag that enters is one, too
  const QStringList paths = runsIn(drop->mimeData());
  if (paths.isEmpty())
    return false;
  drop->acceptProposedAction();
  if (event->type() == QEvent::Drop)
    emit dropped(paths);
  return true;
}

} // namespace voxlab
