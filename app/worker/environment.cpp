// SPDX-License-Identifier: Apache-2.0
#include "app/worker/environment.h"
#include "core/base/text.h"
#include "core/protocol/version.h"
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fstream>
#include <torch/headeronly/version.h>
#include <unistd.h>

namespace voxlab {
namespace {
std::string hostName() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}
} // namespace

std::string processorName() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0 && line.find(':') != std::string::npos)
      return trimmed(line.substr(line.find(':') + 1));
  return {};
}

std::int64_t memoryBytes() {
  return static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
}

Json versions() {
  return {{"voxlab", VOXLAB_VERSION},
          {"torch", TORCH_VERSION},
          {"itk", VOXLAB_ITK_VERSION},
          {"compiler", "GCC " __VERSION__},
          {"protocol", schemaVersion()}};
}

void useThreads(const JobSpec& spec) {
  if (const auto threads = spec.get<int>("threads"); threads > 0)
    at::set_num_threads(threads);
}

Json environmentOf(const JobSpec& spec) {
  return {{"host", hostName()},
          {"processor", processorName()},
          {"memory_bytes", memoryBytes()},
          {"threads", at::get_num_threads()},
          {"deterministic", spec.get<bool>("deterministic")},
          {"versions", versions()}};
}

} // namespace voxlab
