// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/quality.h"
#include "core/imaging/ssim_map.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace voxlab {
namespace {
constexpr std::array<double, 5> kScaleWeights{0.0448, 0.2856, 0.3001, 0.2363, 0.1333};

Status checkPair(std::span<const float> first, std::span<const float> second, VoxelMask mask) {
  if (first.size() != second.size())
    return fail(ExitCode::Data, "The volumes cannot be compared: they have " + std::to_string(first.size()) + " and " + std::to_string(second.size()) +
                                    " voxels. Resample one onto the other's grid first.");
  if (!mask.empty() && mask.size() != first.size())
    return fail(ExitCode::Data, "The mask does not lie on the grid of the volumes that are compared.");
  return {};
}

Status checkStructure(std::span<const float> first, std::span<const float> second, const GridSize& size, double dataRange, int width) {
  if (static_cast<std::int64_t>(first.size()) != size[0] * size[1] * size[2])
    return fail(ExitCode::Internal, "The number of voxels does not fit the grid.");
  if (*std::min_element(size.begin(), size.end()) < width)
    return fail(ExitCode::Data, "The volumes are smaller than the window of " + std::to_string(width) + " voxels that structural similarity looks through.");
  if (!(dataRange > 0))
    return fail(ExitCode::Data, "Structural similarity needs the range of the intensities, which must be above 0.");
  const auto finite = [](float v) { return std::isfinite(v); };
  if (!std::all_of(first.begin(), first.end(), finite) || !std::all_of(second.begin(), second.end(), finite))
    return fail(ExitCode::Data, "Structural similarity cannot be computed: some voxels are NaN or infinite.");
  return {};
}

// Means of 2×2×2 blocks; a last odd plane is dropped, as average pooling does.
std::vector<float> halved(std::span<const float> voxels, const GridSize& size) {
  const GridSize to{size[0] / 2, size[1] / 2, size[2] / 2};
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(to[0] * to[1] * to[2]));
  for (std::int64_t k = 0; k < to[2]; ++k)
    for (std::int64_t j = 0; j < to[1]; ++j)
      for (std::int64_t i = 0; i < to[0]; ++i) {
        double sum = 0;
        for (std::int64_t c = 0; c < 8; ++c)
          sum += static_cast<double>(voxels[static_cast<std::size_t>(2 * i + (c & 1) + size[0] * (2 * j + (c >> 1 & 1) + size[1] * (2 * k + (c >> 2))))]);
        out.push_back(static_cast<float>(sum / 8));
      }
  return out;
}
} // namespace

Result<VoxelDifference> compareVoxels(std::span<const float> first, std::span<const float> second, double dataRange, VoxelMask mask) {
  if (auto status = checkPair(first, second, mask); !status)
    return fail(status.error());
  VoxelDifference out;
  double absolute = 0, squares = 0, sum = 0;
  for (std::size_t n = 0; n < first.size(); ++n) {
    if ((!mask.empty() && mask[n] == 0) || !std::isfinite(first[n]) || !std::isfinite(second[n]))
      continue;
    const double difference = static_cast<double>(second[n]) - static_cast<double>(first[n]);
    ++out.voxels;
    sum += difference;
    absolute += std::abs(difference);
    squares += difference * difference;
    out.largest = std::max(out.largest, std::abs(difference));
  }
  if (out.voxels == 0)
    return fail(ExitCode::Data, "The volumes cannot be compared: no voxel inside the mask is a number in both.");
  const auto count = static_cast<double>(out.voxels);
  out.mae = absolute / count;
  out.rmse = std::sqrt(squares / count);
  out.bias = sum / count;
  if (out.rmse > 0 && dataRange > 0)
    out.psnr_db = 20 * std::log10(dataRange / out.rmse);
  return out;
}

double referenceRange(std::span<const float> reference) {
  double low = 0, high = 0;
  bool any = false;
  for (const float v : reference)
    if (std::isfinite(v)) {
      low = any ? std::min(low, static_cast<double>(v)) : static_cast<double>(v);
      high = any ? std::max(high, static_cast<double>(v)) : static_cast<double>(v);
      any = true;
    }
  return high - low;
}

