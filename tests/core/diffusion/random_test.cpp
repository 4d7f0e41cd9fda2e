// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/random.h"
#include "core/diffusion/noise.h"
#include "core/kernels/philox.h"
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace voxlab {
namespace {

struct Known {
  std::uint32_t counter[4], key[2], expected[4];
};

// Random123 1.14, tests/kat_vectors, philox4x32 10.
TEST(Philox, KnownAnswers) {
  const Known known[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  for (const Known& k : known) {
    const philox::Block block = philox::generate(k.counter, k.key[0], k.key[1]);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(block.word[i], k.expected[i]);
  }
}

// The stated formula, in double precision.
TEST(Philox, NormalsFollowBoxMuller) {
  double worst = 0;
  for (std::uint32_t i = 0; i < 200000; ++i) {
    const philox::Block words = philox::generate({7, 1, 2, 3}, i);
    float n[2];
    philox::normalPair(words.word[0], words.word[1], n[0], n[1]);
    const double u = static_cast<double>(static_cast<float>(words.word[0]) * 0x1p-32f + 0x1p-33f);
    const double r = std::sqrt(-2 * std::log(u)), w = 2 * M_PI * words.word[1] * 0x1p-32;
    const double expected[] = {r * std::cos(w), r * std::sin(w)};
    for (int k = 0; k < 2; ++k)
      worst = std::max(worst, std::abs(n[k] - expected[k]) / std::max(1.0, r));
  }
  EXPECT_LT(worst, 3e-7);
}

TEST(Philox, ExtremeWords) {
  float a, b;
  philox::normalPair(0, 0, a, b); // u = 2^-33
  EXPECT_NEAR(a, std::sqrt(2 * 33 * std::log(2.0)), 1e-5);
  EXPECT_EQ(b, 0.0f);
  philox::normalPair(0xFFFFFFFF, 0x40000000, a, b); // u = 1
  EXPECT_EQ(a, 0.0f);
  EXPECT_EQ(b, 0.0f);
  for (std::uint32_t angle = 0; angle < 64; ++angle) {
    philox::normalPair(0x12345678, angle << 26, a, b);
    EXPECT_TRUE(std::isfinite(a) && std::isfinite(b));
  }
}

// Frozen: a change here changes every seed's volume.
TEST(Random, FrozenValues) {
  const RandomKey key{42, Purpose::InitialNoise, 3, 7};
  const float expected[] = {0x1.5c73c8p-2f,  0x1.e2873ep-1f, 0x1.845a86p-1f, -0x1.450de6p+0f,
                            -0x1.5464a8p+0f, 0x1.478f1p+0f,  0x1.5af95p-2f,  0x1.3a96dcp-2f};
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(randomNormal(key, i), expected[i]) << i;
}

TEST(Random, EveryPartOfTheKeyCounts) {
  const RandomKey key{1, Purpose::StepNoise, 2, 3};
  const float value = randomNormal(key, 0);
  for (RandomKey other : {RandomKey{2, Purpose::StepNoise, 2, 3}, RandomKey{1ull << 40, Purpose::StepNoise, 2, 3},
                          RandomKey{1, Purpose::InitialNoise, 2, 3}, RandomKey{1, Purpose::StepNoise, 3, 3}, RandomKey{1, Purpose::StepNoise, 2, 4}})
    EXPECT_NE(randomNormal(other, 0), value);
  EXPECT_NE(randomNormal(key, 4), value);
  EXPECT_NE(randomNormal(key, 4ull << 32), value);
}

TEST(Random, IntegersCoverTheirRangeEvenly) {
  const RandomKey key{9, Purpose::TrainingTimestep, 0, 0};
  std::vector<int> counts(10);
  for (std::uint64_t i = 0; i < 100000; ++i)
    ++counts.at(static_cast<std::size_t>(randomInteger(key, i, 10)));
  for (const int c : counts)
    EXPECT_NEAR(c, 10000, 500); // 5 sigma
  EXPECT_EQ(randomInteger(key, 0, 1), 0);
  EXPECT_THROW(randomInteger(key, 0, 0), std::invalid_argument);
}

TEST(Random, PermutationHoldsEachOnceAndDependsOnThePass) {
  RandomKey key{5, Purpose::Shuffle, 0, 0};
  const auto first = randomPermutation(key, 100);
  key.step = 1;
  const auto second = randomPermutation(key, 100);
  EXPECT_NE(first, second);
  auto sorted = first;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(sorted, expected);
  EXPECT_TRUE(randomPermutation(key, 0).empty());
}

TEST(Noise, EqualInEveryLayoutBatchAndThreadCount) {
  const std::vector<std::int64_t> shape{2, 3, 5, 6, 7};
  const std::vector<RandomKey> keys{{1, Purpose::InitialNoise, 0, 0}, {1, Purpose::InitialNoise, 1, 0}};
  const at::Tensor plain = normalNoise(shape, keys, at::kCPU);
  const at::Tensor last = normalNoise(shape, keys, at::kCPU, at::MemoryFormat::ChannelsLast3d);
  EXPECT_NE(plain.strides(), last.strides());
  EXPECT_TRUE(at::equal(plain, last));
  for (std::int64_t n = 0; n < 2; ++n)
    EXPECT_TRUE(at::equal(plain[n], normalNoise({1, 3, 5, 6, 7}, {keys[static_cast<std::size_t>(n)]}, at::kCPU)[0]));
  const at::Tensor large = normalNoise({1, 1, 64, 64, 64}, {keys[0]}, at::kCPU);
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  EXPECT_TRUE(at::equal(large, normalNoise({1, 1, 64, 64, 64}, {keys[0]}, at::kCPU)));
  at::set_num_threads(threads);
  const at::Tensor flat = plain[1].flatten();
  for (const std::int64_t i : {0, 1, 2, 3, 4, 100, 629})
    EXPECT_EQ(flat[i].item<float>(), randomNormal(keys[1], static_cast<std::uint64_t>(i)));
}

TEST(Noise, IsStandardNormal) {
  const at::Tensor noise = normalNoise({1, 1, 128, 128, 64}, {{11, Purpose::InitialNoise, 0, 0}}, at::kCPU).flatten();
  const double n = static_cast<double>(noise.numel());
  const float* v = noise.const_data_ptr<float>();
  double moments[5] = {};
  double lagged = 0, largest = 0;
  for (std::int64_t i = 0; i < noise.numel(); ++i) {
    for (int k = 1; k < 5; ++k)
      moments[k] += std::pow(v[i], k) / n;
    if (i + 1 < noise.numel())
      lagged += v[i] * v[i + 1] / n;
    largest = std::max(largest, std::abs(static_cast<double>(v[i])));
  }
  EXPECT_NEAR(moments[1], 0, 5 / std::sqrt(n));
  EXPECT_NEAR(moments[2], 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(moments[3], 0, 5 * std::sqrt(15 / n));
  EXPECT_NEAR(moments[4], 3, 5 * std::sqrt(96 / n));
  EXPECT_NEAR(lagged, 0, 5 / std::sqrt(n));
  EXPECT_GT(largest, 4.5); // the tail is there: about 7 of a million lie beyond
}

} // namespace
} // namespace voxlab
