// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/child_process.h"
#include "core/base/text.h"
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace voxlab {
namespace {
constexpr int kAskEvery_ms = 100;

class Lines {
public:
  explicit Lines(const std::function<void(const std::string&)>& take) : m_take(take) {}
  void add(std::string_view text) {
    for (const char c : text)
      if (c == '\n')
        flush();
      else
        m_line += c;
  }
  void flush() {
    if (m_take)
      m_take(m_line);
    m_line.clear();
  }
  void finish() {
    if (!m_line.empty())
      flush();
  }

private:
  const std::function<void(const std::string&)>& m_take;
  std::string m_line;
};

// Starts the command in a process group of its own with both outputs in the pipe; the pid, or the negative error.
int spawn(const std::vector<std::string>& command, int readEnd, int writeEnd) {
  std::vector<char*> arguments;
  for (const std::string& word : command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, writeEnd, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, writeEnd, STDERR_FILENO);
  posix_spawn_file_actions_addclose(&files, readEnd);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error ? -error : pid;
}

// Reads until the pipe is closed; false when asked to stop.
bool readAll(int pipe, Lines& lines, const std::function<bool()>& stop) {
  std::array<char, 4096> buffer{};
  for (;;) {
    if (stop && stop())
      return false;
    pollfd wait{pipe, POLLIN, 0};
    if (::poll(&wait, 1, kAskEvery_ms) <= 0)
      continue;
    const ssize_t count = ::read(pipe, buffer.data(), buffer.size());
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN))
      return true;
    if (count > 0)
      lines.add({buffer.data(), static_cast<std::size_t>(count)});
  }
}
} // namespace

Result<int> runProgram(const std::vector<std::string>& command, const ChildHooks& hooks) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return fail(ExitCode::Internal, std::string("No pipe could be made: ") + std::strerror(errno) + ".");
  const int pid = spawn(command, ends[0], ends[1]);
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    return fail(ExitCode::Data, command.front() + " could not be started: " + std::strerror(-pid) + ".");
  }
  Lines lines(hooks.line);
  const bool whole = readAll(ends[0], lines, hooks.stop);
  ::close(ends[0]);
  if (!whole)
    ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!whole)
    return fail(ExitCode::Stopped, command.front() + " was ended on request.");
  lines.finish();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::filesystem::path onPath(const std::string& program) {
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path ? path : "", ':')) {
    const std::filesystem::path file = std::filesystem::path(folder) / program;
    if (!folder.empty() && ::access(file.c_str(), X_OK) == 0)
      return file;
  }
  return {};
}

} // namespace voxlab
