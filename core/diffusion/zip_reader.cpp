// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/zip_archive.h"
#include "core/diffusion/zip_format.h"
#include <algorithm>
#include <fstream>
#include <optional>
#include <string_view>

namespace voxlab {
namespace {
using namespace zip;
constexpr std::uint64_t kMaximumEntries = 100000;
constexpr std::uint64_t kMaximumDirectoryBytes = 64u << 20;

struct File {
  std::ifstream stream;
  std::uint64_t size = 0;

  bool read(std::uint64_t offset, char* target, std::uint64_t count) {
    stream.clear();
    stream.seekg(static_cast<std::streamoff>(offset));
    stream.read(target, static_cast<std::streamsize>(count));
    return static_cast<std::uint64_t>(stream.gcount()) == count;
  }
  // Empty if it does not lie in the file.
  std::string bytes(std::uint64_t offset, std::uint64_t count) {
    if (count > size || offset > size - count)
      return {};
    std::string text(count, '\0');
    return read(offset, text.data(), count) ? text : std::string();
  }
};

struct Directory {
  std::uint64_t offset = 0, size = 0, entries = 0;
};

// Where the list of entries lies: from the end record in the last 64 KiB, or its zip64 form.
std::optional<Directory> findDirectory(File& file) {
  const std::uint64_t tailSize = std::min<std::uint64_t>(file.size, kEndBytes + 65535);
  const std::uint64_t tailStart = file.size - tailSize;
  const std::string tail = file.bytes(tailStart, tailSize);
  if (tail.size() < kEndBytes)
    return std::nullopt;
  for (std::size_t at = tail.size() - kEndBytes + 1; at-- > 0;) {
    if (number<std::uint32_t>(tail, at) != kEnd)
      continue;
    const Directory plain{number<std::uint32_t>(tail, at + 16), number<std::uint32_t>(tail, at + 12), number<std::uint16_t>(tail, at + 10)};
    const std::uint64_t end = tailStart + at;
    const std::string locator = end >= kEnd64LocatorBytes ? file.bytes(end - kEnd64LocatorBytes, kEnd64LocatorBytes) : std::string();
    if (locator.empty() || number<std::uint32_t>(locator, 0) != kEnd64Locator)
      return plain;
    const std::string end64 = file.bytes(number<std::uint64_t>(locator, 8), kEnd64Bytes);
    if (end64.empty() || number<std::uint32_t>(end64, 0) != kEnd64)
      return std::nullopt;
    return Directory{number<std::uint64_t>(end64, 48), number<std::uint64_t>(end64, 40), number<std::uint64_t>(end64, 32)};
  }
  return std::nullopt;
}

// The fields of an entry in the list; the zip64 extra field replaces those that are 0xFFFFFFFF.
struct Central {
  std::uint64_t size = 0, stored = 0, header = 0;
};

bool readZip64(std::string_view extra, Central& central) {
  while (extra.size() >= 4) {
    const auto id = number<std::uint16_t>(extra, 0);
    const std::size_t length = number<std::uint16_t>(extra, 2);
    if (extra.size() < 4 + length)
      return false;
    std::string_view field = extra.substr(4, length);
    if (id == kZip64Extra)
      for (std::uint64_t* value : {&central.size, &central.stored, &central.header}) {
        if (*value != kIn64)
          continue;
        if (field.size() < 8)
          return false;
        *value = number<std::uint64_t>(field, 0);
        field.remove_prefix(8);
      }
    extra.remove_prefix(4 + length);
  }
  return true;
}

// Takes the first entry off the list. Errors are the end of a sentence.
tl::expected<ZipEntry, std::string> takeEntry(std::string_view& list, File& file) {
  const auto broken = [](const char* why) { return tl::make_unexpected(std::string(why)); };
  if (list.size() < kCentralHeaderBytes || number<std::uint32_t>(list, 0) != kCentralHeader)
    return broken("its list of entries ends early");
  const auto flags = number<std::uint16_t>(list, 8);
  const auto method = number<std::uint16_t>(list, 10);
  const std::size_t nameLength = number<std::uint16_t>(list, 28), extraLength = number<std::uint16_t>(list, 30),
                    commentLength = number<std::uint16_t>(list, 32);
  const std::size_t length = kCentralHeaderBytes + nameLength + extraLength + commentLength;
  if (list.size() < length)
    return broken("its list of entries ends early");
  if ((flags & 1) != 0 || method != 0)
    return broken("it holds compressed or encrypted entries, but checkpoints are stored as they are");
  ZipEntry entry;
  entry.name = list.substr(kCentralHeaderBytes, nameLength);
  entry.crc = number<std::uint32_t>(list, 16);
  Central central{number<std::uint32_t>(list, 24), number<std::uint32_t>(list, 20), number<std::uint32_t>(list, 42)};
  if (!readZip64(list.substr(kCentralHeaderBytes + nameLength, extraLength), central))
    return broken("an entry's zip64 field is too short");
  const std::string local = file.bytes(central.header, kLocalHeaderBytes);
  if (local.empty() || number<std::uint32_t>(local, 0) != kLocalHeader)
    return broken("an entry has no header");
  entry.offset = central.header + kLocalHeaderBytes + number<std::uint16_t>(local, 26) + number<std::uint16_t>(local, 28);
  entry.size = central.size;
  if (central.size != central.stored || entry.size > file.size || entry.offset > file.size - entry.size)
    return broken("an entry reaches beyond the end");
  list.remove_prefix(length);
  return entry;
}

} // namespace

struct ZipReader::Handle : File {};

Result<ZipReader> ZipReader::open(const std::filesystem::path& file) {
  const auto broken = [&](const std::string& why) { return fail(ExitCode::Data, file.string() + " cannot be read: " + why + "."); };
  ZipReader reader;
  reader.m_file = file;
  reader.m_handle = std::make_shared<Handle>();
  std::error_code ec;
  if (!std::filesystem::is_regular_file(file, ec))
    return broken("there is no such file");
  Handle& handle = *reader.m_handle;
  handle.stream.open(file, std::ios::binary);
  handle.size = std::filesystem::file_size(file, ec);
  if (!handle.stream || ec)
    return broken("it could not be opened");
  const auto directory = findDirectory(handle);
  if (!directory)
    return broken("it is not a zip archive, or it was cut off");
  if (directory->entries > kMaximumEntries || directory->size > kMaximumDirectoryBytes)
    return broken("its list of entries is longer than any checkpoint's");
  const std::string list = handle.bytes(directory->offset, directory->size);
  if (list.size() != directory->size)
    return broken("its list of entries lies beyond the end");
  std::string_view rest = list;
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < directory->entries; ++i) {
    auto entry = takeEntry(rest, handle);
    if (!entry)
      return broken(entry.error());
    total += entry->size;
    if (total > handle.size)
      return broken("its entries overlap");
    reader.m_entries.push_back(std::move(*entry));
  }
  return reader;
}

