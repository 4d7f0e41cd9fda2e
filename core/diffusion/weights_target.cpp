// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/weights_target.h"
#include "core/base/files.h"
#include "core/diffusion/tensor_file.h"
#include "core/diffusion/training_checkpoint.h"
#include "core/diffusion/upstream_export.h"
#include "core/protocol/version.h"

namespace voxlab {
namespace fs = std::filesystem;
namespace {
Json descriptionOf(const TrainedNetwork& trained) {
  Json json{{"schema", schemaVersion()}, {"step", trained.step.value_or(0)}};
  json.update(describeNetwork(trained.network, trained.timesteps, trained.preparation));
  return json;
}

Status writeContents(const fs::path& folder, const TrainedNetwork& trained) {
  for (const auto& [name, tensors] : {std::pair{kModelFile, &trained.model}, {kAverageFile, &trained.average}})
    if (Status written = writeTensors(folder / name, *tensors); !written)
      return written;
  if (Status written = writeJsonFile(folder / kStateFile, descriptionOf(trained)); !written)
    return written;
  return writeFileAtomically(folder / kDoneFile, "");
}
} // namespace

Status writeWeightsFolder(const fs::path& folder, const TrainedNetwork& trained) {
  std::error_code ec;
  const fs::path temporary = temporaryBeside(folder);
  fs::create_directories(temporary, ec);
  Status status = writeContents(temporary, trained);
  if (status)
    status = renameIntoPlace(temporary, folder);
  if (!status)
    fs::remove_all(temporary, ec);
  return status;
}

Status writeWeightsFile(const fs::path& file, const TrainedNetwork& trained, WeightSet set, StoredPrecision precision) {
  NamedTensors tensors = set == WeightSet::Model ? trained.model : trained.average;
  for (NamedTensor& t : tensors)
    t.tensor = t.tensor.to(precision == StoredPrecision::Float16 ? at::kHalf : at::kFloat);
  return writeTensors(file, tensors, {{kDescriptionKey, compactJson(descriptionOf(trained))}});
}

Status writePublishedFile(const fs::path& file, const TrainedNetwork& trained) {
  return writeUpstreamCheckpoint(file,
                                 {trained.network, trained.timesteps, trained.step.value_or(0), trained.model, trained.average});
}

} // namespace voxlab
