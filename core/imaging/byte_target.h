// SPDX-License-Identifier: Apache-2.0
// A file written from front to back, gzip-compressed if wanted, that appears under its name only when it is whole.
#pragma once
#include "core/base/result.h"
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace voxlab {

enum class Compression { None, Gzip };

class ByteTarget {
public:
  // Writes to a temporary name beside the file; makes missing folders. Compressed bytes hold no time stamp.
  static Result<ByteTarget> create(const std::filesystem::path& file, Compression compression);
  ByteTarget(ByteTarget&&) noexcept;
  ~ByteTarget(); // what is unfinished is removed

  Status write(std::span<const std::byte> bytes);
  Status finish(); // flushes to the disk and renames

private:
  struct Stream;
  explicit ByteTarget(std::unique_ptr<Stream> stream);
  std::unique_ptr<Stream> m_stream;
};

} // namespace voxlab
