// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/unet.h"
#include "core/diffusion/activation_checkpoint.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/profiler_range.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace voxlab {
namespace {

at::Tensor embeddingFrequencies(std::int64_t width, at::Device device) {
  const std::int64_t half = width / 2;
  std::vector<float> f(static_cast<std::size_t>(half));
  for (std::int64_t i = 0; i < half; ++i)
    f[static_cast<std::size_t>(i)] = static_cast<float>(std::exp(-std::log(1000.0) * static_cast<double>(i) / static_cast<double>(half)));
  return at::tensor(f).to(device);
}

at::Tensor embedWith(const at::Tensor& timesteps, const at::Tensor& frequencies, std::int64_t width) {
  const at::Tensor angle = timesteps.to(at::kFloat).unsqueeze(1) * frequencies.unsqueeze(0);
  std::vector<at::Tensor> parts{at::cos(angle), at::sin(angle)};
  if (width % 2 != 0)
    parts.push_back(at::zeros({angle.size(0), 1}, angle.options()));
  return at::cat(parts, 1);
}

} // namespace

at::Tensor timestepEmbedding(const at::Tensor& timesteps, std::int64_t width) {
  return embedWith(timesteps, embeddingFrequencies(width, timesteps.device()), width);
}

// Joins named tensors into layers, and checks that none is missing, surplus or of another shape.
struct UNet::Assembly {
  explicit Assembly(UNet& network) : net(network) {
    for (NamedTensor& p : network.m_parameters)
      TORCH_CHECK(tensors.emplace(p.name, p.tensor).second, "The parameter ", p.name, " occurs twice.");
    NamedTensors ordered;
    for (const ParameterInfo& info : parameterLayout(network.m_spec)) {
      const auto found = tensors.find(info.name);
      TORCH_CHECK(found != tensors.end(), "The parameter ", info.name, " is missing.");
      TORCH_CHECK(found->second.sizes() == at::IntArrayRef(info.shape), "The parameter ", info.name, " has shape ", found->second.sizes(),
                  ", but this network needs ", at::IntArrayRef(info.shape), ".");
      ordered.push_back({info.name, found->second});
    }
    if (ordered.size() != network.m_parameters.size())
      for (const NamedTensor& p : network.m_parameters)
        TORCH_CHECK(findTensor(ordered, p.name), "The parameter ", p.name, " does not belong to this network.");
    network.m_parameters = std::move(ordered);
  }

  bool has(const std::string& name) const { return tensors.count(name) != 0; }
  template <class Layer> Layer layer(const std::string& name) const {
    Layer l;
    l.name = name;
    l.weight = tensors.at(name + ".weight");
    l.bias = tensors.at(name + ".bias");
    return l;
  }
  ConvLayer convolution(const std::string& name, std::int64_t stride = 1) const {
    ConvLayer l = layer<ConvLayer>(name);
    l.stride = stride;
    l.padding = l.weight.size(-1) / 2;
    return l;
  }
  ResidualBlock residual(const std::string& name) const {
    ResidualBlock b;
    b.name = name;
    b.inNorm = layer<NormLayer>(name + ".in_layers.0");
    b.inConv = convolution(name + ".in_layers.2");
    b.embedding = layer<LinearLayer>(name + ".emb_layers.1");
    b.outNorm = layer<NormLayer>(name + ".out_layers.0");
    b.outConv = convolution(name + ".out_layers.3");
    if (has(name + ".skip_connection.weight"))
      b.skip = convolution(name + ".skip_connection");
    return b;
  }
  AttentionBlock attention(const std::string& name) const {
    return {name, layer<NormLayer>(name + ".norm"), convolution(name + ".qkv"), convolution(name + ".proj_out")};
  }
  // input_blocks.i or output_blocks.j, from the names that are there.
  Entry entry(const std::string& name, int factor) const {
    Entry e;
    e.name = name;
    e.factor = factor;
    if (has(name + ".0.weight"))
      e.convolution = convolution(name + ".0");
    if (has(name + ".0.op.weight"))
      e.convolution = convolution(name + ".0.op", 2);
    if (has(name + ".0.in_layers.0.weight"))
      e.residual = residual(name + ".0");
    if (has(name + ".1.norm.weight"))
      e.attention = attention(name + ".1");
    for (const char* child : {".1.conv", ".2.conv"})
      if (has(name + child + ".weight"))
        e.upsample = convolution(name + child);
    return e;
  }

  UNet& net;
  std::unordered_map<std::string, at::Tensor> tensors;
};

// What one forward pass carries along.
struct UNet::Pass {
  const BlockOps& ops;
  const ForwardOptions& options;
  std::vector<at::Tensor> shifts; // of the residual blocks

  void observe(const std::string& name, const at::Tensor& value) const {
    if (options.observer)
      options.observer(name, value);
  }
  bool recomputes(int factor) const { return options.recomputedFactors.count(factor) != 0; }

  at::Tensor residual(const at::Tensor& x, const at::Tensor& skip, const at::Tensor& shift, const ResidualBlock& block, int factor) const {
    const ProfilerRange range(block.name);
    if (!recomputes(factor))
      return ops.residual(x, skip, shift, block);
    return recomputed([ops = &ops, &block](const std::vector<at::Tensor>& in) { return ops->residual(in[0], in[1], in[2], block); },
                      {x, skip, shift}, parametersOf(block));
  }
  at::Tensor attention(const at::Tensor& x, const AttentionBlock& block, int factor) const {
    const ProfilerRange range(block.name);
    if (!recomputes(factor))
      return ops.attention(x, block);
    return recomputed([ops = &ops, &block](const std::vector<at::Tensor>& in) { return ops->attention(in[0], block); }, {x},
                      parametersOf(block));
  }

