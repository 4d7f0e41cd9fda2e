// SPDX-License-Identifier: GPL-3.0-or-later
// Run folders and bundles that are dropped on a page which takes drops for itself; everything else is left to the page.
#pragma once
#include <QObject>
#include <QStringList>

class QMimeData;
class QWidget;

namespace voxlab {

class RunDrops : public QObject {
  Q_OBJECT
public:
  explicit RunDrops(QObject* parent = nullptr) : QObject(parent) {}
  void watch(QWidget* page);

signals:
  void dropped(const QStringList& paths);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  static QStringList runsIn(const QMimeData* data); // empty unless all that is dropped are runs or bundles
};

} // namespace voxlab
