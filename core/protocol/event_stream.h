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
  // Starts at the given byte, which must be a line's begin.
  explicit LineReader(std::filesystem::path file, std::uint64_t offset = 0) : m_file(std::move(file)), m_offset(offset) {}

  // Whole lines that came since the last call, at most maximumLines; an absent file gives none. Lines that are not JSON
  // objects, or longer than 64 MB, are skipped and counted. A file that became shorter is read from its start again
  // (restarts() grows). Fails with Data when the file is there but cannot be read.
  Result<std::vector<Json>> poll(std::size_t maximumLines = 100000);
  bool atEnd() const { return m_atEnd; } // the last poll() took every whole line
  std::uint64_t skippedLines() const { return m_skipped; }
  std::uint64_t restarts() const { return m_restarts; }
  std::uint64_t offset() const { return m_offset; }

private:
  void take(std::string_view line, std::vector<Json>& lines);
  Status readBlock(int fd, std::uint64_t size, std::uint64_t& blockBytes, std::size_t maximumLines, std::vector<Json>& lines);

  std::filesystem::path m_file;
  std::uint64_t m_offset = 0, m_skipped = 0, m_restarts = 0;
  bool m_atEnd = false, m_inLongLine = false;
};

} // namespace voxlab
