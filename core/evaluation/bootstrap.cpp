// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/bootstrap.h"
#include "core/diffusion/random.h"
#include <ATen/Parallel.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace voxlab {
namespace {
// numpy's default: linear between order statistics.
double percentileOf(const std::vector<double>& sorted, double fraction) {
  const double position = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::vector<std::int64_t> resampled(const Groups& groups, const RandomKey& key, std::uint64_t offset) {
  std::vector<std::int64_t> rows;
  for (std::size_t n = 0; n < groups.size(); ++n) {
    const auto& drawn = groups[static_cast<std::size_t>(randomInteger(key, offset + n, static_cast<std::int64_t>(groups.size())))];
    rows.insert(rows.end(), drawn.begin(), drawn.end());
  }
  return rows;
}
} // namespace

std::optional<QualityInterval> bootstrapInterval(const Groups& first, const Groups& second, const Statistic& statistic, double estimate,
                                                 const BootstrapPlan& plan) {
  if (!whyNoInterval(first, second, plan).empty())
    return std::nullopt;
  std::vector<double> values(static_cast<std::size_t>(plan.resamples));
  at::parallel_for(0, plan.resamples, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n) {
      const RandomKey key{plan.seed, Purpose::Evaluation, plan.stream, static_cast<std::uint32_t>(n)};
      values[static_cast<std::size_t>(n)] = statistic(resampled(first, key, 0), resampled(second, key, first.size()));
    }
  });
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.size() < 2)
    return std::nullopt;
  std::sort(values.begin(), values.end());
  const double bias = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()) - estimate;
  return QualityInterval{percentileOf(values, 0.025) - bias, percentileOf(values, 0.975) - bias};
}

std::string whyNoInterval(const Groups& first, const Groups& second, const BootstrapPlan& plan) {
  if (plan.resamples < 2)
    return "No resamples were asked for.";
  const std::size_t fewest = second.empty() ? first.size() : std::min(first.size(), second.size());
  if (fewest >= static_cast<std::size_t>(kFewestForInterval))
    return {};
  return "An interval takes " + std::to_string(kFewestForInterval) + " subjects at least, on either side where there are two: " + std::to_string(fewest) + ", drawn again and again, would not show how far the value may lie off.";
}

MeanEstimate meanWithInterval(const std::vector<double>& values, const Groups& groups, const BootstrapPlan& plan) {
  const auto meanOf = [&](std::span<const std::int64_t> rows) {
    double sum = 0;
    std::int64_t count = 0;
    for (const std::int64_t row : rows)
      if (const double value = values[static_cast<std::size_t>(row)]; !std::isnan(value)) {
        sum += value;
        ++count;
      }
    return std::pair(count > 0 ? sum / static_cast<double>(count) : std::nan(""), count);
  };
  const auto [mean, count] = meanOf(membersOf(groups));
  if (count == 0)
    return {};
  Groups usable = groups; // subjects without any value would thin the resamples
  for (auto& group : usable)
    std::erase_if(group, [&](std::int64_t row) { return std::isnan(values[static_cast<std::size_t>(row)]); });
  std::erase_if(usable, [](const auto& group) { return group.empty(); });
  const auto statistic = [&](std::span<const std::int64_t> rows, std::span<const std::int64_t>) { return meanOf(rows).first; };
  return {mean, bootstrapInterval(usable, {}, statistic, mean, plan), count, whyNoInterval(usable, {}, plan)};
}

std::vector<std::int64_t> membersOf(const Groups& groups) {
  std::vector<std::int64_t> all;
  for (const auto& group : groups)
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

} // namespace voxlab
