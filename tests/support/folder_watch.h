// SPDX-License-Identifier: Apache-2.0
// Tells what another process does in folders, as it happens: tests wait for events, not by the clock.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace voxlab {

struct FolderChange {
  std::filesystem::path file; // the folder watched, with the name that changed
  enum class Kind { Created, Written, Renamed, Removed } kind = Kind::Created;
};

class FolderWatch {
public:
  FolderWatch();
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  void add(const std::filesystem::path& folder); // must exist
  // Blocks until something changes or the process ends (pid is a child; it is not reaped); nothing when it ended.
  std::vector<FolderChange> wait(int pid);

private:
  int m_fd;
  std::map<int, std::filesystem::path> m_folders;
};

} // namespace voxlab
