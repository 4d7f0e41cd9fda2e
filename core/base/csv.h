// SPDX-License-Identifier: Apache-2.0
// Comma-separated values (RFC 4180): quoted fields may hold commas, line ends and doubled quotes.
#pragma once
#include "core/base/byte_source.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace voxlab {

class CsvReader {
public:
  explicit CsvReader(ByteSource& source) : m_source(source), m_block(1u << 16) {}

  // Skips whole lines until one begins with one of these; false at the end of the file. A byte order mark is skipped.
  Result<bool> skipToLineStarting(const std::vector<std::string_view>& beginnings);
  // The next row; false at the end. Empty lines are skipped. Fails with Data, naming the line, on a quote that is never closed and
  // on a field or a row that no sensible file has (a megabyte, 100 000 fields).
  Result<bool> next(std::vector<std::string>& row);
  std::uint64_t line() const { return m_line; } // on which the last row began, from 1

private:
  int get(); // next byte, or EOF; a failed read ends the file and is kept
  int peek();
  Status ended() const;
  tl::unexpected<Error> broken(const std::string& what) const;

  ByteSource& m_source;
  std::vector<char> m_block;
  std::size_t m_position = 0, m_size = 0;
  std::uint64_t m_line = 1, m_atLine = 1;
  bool m_end = false;
  std::string m_held; // start of a line that was looked at
  std::size_t m_heldAt = 0;
  Error m_error;
  bool m_failed = false;
};

// Quoted where it has to be.
std::string csvField(std::string_view text);
std::string csvLine(const std::vector<std::string>& fields); // with the line end

} // namespace voxlab
