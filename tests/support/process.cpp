// SPDX-License-Identifier: Apache-2.0
#include "tests/support/process.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace voxlab {
namespace {
std::filesystem::path temporaryFile() {
  std::string pattern = (std::filesystem::temp_directory_path() / "voxlab-output-XXXXXX").string();
  const int fd = ::mkstemp(pattern.data());
  if (fd < 0)
    throw std::runtime_error("could not make a temporary file " + pattern);
  ::close(fd);
  return pattern;
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words)
    list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> merged(const std::map<std::string, std::string>& environment) {
  std::vector<std::string> words;
  for (char** e = environ; *e; ++e)
    if (!environment.count(std::string(*e).substr(0, std::strcspn(*e, "="))))
      words.emplace_back(*e);
  for (const auto& [name, value] : environment)
    words.push_back(name + "=" + value);
  return words;
}
} // namespace

Process::Process(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                 const std::map<std::string, std::string>& environment)
    : m_output(temporaryFile()), m_errors(temporaryFile()) {
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = merged(environment);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, m_output.c_str(), O_WRONLY | O_APPEND, 0);
  ::posix_spawn_file_actions_addopen(&actions, 2, m_errors.c_str(), O_WRONLY | O_APPEND, 0);
  const int error = ::posix_spawn(&m_pid, program.c_str(), &actions, nullptr, pointers(words).data(), pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    m_pid = 0;
    throw std::runtime_error("could not start " + program.string() + ": " + std::strerror(error));
  }
}

Process::~Process() {
  if (m_pid > 0 && !m_ended) {
    ::kill(m_pid, SIGKILL);
    ::waitpid(m_pid, nullptr, 0);
  }
  std::error_code ec;
  std::filesystem::remove(m_output, ec);
  std::filesystem::remove(m_errors, ec);
}

void Process::send(int signal) const {
  if (!m_ended)
    ::kill(m_pid, signal);
}

bool Process::running() {
  if (!m_ended && ::waitpid(m_pid, &m_status, WNOHANG) == m_pid)
    m_ended = true;
  return !m_ended;
}

ProcessEnd Process::wait() {
  while (!m_ended)
    m_ended = ::waitpid(m_pid, &m_status, 0) == m_pid || errno != EINTR;
  ProcessEnd end;
  end.exitCode = WIFEXITED(m_status) ? WEXITSTATUS(m_status) : -1;
  end.signal = WIFSIGNALED(m_status) ? WTERMSIG(m_status) : 0;
  end.output = contents(m_output);
  end.errors = contents(m_errors);
  return end;
}

ProcessEnd runProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                      const std::map<std::string, std::string>& environment) {
  return Process(program, arguments, environment).wait();
}

} // namespace voxlab
