// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/checkpoint.h"
#include "core/base/files.h"
#include "core/diffusion/tensor_file.h"
#include "core/diffusion/weights.h"

namespace voxlab {
namespace fs = std::filesystem;
namespace {
constexpr const char* kDone = "DONE";
constexpr const char* kStateFile = "state.json";
constexpr int kSchema = 1;

struct Part {
  const char* file;
  NamedTensors Checkpoint::*tensors;
};
constexpr Part kParts[] = {{"model.safetensors", &Checkpoint::model}, {"ema.safetensors", &Checkpoint::ema}, {"optimizer.safetensors", &Checkpoint::optimizer}};

Status writeParts(const fs::path& folder, const Checkpoint& checkpoint) {
  Weights about;
  about.network = checkpoint.network;
  about.timesteps = checkpoint.timesteps;
  about.step = checkpoint.step;
  about.description = checkpoint.description;
  for (const Part& part : kParts)
    if (const Status status = writeTensors(folder / part.file, checkpoint.*part.tensors, weightsMetadata(about)); !status)
      return status;
  const Json state = {{"schema", kSchema},
                      {"step", checkpoint.step},
                      {"network", toJson(checkpoint.network)},
                      {"timesteps", checkpoint.timesteps},
                      {"description", checkpoint.description},
                      {"state", checkpoint.state}};
  if (const Status status = writeJsonFile(folder / kStateFile, state); !status)
    return status;
  return writeFileAtomically(folder / kDone, "step " + std::to_string(checkpoint.step) + "\n");
}

// A folder cannot be renamed over one with content: the old one steps aside first.
Status replaceFolder(const fs::path& finished, const fs::path& folder) {
  std::error_code ec;
  const fs::path aside = temporaryBeside(fs::path(folder) += ".old");
  fs::remove_all(aside, ec);
  const bool existed = fs::exists(folder, ec);
  if (existed)
    if (const Status status = renameIntoPlace(folder, aside); !status)
      return status;
  if (const Status status = renameIntoPlace(finished, folder); !status)
    return status;
  if (existed)
    fs::remove_all(aside, ec);
  return {};
}
} // namespace

Status writeCheckpoint(const fs::path& folder, const Checkpoint& checkpoint) {
  std::error_code ec;
  const fs::path temporary = temporaryBeside(folder);
  fs::remove_all(temporary, ec);
  fs::create_directories(temporary, ec);
  if (ec)
    return fail(ExitCode::Data, "Could not make the folder " + temporary.string() + ": " + ec.message() + ".");
  Status status = writeParts(temporary, checkpoint);
  if (status)
    status = replaceFolder(temporary, folder);
  if (!status)
    fs::remove_all(temporary, ec);
  return status;
}

bool isCheckpointFolder(const fs::path& folder) {
  std::error_code ec;
  return fs::is_regular_file(folder / kDone, ec);
}

Result<Checkpoint> readCheckpoint(const fs::path& folder) {
  if (!isCheckpointFolder(folder))
    return fail(ExitCode::Data, folder.string() + " is not a finished checkpoint: it has no file DONE.");
  const auto json = readJsonFile(folder / kStateFile);
  if (!json)
    return fail(json.error());
  const std::string where = (folder / kStateFile).string();
  const int schema = jsonGet<int>(*json, "schema").value_or(0);
  if (schema != kSchema)
    return fail(ExitCode::Data, where + " has the schema " + std::to_string(schema) + "; this program reads " + std::to_string(kSchema) + ".");
  const auto step = jsonGet<std::int64_t>(*json, "step");
  const auto timesteps = jsonGet<int>(*json, "timesteps");
  const auto network = networkSpecFromJson(json->value("network", Json()));
  if (!step || !timesteps || !network)
    return fail(ExitCode::Data, where + " lacks the step, the diffusion steps or the network.");
  Checkpoint checkpoint;
  checkpoint.step = *step;
  checkpoint.timesteps = *timesteps;
  checkpoint.network = *network;
  checkpoint.description = json->value("description", Json::object());
  checkpoint.state = json->value("state", Json::object());
  for (const Part& part : kParts) {
    auto content = readTensors(folder / part.file);
    if (!content)
      return fail(content.error());
    checkpoint.*part.tensors = std::move(content->tensors);
  }
  return checkpoint;
}

} // namespace voxlab
