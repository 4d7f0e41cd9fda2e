// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/bootstrap.h"
#include "core/diffusion/random.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Groups singles(std::int64_t count) {
  Groups groups;
  for (std::int64_t n = 0; n < count; ++n)
    groups.push_back({n});
  return groups;
}

std::vector<double> normals(std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t n = 0; n < count; ++n)
    values.push_back(static_cast<double>(randomNormal({11, Purpose::Evaluation, 0, 0}, static_cast<std::uint64_t>(n))));
  return values;
}
} // namespace

TEST(Bootstrap, IntervalOfAMeanIsAsWideAsTheoryHasIt) {
  const auto values = normals(200);
  const MeanEstimate estimate = meanWithInterval(values, singles(200), {4000, 1, 0});
  double squares = 0;
  for (const double v : values)
    squares += (v - *estimate.mean) * (v - *estimate.mean);
  const double half = 1.96 * std::sqrt(squares / 200 / 200);
  ASSERT_TRUE(estimate.interval);
  EXPECT_NEAR(estimate.interval->low, *estimate.mean - half, 0.1 * half);
  EXPECT_NEAR(estimate.interval->high, *estimate.mean + half, 0.1 * half);
  EXPECT_EQ(estimate.count, 200);
}

TEST(Bootstrap, IsTheSameForTheSameSeed) {
  const auto values = normals(40);
  const auto first = meanWithInterval(values, singles(40), {500, 3, 1}).interval, second = meanWithInterval(values, singles(40), {500, 3, 1}).interval;
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->low, second->low);
  EXPECT_NE(first->low, meanWithInterval(values, singles(40), {500, 4, 1}).interval->low);
}

TEST(Bootstrap, CopiesOfOneSubjectDoNotNarrowTheInterval) {
  const auto values = normals(20);
  std::vector<double> copied;
  Groups groups(20);
  for (std::size_t n = 0; n < 20; ++n)
    for (int copy = 0; copy < 10; ++copy) {
      groups[n].push_back(static_cast<std::int64_t>(copied.size()));
      copied.push_back(values[n]);
    }
  const auto once = meanWithInterval(values, singles(20), {2000, 5, 0}).interval, often = meanWithInterval(copied, groups, {2000, 5, 0}).interval;
  ASSERT_TRUE(once && often);
  EXPECT_NEAR(once->high - once->low, often->high - often->low, 1e-9);
}

TEST(Bootstrap, LeavesOutVolumesWithoutAValue) {
  const std::vector<double> values{1, std::nan(""), 3};
  const MeanEstimate estimate = meanWithInterval(values, singles(3), {100, 0, 0});
  EXPECT_EQ(estimate.mean, 2);
  EXPECT_EQ(estimate.count, 2);
  EXPECT_FALSE(meanWithInterval({std::nan("")}, singles(1), {100, 0, 0}).mean);
}

// Two or three values, drawn again and again, give the narrowest intervals of all.
TEST(Bootstrap, NeedsFiveSubjectsOnEitherSideAndSaysSo) {
  EXPECT_FALSE(meanWithInterval({1, 2}, {{0, 1}}, {100, 0, 0}).interval);
  EXPECT_FALSE(meanWithInterval({1, 2}, singles(2), {0, 0, 0}).interval);
  const auto values = normals(8);
  const MeanEstimate four = meanWithInterval({values.begin(), values.begin() + 4}, singles(4), {100, 0, 0}), five = meanWithInterval({values.begin(), values.begin() + 5}, singles(5), {100, 0, 0});
  EXPECT_FALSE(four.interval);
  EXPECT_NE(four.noInterval.find("5 subjects at least"), std::string::npos) << four.noInterval;
  EXPECT_TRUE(five.interval && five.noInterval.empty());
  EXPECT_FALSE(meanWithInterval(values, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}, {100, 0, 0}).interval) << "eight volumes of four subjects";
  EXPECT_FALSE(meanWithInterval(values, singles(8), {0, 0, 0}).noInterval.empty());
  const Statistic size = [](std::span<const std::int64_t> a, std::span<const std::int64_t> b) { return static_cast<double>(a.size() + b.size()); };
  EXPECT_FALSE(bootstrapInterval(singles(8), singles(4), size, 12, {100, 0, 0}));
  EXPECT_TRUE(bootstrapInterval(singles(8), singles(5), size, 13, {100, 0, 0}));
}
