// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/diffusion/zip_archive.h"
#include "core/diffusion/zip_format.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace voxlab {
namespace {
constexpr std::uint64_t kAlignment = 64;

// The zip64 extra field with the values that do not fit 32 bits; empty when all do.
std::string zip64Field(std::initializer_list<std::uint64_t> values) {
  std::string field;
  for (const std::uint64_t value : values)
    if (value >= zip::kIn64)
      zip::append<std::uint64_t>(field, value);
  if (field.empty())
    return field;
  std::string extra;
  zip::append<std::uint16_t>(extra, zip::kZip64Extra);
  zip::append<std::uint16_t>(extra, static_cast<std::uint16_t>(field.size()));
  return extra + field;
}
std::uint32_t in32(std::uint64_t value) { return value >= zip::kIn64 ? zip::kIn64 : static_cast<std::uint32_t>(value); }

// Version needed, flags, method, time, date, checksum, sizes, name length: the same in both kinds of header.
void appendCommon(std::string& bytes, const ZipEntry& entry, bool zip64) {
  zip::append<std::uint16_t>(bytes, zip64 ? 45 : 20);
  zip::append<std::uint16_t>(bytes, zip::kUtf8Names);
  zip::append<std::uint16_t>(bytes, 0);
  zip::append<std::uint16_t>(bytes, 0);
  zip::append<std::uint16_t>(bytes, 0x21); // 1 January 1980
  zip::append<std::uint32_t>(bytes, entry.crc);
  zip::append<std::uint32_t>(bytes, in32(entry.size));
  zip::append<std::uint32_t>(bytes, in32(entry.size));
  zip::append<std::uint16_t>(bytes, static_cast<std::uint16_t>(entry.name.size()));
}
} // namespace

Result<ZipWriter> ZipWriter::create(const std::filesystem::path& file) {
  ZipWriter writer;
  writer.m_file = file;
  writer.m_temporary = temporaryBeside(file);
  writer.m_fd = ::open(writer.m_temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (writer.m_fd < 0)
    return fail(ExitCode::Data, "Could not create " + file.string() + ": " + std::strerror(errno) + ".");
  return writer;
}

ZipWriter::ZipWriter(ZipWriter&& other) noexcept
    : m_file(std::move(other.m_file)), m_temporary(std::move(other.m_temporary)), m_written(std::move(other.m_written)),
      m_position(other.m_position), m_fd(std::exchange(other.m_fd, -1)) {}

ZipWriter::~ZipWriter() {
  if (m_fd < 0)
    return;
  ::close(m_fd);
  ::unlink(m_temporary.c_str());
}

Status ZipWriter::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(m_fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return fail(ExitCode::Data, "Could not write " + m_file.string() + ": " + std::strerror(errno) + ".");
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    m_position += static_cast<std::uint64_t>(n);
  }
  return {};
}
Status ZipWriter::write(const std::string& bytes) { return write(std::as_bytes(std::span(bytes.data(), bytes.size()))); }

Status ZipWriter::add(const std::string& name, std::span<const std::byte> data) {
  Written written;
  written.header = m_position;
  written.entry = {name, 0, data.size(), zip::checksum(data)};
  std::string extra;
  if (data.size() >= zip::kIn64)
    extra = zip64Field({data.size(), data.size()});
  const std::uint64_t start = m_position + zip::kLocalHeaderBytes + name.size() + extra.size() + 4;
  const std::uint64_t padding = (kAlignment - start % kAlignment) % kAlignment;
  zip::append<std::uint16_t>(extra, 0x4246); // "FB": filler, the identifier torch.save uses
  zip::append<std::uint16_t>(extra, static_cast<std::uint16_t>(padding));
  extra.append(padding, 'Z');

  std::string header;
  zip::append<std::uint32_t>(header, zip::kLocalHeader);
  appendCommon(header, written.entry, data.size() >= zip::kIn64);
  zip::append<std::uint16_t>(header, static_cast<std::uint16_t>(extra.size()));
  if (const Status status = write(header + name + extra); !status)
    return status;
  m_written.push_back(std::move(written));
  return write(data);
}

Status ZipWriter::finish() {
  const std::uint64_t start = m_position;
  std::string list;
  for (const Written& w : m_written) {
    const std::string extra = w.entry.size >= zip::kIn64 ? zip64Field({w.entry.size, w.entry.size, w.header}) : zip64Field({w.header});
    zip::append<std::uint32_t>(list, zip::kCentralHeader);
    zip::append<std::uint16_t>(list, 45); // made by
    appendCommon(list, w.entry, !extra.empty());
    zip::append<std::uint16_t>(list, static_cast<std::uint16_t>(extra.size()));
    zip::append<std::uint16_t>(list, 0); // comment
    zip::append<std::uint16_t>(list, 0); // disk
    zip::append<std::uint16_t>(list, 0); // internal attributes
    zip::append<std::uint32_t>(list, 0); // external attributes
    zip::append<std::uint32_t>(list, in32(w.header));
    list += w.entry.name + extra;
  }
  const std::uint64_t size = list.size(), end = start + size, count = m_written.size();
  if (start >= zip::kIn64 || end >= zip::kIn64 || count >= 0xFFFF) {
    zip::append<std::uint32_t>(list, zip::kEnd64);
    zip::append<std::uint64_t>(list, zip::kEnd64Bytes - 12);
    zip::append<std::uint16_t>(list, 45);
    zip::append<std::uint16_t>(list, 45);
    zip::append<std::uint32_t>(list, 0);
    zip::append<std::uint32_t>(list, 0);
    for (const std::uint64_t value : {count, count, size, start})
      zip::append<std::uint64_t>(list, value);
    zip::append<std::uint32_t>(list, zip::kEnd64Locator);
    zip::append<std::uint32_t>(list, 0);
    zip::append<std::uint64_t>(list, end);
    zip::append<std::uint32_t>(list, 1);
  }
  const auto count16 = static_cast<std::uint16_t>(count >= 0xFFFF ? 0xFFFF : count);
  zip::append<std::uint32_t>(list, zip::kEnd);
  zip::append<std::uint32_t>(list, 0); // disks
  zip::append<std::uint16_t>(list, count16);
  zip::append<std::uint16_t>(list, count16);
  zip::append<std::uint32_t>(list, in32(size));
  zip::append<std::uint32_t>(list, in32(start));
  zip::append<std::uint16_t>(list, 0);
  if (const Status status = write(list); !status)
    return status;
  if (::fsync(m_fd) != 0)
    return fail(ExitCode::Data, "Could not flush " + m_file.string() + ": " + std::strerror(errno) + ".");
  ::close(std::exchange(m_fd, -1));
  return renameIntoPlace(m_temporary, m_file);
}

} // namespace voxlab
