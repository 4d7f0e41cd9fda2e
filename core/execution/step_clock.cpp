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
  const auto between = [this](std::size_t a, std::size_t b) {
    return std::chrono::duration<double, std::milli>(m_ends[b] - m_ends[a]).count();
  };
  if (m_marks.empty()) {
    for (std::size_t i = 1; i < m_ends.size(); ++i)
      times.push_back({between(i - 1, i), std::nullopt});
    return times;
  }
  double all_ms = 0;
  for (std::size_t i = 1; i < m_marks.size(); ++i) {
    times.push_back({0, m_marks[i - 1].elapsedTime(m_marks[i])});
    all_ms += *times.back().device_ms;
  }
  for (StepTime& time : times)
    time.wall_ms = between(0, m_ends.size() - 1) * (all_ms > 0 ? *time.device_ms / all_ms : 1.0 / static_cast<double>(times.size()));
  return times;
}

} // namespace voxlab