const ZipEntry* ZipReader::find(const std::string& name) const {
  const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const ZipEntry& e) { return e.name == name; });
  return found == m_entries.end() ? nullptr : &*found;
}

Status ZipReader::read(const ZipEntry& entry, std::uint64_t offset, std::span<std::byte> destination) const {
  if (destination.size() > entry.size || offset > entry.size - destination.size())
    return fail(ExitCode::Data, m_file.string() + ": the entry " + entry.name + " is shorter than what is to be read from it.");
  if (!m_handle->read(entry.offset + offset, reinterpret_cast<char*>(destination.data()), destination.size()))
    return fail(ExitCode::Data, "Could not read the entry " + entry.name + " of " + m_file.string() + ".");
  return {};
}

Status ZipReader::readChecked(const ZipEntry& entry, std::span<std::byte> destination) const {
  if (const Status status = read(entry, 0, destination); !status)
    return status;
  if (destination.size() != entry.size || zip::checksum(destination) != entry.crc)
    return fail(ExitCode::Data, m_file.string() + " is damaged: the checksum of " + entry.name + " does not fit.");
  return {};
}

Result<std::string> ZipReader::readText(const ZipEntry& entry, std::uint64_t limitBytes) const {
  if (entry.size > limitBytes)
    return fail(ExitCode::Data, m_file.string() + ": the entry " + entry.name + " is larger than " + std::to_string(limitBytes) + " bytes.");
  std::string text(entry.size, '\0');
  if (const Status status = readChecked(entry, std::as_writable_bytes(std::span(text.data(), text.size()))); !status)
    return fail(status.error());
  return text;
}

} // namespace voxlab
