// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/random.h"
#include "core/kernels/philox.h"
#include <numeric>
#include <stdexcept>

namespace voxlab {
namespace {
philox::Stream streamOf(const RandomKey& key) {
  return {key.seed, static_cast<std::uint32_t>(key.purpose), key.sample, key.step};
}

std::uint64_t bits(const RandomKey& key, std::uint64_t index) {
  const philox::Block block = philox::generate(streamOf(key), index);
  return (std::uint64_t{block.word[1]} << 32) | block.word[0];
}
} // namespace

double randomUniform(const RandomKey& key, std::uint64_t index) { return static_cast<double>(bits(key, index) >> 11) * 0x1.0p-53; }

std::int64_t randomInteger(const RandomKey& key, std::uint64_t index, std::int64_t bound) {
  if (bound <= 0)
    throw std::invalid_argument("A random integer needs a positive bound, not " + std::to_string(bound) + ".");
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::int64_t>((static_cast<Wide>(bits(key, index)) * static_cast<std::uint64_t>(bound)) >> 64);
}

float randomNormal(const RandomKey& key, std::uint64_t index) { return philox::normals(streamOf(key), index / 4).value[index % 4]; }

std::vector<std::int64_t> randomPermutation(const RandomKey& key, std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(randomInteger(key, i, static_cast<std::int64_t>(i)))]);
  return order;
}

} // namespace voxlab
