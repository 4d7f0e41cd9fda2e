// SPDX-License-Identifier: Apache-2.0
// worker.lock: "running" is this lock, not a process id, which may have been given to another process since.
#pragma once
#include "core/base/json.h"
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace voxlab {

// Who holds the lock, or held it last.
struct LockHolder {
  std::string host, bootId;
  std::int64_t pid = 0;
  std::int64_t startTicks = 0; // field 22 of /proc/PID/stat: tells a reused pid apart
};

LockHolder thisProcess();
// Whether exactly that process lives on this machine since the same boot; nullopt for a process of another machine.
std::optional<bool> isAlive(const LockHolder& holder);

// Held with flock for as long as the object lives; the kernel lets go when the process dies.
class RunLock {
public:
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;
  // Fails with Usage when another worker holds it, naming host and pid.
  static Result<std::unique_ptr<RunLock>> take(const std::filesystem::path& lockFile);

private:
  static std::unique_ptr<RunLock> makeLocked(const std::filesystem::path& lockFile);
  explicit RunLock(int fd) : m_fd(fd) {}
  int m_fd;
};

bool isLocked(const std::filesystem::path& lockFile);
// What the file says, locked or not; nullopt when it says nothing.
std::optional<LockHolder> lastHolder(const std::filesystem::path& lockFile);

} // namespace voxlab
