// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/random.h"
#include <ATen/ops/empty.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace voxlab {
namespace {

// Walks the network in registration order, as ARCHITECTURE of the published network has it: time embedding, encoder, middle,
// decoder, head.
class Layout {
public:
  explicit Layout(const NetworkSpec& spec) : m_spec(spec) {}

  std::vector<ParameterInfo> build() {
    linear("time_embed.0", m_spec.baseChannels, embeddingWidth());
    linear("time_embed.2", embeddingWidth(), embeddingWidth());
    const int last = encoder();
    residual("middle_block.0", last, last);
    attention("middle_block.1", last);
    residual("middle_block.2", last, last);
    decoder(last);
    norm("out.0", m_spec.width(0));
    convolution("out.2", m_spec.width(0), m_spec.imageChannels, 3, InitialValue::Zero);
    return std::move(m_list);
  }

private:
  int embeddingWidth() const { return 4 * m_spec.baseChannels; }
  bool hasAttention(int level) const {
    const auto& factors = m_spec.attentionFactors;
    return std::find(factors.begin(), factors.end(), 1 << level) != factors.end();
  }

  int encoder() {
    int index = 0, channels = m_spec.width(0);
    convolution("input_blocks.0.0", m_spec.inputChannels(), channels, 3);
    m_skips.push_back(channels);
    for (int level = 0; level < m_spec.levels(); ++level) {
      for (int block = 0; block < m_spec.residualBlocks; ++block) {
        const std::string name = "input_blocks." + std::to_string(++index);
        residual(name + ".0", channels, m_spec.width(level));
        channels = m_spec.width(level);
        if (hasAttention(level))
          attention(name + ".1", channels);
        m_skips.push_back(channels);
      }
      if (level + 1 < m_spec.levels()) {
        convolution("input_blocks." + std::to_string(++index) + ".0.op", channels, channels, 3);
        m_skips.push_back(channels);
      }
    }
    return channels;
  }

  void decoder(int channels) {
    int index = 0;
    for (int level = m_spec.levels() - 1; level >= 0; --level) {
      for (int block = 0; block <= m_spec.residualBlocks; ++block) {
        const std::string name = "output_blocks." + std::to_string(index++);
        residual(name + ".0", channels + m_skips.back(), m_spec.width(level));
        m_skips.pop_back();
        channels = m_spec.width(level);
        if (hasAttention(level))
          attention(name + ".1", channels);
        if (level > 0 && block == m_spec.residualBlocks)
          convolution(name + (hasAttention(level) ? ".2.conv" : ".1.conv"), channels, channels, 3);
      }
    }
  }

  void residual(const std::string& name, int in, int out) {
    norm(name + ".in_layers.0", in);
    convolution(name + ".in_layers.2", in, out, 3);
    linear(name + ".emb_layers.1", embeddingWidth(), out);
    norm(name + ".out_layers.0", out);
    convolution(name + ".out_layers.3", out, out, 3, InitialValue::Zero);
    if (in != out)
      convolution(name + ".skip_connection", in, out, 1);
  }
  void attention(const std::string& name, int channels) {
    norm(name + ".norm", channels);
    layer(name + ".qkv", {3 * channels, channels, 1}, InitialValue::Uniform);
    layer(name + ".proj_out", {channels, channels, 1}, InitialValue::Zero);
  }
  void norm(const std::string& name, int channels) {
    m_list.push_back({name + ".weight", {channels}, InitialValue::One, 0});
    m_list.push_back({name + ".bias", {channels}, InitialValue::Zero, 0});
  }
  void linear(const std::string& name, int in, int out) { layer(name, {out, in}, InitialValue::Uniform); }
  void convolution(const std::string& name, int in, int out, int side, InitialValue initial = InitialValue::Uniform) {
    layer(name, {out, in, side, side, side}, initial);
  }
  void layer(const std::string& name, std::vector<std::int64_t> shape, InitialValue initial) {
    const double fanIn = std::accumulate(shape.begin() + 1, shape.end(), 1.0, std::multiplies<>());
    const double bound = 1.0 / std::sqrt(fanIn);
    const std::int64_t out = shape.front();
    m_list.push_back({name + ".weight", std::move(shape), initial, bound});
    m_list.push_back({name + ".bias", {out}, initial, bound});
  }

  const NetworkSpec& m_spec;
  std::vector<ParameterInfo> m_list;
  std::vector<int> m_skips; // widths on the encoder's stack
};

at::Tensor initialTensor(const ParameterInfo& info, const RandomKey& key) {
  at::Tensor tensor = at::empty(info.shape, at::kFloat);
  if (info.initial != InitialValue::Uniform)
    return tensor.fill_(info.initial == InitialValue::One ? 1.0 : 0.0);
  float* values = tensor.mutable_data_ptr<float>();
  for (std::int64_t i = 0; i < tensor.numel(); ++i)
    values[i] = static_cast<float>((2.0 * randomUniform(key, static_cast<std::uint64_t>(i)) - 1.0) * info.bound);
  return tensor;
}

NamedTensors drawWeights(const std::vector<ParameterInfo>& layout, std::uint64_t seed) {
  NamedTensors weights;
  RandomKey key{seed, Purpose::Initialisation, 0, 0};
  for (const ParameterInfo& info : layout) {
    weights.push_back({info.name, initialTensor(info, key)});
    ++key.sample;
  }
  return weights;
}

} // namespace

std::vector<ParameterInfo> parameterLayout(const NetworkSpec& network) { return Layout(network).build(); }

std::int64_t parameterCount(const NetworkSpec& network) {
  std::int64_t count = 0;
  for (const ParameterInfo& p : parameterLayout(network))
    count += std::accumulate(p.shape.begin(), p.shape.end(), std::int64_t{1}, std::multiplies<>());
  return count;
}

NamedTensors initialWeights(const NetworkSpec& network, std::uint64_t seed) {
  return drawWeights(parameterLayout(network), seed);
}

NamedTensors randomWeights(const NetworkSpec& network, std::uint64_t seed) {
  std::vector<ParameterInfo> layout = parameterLayout(network);
  for (ParameterInfo& info : layout)
    if (info.initial == InitialValue::Zero && info.bound > 0)
      info.initial = InitialValue::Uniform;
  return drawWeights(layout, seed);
}

} // namespace voxlab
