// SPDX-License-Identifier: GPL-3.0-or-later
// How busy this computer's processors are, once a second, from /proc/stat.
#pragma once
#include <QObject>
#include <QTimer>
#include <optional>

namespace voxlab {

class HostLoad : public QObject {
  Q_OBJECT
public:
  explicit HostLoad(QObject* parent = nullptr);

signals:
  void measured(std::optional<double> share); // 0…1 of all processors; unknown where there is no /proc/stat

private:
  void measure();
  QTimer m_timer;
  quint64 m_busy = 0, m_total = 0;
};

} // namespace voxlab
