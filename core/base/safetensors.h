// SPDX-License-Identifier: Apache-2.0
// Named tensors in a file (the safetensors format): an 8-byte little-endian header length, a JSON header, then the raw
// little-endian elements, row-major. No LibTorch; tensors are read one at a time into memory of the caller's.
#pragma once
#include "core/base/result.h"
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace voxlab {

enum class TensorType { Unknown, F64, F32, F16, BF16, I64, I32, I16, I8, U8, Bool };

std::size_t elementBytes(TensorType type);   // 0 for Unknown
const char* tensorTypeName(TensorType type); // "F32", as in the file

struct TensorInfo {
  std::string name;
  TensorType type = TensorType::Unknown;
  std::vector<std::int64_t> shape; // row-major, last one fastest; empty for a scalar
  std::uint64_t offset = 0;        // of the first byte within the file; set by reader and writer
  std::int64_t elementCount() const;
  std::uint64_t byteCount() const { return static_cast<std::uint64_t>(elementCount()) * elementBytes(type); }
};

using TensorMetadata = std::map<std::string, std::string>;

class SafetensorsReader {
public:
  // Checks the whole header against the file's size. Fails with Data: not such a file, truncated, element types that are
  // not in TensorType, sizes that do not agree, tensors that overlap or leave holes.
  static Result<SafetensorsReader> open(const std::filesystem::path& file);

  const std::filesystem::path& file() const { return m_file; }
  const std::vector<TensorInfo>& tensors() const { return m_tensors; } // in the file's order
  const TensorMetadata& metadata() const { return m_metadata; }
  const TensorInfo* find(const std::string& name) const; // nullptr if there is none

  // The tensor's bytes; the destination must have byteCount() of them.
  Status read(const TensorInfo& tensor, std::span<std::byte> destination) const;
  // Converted to T: float, double or std::int64_t (fractions are cut off). Fails with Data on an unknown name.
  template <class T> Result<std::vector<T>> values(const std::string& name) const;

private:
  struct FileHandle;
  std::filesystem::path m_file;
  std::shared_ptr<FileHandle> m_handle;
  std::vector<TensorInfo> m_tensors;
  std::map<std::string, std::size_t> m_index;
  TensorMetadata m_metadata;
};

// Writes tensor by tensor, so that the whole need not be in memory at once. The file appears under its name with finish().
class SafetensorsWriter {
public:
  // Tensors are laid out by element size, largest first, so that each is aligned; tensors() tells that order.
  static Result<SafetensorsWriter> create(const std::filesystem::path& file, std::vector<TensorInfo> tensors,
                                          const TensorMetadata& metadata = {});
  SafetensorsWriter(SafetensorsWriter&& other) noexcept;
  SafetensorsWriter& operator=(SafetensorsWriter&& other) noexcept;
  ~SafetensorsWriter(); // an unfinished file is removed

  const std::vector<TensorInfo>& tensors() const { return m_tensors; }
  Status append(std::span<const std::byte> elements); // of the next tensor, whole
  Status finish();                                    // flushes and renames; fails with Internal if tensors are missing

private:
  SafetensorsWriter() = default;
  void abandon();
  std::filesystem::path m_file, m_temporary;
  std::vector<TensorInfo> m_tensors;
  std::size_t m_next = 0;
  int m_fd = -1;
};

struct TensorView {
  TensorInfo info;
  const void* data = nullptr; // contiguous, byteCount() bytes
};
Status writeSafetensors(const std::filesystem::path& file, const std::vector<TensorView>& tensors,
                        const TensorMetadata& metadata = {});

} // namespace voxlab
