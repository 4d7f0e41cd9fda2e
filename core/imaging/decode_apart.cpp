// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/decode_apart.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace voxlab {
namespace {
constexpr unsigned int kLongest_s = 60;

[[noreturn]] void runChild(int out, std::span<std::byte> buffer, const std::function<bool(std::span<std::byte>)>& decode) {
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM, SIGTERM, SIGPIPE})
    ::signal(signal, SIG_DFL);
  const rlimit noCore{0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  ::alarm(kLongest_s);
  const int null = ::open("/dev/null", O_WRONLY);
  ::dup2(null, STDOUT_FILENO);
  ::dup2(null, STDERR_FILENO);
  bool fine = false;
  try {
    fine = decode(buffer);
  } catch (...) {
    fine = false;
  }
  while (fine && !buffer.empty()) {
    const ssize_t n = ::write(out, buffer.data(), buffer.size());
    if (n < 0 && errno != EINTR)
      break;
    buffer = buffer.subspan(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  }
  ::_exit(fine && buffer.empty() ? 0 : 1);
}

// Bytes that arrived; fewer when the child ended, was too slow or reading was cancelled.
std::size_t receive(int in, std::span<std::byte> buffer, const std::stop_token& cancel) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kLongest_s + 5);
  std::size_t done = 0;
  while (done < buffer.size() && !cancel.stop_requested() && std::chrono::steady_clock::now() < end) {
    pollfd ready{in, POLLIN, 0};
    if (::poll(&ready, 1, 50) <= 0)
      continue;
    const ssize_t n = ::read(in, buffer.data() + done, buffer.size() - done);
    if (n == 0 || (n < 0 && errno != EINTR))
      break;
    done += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
  }
  return done;
}
} // namespace

Result<std::vector<std::byte>> decodeApart(std::size_t bytes, const std::function<bool(std::span<std::byte>)>& decode, const std::string& what,
                                           const std::stop_token& cancel) {
  std::vector<std::byte> buffer(bytes);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(ExitCode::Internal, what + ": no pipe could be made (" + std::strerror(errno) + ").");
  const pid_t child = ::fork();
  if (child == 0)
    runChild(ends[1], buffer, decode);
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    return fail(ExitCode::OutOfMemory, what + ": no process could be started (" + std::strerror(errno) + ").");
  }
  const std::size_t got = receive(ends[0], buffer, cancel);
  ::close(ends[0]);
  if (got < bytes)
    ::kill(child, SIGKILL);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (cancel.stop_requested())
    return fail(ExitCode::Stopped, what + ": reading was cancelled.");
  if (got < bytes)
    return fail(ExitCode::Data, what + ": its compressed pixels are damaged, or their compression is not supported.");
  return buffer;
}

} // namespace voxlab
