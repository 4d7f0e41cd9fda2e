// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/training_checkpoint.h"
#include "core/base/failure.h"
#include "core/base/files.h"
#include "core/diffusion/tensor_file.h"
#include "core/protocol/version.h"
#include <c10/core/GradMode.h>

namespace voxlab {
namespace fs = std::filesystem;
namespace {
Status writeContents(const fs::path& folder, const TrainStep& training, const Json& state) {
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec)
    return fail(ExitCode::Data, "Could not make the folder " + folder.string() + ": " + ec.message() + ".");
  const std::pair<const char*, NamedTensors> files[] = {
      {kModelFile, training.parameters()}, {kAverageFile, training.average()}, {kOptimizerFile, training.optimizerState()}};
  for (const auto& [name, tensors] : files)
    if (Status written = writeTensors(folder / name, tensors); !written)
      return written;
  if (Status written = writeJsonFile(folder / kStateFile, state); !written)
    return written;
  return writeFileAtomically(folder / kDoneFile, "");
}

NamedTensors read(const fs::path& file) {
  return valueOrThrow(readTensors(file)).tensors;
}
} // namespace

Status writeTrainingCheckpoint(const fs::path& folder, const TrainStep& training, Json state) {
  Json all{{"schema", schemaVersion()}, {"step", training.step()}};
  all.update(state);
  std::error_code ec;
  const fs::path temporary = temporaryBeside(folder);
  fs::remove_all(temporary, ec);
  Status status = writeContents(temporary, training, all);
  if (status) {
    fs::remove_all(folder, ec); // one of that step without DONE; a finished one is not written again
    status = renameIntoPlace(temporary, folder);
  }
  if (!status)
    fs::remove_all(temporary, ec);
  return status;
}

Json restoreTrainingCheckpoint(const fs::path& folder, TrainStep& training) {
  const Json state = valueOrThrow(readJsonFile(folder / kStateFile));
  valueOrThrow(checkSchema(state, (folder / kStateFile).string()));
  const auto step = jsonGet<std::int64_t>(state, "step");
  if (!step || *step < 0)
    throw Failure(ExitCode::Data, (folder / kStateFile).string() + " does not say after which step it was written.");
  const c10::AutoGradMode noGradient(false);
  copyValues(read(folder / kModelFile), training.parameters());
  copyValues(read(folder / kAverageFile), training.average());
  training.restore(read(folder / kOptimizerFile), *step);
  return state;
}

void pruneCheckpoints(const fs::path& checkpoints, const std::vector<fs::path>& finished, std::int64_t keep) {
  std::error_code ec;
  for (fs::directory_iterator it(checkpoints, ec), end; !ec && it != end; it.increment(ec)) {
    std::error_code ignored;
    if (it->path().filename().string().find(".tmp-") != std::string::npos)
      fs::remove_all(it->path(), ignored);
  }
  if (keep <= 0)
    return;
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < finished.size(); ++i) {
    // DONE goes first: half a checkpoint must not look whole.
    fs::remove(finished[i] / kDoneFile, ec);
    fs::remove_all(finished[i], ec);
  }
}

} // namespace voxlab
