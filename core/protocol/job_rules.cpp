// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/job_rules.h"
#include "core/protocol/network_spec.h"
#include <algorithm>
#include <bit>

namespace voxlab {
namespace {
using Problems = std::vector<SpecProblem>;

void checkData(const JobSpec& spec, Problems& problems) {
  const auto size = spec.get<std::vector<std::int64_t>>("data.size", {0, 0, 0});
  if (size.size() != 3)
    problems.push_back({"data.size", "Volume size needs three numbers: voxels along X, Y and Z."});
  const auto channels = spec.get<std::int64_t>("model.condition_channels");
  const auto labels = spec.get<std::vector<std::int64_t>>("data.labels");
  if (spec.kind() == "train" && !labels.empty() && static_cast<std::int64_t>(labels.size()) != channels)
    problems.push_back({"data.labels", "Labels has " + std::to_string(labels.size()) + " entries, but the network has " +
                                           std::to_string(channels) + " condition channels; give one label a channel."});
}

void checkLabels(const JobSpec& spec, Problems& problems) {
  auto labels = spec.get<std::vector<std::int64_t>>("data.labels");
  std::sort(labels.begin(), labels.end());
  if (const auto twice = std::adjacent_find(labels.begin(), labels.end()); twice != labels.end())
    problems.push_back({"data.labels", "Labels holds " + std::to_string(*twice) + " twice; every channel stands for another label."});
}

void checkTraining(const JobSpec& spec, Problems& problems) {
  if (spec.get<std::string>("data.images").empty())
    problems.push_back({"data.images", "Images has to name the folder of the volumes to train on."});
}

void checkSampling(const JobSpec& spec, Problems& problems) {
  const auto steps = spec.get<std::int64_t>("sample.steps");
  const auto timesteps = spec.get<std::int64_t>("diffusion.timesteps", steps);
  if (steps > timesteps)
    problems.push_back(
        {"sample.steps", "Sampling steps cannot be more than the " + std::to_string(timesteps) + " diffusion steps."});
  if (const auto size = spec.get<std::vector<std::int64_t>>("sample.size"); !size.empty() && size.size() != 3)
    problems.push_back({"sample.size", "The network's grid needs three numbers: voxels along X, Y and Z."});
  if (spec.kind() == "sample" && spec.get<std::string>("sample.checkpoint").empty())
    problems.push_back({"sample.checkpoint", "Checkpoint has to name the weights to draw from."});
}

void checkQuality(const JobSpec& spec, Problems& problems) {
  if (spec.get<std::string>("quality.synthetic").empty())
    problems.push_back({"quality.synthetic", "Synthetic volumes has to name a run, a folder or a volume."});
  if (const auto size = spec.get<std::vector<std::int64_t>>("quality.size"); !size.empty() && size.size() != 3)
    problems.push_back({"quality.size", "The grid needs three numbers: voxels along X, Y and Z."});
}

void checkBenchmark(const JobSpec& spec, Problems& problems) {
  if (spec.get<std::vector<std::string>>("bench.modes").empty())
    problems.push_back({"bench.modes", "Modes has to name at least one mode."});
}

void checkNetwork(const JobSpec& spec, Problems& problems) {
  if (!spec.has("model") || !spec.get<std::string>("train.start").empty())
    return; // the shape comes from a checkpoint
  if (const auto network = networkSpecFrom(spec); !network)
    problems.push_back({"model.base_channels", network.error().message});
  else
    for (const int factor : network->attentionFactors)
      if (!std::has_single_bit(static_cast<unsigned>(factor))) // one that no level has is no harm: the published code leaves it out, too
        problems.push_back({"model.attention_factors", "Attention at has " + std::to_string(factor) + ", but levels lie at factors of two."});
}
} // namespace

std::vector<SpecProblem> conflictingValues(const JobSpec& given, const Catalog& catalog) {
  JobSpec spec = given;
  spec.fillDefaults(catalog);
  Problems problems;
  checkData(spec, problems);
  checkLabels(spec, problems);
  if (spec.kind() == "train")
    checkTraining(spec, problems);
  if (spec.kind() == "bench")
    checkBenchmark(spec, problems);
  if (spec.kind() == "quality")
    checkQuality(spec, problems);
  checkSampling(spec, problems);
  checkNetwork(spec, problems);
  return problems;
}

} // namespace voxlab