double differenceReach(std::span<const float> first, std::span<const float> second, VoxelMask mask) {
  constexpr double kShare = 0.995;
  if (!checkPair(first, second, mask))
    return 0;
  std::vector<float> sizes;
  sizes.reserve(first.size());
  for (std::size_t n = 0; n < first.size(); ++n)
    if ((mask.empty() || mask[n] != 0) && std::isfinite(first[n]) && std::isfinite(second[n]))
      sizes.push_back(std::abs(second[n] - first[n]));
  if (sizes.empty())
    return 0;
  const auto at = sizes.begin() + static_cast<std::ptrdiff_t>(kShare * static_cast<double>(sizes.size() - 1));
  std::nth_element(sizes.begin(), at, sizes.end());
  return *at > 0 ? *at : *std::max_element(at, sizes.end());
}

const char* ssimRecipe(SsimWindow window) {
  switch (window) {
  case SsimWindow::Uniform7:
    return "3D SSIM, 7×7×7 uniform window, sample covariance, K1 = 0.01, K2 = 0.03, mean over windows inside the volume (scikit-image's default)";
  case SsimWindow::Gaussian11:
    return "3D SSIM, 11×11×11 Gaussian window (sigma 1.5), K1 = 0.01, K2 = 0.03, mean over windows inside the volume (MONAI's default)";
  case SsimWindow::Unknown: break;
  }
  return "";
}

Result<double> ssim(std::span<const float> first, std::span<const float> second, const GridSize& size, double dataRange, SsimWindow window, VoxelMask mask) {
  if (auto status = checkPair(first, second, mask); !status)
    return fail(status.error());
  const SsimKernel kernel = ssimKernel(window);
  if (auto status = checkStructure(first, second, size, dataRange, kernel.width()); !status)
    return fail(status.error());
  const SsimMeans means = ssimMeans(first, second, size, dataRange, kernel, mask);
  if (means.windows == 0)
    return fail(ExitCode::Data, "Structural similarity cannot be computed: no window has its centre inside the mask.");
  return means.ssim;
}

Result<MultiScaleSsim> multiScaleSsim(std::span<const float> first, std::span<const float> second, const GridSize& size, double dataRange) {
  if (auto status = checkPair(first, second, {}); !status)
    return fail(status.error());
  const SsimKernel kernel = ssimKernel(SsimWindow::Gaussian11);
  if (auto status = checkStructure(first, second, size, dataRange, kernel.width()); !status)
    return fail(status.error());
  MultiScaleSsim out;
  std::int64_t shortest = *std::min_element(size.begin(), size.end());
  for (; out.scales < static_cast<int>(kScaleWeights.size()) && shortest >= kernel.width(); shortest /= 2)
    ++out.scales;
  double weightSum = 0;
  for (int s = 0; s < out.scales; ++s)
    weightSum += kScaleWeights[static_cast<std::size_t>(s)];
  std::vector<float> a(first.begin(), first.end()), b(second.begin(), second.end());
  GridSize at = size;
  out.value = 1;
  for (int s = 0; s < out.scales; ++s) {
    const SsimMeans means = ssimMeans(a, b, at, dataRange, kernel, {});
    const double factor = s + 1 < out.scales ? means.contrastStructure : means.ssim;
    out.value *= std::pow(std::max(0.0, factor), kScaleWeights[static_cast<std::size_t>(s)] / (out.scales == 5 ? 1 : weightSum));
    if (s + 1 < out.scales) {
      a = halved(a, at);
      b = halved(b, at);
      at = {at[0] / 2, at[1] / 2, at[2] / 2};
    }
  }
  return out;
}

std::optional<double> dice(std::span<const float> first, std::span<const float> second, std::int64_t label) {
  std::uint64_t inFirst = 0, inSecond = 0, inBoth = 0;
  const auto wanted = static_cast<float>(label);
  for (std::size_t n = 0; n < std::min(first.size(), second.size()); ++n) {
    const bool a = std::nearbyint(first[n]) == wanted, b = std::nearbyint(second[n]) == wanted;
    inFirst += a;
    inSecond += b;
    inBoth += a && b;
  }
  if (inFirst + inSecond == 0)
    return std::nullopt;
  return 2 * static_cast<double>(inBoth) / static_cast<double>(inFirst + inSecond);
}

} // namespace voxlab
