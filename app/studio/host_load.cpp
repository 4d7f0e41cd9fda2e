// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/host_load.h"
#include <QFile>

namespace voxlab {
namespace {
constexpr int kInterval_ms = 1000;
constexpr qsizetype kIdle = 3, kIoWait = 4, kColumns = 8; // user nice system idle iowait irq softirq steal
} // namespace

HostLoad::HostLoad(QObject* parent) : QObject(parent) {
  connect(&m_timer, &QTimer::timeout, this, &HostLoad::measure);
  m_timer.start(kInterval_ms);
  measure();
}

void HostLoad::measure() {
  QFile stat(QStringLiteral("/proc/stat"));
  if (!stat.open(QIODevice::ReadOnly)) {
    emit measured(std::nullopt);
    return;
  }
  const QList<QByteArray> columns = stat.readLine().simplified().split(' ').mid(1, kColumns);
  quint64 total = 0, idle = 0;
  for (qsizetype i = 0; i < columns.size(); ++i) {
    total += columns[i].toULongLong();
    idle += i == kIdle || i == kIoWait ? columns[i].toULongLong() : 0;
  }
  const quint64 busy = total - idle;
  if (m_total > 0 && total > m_total)
    emit measured(static_cast<double>(busy - m_busy) / static_cast<double>(total - m_total));
  m_busy = busy;
  m_total = total;
}

} // namespace voxlab
