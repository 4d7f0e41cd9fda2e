// SPDX-License-Identifier: Apache-2.0
// Confidence intervals by resampling whole subjects, so that copies of one head do not pass for many people.
#pragma once
#include "core/protocol/quality_result.h"
#include <functional>
#include <span>

namespace voxlab {

using Groups = std::vector<std::vector<std::int64_t>>; // the volumes of each subject

struct BootstrapPlan {
  std::int64_t resamples = 1000;
  std::uint64_t seed = 0;
  std::uint32_t stream = 0; // which measure: each has its own random numbers
};

// Subjects are drawn with replacement, each with all of its volumes, from either set by itself; statistic(rows of the first, rows of
// the second) is computed anew. The interval holds the 2.5 and 97.5 percentiles, moved by the mean's distance from the estimate (the
// bootstrap's bias). nullopt where whyNoInterval() says why. An empty `second`: one set.
using Statistic = std::function<double(std::span<const std::int64_t>, std::span<const std::int64_t>)>;
std::optional<QualityInterval> bootstrapInterval(const Groups& first, const Groups& second, const Statistic& statistic, double estimate,
                                                 const BootstrapPlan& plan);
// Fewer than kFewestForInterval subjects on a side that has any, or no resamples. Empty: there is one.
std::string whyNoInterval(const Groups& first, const Groups& second, const BootstrapPlan& plan);

// Mean of one value a volume; NaN where it has none.
struct MeanEstimate {
  std::optional<double> mean;
  std::optional<QualityInterval> interval;
  std::int64_t count = 0;
  std::string noInterval = {};
};
MeanEstimate meanWithInterval(const std::vector<double>& values, const Groups& groups, const BootstrapPlan& plan);

// All volumes of the subjects, in order.
std::vector<std::int64_t> membersOf(const Groups& groups);

} // namespace voxlab
