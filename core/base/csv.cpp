// SPDX-License-Identifier: Apache-2.0
#include "core/base/csv.h"
#include <algorithm>
#include <cstdio>

namespace voxlab {
namespace {
constexpr std::size_t kLongestField = 1u << 20, kMostFields = 100000;
}

int CsvReader::peek() {
  if (m_heldAt < m_held.size())
    return static_cast<unsigned char>(m_held[m_heldAt]);
  if (m_position == m_size) {
    if (m_end)
      return EOF;
    const auto n = m_source.read(m_block);
    m_position = 0;
    m_size = n ? *n : 0;
    if (!n) {
      m_failed = true;
      m_error = n.error();
    }
    m_end = m_size == 0;
    if (m_end)
      return EOF;
  }
  return static_cast<unsigned char>(m_block[m_position]);
}

int CsvReader::get() {
  const int c = peek();
  if (c == EOF)
    return EOF;
  if (m_heldAt < m_held.size())
    ++m_heldAt;
  else
    ++m_position;
  m_atLine += c == '\n';
  return c;
}

Status CsvReader::ended() const {
  return m_failed ? Status(fail(m_error)) : Status();
}

tl::unexpected<Error> CsvReader::broken(const std::string& what) const {
  return fail(ExitCode::Data, m_source.name() + ", line " + std::to_string(m_line) + ": " + what);
}

Result<bool> CsvReader::skipToLineStarting(const std::vector<std::string_view>& beginnings) {
  std::size_t longest = 0;
  for (const auto& beginning : beginnings)
    longest = std::max(longest, beginning.size());
  for (;;) {
    std::string start;
    while (peek() != EOF && peek() != '\n' && start.size() < longest + 3)
      start += static_cast<char>(get());
    if (start.starts_with("\xef\xbb\xbf"))
      start.erase(0, 3);
    for (const auto& beginning : beginnings) {
      if (start.starts_with(beginning)) {
        m_held = start + m_held.substr(m_heldAt);
        m_heldAt = 0;
        return true;
      }
    }
    while (peek() != EOF && peek() != '\n')
      get();
    if (get() == EOF) {
      if (const auto status = ended(); !status)
        return fail(status.error());
      return false;
    }
  }
}

Result<bool> CsvReader::next(std::vector<std::string>& row) {
  row.clear();
  while (peek() == '\n' || peek() == '\r')
    get();
  m_line = m_atLine;
  if (peek() == EOF) {
    if (const auto status = ended(); !status)
      return fail(status.error());
    return false;
  }
  std::string field;
  bool quoted = false;
  for (;;) {
    const int c = get();
    if (c == EOF && quoted)
      return m_failed ? fail(m_error) : broken("a quote is never closed; the file may have been cut off.");
    if (quoted) {
      if (c != '"')
        field += static_cast<char>(c);
      else if (peek() == '"')
        field += static_cast<char>(get());
      else
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n' || c == EOF) {
      row.push_back(std::move(field));
      field.clear();
      if (c != ',')
        break;
    } else if (c != '\r') {
      field += static_cast<char>(c);
    }
    if (field.size() > kLongestField || row.size() > kMostFields)
      return broken("a field or row is too long for a table; is this a CSV file?");
  }
  if (const auto status = ended(); !status)
    return fail(status.error());
  return true;
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"')
      quoted += c;
  }
  return quoted + "\"";
}

std::string csvLine(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i)
    line += (i ? "," : "") + csvField(fields[i]);
  return line + "\n";
}

} // namespace voxlab
