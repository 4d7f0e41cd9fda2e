// SPDX-License-Identifier: Apache-2.0
#include "tests/support/process_memory.h"
#include <fstream>
#include <string>

namespace voxlab {

std::uint64_t processMemory_bytes(ProcessMemory which) {
  const std::string field = which == ProcessMemory::Peak ? "VmHWM:" : "VmRSS:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(field))
      return 1024 * std::stoull(line.substr(field.size()));
  return 0;
}

} // namespace voxlab
