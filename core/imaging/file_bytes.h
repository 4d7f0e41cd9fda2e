// SPDX-License-Identifier: Apache-2.0
// The bytes of a file from front to back, through gzip where the content is gzip.
#pragma once
#include "core/base/result.h"
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>

namespace voxlab {

enum class ByteEncoding { Plain, Gzip, Zlib };

class FileBytes {
public:
  // Fails with Data on a missing or empty file and on anything but a regular file (a pipe would stall the program).
  static Result<FileBytes> open(const std::filesystem::path& file);
  // From a position in the file on, packed as the caller knows. Positions and sizes then count from there.
  static Result<FileBytes> openAt(const std::filesystem::path& file, std::uint64_t offset, ByteEncoding encoding);
  FileBytes(FileBytes&&) noexcept;
  FileBytes& operator=(FileBytes&&) noexcept;
  ~FileBytes();

  // Fills the buffer and returns its size; less only at the end. Fails with Data on damaged or truncated compression.
  Result<std::size_t> read(std::span<std::byte> buffer);
  // Moves forward; fails with Data at the end of the bytes and with Stopped when cancelled.
  Status skip(std::uint64_t bytes, const std::stop_token& cancel = {});
  // Reads on to the end of a compressed stream, at most that many bytes, so that its checksum is looked at.
  Status drain(std::uint64_t limitBytes, const std::stop_token& cancel = {});

  bool compressed() const;
  const std::filesystem::path& file() const;
  std::uint64_t position() const; // bytes delivered or skipped so far
  // No more than this can come: the file's size, or what deflate can make of it at most (1032:1).
  std::uint64_t mostBytes() const;
  // What the file itself says will come: its size, or gzip's own length field (which may lie, and wraps at 4 GiB).
  std::uint64_t announcedBytes() const;

private:
  struct Stream;
  static Result<std::unique_ptr<Stream>> openStream(const std::filesystem::path& file);
  explicit FileBytes(std::unique_ptr<Stream> stream);
  std::unique_ptr<Stream> m_stream;
};

} // namespace voxlab
