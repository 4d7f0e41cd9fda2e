// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/event_stream.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace voxlab {
namespace {
constexpr std::size_t kBlockBytes = 1u << 20;
constexpr std::uint64_t kLongestLineBytes = 64u << 20;

tl::unexpected<Error> failErrno(const std::string& what, const std::filesystem::path& file, int error = errno) {
  std::string message = what + " " + file.string() + ": " + std::strerror(error) + ".";
  if (error == ENOSPC || error == EDQUOT)
    message += " Free some space and start the run again; it goes on from its newest checkpoint.";
  return fail(ExitCode::Data, message);
}

// Keeps another writer of the same file out while its end is looked at and changed.
class AppendGuard {
public:
  explicit AppendGuard(int fd) : m_fd(fd) {
    while (::flock(m_fd, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~AppendGuard() { ::flock(m_fd, LOCK_UN); }
  AppendGuard(const AppendGuard&) = delete;
  AppendGuard& operator=(const AppendGuard&) = delete;

private:
  int m_fd;
};

std::uint64_t sizeOf(int fd) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

// The length up to and with the last newline.
Result<std::uint64_t> wholeLinesLength(int fd, const std::filesystem::path& file) {
  std::uint64_t end = sizeOf(fd);
  std::string block;
  while (end > 0) {
    const std::uint64_t begin = end > kBlockBytes ? end - kBlockBytes : 0;
    block.resize(end - begin);
    const ssize_t n = ::pread(fd, block.data(), block.size(), static_cast<off_t>(begin));
    if (n != static_cast<ssize_t>(block.size()))
      return failErrno("Could not read", file);
    if (const auto at = block.rfind('\n'); at != std::string::npos)
      return begin + at + 1;
    end = begin;
  }
  return 0;
}
} // namespace

LineWriter::~LineWriter() {
  if (m_fd >= 0)
    ::close(m_fd);
}

LineWriter::LineWriter(LineWriter&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)), m_file(std::move(other.m_file)) {}

LineWriter& LineWriter::operator=(LineWriter&& other) noexcept {
  std::swap(m_fd, other.m_fd);
  std::swap(m_file, other.m_file);
  return *this;
}

Result<LineWriter> LineWriter::open(const std::filesystem::path& file) {
  LineWriter writer;
  writer.m_file = file;
  writer.m_fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (writer.m_fd < 0)
    return failErrno("Could not open", file);
  const AppendGuard guard(writer.m_fd);
  const auto length = wholeLinesLength(writer.m_fd, file);
  if (!length)
    return fail(length.error());
  if (*length != sizeOf(writer.m_fd) && ::ftruncate(writer.m_fd, static_cast<off_t>(*length)) != 0)
    return failErrno("Could not repair the last line of", file);
  return writer;
}

Status LineWriter::append(const Json& line) {
  if (m_fd < 0)
    return fail(ExitCode::Internal, "A line was written to a file that is not open.");
  const std::string text = compactJson(line) + "\n";
  const AppendGuard guard(m_fd);
  const std::uint64_t before = sizeOf(m_fd);
  ssize_t n = 0;
  do
    n = ::write(m_fd, text.data(), text.size());
  while (n < 0 && errno == EINTR);
  if (n == static_cast<ssize_t>(text.size()))
    return {};
  const int error = n < 0 ? errno : ENOSPC; // regular files are written short only when the disk is full
  if (::ftruncate(m_fd, static_cast<off_t>(before)) != 0)
    return failErrno("Could not take back half a line of", m_file);
  return failErrno("Could not write", m_file, error);
}

Status LineWriter::flushToDisk() {
  if (m_fd >= 0 && ::fsync(m_fd) != 0 && errno != EINVAL)
    return failErrno("Could not flush", m_file);
  return {};
}

void LineReader::take(std::string_view line, std::vector<Json>& lines) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos)
    return;
  auto json = parseJson(line, m_file.string());
  if (json && json->is_object())
    lines.push_back(std::move(*json));
  else
    ++m_skipped;
}

Result<std::vector<Json>> LineReader::poll(std::size_t maximumLines) {
  std::vector<Json> lines;
  m_atEnd = true;
  const int fd = ::open(m_file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT)
    return lines;
  if (fd < 0)
    return failErrno("Could not read", m_file);
  const std::uint64_t size = sizeOf(fd);
  if (size < m_offset) {
    m_offset = 0;
    m_inLongLine = false;
    ++m_restarts;
  }
  Status status;
  std::uint64_t blockBytes = kBlockBytes;
  while (status && m_offset < size && lines.size() < maximumLines && blockBytes > 0)
    status = readBlock(fd, size, blockBytes, maximumLines, lines);
  ::close(fd);
  if (!status)
    return fail(status.error());
  m_atEnd = m_offset >= size || blockBytes == 0;
  return lines;
}

// Reads one block from m_offset and takes its whole lines. blockBytes grows while one line fills the block, and becomes 0
// when only half a line is left.
Status LineReader::readBlock(int fd, std::uint64_t size, std::uint64_t& blockBytes, std::size_t maximumLines,
                             std::vector<Json>& lines) {
  std::string block(std::min(blockBytes, size - m_offset), '\0');
  const ssize_t n = ::pread(fd, block.data(), block.size(), static_cast<off_t>(m_offset));
  if (n < 0)
    return failErrno("Could not read", m_file);
  block.resize(static_cast<std::size_t>(n));
  std::string_view rest = block;
  for (auto at = rest.find('\n'); at != std::string_view::npos && lines.size() < maximumLines; at = rest.find('\n')) {
    if (!std::exchange(m_inLongLine, false))
      take(rest.substr(0, at), lines);
    rest.remove_prefix(at + 1);
    m_offset += at + 1;
  }
  if (rest.size() < block.size())
    return {}; // something was taken
  if (m_inLongLine || block.size() >= kLongestLineBytes) {
    m_skipped += m_inLongLine ? 0 : 1;
    m_inLongLine = true;
    m_offset += block.size();
  } else if (m_offset + block.size() >= size) {
    blockBytes = 0;
  } else {
    blockBytes *= 4;
  }
  return {};
}

} // namespace voxlab
