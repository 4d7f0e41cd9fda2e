// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/features.h"
#include "core/diffusion/random.h"
#include "core/imaging/resample.h"
#include <ATen/ops/cat.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/var.h>
#include <array>
#include <c10/core/GradMode.h>
#include <cmath>

namespace voxlab {
namespace {
constexpr std::uint64_t kSeed = 20260131;
constexpr std::array<std::int64_t, 5> kChannels{1, 16, 32, 32, 32};
constexpr std::int64_t kSide = 64;

at::Tensor randomWeight(std::uint32_t layer) {
  const std::int64_t in = kChannels[layer], out = kChannels[layer + 1];
  at::Tensor weight = at::empty({out, in, 3, 3, 3});
  const float scale = std::sqrt(2.0f / static_cast<float>(27 * in));
  float* values = weight.mutable_data_ptr<float>();
  for (std::int64_t n = 0; n < weight.numel(); ++n)
    values[n] = scale * randomNormal({kSeed, Purpose::Evaluation, layer, 0}, static_cast<std::uint64_t>(n));
  return weight;
}

at::Tensor atSide(const at::Tensor& volume) {
  const GridSize from{volume.size(4), volume.size(3), volume.size(2)}, to{kSide, kSide, kSide};
  if (from == to)
    return volume;
  const at::Tensor flat = volume.contiguous();
  const std::vector<float> resized = resizedVoxels<float>({flat.const_data_ptr<float>(), static_cast<std::size_t>(flat.numel())}, from, to, AxisFilter::Triangle);
  at::Tensor out = at::empty({1, 1, kSide, kSide, kSide});
  std::copy(resized.begin(), resized.end(), out.mutable_data_ptr<float>());
  return out;
}

class RandomFeatures : public FeatureNetwork {
public:
  explicit RandomFeatures(at::Device device) : m_device(device) {
    for (std::uint32_t layer = 0; layer + 1 < kChannels.size(); ++layer)
      m_weights[layer] = randomWeight(layer).to(device);
  }

  at::Tensor features(const at::Tensor& volume) override {
    const c10::NoGradGuard noGradients;
    at::Tensor x = atSide(volume).to(m_device);
    for (const at::Tensor& weight : m_weights)
      x = at::leaky_relu(at::conv3d(x, weight, {}, 2, 1), 0.2);
    x = x.to(at::kCPU, at::kDouble).flatten(2).squeeze(0); // channels, voxels
    return at::cat({x.mean(1), at::var(x, {1}, false).sqrt()});
  }

  std::string recipe() const override {
    return "voxlab-random-v1: volume at 64³, four untrained 3³ convolutions with stride 2 (16, 32, 32, 32 channels, Philox seed "
           "20260131, leaky ReLU 0.2), mean and standard deviation of each last channel: 64 features.";
  }

private:
  at::Device m_device;
  std::array<at::Tensor, kChannels.size() - 1> m_weights;
};
} // namespace

std::unique_ptr<FeatureNetwork> makeRandomFeatures(at::Device device) {
  return std::make_unique<RandomFeatures>(device);
}

} // namespace voxlab
