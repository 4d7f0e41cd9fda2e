// SPDX-License-Identifier: Apache-2.0
// Messages for people: to stderr, and to the run's worker.log. A façade, because spdlog and LibTorch cannot be used in one
// file.
#pragma once
#include <filesystem>
#include <string_view>

namespace voxlab::log {

enum class Level { Debug, Info, Warning, Error };

void setLevel(Level level); // what is less important is not written; Info at first
// Also writes to this file while it lives, unless stderr goes there already. One at a time.
class ToFile {
public:
  explicit ToFile(const std::filesystem::path& file);
  ~ToFile();
  ToFile(const ToFile&) = delete;
  ToFile& operator=(const ToFile&) = delete;
};

void debug(std::string_view message);
void info(std::string_view message);
void warning(std::string_view message);
void error(std::string_view message);

} // namespace voxlab::log
