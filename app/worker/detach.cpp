// SPDX-License-Identifier: Apache-2.0
#include "app/worker/detach.h"
#include "core/base/failure.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace voxlab {

void detach(const std::filesystem::path& logFile) {
  const int logFd = ::open(logFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (logFd < 0 || nothing < 0)
    throw Failure(ExitCode::Data, "Could not open " + logFile.string() + ": " + std::strerror(errno) + ".");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0)
    throw Failure(ExitCode::Internal, std::string("Could not start a process in the background: ") + std::strerror(errno) + ".");
  if (child > 0)
    ::_exit(0);
  ::setsid(); // a closing terminal ends the others of its session, not this one
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(logFd, STDOUT_FILENO);
  ::dup2(logFd, STDERR_FILENO);
}

} // namespace voxlab
