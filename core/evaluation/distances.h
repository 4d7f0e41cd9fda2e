// SPDX-License-Identifier: Apache-2.0
// How far two sets of feature vectors are apart. Features are FP64 matrices (volumes, features) on the CPU.
#pragma once
#include <ATen/core/Tensor.h>
#include <span>
#include <string>
#include <vector>

namespace voxlab {

using Rows = std::span<const std::int64_t>; // which volumes, repeats allowed; of at least two

// Fréchet distance between normal distributions with the sets' means and sample covariances (n − 1):
// |μ₁ − μ₂|² + tr(C₁ + C₂ − 2·(C₁C₂)^½) (Dowson & Landau 1982; Heusel et al. 2017). The trace of the root is the sum of the
// square roots of the eigenvalues of C₁^½·C₂·C₁^½, negative rounding residue counted as 0. Never below 0.
double frechetDistance(const at::Tensor& first, const at::Tensor& second);

enum class MmdKernel { Unknown, Gaussian, Polynomial };
MmdKernel mmdKernelFrom(const std::string& name); // "gaussian", "polynomial"

// Median of the distances between different rows: the usual bandwidth of the Gaussian kernel (Gretton et al. 2012). At least
// two rows; 1 where all rows are equal.
double medianDistance(const at::Tensor& features);

// Kernel values between all rows of first and second together, from which the squared maximum mean discrepancy of any choice of
// rows follows. Gaussian: exp(−|x − y|²/2σ²). Polynomial: (x·y/d + 1)³ (Bińkowski et al. 2018).
class KernelMatrix {
public:
  KernelMatrix(const at::Tensor& first, const at::Tensor& second, MmdKernel kernel, double bandwidth);
  // mean k(x, x') + mean k(y, y') − 2·mean k(x, y) over all pairs (the V-statistic): 0 for a set with itself, never below.
  double mmd(Rows first, Rows second) const;
  double meanBetween(Rows first, Rows second) const { return mean(first, 0, second, m_first); } // mean k(x, y); of a Gaussian kernel near 0 where mmd() is near its end
  // Without the pairs of a row with itself (the U-statistic); may be below 0.
  double unbiasedMmd() const;

private:
  double mean(Rows rows, std::int64_t rowOffset, Rows columns, std::int64_t columnOffset) const;
  std::int64_t m_first, m_second;
  std::vector<double> m_values; // (first + second)²
};

// Distance between two distributions given as counts over equal bins of a width: the area between their cumulative shares (the
// first Wasserstein or earth mover's distance), in units of the axis.
double wassersteinDistance(std::span<const double> first, std::span<const double> second, double binWidth);

} // namespace voxlab
