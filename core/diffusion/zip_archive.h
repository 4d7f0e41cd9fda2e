// SPDX-License-Identifier: Apache-2.0
// Zip archives with stored (uncompressed) entries, as torch.save writes them: zip64 and data descriptors included.
// Format: PKWARE APPNOTE 6.3.
#pragma once
#include "core/base/result.h"
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace voxlab {

struct ZipEntry {
  std::string name;
  std::uint64_t offset = 0; // of the data within the file
  std::uint64_t size = 0;
  std::uint32_t crc = 0;
};

class ZipReader {
public:
  // Reads the directory and checks every entry against the file's size. Fails with Data: not a zip archive, truncated,
  // compressed or encrypted entries, more than 100 000 entries, entries that reach beyond the file.
  static Result<ZipReader> open(const std::filesystem::path& file);

  const std::filesystem::path& file() const { return m_file; }
  const std::vector<ZipEntry>& entries() const { return m_entries; }
  const ZipEntry* find(const std::string& name) const; // nullptr if there is none

  // Bytes from `offset` within the entry. Fails with Data beyond its end and on read errors.
  Status read(const ZipEntry& entry, std::uint64_t offset, std::span<std::byte> destination) const;
  Status readChecked(const ZipEntry& entry, std::span<std::byte> destination) const; // a whole entry, held against its checksum
  // The whole entry, at most limitBytes, its checksum compared.
  Result<std::string> readText(const ZipEntry& entry, std::uint64_t limitBytes) const;

private:
  struct Handle;
  std::filesystem::path m_file;
  std::shared_ptr<Handle> m_handle;
  std::vector<ZipEntry> m_entries;
};

// Writes entries one after another, each aligned to 64 bytes as torch.save does; finish() puts the archive under its name.
class ZipWriter {
public:
  static Result<ZipWriter> create(const std::filesystem::path& file);
  ZipWriter(ZipWriter&& other) noexcept;
  ZipWriter& operator=(ZipWriter&&) = delete;
  ~ZipWriter(); // an unfinished file is removed

  Status add(const std::string& name, std::span<const std::byte> data);
  Status finish();

private:
  ZipWriter() = default;
  Status write(const std::string& bytes);
  Status write(std::span<const std::byte> bytes);
  struct Written {
    ZipEntry entry;
    std::uint64_t header = 0;
  };
  std::filesystem::path m_file, m_temporary;
  std::vector<Written> m_written;
  std::uint64_t m_position = 0;
  int m_fd = -1;
};

} // namespace voxlab
