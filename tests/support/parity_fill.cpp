// SPDX-License-Identifier: Apache-2.0
#include "tests/support/parity_fill.h"
#include <cmath>

namespace voxlab {

std::uint32_t parityHash(std::string_view key) {
  std::uint32_t hash = 0x811C9DC5u;
  for (const char c : key)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
  return hash;
}

double parityUniform(std::uint32_t hash, std::uint64_t index) {
  std::uint64_t z = (static_cast<std::uint64_t>(hash) << 32) | index;
  z += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  z ^= z >> 31;
  return static_cast<double>(z >> 40) * 0x1p-23 - 1;
}

std::vector<float> parityFill(std::string_view key, std::int64_t count, double offset, double amplitude) {
  const std::uint32_t hash = parityHash(key);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(offset + amplitude * parityUniform(hash, i));
  return values;
}

ParityScale parityScale(std::string_view name, const std::vector<std::int64_t>& shape) {
  if (shape.size() < 2)
    return name.ends_with(".weight") ? ParityScale{1, 0.25} : ParityScale{0, 0.125};
  double fanIn = 1;
  for (std::size_t axis = 1; axis < shape.size(); ++axis)
    fanIn *= static_cast<double>(shape[axis]);
  return {0, std::sqrt(3 / fanIn)};
}

} // namespace voxlab
