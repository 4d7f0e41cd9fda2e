// SPDX-License-Identifier: Apache-2.0
// Networks that turn a volume into the feature vector that distributions are compared by.
#pragma once
#include <ATen/core/Tensor.h>
#include <filesystem>
#include <memory>
#include <string>

namespace voxlab {

class FeatureNetwork {
public:
  virtual ~FeatureNetwork() = default;
  // (1, 1, D, H, W) FP32 on the CPU, intensities as evaluated → (features) FP64 on the CPU. Throws Failure.
  virtual at::Tensor features(const at::Tensor& volume) = 0;
  virtual std::string recipe() const = 0; // a sentence
};

// "voxlab-random-v1": an untrained network that every machine makes alike, so that nothing has to be downloaded. Four convolutions
// 3³ with stride 2 and zero padding 1, channels 1 → 16 → 32 → 32 → 32, no bias; weights are normal with standard deviation
// √(2 / inputs), from Philox4×32-10 (seed 20260131, purpose Evaluation, sample = layer); leaky ReLU 0.2 after each. A volume is
// first brought to 64³ by a triangle filter. Features are mean and standard deviation of each of the last channels over space: 64
// numbers. Random features tell distributions apart well enough to rank (Naeem et al. 2020); they are no clinical judgement.
std::unique_ptr<FeatureNetwork> makeRandomFeatures(at::Device device);

// A network saved by torch.jit.save that takes (1, 1, D, H, W) and returns one tensor. One with more than two dimensions is averaged
// over all after the second, what is left is flattened. Throws Failure with Data when it cannot be loaded.
std::unique_ptr<FeatureNetwork> loadFeatures(const std::filesystem::path& file, at::Device device);

// Segmentation by a TorchScript network: (1, 1, D, H, W) → (1, K, D, H, W); K = 1: inside where above 0; otherwise the channel with
// the largest value, its number the label.
class SegmentationNetwork {
public:
  virtual ~SegmentationNetwork() = default;
  virtual at::Tensor labels(const at::Tensor& volume) = 0; // (D, H, W) FP32 on the CPU; throws Failure
};
std::unique_ptr<SegmentationNetwork> loadSegmentation(const std::filesystem::path& file, at::Device device);

} // namespace voxlab
