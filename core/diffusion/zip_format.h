// SPDX-License-Identifier: Apache-2.0
// Byte-level pieces of the zip format, shared by zip_reader.cpp and zip_writer.cpp.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <zlib.h>

namespace voxlab::zip {

inline constexpr std::uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50,
                               kEnd64Locator = 0x07064b50;
inline constexpr std::size_t kLocalHeaderBytes = 30, kCentralHeaderBytes = 46, kEndBytes = 22, kEnd64Bytes = 56, kEnd64LocatorBytes = 20;
inline constexpr std::uint16_t kZip64Extra = 1;
inline constexpr std::uint32_t kIn64 = 0xFFFFFFFFu; // "the value stands in the zip64 field"
inline constexpr std::uint16_t kUtf8Names = 1u << 11;

// Little-endian number at a place that is known to be inside.
template <class T> T number(std::string_view bytes, std::size_t at) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>(value | static_cast<T>(static_cast<T>(static_cast<unsigned char>(bytes[at + i])) << (8 * i)));
  return value;
}
template <class T> void append(std::string& bytes, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xFF));
}

inline std::uint32_t checksum(std::span<const std::byte> data, std::uint32_t before = 0) {
  return static_cast<std::uint32_t>(::crc32_z(before, reinterpret_cast<const Bytef*>(data.data()), data.size()));
}

} // namespace voxlab::zip
