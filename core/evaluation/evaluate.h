// SPDX-License-Identifier: Apache-2.0
// How good synthetic volumes are: measured against real ones, among themselves, and against what the network was trained on.
#pragma once
#include "core/evaluation/distances.h"
#include "core/evaluation/volume_set.h"
#include <set>

namespace voxlab {

// Measures of distributions say nothing below this many people on either side; augmented copies of one count once.
inline constexpr std::int64_t kFewestSubjects = 30;

struct EvaluationOrder {
  std::set<std::string> measures; // voxel, equal_seeds, histogram, fidelity, nearest, mmd, frechet, diversity
  IntensityScaling scaling = IntensityScaling::Percentiles;
  std::filesystem::path features, segmenter; // TorchScript; empty: built in
  MmdKernel kernel = MmdKernel::Gaussian;
  double bandwidth = 0; // 0: median distance between real volumes' features
  std::int64_t resamples = 1000, pairs = 500;
  std::uint64_t seed = 0;
  at::Device device = at::kCPU;
  std::function<bool(const std::string& what, double part)> tell; // how far; false: stop
};

// The synthetic volumes with their intensities as stored, and what another mode drew from the same seeds.
struct EqualSeeds {
  VolumeSet drawn, reference;
  std::string missing; // why there is no reference; empty where there is one
};

struct EvaluationSets {
  VolumeSet synthetic, real, training; // the latter two may be empty
  std::map<std::string, std::filesystem::path> masks; // by case
  std::optional<EqualSeeds> equalSeeds = std::nullopt; // nullopt: nobody asked for it
};

// A measure that cannot be computed is in the result with the reason. Throws Failure: Stopped, or Data for a network that fails.
QualityResult evaluate(const EvaluationSets& sets, const EvaluationOrder& order);

} // namespace voxlab
