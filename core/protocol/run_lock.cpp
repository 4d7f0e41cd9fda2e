// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/run_lock.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace voxlab {
namespace {
// Looking whether a lock is held takes it for an instant, so a taker asks a few times before it believes.
constexpr int kAttempts = 50;
constexpr std::chrono::milliseconds kBetweenAttempts{10};

std::string smallFile(const std::filesystem::path& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC); // files of /proc have no size
  if (fd < 0)
    return {};
  std::string text(4096, '\0');
  const ssize_t n = ::read(fd, text.data(), text.size());
  ::close(fd);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

std::string hostName() {
  char name[256] = "";
  ::gethostname(name, sizeof name - 1);
  return name;
}

std::string bootId() {
  return trimmed(smallFile("/proc/sys/kernel/random/boot_id"));
}

// 0 when there is no such process or it is only waiting to be reaped. The process name in field 2 may hold spaces and
// brackets: count from its last bracket.
std::int64_t startTicksOf(std::int64_t pid) {
  const std::string stat = smallFile("/proc/" + std::to_string(pid) + "/stat");
  const auto bracket = stat.rfind(')');
  if (bracket == std::string::npos || bracket + 2 > stat.size())
    return 0;
  const auto fields = split(std::string_view(stat).substr(bracket + 2), ' ');
  constexpr std::size_t kStartTime = 22 - 3; // the first of these is field 3
  std::int64_t ticks = 0;
  if (fields.size() > kStartTime && fields[0] != "Z" && fields[0] != "X")
    std::from_chars(fields[kStartTime].data(), fields[kStartTime].data() + fields[kStartTime].size(), ticks);
  return ticks;
}

std::string sentence(const std::optional<LockHolder>& holder, const std::filesystem::path& lockFile) {
  const std::string who =
      holder ? "process " + std::to_string(holder->pid) + " on " + holder->host : std::string("another process");
  return "The run " + lockFile.parent_path().string() + " is being worked on by " + who + ". Wait for it, or stop it first.";
}

Status writeHolder(int fd, const std::filesystem::path& lockFile) {
  const LockHolder self = thisProcess();
  const std::string text =
      compactJson({{"host", self.host}, {"boot_id", self.bootId}, {"pid", self.pid}, {"start_ticks", self.startTicks}}) + "\n";
  if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
    return fail(ExitCode::Data, "Could not write " + lockFile.string() + ": " + std::strerror(errno) + ".");
  return {};
}
} // namespace

LockHolder thisProcess() {
  return {hostName(), bootId(), ::getpid(), startTicksOf(::getpid())};
}

std::optional<bool> isAlive(const LockHolder& holder) {
  if (holder.host != hostName())
    return std::nullopt;
  return holder.bootId == bootId() && holder.startTicks != 0 && startTicksOf(holder.pid) == holder.startTicks;
}

RunLock::~RunLock() {
  ::close(m_fd);
}

// The file appears locked: who looks between its making and its locking would take the run for one whose worker is gone.
// Null when there is one already, or where the file system cannot do this.
std::unique_ptr<RunLock> RunLock::makeLocked(const std::filesystem::path& lockFile) {
  const auto fresh = temporaryBeside(lockFile);
  const int fd = ::open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd < 0)
    return nullptr;
  std::unique_ptr<RunLock> lock(new RunLock(fd));
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0 && writeHolder(fd, fresh) &&
      ::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, lockFile.c_str(), RENAME_NOREPLACE) == 0)
    return lock;
  ::unlink(fresh.c_str());
  return nullptr;
}

Result<std::unique_ptr<RunLock>> RunLock::take(const std::filesystem::path& lockFile) {
  std::error_code ec;
  if (!std::filesystem::exists(lockFile, ec))
    if (auto lock = makeLocked(lockFile))
      return lock;
  const int fd = ::open(lockFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0)
    return fail(ExitCode::Data, "Could not open " + lockFile.string() + ": " + std::strerror(errno) + ".");
  std::unique_ptr<RunLock> lock(new RunLock(fd));
  for (int attempt = 0; ::flock(fd, LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (errno == EINTR)
      continue;
    if (errno != EWOULDBLOCK)
      return fail(ExitCode::Data, "Could not lock " + lockFile.string() + ": " + std::strerror(errno) +
                                      ". The run's folder has to be on a file system with locks.");
    const auto holder = lastHolder(lockFile);
    if (attempt >= kAttempts || (holder && isAlive(*holder).value_or(true)))
      return fail(ExitCode::Usage, sentence(holder, lockFile));
    std::this_thread::sleep_for(kBetweenAttempts);
  }
  if (const Status written = writeHolder(fd, lockFile); !written)
    return fail(written.error());
  return lock;
}

bool isLocked(const std::filesystem::path& lockFile) {
  const int fd = ::open(lockFile.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  int rc = 0;
  do
    rc = ::flock(fd, LOCK_SH | LOCK_NB);
  while (rc != 0 && errno == EINTR);
  const bool locked = rc != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  return locked;
}

std::optional<LockHolder> lastHolder(const std::filesystem::path& lockFile) {
  const auto json = parseJson(smallFile(lockFile), lockFile.string());
  if (!json)
    return std::nullopt;
  const auto host = jsonGet<std::string>(*json, "host");
  const auto pid = jsonGet<std::int64_t>(*json, "pid");
  if (!host || !pid)
    return std::nullopt;
  return LockHolder{*host, jsonGet<std::string>(*json, "boot_id").value_or(""), *pid,
                    jsonGet<std::int64_t>(*json, "start_ticks").value_or(0)};
}

} // namespace voxlab
