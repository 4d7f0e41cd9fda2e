// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/weights_source.h"
#include "core/base/failure.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/tensor_file.h"
#include "core/diffusion/training_checkpoint.h"
#include "core/diffusion/upstream_import.h"
#include "core/protocol/run_directory.h"

namespace voxlab {
namespace fs = std::filesystem;
namespace {
constexpr std::string_view kPublishedPrefix = "denoise_fn.";

std::vector<std::int64_t> countedLabels(int channels) {
  std::vector<std::int64_t> labels;
  for (int n = 1; n <= channels; ++n)
    labels.push_back(n);
  return labels;
}

// float32 on the CPU in the order of the layout, without the published prefix and without the schedule's vectors.
NamedTensors networkTensors(const NamedTensors& tensors) {
  NamedTensors clean;
  for (const NamedTensor& t : tensors) {
    std::string name = t.name;
    if (name.rfind(kPublishedPrefix, 0) == 0)
      name.erase(0, kPublishedPrefix.size());
    if (name.find('.') != std::string::npos)
      clean.push_back({name, t.tensor.to(at::kCPU, at::kFloat)});
  }
  return clean;
}

NamedTensors inOrder(const NamedTensors& tensors, const NetworkSpec& network, const fs::path& file) {
  NamedTensors ordered;
  for (const ParameterInfo& info : parameterLayout(network)) {
    const at::Tensor* tensor = findTensor(tensors, info.name);
    if (!tensor || tensor->sizes().vec() != info.shape)
      throw Failure(ExitCode::Data, file.string() + " does not hold the network that it describes: " + info.name +
                                        (tensor ? " has another shape." : " is missing."));
    ordered.push_back({info.name, *tensor});
  }
  return ordered;
}

void takeDescription(const Json& description, TrainedNetwork& out, const fs::path& file) {
  if (!description.contains("network"))
    throw Failure(ExitCode::Data, file.string() + " does not say which network it belongs to.");
  const auto network = networkSpecFromJson(description["network"]);
  if (!network)
    throw Failure(ExitCode::Data, file.string() + ": " + network.error().message);
  out.network = *network;
  out.timesteps = jsonGet<int>(description, "timesteps").value_or(out.timesteps);
  out.step = jsonGet<std::int64_t>(description, "step");
  out.preparation = preparationFromJson(description.contains("data") ? description["data"] : Json::object(), out.network);
}

void guess(TrainedNetwork& out, const NamedTensors& tensors, const fs::path& file) {
  const auto network = inferNetworkSpec(tensors);
  if (!network)
    throw Failure(ExitCode::Data, file.string() + ": " + network.error().message);
  out.network = *network;
  out.preparation = guessedPreparation(out.network);
  const auto& size = out.preparation.size;
  out.guesses.push_back("The file does not say how volumes were prepared; as for the published weights, the recipe \"" +
                        out.preparation.recipe + "\" at " + std::to_string(size[0]) + "×" + std::to_string(size[1]) + "×" +
                        std::to_string(size[2]) + " is assumed.");
}

TrainedNetwork readFolder(const fs::path& folder) {
  TrainedNetwork out;
  out.kind = "checkpoint";
  out.file = folder;
  std::error_code ec;
  if (!fs::exists(folder / kDoneFile, ec))
    throw Failure(ExitCode::Data, folder.string() + " is not a whole checkpoint: there is no " + kDoneFile + " in it.");
  const Json state = valueOrThrow(readJsonFile(folder / kStateFile));
  valueOrThrow(checkSchema(state, (folder / kStateFile).string()));
  takeDescription(state, out, folder / kStateFile);
  out.model = inOrder(networkTensors(valueOrThrow(readTensors(folder / kModelFile)).tensors), out.network, folder / kModelFile);
  out.average =
      inOrder(networkTensors(valueOrThrow(readTensors(folder / kAverageFile)).tensors), out.network, folder / kAverageFile);
  return out;
}

TrainedNetwork readSafetensors(const fs::path& file) {
  TrainedNetwork out;
  out.kind = "safetensors";
  out.file = file;
  const TensorFile content = valueOrThrow(readTensors(file));
  const NamedTensors tensors = networkTensors(content.tensors);
  if (const auto it = content.metadata.find(kDescriptionKey); it != content.metadata.end())
    takeDescription(valueOrThrow(parseJson(it->second, "The description in " + file.string())), out, file);
  else {
    guess(out, tensors, file);
    if (const at::Tensor* betas = findTensor(content.tensors, "betas"))
      out.timesteps = static_cast<int>(betas->numel());
    else
      out.guesses.push_back("The file does not say how many diffusion steps it was trained with; 250 are assumed.");
  }
  out.model = out.average = inOrder(tensors, out.network, file);
  return out;
}

TrainedNetwork readPublished(const fs::path& file) {
  TrainedNetwork out;
  out.kind = "published checkpoint";
  out.file = file;
  const UpstreamCheckpoint content = valueOrThrow(readUpstreamCheckpoint(file));
  guess(out, content.model, file);
  if (content.timesteps)
    out.timesteps = *content.timesteps;
  out.step = content.step;
  out.model = inOrder(networkTensors(content.model), out.network, file);
  out.average = inOrder(networkTensors(content.ema), out.network, file);
  return out;
}

TrainedNetwork read(const fs::path& source) {
  std::error_code ec;
  if (!fs::exists(source, ec))
    throw Failure(ExitCode::Data, "There is no checkpoint " + source.string() + ".");
  if (RunDirectory::looksLikeRun(source)) {
    const auto newest = RunDirectory(source).newestCheckpoint();
    if (!newest)
      throw Failure(ExitCode::Data, "The run " + source.string() + " has no finished checkpoint.");
    return readFolder(*newest);
  }
  if (fs::is_directory(source, ec))
    return readFolder(source);
  if (fs::exists(source.parent_path() / kStateFile, ec) && fs::exists(source.parent_path() / kDoneFile, ec))
    return readFolder(source.parent_path()); // a file of a checkpoint stands for the whole
  return source.extension() == ".safetensors" ? readSafetensors(source) : readPublished(source);
}
} // namespace

Json toJson(const PreparationRecord& record) {
  return {{"size", record.size},
          {"preprocessing", record.recipe},
          {"labels", record.labels},
          {"condition_background", record.conditionBackground},
          {"modalities", record.modalities}};
}

PreparationRecord preparationFromJson(const Json& json, const NetworkSpec& network) {
  PreparationRecord record = guessedPreparation(network);
  record.size = jsonGet<std::array<std::int64_t, 3>>(json, "size").value_or(record.size);
  record.recipe = jsonGet<std::string>(json, "preprocessing").value_or(record.recipe);
  record.labels = jsonGet<std::vector<std::int64_t>>(json, "labels").value_or(record.labels);
  record.conditionBackground = jsonGet<double>(json, "condition_background").value_or(record.conditionBackground);
  record.modalities = jsonGet<std::vector<std::string>>(json, "modalities").value_or(record.modalities);
  return record;
}

PreparationRecord guessedPreparation(const NetworkSpec& network) {
  PreparationRecord record;
  record.labels = countedLabels(network.conditionChannels);
  record.recipe = "published";
  if (network.imageChannels == 4 && network.conditionChannels == 4)
    record = {{192, 192, 144}, "published_brats", record.labels, 0, {"t1", "t1ce", "t2", "flair"}};
  return record;
}

Json describeNetwork(const NetworkSpec& network, int timesteps, const PreparationRecord& preparation) {
  return {{"network", toJson(network)}, {"timesteps", timesteps}, {"data", toJson(preparation)}};
}

Result<TrainedNetwork> readTrainedNetwork(const fs::path& source) {
  try {
    return read(source);
  } catch (const Failure& e) {
    return fail(e.code(), e.what());
  }
}

} // namespace voxlab
