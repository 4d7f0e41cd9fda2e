// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/preparation_record.h"
#include "core/diffusion/checkpoint.h"
#include "core/imaging/preprocess.h"
#include "core/imaging/published.h"
#include "core/protocol/run_directory.h"

namespace voxlab {
namespace {
PreparationRecord asPublished(const NetworkSpec& network) {
  PreparationRecord record;
  record.labels = defaultLabels(network.conditionChannels);
  record.recipe = "published";
  if (network.imageChannels == 4 && network.conditionChannels == 4)
    record = {kBratsNetworkSize, "published_brats", record.labels, 0, {kBratsModalities.begin(), kBratsModalities.end()}};
  return record;
}

std::string sizeText(const std::array<std::int64_t, 3>& size) {
  return std::to_string(size[0]) + "×" + std::to_string(size[1]) + "×" + std::to_string(size[2]);
}
} // namespace

Json describe(const PreparationRecord& record) {
  return {{"data",
           {{"size", record.size},
            {"preprocessing", record.recipe},
            {"labels", record.labels},
            {"condition_background", record.conditionBackground},
            {"modalities", record.modalities}}}};
}

std::vector<std::string> channelNames(const PreparationRecord& record, const NetworkSpec& network) {
  const auto channels = static_cast<std::size_t>(network.imageChannels);
  std::vector<std::string> names;
  if (channels > 1)
    for (std::size_t c = 0; c < channels; ++c)
      names.push_back(record.modalities.size() == channels ? record.modalities[c] : std::to_string(c + 1));
  return names;
}

FoundPreparation preparationOf(const Weights& weights) {
  FoundPreparation found{asPublished(weights.network), {}};
  PreparationRecord& record = found.record;
  const Json data = weights.description.is_object() ? weights.description.value("data", Json::object()) : Json::object();
  if (data.empty())
    found.guesses.push_back("The weights do not say how volumes were prepared for them; as for the published ones, the recipe \"" +
                            record.recipe + "\" at " + sizeText(record.size) + " is assumed.");
  if (!weights.timesteps)
    found.guesses.push_back("The weights do not say how many diffusion steps they were trained with; 250 are assumed.");
  record.size = jsonGet<std::array<std::int64_t, 3>>(data, "size").value_or(record.size);
  record.recipe = jsonGet<std::string>(data, "preprocessing").value_or(record.recipe);
  record.labels = jsonGet<std::vector<std::int64_t>>(data, "labels").value_or(record.labels);
  record.conditionBackground = jsonGet<double>(data, "condition_background").value_or(record.conditionBackground);
  record.modalities = jsonGet<std::vector<std::string>>(data, "modalities").value_or(record.modalities);
  return found;
}

Result<std::filesystem::path> weightsPath(const std::filesystem::path& source) {
  if (RunDirectory::looksLikeRun(source)) {
    const auto newest = RunDirectory(source).newestCheckpoint();
    return newest ? Result<std::filesystem::path>(*newest)
                  : fail(ExitCode::Data, "The run " + source.string() + " has no finished checkpoint.");
  }
  std::error_code ec;
  if (!std::filesystem::is_directory(source, ec) && source.has_parent_path() && isCheckpointFolder(source.parent_path()))
    return source.parent_path();
  return source;
}

} // namespace voxlab
