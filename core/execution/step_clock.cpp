// SPDX-License-Identifier: Apache-2.0
#include "core/execution/step_clock.h"
#include "core/execution/cuda_runtime.h"
#include <c10/core/impl/VirtualGuardImpl.h>

namespace voxlab {

StepClock::StepClock(c10::Device device) : m_device(device) {}

void StepClock::begin() {
  m_marks.clear();
  m_ends.clear();
  synchronize(m_device);
  record();
  m_ends.push_back(Clock::now());
}

void StepClock::record() {
  if (!m_device.is_cuda())
    return;
  m_marks.emplace_back(m_device.type(), c10::EventFlag::BACKEND_DEFAULT);
  m_marks.back().record(c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device));
}

void StepClock::noteEnd(std::size_t step) {
  if (step < m_marks.size())
    m_marks[step].synchronize();
  m_ends.push_back(Clock::now());
}

void StepClock::mark() {
  record();
  if (!m_device.is_cuda())
    noteEnd(0);
  else if (m_marks.size() > 2)
    noteEnd(m_marks.size() - 2);
}

std::vector<StepTime> StepClock::finish() {
  if (m_marks.size() > 1)
    noteEnd(m_marks.size() - 1);
  std::vector<StepTime> times;
  for (std::size_t i = 1; i < m_ends.size(); ++i) {
    StepTime time;
    time.wall_ms = std::chrono::duration<double, std::milli>(m_ends[i] - m_ends[i - 1]).count();
    if (i < m_marks.size())
      time.device_ms = m_marks[i - 1].elapsedTime(m_marks[i]);
    times.push_back(time);
  }
  return times;
}

} // namespace voxlab
