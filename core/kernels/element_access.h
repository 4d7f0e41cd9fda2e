// SPDX-License-Identifier: Apache-2.0
// Elements of any storage type on the host: what the CPU reference implementations read and write.
#pragma once
#include "core/kernels/element_type.h"
#include <cmath>
#include <cstring>

namespace voxlab {

inline float toFloat(float x) { return x; }
inline float toFloat(BFloat16 x) {
  const std::uint32_t bits = std::uint32_t{x.bits} << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline float toFloat(Float16 x) {
  _Float16 h;
  std::memcpy(&h, &x.bits, 2);
  return static_cast<float>(h);
}

// Rounded to nearest even.
template <class T> T fromFloat(float x);
template <> inline float fromFloat<float>(float x) { return x; }
template <> inline BFloat16 fromFloat<BFloat16>(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, 4);
  if (std::isnan(x))
    return {0x7FFF};
  return {static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16)};
}
template <> inline Float16 fromFloat<Float16>(float x) {
  const _Float16 h = static_cast<_Float16>(x);
  Float16 f;
  std::memcpy(&f.bits, &h, 2);
  return f;
}

// One array of elements whose type is known at run time only.
class ConstElements {
public:
  ConstElements(const void* data, ElementType type) : m_data(data), m_type(type) {}
  double operator[](std::int64_t i) const {
    switch (m_type) {
    case ElementType::BFloat16:
      return toFloat(static_cast<const BFloat16*>(m_data)[i]);
    case ElementType::Float16:
      return toFloat(static_cast<const Float16*>(m_data)[i]);
    default:
      return static_cast<const float*>(m_data)[i];
    }
  }
  explicit operator bool() const { return m_data != nullptr; }

private:
  const void* m_data;
  ElementType m_type;
};

class Elements {
public:
  Elements(void* data, ElementType type) : m_data(data), m_type(type) {}
  void set(std::int64_t i, double value) const {
    const float f = static_cast<float>(value);
    switch (m_type) {
    case ElementType::BFloat16:
      static_cast<BFloat16*>(m_data)[i] = fromFloat<BFloat16>(f);
      break;
    case ElementType::Float16:
      static_cast<Float16*>(m_data)[i] = fromFloat<Float16>(f);
      break;
    default:
      static_cast<float*>(m_data)[i] = f;
    }
  }
  double operator[](std::int64_t i) const { return ConstElements(m_data, m_type)[i]; }
  explicit operator bool() const { return m_data != nullptr; }

private:
  void* m_data;
  ElementType m_type;
};

} // namespace voxlab
