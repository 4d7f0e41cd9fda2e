// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/ssim_map.h"
#include <array>
#include <cmath>

namespace voxlab {
namespace {
// Weighted sums of x, y, x², y², xy under the window.
using Moments = std::array<std::vector<double>, 5>;

// `count` sums of `width` neighbours that lie `step` apart; the n-th output stands for the inputs from n on.
void slide(const std::vector<double>& in, std::size_t rows, std::size_t rowLength, const std::vector<double>& weights, std::vector<double>& out) {
  const std::size_t kept = rowLength - weights.size() + 1;
  out.assign(rows * kept, 0);
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t w = 0; w < weights.size(); ++w) {
      const double* from = in.data() + r * rowLength + w;
      double* to = out.data() + r * kept;
      for (std::size_t n = 0; n < kept; ++n)
        to[n] += weights[w] * from[n];
    }
}

void slideRows(const std::vector<double>& in, std::size_t rows, std::size_t rowLength, const std::vector<double>& weights, std::vector<double>& out) {
  const std::size_t kept = rows - weights.size() + 1;
  out.assign(kept * rowLength, 0);
  for (std::size_t r = 0; r < kept; ++r)
    for (std::size_t w = 0; w < weights.size(); ++w) {
      const double* from = in.data() + (r + w) * rowLength;
      double* to = out.data() + r * rowLength;
      for (std::size_t n = 0; n < rowLength; ++n)
        to[n] += weights[w] * from[n];
    }
}

class Slider {
public:
  Slider(std::span<const float> first, std::span<const float> second, const GridSize& size, const SsimKernel& kernel)
      : m_first(first), m_second(second), m_kernel(kernel), m_nx(static_cast<std::size_t>(size[0])), m_ny(static_cast<std::size_t>(size[1])) {}

  std::size_t keptX() const { return m_nx - m_kernel.weights.size() + 1; }
  std::size_t keptY() const { return m_ny - m_kernel.weights.size() + 1; }

  // The moments of one plane, summed within the plane.
  void plane(std::size_t k, Moments& out) {
    const std::size_t count = m_nx * m_ny;
    const float* x = m_first.data() + k * count;
    const float* y = m_second.data() + k * count;
    for (std::size_t m = 0; m < out.size(); ++m) {
      m_raw.resize(count);
      for (std::size_t n = 0; n < count; ++n) {
        const double a = x[n], b = y[n];
        m_raw[n] = m == 0 ? a : m == 1 ? b : m == 2 ? a * a : m == 3 ? b * b : a * b;
      }
      slide(m_raw, m_ny, m_nx, m_kernel.weights, m_partial);
      slideRows(m_partial, m_ny, keptX(), m_kernel.weights, out[m]);
    }
  }

private:
  std::span<const float> m_first, m_second;
  const SsimKernel& m_kernel;
  std::size_t m_nx, m_ny;
  std::vector<double> m_raw, m_partial;
};
} // namespace

SsimKernel ssimKernel(SsimWindow window) {
  SsimKernel kernel;
  if (window == SsimWindow::Uniform7) {
    kernel.weights.assign(7, 1.0 / 7);
    kernel.covarianceScale = 343.0 / 342.0;
    return kernel;
  }
  double sum = 0;
  for (int n = -5; n <= 5; ++n)
    sum += kernel.weights.emplace_back(std::exp(-0.5 * n * n / (1.5 * 1.5)));
  for (double& weight : kernel.weights)
    weight /= sum;
  return kernel;
}

SsimMeans ssimMeans(std::span<const float> first, std::span<const float> second, const GridSize& size, double dataRange, const SsimKernel& kernel,
                    VoxelMask mask) {
  const double c1 = std::pow(0.01 * dataRange, 2), c2 = std::pow(0.03 * dataRange, 2);
  const auto width = static_cast<std::size_t>(kernel.width()), half = width / 2;
  Slider slider(first, second, size, kernel);
  const std::size_t keptX = slider.keptX(), keptY = slider.keptY();
  std::vector<Moments> ring(width); // the planes under the window
  SsimMeans out;
  for (std::size_t k = 0; k < static_cast<std::size_t>(size[2]); ++k) {
    slider.plane(k, ring[k % width]);
    if (k + 1 < width)
      continue;
    for (std::size_t j = 0; j < keptY; ++j)
      for (std::size_t i = 0; i < keptX; ++i) {
        const std::size_t centre = i + half + static_cast<std::size_t>(size[0]) * (j + half + static_cast<std::size_t>(size[1]) * (k - half));
        if (!mask.empty() && mask[centre] == 0)
          continue;
        std::array<double, 5> m{};
        for (std::size_t w = 0; w < width; ++w) {
          const Moments& plane = ring[(k + 1 + w) % width]; // oldest first
          for (std::size_t n = 0; n < m.size(); ++n)
            m[n] += kernel.weights[w] * plane[n][i + keptX * j];
        }
        const double vx = kernel.covarianceScale * (m[2] - m[0] * m[0]), vy = kernel.covarianceScale * (m[3] - m[1] * m[1]);
        const double cov = kernel.covarianceScale * (m[4] - m[0] * m[1]);
        const double cs = (2 * cov + c2) / (vx + vy + c2);
        out.contrastStructure += cs;
        out.ssim += cs * (2 * m[0] * m[1] + c1) / (m[0] * m[0] + m[1] * m[1] + c1);
        ++out.windows;
      }
  }
  if (out.windows > 0) {
    out.ssim /= static_cast<double>(out.windows);
    out.contrastStructure /= static_cast<double>(out.windows);
  }
  return out;
}

} // namespace voxlab
