// SPDX-License-Identifier: Apache-2.0
#include "app/worker/log.h"
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

namespace voxlab::log {
namespace {
spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = std::make_shared<spdlog::logger>("voxlab", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%Y-%m-%d %H:%M:%S.%e %l: %v");
    made->flush_on(spdlog::level::trace);
    return made;
  }();
  return *instance;
}

bool stderrIs(const std::filesystem::path& file) {
  struct stat here {
  }, there{};
  return ::fstat(STDERR_FILENO, &here) == 0 && ::stat(file.c_str(), &there) == 0 && here.st_dev == there.st_dev &&
         here.st_ino == there.st_ino;
}
} // namespace

void setLevel(Level level) {
  constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                                                   spdlog::level::err};
  logger().set_level(kLevels[static_cast<int>(level)]);
}

ToFile::ToFile(const std::filesystem::path& file) {
  if (stderrIs(file))
    return;
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string());
    sink->set_pattern("%Y-%m-%d %H:%M:%S.%e %l: %v");
    logger().sinks().push_back(std::move(sink));
  } catch (const spdlog::spdlog_ex& e) {
    logger().warn("The log cannot be written to {}: {}", file.string(), e.what());
  }
}

ToFile::~ToFile() {
  logger().sinks().resize(1); // stderr stays
}

void debug(std::string_view message) {
  logger().debug("{}", message);
}
void info(std::string_view message) {
  logger().info("{}", message);
}
void warning(std::string_view message) {
  logger().warn("{}", message);
}
void error(std::string_view message) {
  logger().error("{}", message);
}

} // namespace voxlab::log
