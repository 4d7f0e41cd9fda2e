// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/kernel_time.h"
#include <algorithm>
#include <cstdlib>
#include <torch/csrc/autograd/profiler_kineto.h>

namespace voxlab {
namespace kineto = torch::autograd::profiler;
namespace profiler = torch::profiler::impl;

double unionLength(std::vector<std::pair<double, double>> intervals) {
  std::sort(intervals.begin(), intervals.end());
  double length = 0, end = 0;
  bool first = true;
  for (const auto& [from, to] : intervals) {
    length += first ? to - from : std::max(0.0, to - std::max(from, end));
    end = first ? to : std::max(end, to);
    first = false;
  }
  return length;
}

KernelTrace::KernelTrace() {
  // Kineto would take CUPTI down after the trace, which has crashed later replays of graphs.
  ::setenv("TEARDOWN_CUPTI", "0", 1);
  ::setenv("DISABLE_CUPTI_LAZY_REINIT", "1", 1);
  const profiler::ProfilerConfig config(profiler::ProfilerState::KINETO);
  const std::set<profiler::ActivityType> activities{profiler::ActivityType::CUDA};
  kineto::prepareProfiler(config, activities);
  kineto::enableProfiler(config, activities);
}

KernelTrace::~KernelTrace() {
  try {
    if (m_open)
      kineto::disableProfiler();
  } catch (...) { // it was not recording any more
  }
}

KernelTime KernelTrace::finish() {
  m_open = false;
  const auto result = kineto::disableProfiler();
  KernelTime time;
  std::vector<std::pair<double, double>> intervals; // ms
  for (const auto& event : result->events())
    if (event.deviceType() == c10::DeviceType::CUDA) {
      const double begin = static_cast<double>(event.startNs()) * 1e-6;
      intervals.emplace_back(begin, begin + static_cast<double>(event.durationNs()) * 1e-6);
      ++time.launches;
    }
  time.busy_ms = unionLength(std::move(intervals));
  return time;
}

} // namespace voxlab
