// SPDX-License-Identifier: Apache-2.0
// Every random number of a job: a function of (seed, purpose, sample, step, index) and of nothing else, so that layout,
// batch, device, threads, precision and resuming change none of them. Philox4x32-10, see core/kernels/philox.h.
#pragma once
#include <cstdint>
#include <vector>

namespace voxlab {

// What a number is for. Values are part of the format of seeds: never renumber.
enum class Purpose : std::uint32_t {
  Unknown = 0,
  InitialNoise = 1,     // sampler's starting volume
  StepNoise = 2,        // noise that a sampler adds at a time step; step = time step
  TrainingNoise = 3,    // step = training step, sample = volume within the step
  TrainingTimestep = 4, // likewise
  Shuffle = 5,          // step = pass over the data
  Augmentation = 6,     // step = training step, sample = volume within the step
  Initialisation = 7,   // sample = parameter's position in the layout
  SampleChoice = 8,     // which mask a preview is drawn for
  Evaluation = 9,
};

struct RandomKey {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::Unknown;
  std::uint32_t sample = 0;
  std::uint32_t step = 0;
};

// 53 random bits / 2^53: in [0, 1).
double randomUniform(const RandomKey& key, std::uint64_t index);
// 0 … bound - 1, by 64-bit multiplication (bias below bound / 2^64). bound must be positive.
std::int64_t randomInteger(const RandomKey& key, std::uint64_t index, std::int64_t bound);
float randomNormal(const RandomKey& key, std::uint64_t index); // the same value as in a noise tensor
// The numbers 0 … count - 1 shuffled (Fisher–Yates).
std::vector<std::int64_t> randomPermutation(const RandomKey& key, std::int64_t count);

} // namespace voxlab
