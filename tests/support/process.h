// SPDX-License-Identifier: Apache-2.0
// Another program, run by a test: its output is captured, its environment set, its end waited for.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace voxlab {

struct ProcessEnd {
  int exitCode = -1; // -1 when a signal ended it
  int signal = 0;
  std::string output, errors;
};

class Process {
public:
  // Starts at once; environment is added to this process's. Throws std::runtime_error when that fails.
  Process(const std::filesystem::path& program, const std::vector<std::string>& arguments,
          const std::map<std::string, std::string>& environment = {});
  ~Process(); // kills it if it still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return m_pid; }
  void send(int signal) const;
  bool running();
  ProcessEnd wait();

private:
  pid_t m_pid = 0;
  bool m_ended = false;
  int m_status = 0;
  std::filesystem::path m_output, m_errors; // files: a full pipe would stop the program
};

ProcessEnd runProcess(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                      const std::map<std::string, std::string>& environment = {});

} // namespace voxlab
