// SPDX-License-Identifier: Apache-2.0
#include "app/worker/environment.h"
#include "core/base/text.h"
#include "core/execution/cuda_runtime.h"
#include "core/protocol/version.h"
#include <fstream>
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
  Json json{{"voxlab", VOXLAB_VERSION}};
  json.update(computeVersions());
  json.update({{"itk", VOXLAB_ITK_VERSION}, {"compiler", "GCC " __VERSION__}, {"protocol", schemaVersion()}});
  return json;
}

Json machine() {
  return {{"host", hostName()}, {"processor", processorName()}, {"memory_bytes", memoryBytes()}};
}

} // namespace voxlab
