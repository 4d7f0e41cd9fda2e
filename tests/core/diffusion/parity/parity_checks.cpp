// SPDX-License-Identifier: Apache-2.0
#include "tests/core/diffusion/parity/parity_checks.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/tensor_file.h"
#include "tests/support/parity_fill.h"
#include <ATen/ops/tensor.h>
#include <cmath>
#include <numeric>
#include <regex>
#include <stdexcept>

namespace voxlab {

ParityTolerance parityTolerance(at::Device device) {
  if (device.is_cuda())
    return {2e-5, 2e-4, 5e-5, 1e-5, 5e-4, 3e-4, 6e-2, 1.0, 2e-7, 1e-4, 2e-3};
  return {5e-6, 5e-5, 1e-5, 3e-6, 1e-4, 1e-4, 3e-2, 0.5, 1e-7, 2e-5, 5e-4};
}

NetworkSpec parityNetworkSpec(const Json& config) {
  NetworkSpec spec;
  spec.imageChannels = config.at("out_channels").get<int>();
  spec.conditionChannels = config.at("in_channels").get<int>() - spec.imageChannels;
  spec.baseChannels = config.at("num_channels").get<int>();
  spec.residualBlocks = config.at("num_res_blocks").get<int>();
  spec.multipliers = config.at("channel_mult").get<std::vector<double>>();
  spec.attentionFactors = config.at("attention_ds").get<std::vector<int>>();
  const auto checked = networkSpecFromJson(toJson(spec));
  if (!checked)
    throw std::runtime_error(checked.error().message);
  return *checked;
}

std::string parityTag(const std::string& description) {
  std::smatch match;
  if (std::regex_search(description, match, std::regex("tag (\\S+)")))
    return match[1];
  const auto manifests = parityFiles("manifest_.*\\.json");
  if (manifests.empty())
    throw std::runtime_error("No manifest names the tag of the fill.");
  return parityJson(manifests.front()).at("tag").get<std::string>();
}

at::Tensor filledTensor(const std::string& key, const std::vector<std::int64_t>& shape, double scale) {
  const std::int64_t count = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  return at::tensor(parityFill(key, count, 0, scale)).view(shape);
}

NamedTensors parityWeights(const NetworkSpec& spec, const std::string& tag, at::Device device) {
  NamedTensors weights;
  for (const ParameterInfo& info : parameterLayout(spec)) {
    const ParityScale scale = parityScale(info.name, info.shape);
    const std::int64_t count = std::accumulate(info.shape.begin(), info.shape.end(), std::int64_t{1}, std::multiplies<>());
    weights.push_back(
        {info.name, at::tensor(parityFill(tag + ":" + info.name, count, scale.offset, scale.amplitude)).view(info.shape).to(device)});
  }
  return weights;
}

at::Tensor parityTensor(const SafetensorsReader& reader, const std::string& name, at::Device device) {
  const auto tensor = readTensor(reader, name);
  if (!tensor)
    throw std::runtime_error(tensor.error().message);
  return (tensor->scalar_type() == at::kChar ? tensor->to(at::kFloat) : *tensor).to(device);
}

std::vector<double> parityNumbers(const at::Tensor& tensor) { return everyNth(tensor, 1); }

std::vector<double> everyNth(const at::Tensor& tensor, std::int64_t stride) {
  const at::Tensor flat = tensor.detach().to(at::kCPU, at::kDouble).contiguous().flatten();
  std::vector<double> values;
  const double* data = flat.const_data_ptr<double>();
  for (std::int64_t i = 0; i < flat.numel(); i += stride)
    values.push_back(data[i]);
  return values;
}

} // namespace voxlab
