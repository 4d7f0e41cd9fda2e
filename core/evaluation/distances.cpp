// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/distances.h"
#include "core/base/failure.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cdist.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/linalg_eigvalsh.h>
#include <ATen/ops/matmul.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace voxlab {
namespace {
at::Tensor covariance(const at::Tensor& features) {
  const at::Tensor centred = features - features.mean(0, true);
  return at::matmul(centred.t(), centred) / static_cast<double>(features.size(0) - 1);
}

at::Tensor symmetricRoot(const at::Tensor& matrix) {
  const auto [values, vectors] = at::linalg_eigh(matrix);
  return at::matmul(vectors * values.clamp_min(0).sqrt(), vectors.t());
}

std::vector<double> numbers(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous();
  return {flat.const_data_ptr<double>(), flat.const_data_ptr<double>() + flat.numel()};
}
} // namespace

double frechetDistance(const at::Tensor& first, const at::Tensor& second) {
  if (first.size(0) < 2 || second.size(0) < 2)
    throw Failure(ExitCode::Data, "The Fréchet distance needs at least two volumes on either side.");
  const at::Tensor difference = first.mean(0) - second.mean(0);
  const at::Tensor ofFirst = covariance(first), ofSecond = covariance(second);
  const at::Tensor root = symmetricRoot(ofFirst);
  at::Tensor product = at::matmul(at::matmul(root, ofSecond), root);
  product = (product + product.t()) / 2;
  const double cross = at::linalg_eigvalsh(product).clamp_min(0).sqrt().sum().item<double>();
  const double distance = difference.square().sum().item<double>() + ofFirst.trace().item<double>() +
                          ofSecond.trace().item<double>() - 2 * cross;
  return std::max(0.0, distance);
}

MmdKernel mmdKernelFrom(const std::string& name) {
  return name == "gaussian" ? MmdKernel::Gaussian : name == "polynomial" ? MmdKernel::Polynomial : MmdKernel::Unknown;
}

double medianDistance(const at::Tensor& features) {
  const std::vector<double> all = numbers(at::cdist(features, features, 2.0, 2)); // 2: exactly, not by matrix products
  const std::int64_t n = features.size(0);
  std::vector<double> distances;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j)
      distances.push_back(all[static_cast<std::size_t>(i * n + j)]);
  if (distances.empty())
    return 1;
  std::sort(distances.begin(), distances.end());
  const std::size_t half = distances.size() / 2;
  const double median = distances.size() % 2 ? distances[half] : (distances[half - 1] + distances[half]) / 2;
  return median > 0 ? median : 1;
}

KernelMatrix::KernelMatrix(const at::Tensor& first, const at::Tensor& second, MmdKernel kernel, double bandwidth)
    : m_first(first.size(0)), m_second(second.size(0)) {
  const at::Tensor both = at::cat({first, second});
  if (kernel == MmdKernel::Polynomial)
    m_values = numbers((at::matmul(both, both.t()) / static_cast<double>(both.size(1)) + 1).pow(3));
  else
    m_values = numbers((at::cdist(both, both, 2.0, 2).square() / (-2 * bandwidth * bandwidth)).exp());
}

double KernelMatrix::mean(Rows rows, std::int64_t rowOffset, Rows columns, std::int64_t columnOffset) const {
  const std::int64_t stride = m_first + m_second;
  double sum = 0;
  for (const std::int64_t row : rows)
    for (const std::int64_t column : columns)
      sum += m_values[static_cast<std::size_t>((row + rowOffset) * stride + column + columnOffset)];
  return sum / (static_cast<double>(rows.size()) * static_cast<double>(columns.size()));
}

double KernelMatrix::mmd(Rows first, Rows second) const {
  return std::max(0.0, mean(first, 0, first, 0) + mean(second, m_first, second, m_first) - 2 * mean(first, 0, second, m_first));
}

double KernelMatrix::unbiasedMmd() const {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(std::max(m_first, m_second)));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  const auto without = [&](std::int64_t count, std::int64_t offset) {
    const Rows all = Rows(rows).first(static_cast<std::size_t>(count));
    const auto n = static_cast<double>(count);
    double diagonal = 0;
    for (const std::int64_t row : all)
      diagonal += m_values[static_cast<std::size_t>((row + offset) * (m_first + m_second + 1))];
    return (mean(all, offset, all, offset) * n * n - diagonal) / (n * (n - 1));
  };
  const Rows all(rows);
  return without(m_first, 0) + without(m_second, m_first) -
         2 * mean(all.first(static_cast<std::size_t>(m_first)), 0, all.first(static_cast<std::size_t>(m_second)), m_first);
}

double wassersteinDistance(std::span<const double> first, std::span<const double> second, double binWidth) {
  const double ofFirst = std::accumulate(first.begin(), first.end(), 0.0), ofSecond = std::accumulate(second.begin(), second.end(), 0.0);
  if (!(ofFirst > 0) || !(ofSecond > 0) || first.size() != second.size())
    throw Failure(ExitCode::Data, "Histograms cannot be compared: one of them is empty, or their bins differ.");
  double cumulative = 0, area = 0;
  for (std::size_t n = 0; n < first.size(); ++n) {
    cumulative += first[n] / ofFirst - second[n] / ofSecond;
    area += std::abs(cumulative) * binWidth;
  }
  return area;
}

} // namespace voxlab
