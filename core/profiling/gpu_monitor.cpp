// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/gpu_monitor.h"

namespace voxlab {

GpuMonitor::GpuMonitor(std::unique_ptr<GpuSensor> sensor, std::chrono::milliseconds every, Report report)
    : m_sensor(std::move(sensor)), m_every(every), m_report(std::move(report)), m_thread([this] { work(); }) {}

GpuMonitor::~GpuMonitor() {
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_wake.notify_all();
  m_thread.join();
}

void GpuMonitor::work() {
  auto next = std::chrono::steady_clock::now();
  std::optional<double> atFirst_j;
  std::unique_lock lock(m_mutex);
  while (!m_stop) {
    lock.unlock();
    GpuReading reading = m_sensor->read();
    if (reading.energy_j) {
      atFirst_j = atFirst_j.value_or(*reading.energy_j);
      *reading.energy_j -= *atFirst_j;
    }
    if (Json fields = toJson(reading); !fields.empty())
      m_report(std::move(fields));
    next = std::max(next + m_every, std::chrono::steady_clock::now());
    lock.lock();
    m_wake.wait_until(lock, next, [this] { return m_stop; });
  }
}

} // namespace voxlab
