// SPDX-License-Identifier: Apache-2.0
// voxlab-worker export CHECKPOINT --format pt|safetensors -o FILE
#include "app/worker/verbs.h"
#include "core/base/failure.h"
#include "core/diffusion/weights_target.h"
#include <cstdio>

namespace voxlab {

ExitCode exportCheckpoint(const ExportOptions& options) {
  const TrainedNetwork trained = valueOrThrow(readTrainedNetwork(options.checkpoint));
  if (options.format == "pt") {
    valueOrThrow(writePublishedFile(options.output, trained));
  } else {
    const WeightSet set = options.weights == "model" ? WeightSet::Model : WeightSet::Average;
    const StoredPrecision precision = options.precision == "float16" ? StoredPrecision::Float16 : StoredPrecision::Float32;
    valueOrThrow(writeWeightsFile(options.output, trained, set, precision));
  }
  std::printf("%s\n", options.output.c_str());
  return ExitCode::Finished;
}

} // namespace voxlab
