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
};

struct QualityVolume {
  std::string file;            // name
  std::string subject, paired; // paired: the real volume's name; empty when there is none
  std::optional<std::uint64_t> seed;
  Json values = Json::object(); // measure → number
};

struct QualityResult {
  Json of = Json::object();     // mode, sampler, steps, checkpoint … of the synthetic volumes, where all agree
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
