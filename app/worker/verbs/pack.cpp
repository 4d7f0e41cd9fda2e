// SPDX-License-Identifier: Apache-2.0
// voxlab-worker pack | unpack: runs in one file.
#include "app/worker/log.h"
#include "app/worker/verbs.h"
#include "core/base/failure.h"
#include "core/protocol/run_bundle.h"
#include <cstdio>

namespace voxlab {

ExitCode pack(const PackVerbOptions& options) {
  const PackedRuns packed = valueOrThrow(packRuns(options.runs, options.output, {options.withCheckpoints, options.withNames}));
  for (const std::string& sentence : packed.leftOut)
    log::info(sentence);
  std::printf("%s\n", options.output.c_str());
  return ExitCode::Finished;
}

ExitCode unpack(const UnpackOptions& options) {
  const UnpackedRuns unpacked = valueOrThrow(unpackRuns(options.bundle, options.runs));
  for (const std::string& id : unpacked.alreadyThere)
    log::warning("The run " + id + " is already in " + options.runs.string() + " and was left as it is.");
  for (const auto& [id, name] : unpacked.renamed)
    log::warning("Another run called " + id + " is in " + options.runs.string() + ": this one was named " + name + ".");
  for (const Path& run : unpacked.runs)
    std::printf("%s\n", run.c_str());
  return ExitCode::Finished;
}

} // namespace voxlab
