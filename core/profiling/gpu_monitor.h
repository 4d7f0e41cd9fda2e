// SPDX-License-Identifier: Apache-2.0
// Reads a GPU's figures at even intervals beside the work, on a thread of its own.
#pragma once
#include "core/profiling/gpu_sensor.h"
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace voxlab {

class GpuMonitor {
public:
  using Report = std::function<void(Json fields)>; // of a gpu event, from the monitor's thread; energy counts from the first reading
  GpuMonitor(std::unique_ptr<GpuSensor> sensor, std::chrono::milliseconds every, Report report);
  ~GpuMonitor();
  GpuMonitor(const GpuMonitor&) = delete;
  GpuMonitor& operator=(const GpuMonitor&) = delete;

private:
  void work();

  std::unique_ptr<GpuSensor> m_sensor;
  std::chrono::milliseconds m_every;
  Report m_report;
  std::mutex m_mutex;
  std::condition_variable m_wake;
  bool m_stop = false;
  std::thread m_thread;
};

} // namespace voxlab
