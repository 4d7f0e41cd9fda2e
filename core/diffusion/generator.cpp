// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/generator.h"
#include <c10/core/GradMode.h>

namespace voxlab {

Generator::Generator(GeneratorSettings settings, Predictor predictor, std::shared_ptr<const Sampler> sampler, at::Device device)
    : m_settings(std::move(settings)), m_predictor(std::move(predictor)), m_sampler(std::move(sampler)), m_device(device),
      m_schedule(m_settings.timesteps) {}

int Generator::steps() const {
  return static_cast<int>(m_sampler->timesteps(m_schedule, m_settings.sampling.steps).size());
}

std::optional<at::Tensor> Generator::draw(const at::Tensor& condition, const SpatialSize& size, const SampleKey& key,
                                          const SamplerCallback& callback) const {
  const c10::AutoGradMode noGradient(false);
  const NetworkSpec& network = m_settings.network;
  const std::int64_t channels = condition.defined() ? condition.size(0) : 0;
  TORCH_CHECK(channels == network.conditionChannels, "The network has ", network.conditionChannels, " condition channels, and ",
              channels, " were given.");
  const SpatialSize padded = paddedSize(network, size);
  at::Tensor onDevice;
  if (condition.defined())
    onDevice = padTo(condition, padded, m_settings.conditionBackground).unsqueeze(0).to(m_device);
  SeededNoise noise({key}, {network.imageChannels, padded[0], padded[1], padded[2]}, m_device);
  const auto drawn = m_sampler->run(m_schedule, m_settings.sampling, conditioned(m_predictor, onDevice), noise, callback);
  if (!drawn)
    return std::nullopt;
  return cropTo(drawn->squeeze(0), size).to(at::kCPU).contiguous();
}

} // namespace voxlab
