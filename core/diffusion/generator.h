// SPDX-License-Identifier: Apache-2.0
// Draws volumes with a trained network: any grid is padded to what the levels need, and cropped again.
#pragma once
#include "core/diffusion/padding.h"
#include "core/diffusion/sampler.h"
#include "core/protocol/network_spec.h"

namespace voxlab {

struct GeneratorSettings {
  NetworkSpec network;
  int timesteps = 250; // T of the noise schedule
  SamplerSettings sampling;
  double conditionBackground = -1; // value of condition channels outside their labels, and in the padding
};

class Generator {
public:
  // predictor runs on the device; sampler and predictor may be used again after a draw.
  Generator(GeneratorSettings settings, Predictor predictor, std::shared_ptr<const Sampler> sampler, at::Device device);

  const GeneratorSettings& settings() const { return m_settings; }
  int steps() const; // network evaluations a volume

  // One volume (image channels, D, H, W), float32 on the CPU, for a condition (channels, D, H, W) on the CPU, undefined for an
  // unconditional network. The noise of a voxel depends on the key and on its place in the padded grid. nullopt: the callback
  // said stop. Throws c10::Error on a condition that does not fit.
  std::optional<at::Tensor> draw(const at::Tensor& condition, const SpatialSize& size, const SampleKey& key,
                                 const SamplerCallback& callback = {}) const;

private:
  GeneratorSettings m_settings;
  Predictor m_predictor;
  std::shared_ptr<const Sampler> m_sampler;
  at::Device m_device;
  Schedule m_schedule;
};

} // namespace voxlab
