// SPDX-License-Identifier: Apache-2.0
#include "app/worker/training_data.h"
#include "core/base/text.h"
#include "core/imaging/preprocess.h"

namespace voxlab {

Result<DatasetIndex> trainingIndex(const JobSpec& spec, const NetworkSpec& network, const std::filesystem::path& images,
                                   const std::filesystem::path& masks) {
  IndexOptions options;
  options.imageChannels = network.imageChannels;
  options.masks = network.conditionChannels > 0 ? MaskUse::Required : MaskUse::Ignored;
  for (const std::string& word : split(spec.get<std::string>("data.modalities"), ','))
    if (!trimmed(word).empty())
      options.modalities.push_back(trimmed(word));
  return indexDataset(images, masks, options);
}

PreflightOptions trainingPreflight(const JobSpec& spec, const NetworkSpec& network) {
  PreflightOptions options;
  options.recipe = spec.get<std::string>("data.preprocessing");
  options.labels = spec.get<std::vector<std::int64_t>>("data.labels");
  if (options.labels.empty())
    options.labels = defaultLabels(network.conditionChannels);
  return options;
}

} // namespace voxlab