  static void append(std::vector<at::Tensor>& list, const auto& layer) {
    list.push_back(layer.weight);
    list.push_back(layer.bias);
  }
  static std::vector<at::Tensor> parametersOf(const ResidualBlock& b) {
    std::vector<at::Tensor> list;
    append(list, b.inNorm);
    append(list, b.inConv);
    append(list, b.outNorm);
    append(list, b.outConv);
    if (b.skip)
      append(list, *b.skip);
    return list;
  }
  static std::vector<at::Tensor> parametersOf(const AttentionBlock& b) {
    std::vector<at::Tensor> list;
    append(list, b.norm);
    append(list, b.qkv);
    append(list, b.projection);
    return list;
  }
};

UNet::UNet(NetworkSpec spec, NamedTensors parameters) : m_spec(std::move(spec)), m_parameters(std::move(parameters)) {
  const Assembly parts(*this);
  m_frequencies = embeddingFrequencies(m_spec.baseChannels, device());
  m_timeEmbed0 = parts.layer<LinearLayer>("time_embed.0");
  m_timeEmbed2 = parts.layer<LinearLayer>("time_embed.2");
  int factor = 1;
  for (int i = 0; parts.has("input_blocks." + std::to_string(i) + ".0.weight") ||
                  parts.has("input_blocks." + std::to_string(i) + ".0.op.weight") ||
                  parts.has("input_blocks." + std::to_string(i) + ".0.in_layers.0.weight");
       ++i) {
    m_inputs.push_back(parts.entry("input_blocks." + std::to_string(i), factor));
    if (m_inputs.back().convolution && m_inputs.back().convolution->stride == 2)
      factor *= 2;
  }
  m_middle = {parts.entry("middle_block", factor), {}};
  m_middle.front().name.clear(); // its blocks are named, the entry is not
  m_middle.back().factor = factor;
  m_middle.back().residual = parts.residual("middle_block.2");
  for (int j = 0; parts.has("output_blocks." + std::to_string(j) + ".0.in_layers.0.weight"); ++j) {
    m_outputs.push_back(parts.entry("output_blocks." + std::to_string(j), factor));
    if (m_outputs.back().upsample)
      factor /= 2;
  }
  m_outNorm = parts.layer<NormLayer>("out.0");
  m_outConv = parts.convolution("out.2");
  numberBlocks();
}

void UNet::numberBlocks() {
  for (auto* entries : {&m_inputs, &m_middle, &m_outputs})
    for (Entry& entry : *entries)
      if (entry.residual) {
        entry.shift = m_blocks.size();
        m_blocks.push_back(&*entry.residual);
      }
}

std::vector<at::Tensor> UNet::embed(const at::Tensor& timesteps, const Pass& pass) const {
  const ProfilerRange range("time_embed");
  const at::Tensor wave = embedWith(timesteps, m_frequencies, m_spec.baseChannels);
  const at::Tensor e = pass.ops.linear(pass.ops.silu(pass.ops.linear(wave, m_timeEmbed0)), m_timeEmbed2);
  pass.observe("time_embed", e);
  return pass.ops.shifts(e, m_blocks);
}

at::Tensor UNet::run(const Entry& entry, const at::Tensor& x, const at::Tensor& skip, const Pass& pass) const {
  at::Tensor h = x;
  if (entry.convolution) {
    const ProfilerRange range(entry.convolution->name);
    h = pass.ops.convolve(h, *entry.convolution);
  }
  if (entry.residual) {
    h = pass.residual(h, skip, pass.shifts[entry.shift], *entry.residual, entry.factor);
    pass.observe(entry.residual->name, h);
  }
  if (entry.attention) {
    h = pass.attention(h, *entry.attention, entry.factor);
    pass.observe(entry.attention->name, h);
  }
  if (entry.upsample) {
    const ProfilerRange range(entry.upsample->name);
    h = pass.ops.convolve(pass.ops.upsample(h), *entry.upsample);
  }
  if (!entry.name.empty())
    pass.observe(entry.name, h);
  return h;
}

at::Tensor UNet::forward(const at::Tensor& x, const at::Tensor& timesteps, const ForwardOptions& options) const {
  static const BlockOps plain;
  TORCH_CHECK(x.dim() == 5 && x.size(1) == m_spec.inputChannels(), "The network takes (N, ", m_spec.inputChannels(), ", D, H, W), not ",
              x.sizes(), ".");
  TORCH_CHECK(timesteps.dim() == 1 && timesteps.size(0) == x.size(0), "The network takes one time step a volume: ", x.size(0), ", not ",
              timesteps.sizes(), ".");
  for (int d = 2; d < 5; ++d)
    TORCH_CHECK(x.size(d) > 0 && x.size(d) % m_spec.sizeMultiple() == 0, "A volume of ", x.size(2), "×", x.size(3), "×", x.size(4),
                " voxels does not suit the network: every side has to be a multiple of ", m_spec.sizeMultiple(), ".");
  Pass pass{options.ops ? *options.ops : plain, options, {}};
  pass.shifts = embed(timesteps, pass);
  std::vector<at::Tensor> skips;
  at::Tensor h = x;
  for (const Entry& entry : m_inputs) {
    h = run(entry, h, {}, pass);
    skips.push_back(h);
  }
  for (const Entry& entry : m_middle)
    h = run(entry, h, {}, pass);
  for (const Entry& entry : m_outputs) {
    h = run(entry, h, skips.back(), pass);
    skips.pop_back();
  }
  const ProfilerRange range("out");
  if (options.observer)
    pass.observe("out.0", pass.ops.norm(h, m_outNorm));
  return pass.ops.head(h, m_outNorm, m_outConv);
}

} // namespace voxlab
