// SPDX-License-Identifier: Apache-2.0
#include "tests/support/folder_watch.h"
#include <array>
#include <poll.h>
#include <stdexcept>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace voxlab {
namespace {
FolderChange::Kind kindOf(std::uint32_t mask) {
  if (mask & IN_CREATE)
    return FolderChange::Kind::Created;
  if (mask & IN_MOVED_TO)
    return FolderChange::Kind::Renamed;
  return mask & IN_DELETE ? FolderChange::Kind::Removed : FolderChange::Kind::Written;
}
} // namespace

FolderWatch::FolderWatch() : m_fd(::inotify_init1(IN_CLOEXEC)) {
  if (m_fd < 0)
    throw std::runtime_error("inotify is not to be had");
}

FolderWatch::~FolderWatch() {
  ::close(m_fd);
}

void FolderWatch::add(const std::filesystem::path& folder) {
  const int watch = ::inotify_add_watch(m_fd, folder.c_str(), IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR);
  if (watch >= 0) // it may be gone again
    m_folders[watch] = folder;
}

std::vector<FolderChange> FolderWatch::wait(int pid) {
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  std::array<pollfd, 2> polled{{{m_fd, POLLIN, 0}, {process, POLLIN, 0}}};
  ::poll(polled.data(), process >= 0 ? 2 : 1, process >= 0 ? -1 : 0);
  if (process >= 0)
    ::close(process);
  std::vector<FolderChange> changes;
  if (!(polled[0].revents & POLLIN))
    return changes;
  alignas(inotify_event) std::array<char, 16384> buffer;
  const ssize_t bytes = ::read(m_fd, buffer.data(), buffer.size());
  for (ssize_t at = 0; at < bytes;) {
    const auto* event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
    if (event->len > 0)
      changes.push_back({m_folders[event->wd] / event->name, kindOf(event->mask)});
    at += static_cast<ssize_t>(sizeof(inotify_event)) + event->len;
  }
  return changes;
}

} // namespace voxlab
