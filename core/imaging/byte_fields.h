// SPDX-License-Identifier: Apache-2.0
// Numbers and text at byte positions of a binary header, in either byte order.
#pragma once
#include "core/base/text.h"
#include "core/imaging/voxel_sink.h"
#include <algorithm>
#include <cstring>
#include <span>

namespace voxlab {

// Positions must lie within the bytes: check the header's length first.
class ByteFields {
public:
  ByteFields(std::span<const std::byte> bytes, ByteOrder order) : m_bytes(bytes), m_order(order) {}

  template <class T> T get(std::size_t at) const {
    std::array<std::byte, sizeof(T)> raw;
    std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(at), sizeof(T), raw.begin());
    if (m_order == ByteOrder::Swapped)
      std::reverse(raw.begin(), raw.end());
    T value;
    std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }

  // Up to a zero byte; what is not printable ASCII becomes '?', so that the result is valid UTF-8.
  std::string text(std::size_t at, std::size_t longest) const {
    const auto* start = reinterpret_cast<const char*>(m_bytes.data()) + at;
    std::string out;
    for (const char* c = start; c < start + longest && *c; ++c)
      out += static_cast<unsigned char>(*c) < 32 || static_cast<unsigned char>(*c) > 126 ? '?' : *c;
    return trimmed(out);
  }

  // Four bytes, the closing zero of a three-letter magic included.
  bool magicIs(std::size_t at, const char* magic) const { return std::memcmp(m_bytes.data() + at, magic, 4) == 0; }

private:
  std::span<const std::byte> m_bytes;
  ByteOrder m_order;
};

} // namespace voxlab
