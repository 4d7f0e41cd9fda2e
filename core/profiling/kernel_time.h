// SPDX-License-Identifier: Apache-2.0
// How long a GPU's kernels run, gaps left out: one traced stretch of work.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace voxlab {

struct KernelTime {
  double busy_ms = 0;       // in which at least one kernel or copy ran
  std::size_t launches = 0; // kernels and copies
};

// From construction to finish(), on a CUDA device that is idle at both. One at a time. Throws c10::Error when no trace can be taken.
class KernelTrace {
public:
  KernelTrace();
  ~KernelTrace(); // drops what was not finished
  KernelTrace(const KernelTrace&) = delete;
  KernelTrace& operator=(const KernelTrace&) = delete;
  KernelTime finish();

private:
  bool m_open = true;
};

// Length of the union of intervals (begin, end), in their unit.
double unionLength(std::vector<std::pair<double, double>> intervals);

} // namespace voxlab
