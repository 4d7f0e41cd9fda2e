// SPDX-License-Identifier: Apache-2.0
// voxlab-worker export CHECKPOINT --format pt|safetensors -o FILE
#include "app/worker/verbs.h"
#include "core/base/failure.h"
#include "core/diffusion/preparation_record.h"
#include "core/diffusion/upstream_export.h"
#include <algorithm>
#include <cstdio>

namespace voxlab {
namespace {
WeightsPrecision precisionOf(const std::string& name) {
  return name == "float16" ? WeightsPrecision::Half : name == "bfloat16" ? WeightsPrecision::Bfloat16 : WeightsPrecision::Full;
}
} // namespace

ExitCode exportCheckpoint(const ExportOptions& options) {
  const Path source = valueOrThrow(weightsPath(options.checkpoint));
  if (options.format == "pt") {
    const Weights model = valueOrThrow(loadWeights(source, WhichWeights::Model)),
                  average = valueOrThrow(loadWeights(source, WhichWeights::Ema));
    // The file has the index of the iteration just finished.
    const std::int64_t iteration = std::max<std::int64_t>(0, model.step.value_or(0) - 1);
    valueOrThrow(writeUpstreamCheckpoint(
        options.output, {model.network, model.timesteps.value_or(250), iteration, model.parameters, average.parameters}));
  } else {
    const Weights weights = valueOrThrow(loadWeights(source, options.weights == "model" ? WhichWeights::Model : WhichWeights::Ema));
    valueOrThrow(saveWeights(options.output, weights, precisionOf(options.precision)));
  }
  std::printf("%s\n", options.output.c_str());
  return ExitCode::Finished;
}

} // namespace voxlab
