// SPDX-License-Identifier: Apache-2.0
#include "tests/support/temporary_folder.h"
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace voxlab {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "voxlab-test-XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    throw std::runtime_error("could not make a temporary folder " + pattern);
  m_path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ec;
  std::filesystem::remove_all(m_path, ec);
}

} // namespace voxlab
