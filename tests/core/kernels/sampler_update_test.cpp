// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/sampler_update.h"
#include "tests/core/kernels/kernel_test.h"
#include <limits>

namespace voxlab {
namespace {

class SamplerUpdateTest : public KernelTest {};

constexpr std::uint32_t kStepNoise = 2;

struct State {
  State(std::int64_t batch, std::int64_t channels, std::int64_t voxels)
      : size(static_cast<std::size_t>(batch * channels * voxels)), x(ElementType::Float32, randomValues(size, 1)),
        predicted(ElementType::Float32, randomValues(size, 2)), before(ElementType::Float32, randomValues(size, 3)), clean(ElementType::Float32, size) {}
  std::size_t size;
  Array x, predicted, before, clean;
};

template <class T> struct OnDevice {
  explicit OnDevice(const std::vector<T>& values) : bytes(values.size() * sizeof(T)) {
    expectSuccess(cudaMemcpy(bytes.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  const T* get() const { return static_cast<const T*>(bytes.data()); }
  DeviceBytes bytes;
};

TEST_F(SamplerUpdateTest, AgreesWithTheFormulaAndTheNoiseOfEveryOtherMode) {
  const std::int64_t batch = 2, channels = 3, voxels = 35;
  State s(batch, channels, voxels);
  const std::vector<SamplerRow> rows{{}, {1.5f, 0.8f, 0.4f, 0.5f, -0.1f, 0.3f, 1.0f, 17}};
  const std::vector<SamplerKey> keys{{42, 0}, {43, 7}};
  const OnDevice<SamplerRow> deviceRows(rows);
  const OnDevice<SamplerKey> deviceKeys(keys);
  const OnDevice<int> index(std::vector<int>{1});
  // The prediction is channels last, the state is not.
  SamplerUpdate p{batch, channels, voxels, s.x.deviceFloats(), s.predicted.deviceFloats(), 1, channels, s.before.deviceFloats(), s.clean.deviceFloats(),
                  deviceRows.get(), index.get(), deviceKeys.get(), kStepNoise};
  launchSamplerUpdate(p, nullptr);
  const std::vector<double> next = s.x.deviceValues(), clean = s.clean.deviceValues(), x = s.x.hostValues(), eps = s.predicted.hostValues(),
                            before = s.before.hostValues();
  for (std::int64_t n = 0; n < batch; ++n)
    for (std::int64_t i = 0; i < channels * voxels; ++i) {
      const auto at = static_cast<std::size_t>(n * channels * voxels + i), from = static_cast<std::size_t>(n * channels * voxels + i % voxels * channels + i / voxels);
      const SamplerKey& key = keys[static_cast<std::size_t>(n)];
      const double z = philox::normals({key.seed, kStepNoise, static_cast<std::uint32_t>(key.sample), 17}, static_cast<std::uint64_t>(i / 4)).value[i % 4];
      const double expected = std::min(1.0, std::max(-1.0, 1.5 * x[at] - static_cast<double>(0.8f) * eps[from]));
      EXPECT_NEAR(clean[at], expected, 1e-6);
      EXPECT_NEAR(next[at], 0.4 * expected + 0.5 * x[at] - 0.1 * before[at] + 0.3 * z, 2e-6);
    }
}

TEST_F(SamplerUpdateTest, WithoutNoiseClampOrHistory) {
  State s(1, 1, 7);
  const OnDevice<SamplerRow> rows({{2.0f, 3.0f, 1.0f, 0.5f, 9.0f, 0.0f, std::numeric_limits<float>::infinity(), 0}});
  launchSamplerUpdate({1, 1, 7, s.x.deviceFloats(), s.predicted.deviceFloats(), 7, 1, nullptr, nullptr, rows.get(), nullptr, nullptr, kStepNoise}, nullptr);
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_NEAR(s.x.deviceValues()[i], 2 * s.x.hostValues()[i] - 3 * s.predicted.hostValues()[i] + 0.5 * s.x.hostValues()[i], 1e-5);
}

TEST_F(SamplerUpdateTest, NanIsNotClampedAway) {
  State s(1, 1, 4);
  const OnDevice<SamplerRow> rows({{1, 1, 1, 0, 0, 0, 1, 0}});
  const Array predicted(ElementType::Float32, {0.0, std::nan(""), 0.0, 0.0});
  launchSamplerUpdate({1, 1, 4, s.x.deviceFloats(), predicted.deviceFloats(), 4, 1, nullptr, nullptr, rows.get(), nullptr, nullptr, kStepNoise}, nullptr);
  const std::vector<double> next = s.x.deviceValues();
  EXPECT_TRUE(std::isnan(next[1]));
  EXPECT_FALSE(std::isnan(next[0]));
}

} // namespace
} // namespace voxlab
