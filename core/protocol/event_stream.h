// SPDX-License-Identifier: Apache-2.0
// Append-only JSON-lines files: one writer, any number of readers that tail it. Half a last line means "not yet".
#pragma once
#include "core/base/json.h"
#include <cstdint>
#include <filesystem>
#include <vector>

namespace voxlab {

class LineWriter {
public:
  LineWriter() = default;
  ~LineWriter();
  LineWriter(LineWriter&& other) noexcept;
  LineWriter& operator=(LineWriter&& other) noexcept;

  // Repairs a torn last line (cuts it off), then appends.
  static Result<LineWriter> open(const std::filesystem::path& file);
  // One write(2) with the newline, so that readers and other writers never see halves mixed.
  Status append(const Json& line);
  Status flushToDisk();

private:
  int m_fd = -1;
  std::filesystem::path m_file;
};

class LineReader {
public:
  explicit LineReader(std::filesystem::path file) : m_file(std::move(file)) {}
  // Whole lines that came since the last call, at most maximumLines; an absent file gives none. Lines that are not JSON
  // objects are skipped and counted. A file that became shorter is read from its start again (restarted() turns true).
  Result<std::vector<Json>> poll(std::size_t maximumLines = 100000);
  bool atEnd() const { return m_atEnd; }
  std::uint64_t skippedLines() const { return m_skipped; }
  std::uint64_t restarts() const { return m_restarts; }

private:
  std::filesystem::path m_file;
  std::uint64_t m_offset = 0, m_skipped = 0, m_restarts = 0;
  bool m_atEnd = false;
};

} // namespace voxlab
