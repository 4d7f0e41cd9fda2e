// SPDX-License-Identifier: Apache-2.0
// Against MONAI, scipy and plain numpy (tests/data/evaluation/generate.py), and what must hold of every distance.
#include "core/evaluation/distances.h"
#include "core/base/failure.h"
#include "core/base/json.h"
#include "core/diffusion/random.h"
#include "tests/support/paths.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <gtest/gtest.h>
#include <numeric>

using namespace voxlab;

namespace {
Json reference() {
  return readJsonFile(testData() / "evaluation/reference.json").value();
}

at::Tensor matrix(const Json& rows) {
  const auto values = rows.get<std::vector<std::vector<double>>>();
  at::Tensor out = at::empty({static_cast<std::int64_t>(values.size()), static_cast<std::int64_t>(values.front().size())}, at::kDouble);
  double* to = out.mutable_data_ptr<double>();
  for (const auto& row : values)
    to = std::copy(row.begin(), row.end(), to);
  return out;
}

std::vector<std::int64_t> rowsOf(const at::Tensor& features) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(features.size(0)));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  return rows;
}

// A frozen family: normal features, the second set with noise of a strength added.
at::Tensor family(double noise, std::int64_t count = 60, std::int64_t features = 8) {
  at::Tensor out = at::empty({count, features}, at::kDouble);
  for (std::int64_t n = 0; n < out.numel(); ++n)
    out.mutable_data_ptr<double>()[n] = static_cast<double>(randomNormal({7, Purpose::Evaluation, 0, 0}, static_cast<std::uint64_t>(n))) +
                                        noise * static_cast<double>(randomNormal({7, Purpose::Evaluation, 1, 0}, static_cast<std::uint64_t>(n)));
  return out;
}
} // namespace

TEST(Distances, FrechetEqualsMonaiAndScipy) {
  const Json facts = reference();
  for (const Json& c : facts.at("features")) {
    const at::Tensor first = matrix(c.at("first")), second = matrix(c.at("second"));
    const double found = frechetDistance(first, second), scale = c.at("frechet").get<double>();
    EXPECT_NEAR(found, scale, 1e-6 * scale);
    EXPECT_NEAR(found, c.at("frechet_monai").get<double>(), 1e-4 * scale);
    EXPECT_NEAR(found, frechetDistance(second, first), 1e-7 * scale);
  }
}

TEST(Distances, MmdEqualsMonaiAndNumpy) {
  const Json facts = reference();
  for (const Json& c : facts.at("features")) {
    const at::Tensor first = matrix(c.at("first")), second = matrix(c.at("second"));
    EXPECT_NEAR(medianDistance(second), c.at("bandwidth").get<double>(), 1e-10);
    const KernelMatrix gaussian(first, second, MmdKernel::Gaussian, c.at("bandwidth")), polynomial(first, second, MmdKernel::Polynomial, 0);
    EXPECT_NEAR(gaussian.mmd(rowsOf(first), rowsOf(second)), c.at("mmd_gaussian").get<double>(), 1e-10);
    EXPECT_NEAR(gaussian.unbiasedMmd(), c.at("mmd_gaussian_unbiased").get<double>(), 1e-10);
    const double scale = c.at("mmd_polynomial");
    EXPECT_NEAR(polynomial.mmd(rowsOf(first), rowsOf(second)), scale, 1e-8 * scale);
    EXPECT_NEAR(polynomial.unbiasedMmd(), c.at("mmd_polynomial_unbiased").get<double>(), 1e-8 * scale);
    if (c.contains("mmd_monai")) {
      EXPECT_NEAR(polynomial.unbiasedMmd(), c.at("mmd_monai").get<double>(), 1e-4 * scale);
    }
  }
}

TEST(Distances, HistogramsEqualScipy) {
  for (const Json& c : reference().at("histograms")) {
    const auto first = c.at("first").get<std::vector<double>>(), second = c.at("second").get<std::vector<double>>();
    EXPECT_NEAR(wassersteinDistance(first, second, c.at("width")), c.at("distance").get<double>(), 1e-9);
    EXPECT_EQ(wassersteinDistance(first, first, c.at("width")), 0);
  }
  const std::vector<double> some{1, 2}, none{0, 0};
  EXPECT_THROW(wassersteinDistance(some, none, 1), Failure);
}

TEST(Distances, OfASetWithItselfAreZero) {
  const at::Tensor set = family(0);
  EXPECT_NEAR(frechetDistance(set, set), 0, 1e-9);
  EXPECT_NEAR(KernelMatrix(set, set, MmdKernel::Gaussian, medianDistance(set)).mmd(rowsOf(set), rowsOf(set)), 0, 1e-12);
  EXPECT_NEAR(KernelMatrix(set, set, MmdKernel::Polynomial, 0).mmd(rowsOf(set), rowsOf(set)), 0, 1e-9);
}

TEST(Distances, GrowWithNoise) {
  const at::Tensor set = family(0);
  const double bandwidth = medianDistance(set);
  double frechet = 0, gaussian = 0, polynomial = 0;
  for (const double noise : {0.25, 0.5, 1.0, 2.0, 4.0}) {
    const at::Tensor noisy = family(noise);
    const double f = frechetDistance(noisy, set), g = KernelMatrix(noisy, set, MmdKernel::Gaussian, bandwidth).mmd(rowsOf(noisy), rowsOf(set));
    const double p = KernelMatrix(noisy, set, MmdKernel::Polynomial, 0).mmd(rowsOf(noisy), rowsOf(set));
    EXPECT_GT(f, frechet);
    EXPECT_GT(g, gaussian);
    EXPECT_GT(p, polynomial);
    frechet = f;
    gaussian = g;
    polynomial = p;
  }
  EXPECT_GT(frechet, 10);
}

TEST(Distances, MoreFeaturesThanVolumesStayFinite) {
  const at::Tensor first = family(0, 5, 64), second = family(1, 5, 64);
  const double distance = frechetDistance(first, second);
  EXPECT_TRUE(std::isfinite(distance));
  EXPECT_GT(distance, 0);
  EXPECT_THROW(frechetDistance(first.narrow(0, 0, 1), second), Failure);
}

TEST(Distances, EqualVolumesHaveABandwidth) {
  EXPECT_EQ(medianDistance(family(0, 4) * 0), 1);
}
