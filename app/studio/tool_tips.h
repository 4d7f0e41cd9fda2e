// SPDX-License-Identifier: GPL-3.0-or-later
// Breaks long tool tips into lines: Qt draws plain ones in a single line, which may be wider than the window and lies over what it is about.
#pragma once
#include <QObject>

namespace voxlab {

class ToolTips : public QObject {
  Q_OBJECT
public:
  explicit ToolTips(QObject* application); // watches it
  static QString wrapped(const QString& tip); // lines of the tip as they are, longer ones broken

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace voxlab
