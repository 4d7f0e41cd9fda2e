// SPDX-License-Identifier: Apache-2.0
// What a job of kind quality found: quality.json in its run folder. Every measure carries its recipe, the number of things it
// is a mean over, and, where it could not be computed, why.
#pragma once
#include "core/base/json.h"
#include <cstdint>
#include <filesystem>
#include <vector>

namespace voxlab {

struct QualityInterval {
  double low = 0, high = 0;
};

// Resampling fewer subjects, volumes or pairs than these says nothing of how far a value may lie off: there is no interval.
inline constexpr std::int64_t kFewestForInterval = 5;

struct QualityMeasure {
  std::string name;      // "ssim", "mmd"
  std::string title;     // "3D SSIM"
  std::string unit;      // "dB"; empty for plain numbers
  std::string direction; // "lower" or "higher" is better; empty where neither is
  std::optional<double> value;
  std::optional<QualityInterval> interval; // 95 %
  std::optional<double> realBaseline;      // the same between real volumes, so that the value can be judged
  std::int64_t count = 0;                  // of countOf
  std::string countOf;                     // "pairs", "volumes", "synthetic volumes of 40 subjects"
  std::string recipe;                      // a sentence that can be cited
  std::string baselineRecipe;              // what realBaseline is
  std::string refused;                     // why there is no value; empty when there is one
  std::string noInterval = {};             // why there is a value without an interval; empty in results from before this was told
};

struct QualityVolume {
  std::string file;            // name
  std::string subject, paired; // paired: the real volume's name; empty when there is none
  std::optional<std::uint64_t> seed;
  Json values = Json::object(); // measure → number
};

// Names the volumes that a sampling run draws, wherever the run is moved and whatever its folder is called: the id that it was made with, and
// when. Empty where run.json does not say.
std::string volumeSetOf(const std::filesystem::path& run);

struct QualityResult {
  // Mode, sampler, steps, checkpoint … of the synthetic volumes, where all agree. set, real_set: which volumes were held against which:
  // volumeSetOf() a sampling run; of another folder "files", a digest. Results from before there were these have paths in their jobs alone.
  Json of = Json::object();
  Json recipe = Json::object(); // sets, counts, size, intensities, network, kernel, bootstrap: everything that was chosen
  std::vector<QualityMeasure> measures;
  std::vector<QualityVolume> volumes;
  std::vector<std::string> notes;

  const QualityMeasure* find(std::string_view name) const; // nullptr when there is none
};

Json toJson(const QualityResult& result);
// Fails with Data on a newer major version and on what is no quality result.
Result<QualityResult> qualityFromJson(const Json& json);

} // namespace voxlab
