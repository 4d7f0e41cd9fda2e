// SPDX-License-Identifier: Apache-2.0
// Bytes that are read from the front to the back in bounded memory: files, plain or gzip-compressed.
#pragma once
#include "core/base/result.h"
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace voxlab {

class ByteSource {
public:
  virtual ~ByteSource() = default;
  // Fills the front of the buffer; 0 at the end. Fails with Data when the bytes cannot be read or unpacked.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;
  virtual double fractionRead() const = 0; // 0…1, of the file as it lies on the disk
  virtual std::string name() const = 0;    // for messages
};

// Told by content, not by name. Several gzip members in a row are one stream. Fails with Data on a missing file or a folder.
Result<std::unique_ptr<ByteSource>> openByteSource(const std::filesystem::path& file);
// The text has to outlive the source.
std::unique_ptr<ByteSource> byteSourceFromText(std::string_view text, std::string name);

} // namespace voxlab
