// SPDX-License-Identifier: Apache-2.0
#include "tests/support/paths.h"
#include <cstdlib>

namespace voxlab {

std::filesystem::path sourceFolder() { return VOXLAB_SOURCE_DIR; }
std::filesystem::path binaryFolder() { return VOXLAB_BINARY_DIR; }
std::filesystem::path testData() { return sourceFolder() / "tests" / "data"; }

std::filesystem::path parityFolder() {
  const char* named = std::getenv("VOXLAB_PARITY_DIR");
  return named && *named ? std::filesystem::path(named) : binaryFolder() / "tests" / "data" / "parity";
}

std::filesystem::path program(const char* name) { return binaryFolder() / "bin" / name; }

} // namespace voxlab
