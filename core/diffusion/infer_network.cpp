// SPDX-License-Identifier: Apache-2.0
// From names and shapes back to the configuration.
#include "core/diffusion/parameter_layout.h"
#include <algorithm>

namespace voxlab {
namespace {

// Sizes of a parameter; empty when it is missing.
std::vector<std::int64_t> shapeOf(const NamedTensors& parameters, const std::string& name) {
  const at::Tensor* tensor = findTensor(parameters, name);
  return tensor ? tensor->sizes().vec() : std::vector<std::int64_t>{};
}

// Residual blocks of the encoder, by level, and the levels that have attention.
struct Encoder {
  std::vector<std::vector<std::int64_t>> widths{{}};
  std::vector<int> attentionFactors;
};

Encoder readEncoder(const NamedTensors& parameters) {
  Encoder encoder;
  for (int i = 1;; ++i) {
    const std::string name = "input_blocks." + std::to_string(i);
    if (!shapeOf(parameters, name + ".0.op.weight").empty()) {
      encoder.widths.emplace_back();
      continue;
    }
    const auto convolution = shapeOf(parameters, name + ".0.in_layers.2.weight");
    if (convolution.empty())
      return encoder;
    encoder.widths.back().push_back(convolution.front());
    const int factor = 1 << std::min<std::size_t>(encoder.widths.size() - 1, 30);
    auto& factors = encoder.attentionFactors;
    if (!shapeOf(parameters, name + ".1.qkv.weight").empty() && (factors.empty() || factors.back() != factor))
      factors.push_back(factor);
  }
}

Status sameAsLayout(const NetworkSpec& network, const NamedTensors& parameters) {
  const std::vector<ParameterInfo> layout = parameterLayout(network);
  for (const ParameterInfo& info : layout) {
    const at::Tensor* tensor = findTensor(parameters, info.name);
    if (!tensor)
      return fail(ExitCode::Data, "The weights are not those of a Med-DDPM network: " + info.name + " is missing.");
    if (tensor->sizes().vec() != info.shape)
      return fail(ExitCode::Data, "The weights are not those of a Med-DDPM network: " + info.name + " has another shape than the blocks around it need.");
  }
  if (parameters.size() != layout.size())
    for (const NamedTensor& p : parameters)
      if (std::none_of(layout.begin(), layout.end(), [&](const ParameterInfo& info) { return info.name == p.name; }))
        return fail(ExitCode::Data, "The weights are not those of a Med-DDPM network: it has no place for " + p.name + ".");
  return {};
}

} // namespace

Result<NetworkSpec> inferNetworkSpec(const NamedTensors& parameters) {
  const auto embedding = shapeOf(parameters, "time_embed.0.weight");
  const auto stem = shapeOf(parameters, "input_blocks.0.0.weight");
  const auto head = shapeOf(parameters, "out.2.weight");
  if (embedding.size() != 2 || stem.size() != 5 || head.size() != 5)
    return fail(ExitCode::Data, "The weights are not those of a Med-DDPM network: time_embed.0, input_blocks.0.0 and out.2 are needed.");
  const Encoder encoder = readEncoder(parameters);
  Json json = {{"image_channels", head[0]},
               {"condition_channels", stem[1] - head[0]},
               {"base_channels", embedding[1]},
               {"multipliers", Json::array()},
               {"residual_blocks", encoder.widths.front().size()},
               {"attention_factors", encoder.attentionFactors}};
  for (const auto& level : encoder.widths) {
    if (level.empty())
      return fail(ExitCode::Data, "The weights are not those of a Med-DDPM network: a level has no residual block.");
    json["multipliers"].push_back(static_cast<double>(level.front()) / static_cast<double>(std::max<std::int64_t>(1, embedding[1])));
  }
  const auto network = networkSpecFromJson(json);
  if (!network)
    return fail(ExitCode::Data, "The weights are not those of a Med-DDPM network. " + network.error().message);
  if (const Status status = sameAsLayout(*network, parameters); !status)
    return fail(status.error());
  return *network;
}

} // namespace voxlab
