// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/find_run.h"
#include "core/protocol/run_directory.h"

namespace voxlab {

Status findRun(const std::filesystem::path& folder) {
  if (RunDirectory::looksLikeRun(folder))
    return {};
  std::error_code ec;
  const std::string name = folder.string(), no = name + " is no run folder: ";
  if (folder.extension() == ".voxrun" && std::filesystem::is_regular_file(folder, ec))
    return fail(ExitCode::Data, no + "it is a bundle of runs. Open it with voxlab-worker unpack " + name + " --runs FOLDER, and name the runs in there.");
  const char* const why = std::filesystem::exists(folder, ec) ? "there is no run.json in it" : "there is nothing of that name";
  return fail(ExitCode::Data, no + why + ". Name the folder of a run, the one that holds run.json.");
}

} // namespace voxlab
