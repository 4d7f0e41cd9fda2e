// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/weights.h"
#include "core/diffusion/checkpoint.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/tensor_file.h"
#include "core/diffusion/upstream_import.h"
#include <ATen/ops/all.h>
#include <ATen/ops/isfinite.h>
#include <charconv>

namespace voxlab {
namespace {
constexpr const char* kFormat = "voxlab.weights";

template <class T> std::optional<T> integerIn(const TensorMetadata& metadata, const std::string& key) {
  const auto found = metadata.find(key);
  T value = 0;
  if (found == metadata.end())
    return std::nullopt;
  const char* end = found->second.data() + found->second.size();
  const auto [stop, error] = std::from_chars(found->second.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

// The 13 vectors and the prefix of published state dictionaries, which a converted file may still have.
NamedTensors networkPart(NamedTensors tensors) {
  constexpr std::string_view kPrefix = "denoise_fn.";
  if (std::none_of(tensors.begin(), tensors.end(), [&](const NamedTensor& t) { return t.name.starts_with(kPrefix); }))
    return tensors;
  NamedTensors network;
  for (NamedTensor& t : tensors)
    if (t.name.starts_with(kPrefix))
      network.push_back({t.name.substr(kPrefix.size()), std::move(t.tensor)});
  return network;
}

// Float32, in the network's order, owning their memory.
Result<NamedTensors> ordered(const NetworkSpec& network, const NamedTensors& tensors, const std::string& source) {
  NamedTensors parameters;
  for (const ParameterInfo& info : parameterLayout(network)) {
    const at::Tensor* tensor = findTensor(tensors, info.name);
    if (!tensor || tensor->sizes().vec() != info.shape)
      return fail(ExitCode::Data, source + ": the weight " + info.name + " is missing or does not have the shape that the network needs.");
    if (!tensor->is_floating_point())
      return fail(ExitCode::Data, source + ": the weight " + info.name + " does not hold floating-point numbers.");
    parameters.push_back({info.name, tensor->to(at::kFloat, false, true).contiguous()});
  }
  if (tensors.size() != parameters.size())
    return fail(ExitCode::Data, source + " holds " + std::to_string(tensors.size()) + " tensors, but its network has " +
                                    std::to_string(parameters.size()) + ".");
  return parameters;
}

Result<Weights> complete(Weights weights, const NamedTensors& tensors, const std::string& source, std::optional<NetworkSpec> known) {
  if (!known) {
    const auto inferred = inferNetworkSpec(tensors);
    if (!inferred)
      return fail(ExitCode::Data, source + ": " + inferred.error().message);
    known = *inferred;
  }
  auto parameters = ordered(*known, tensors, source);
  if (!parameters)
    return fail(parameters.error());
  weights.network = std::move(*known);
  weights.parameters = std::move(*parameters);
  return weights;
}

Result<Weights> fromSafetensors(const std::filesystem::path& file) {
  auto content = readTensors(file);
  if (!content)
    return fail(content.error());
  const TensorMetadata& metadata = content->metadata;
  Weights weights;
  weights.timesteps = integerIn<int>(metadata, "timesteps");
  weights.step = integerIn<std::int64_t>(metadata, "step");
  if (const auto found = metadata.find("description"); found != metadata.end()) {
    auto description = parseJson(found->second, file.string() + ", description");
    if (!description)
      return fail(description.error());
    weights.description = std::move(*description);
  }
  std::optional<NetworkSpec> network;
  if (const auto found = metadata.find("network"); found != metadata.end()) {
    const auto json = parseJson(found->second, file.string() + ", network");
    if (!json)
      return fail(json.error());
    const auto spec = networkSpecFromJson(*json);
    if (!spec)
      return fail(ExitCode::Data, file.string() + ": " + spec.error().message);
    network = *spec;
  }
  return complete(std::move(weights), networkPart(std::move(content->tensors)), file.string(), std::move(network));
}

Result<Weights> fromPublished(const std::filesystem::path& file, WhichWeights which) {
  auto checkpoint = readUpstreamCheckpoint(file);
  if (!checkpoint)
    return fail(checkpoint.error());
  Weights weights;
  weights.timesteps = checkpoint->timesteps;
  if (checkpoint->step)
    weights.step = *checkpoint->step + 1; // the file has the index of the iteration just finished
  return complete(std::move(weights), which == WhichWeights::Model ? checkpoint->model : checkpoint->ema, file.string(), std::nullopt);
}

} // namespace

static Result<Weights> loadWhatever(const std::filesystem::path& path, WhichWeights which) {
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec)) {
    if (!isCheckpointFolder(path))
      return fail(ExitCode::Data, path.string() + " is not a finished checkpoint: it has no file DONE.");
    return fromSafetensors(path / (which == WhichWeights::Model ? "model.safetensors" : "ema.safetensors"));
  }
  if (!std::filesystem::exists(path, ec))
    return fail(ExitCode::Data, "There is no checkpoint " + path.string() + ".");
  if (path.extension() == ".safetensors")
    return fromSafetensors(path);
  return fromPublished(path, which);
}

Result<Weights> loadWeights(const std::filesystem::path& path, WhichWeights which) {
  Result<Weights> weights = loadWhatever(path, which);
  if (weights)
    for (const NamedTensor& p : weights->parameters)
      if (!at::isfinite(p.tensor).all().item<bool>())
        return fail(ExitCode::Data, path.string() + " holds values that are no numbers (in " + p.name +
                                        "): the training diverged or the file is damaged. Take an earlier checkpoint.");
  return weights;
}

TensorMetadata weightsMetadata(const Weights& weights) {
  TensorMetadata metadata{{"format", kFormat}, {"network", compactJson(toJson(weights.network))}};
  if (weights.timesteps)
    metadata["timesteps"] = std::to_string(*weights.timesteps);
  if (weights.step)
    metadata["step"] = std::to_string(*weights.step);
  if (!weights.description.empty())
    metadata["description"] = compactJson(weights.description);
  return metadata;
}

Status saveWeights(const std::filesystem::path& file, const Weights& weights, WeightsPrecision precision) {
  NamedTensors tensors;
  const at::ScalarType type = precision == WeightsPrecision::Half       ? at::kHalf
                              : precision == WeightsPrecision::Bfloat16 ? at::kBFloat16
                                                                        : at::kFloat;
  for (const NamedTensor& p : weights.parameters)
    tensors.push_back({p.name, p.tensor.detach().to(type)});
  return writeTensors(file, tensors, weightsMetadata(weights));
}

} // namespace voxlab
