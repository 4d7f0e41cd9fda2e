// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/ray_refinement.h"
#include "rendering/parallel.h"
#include <algorithm>
#include <cmath>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnsignedShortArray.h>

namespace voxlab {
namespace {

using Size = std::array<std::int64_t, 3>;

constexpr std::int64_t kFineVoxels = 8'000'000; // a head of 1 mm, where no rings are seen
constexpr double kMostParts = 3;                // of the shortest edge: more is smoother by hardly anything, and slower
constexpr double kFineEnough = 1.25;            // times the wanted edge: more voxels would show nothing

std::int64_t countOf(const Size& size) { return size[0] * size[1] * size[2]; }

double cubicBSpline(double x) {
  x = std::abs(x);
  if (x < 1)
    return 2.0 / 3 - x * x * (1 - x / 2);
  return x < 2 ? (2 - x) * (2 - x) * (2 - x) / 6 : 0;
}

// Of the B-spline, in voxels. With 1 the rings of a surface of 3 mm are faint, not gone, and those of slices of 6 mm need more.
double widthOf(double step) { return std::max(step, std::clamp(1 + 0.1 / step, 1.25, 1.6)); }

// `from` holds the rows of `size`, i fastest; to[axis] places of the axis replace its voxels.
std::vector<float> resampled(const std::vector<float>& from, const Size& size, int axis, std::int64_t places) {
  const std::int64_t inner = axis == 0 ? 1 : axis == 1 ? size[0] : size[0] * size[1], outer = countOf(size) / (inner * size[axis]);
  const SplineTaps taps = splineTaps(size[axis], places);
  std::vector<float> to(static_cast<std::size_t>(inner * outer * places));
  parallelFor(0, outer * places, std::max<std::int64_t>(1, 65536 / inner), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) {
      const std::int64_t place = row % places;
      const float* line = from.data() + row / places * size[axis] * inner;
      float* out = to.data() + row * inner;
      for (std::int64_t tap = place * taps.perPlace; tap < (place + 1) * taps.perPlace; ++tap) {
        const float weight = taps.weight[static_cast<std::size_t>(tap)];
        const float* in = line + taps.index[static_cast<std::size_t>(tap)] * inner;
        for (std::int64_t i = 0; i < inner; ++i)
          out[i] += weight * in[i];
      }
    }
  });
  return to;
}

} // namespace

Size refinedSize(const Size& size, const std::array<double, 3>& spacing_mm, std::int64_t voxelLimit) {
  std::array<double, 3> length_mm;
  for (int axis = 0; axis < 3; ++axis)
    length_mm[axis] = spacing_mm[axis] * static_cast<double>(size[axis]);
  // A slice or two have no third dimension to be drawn smoothly.
  if (countOf(size) == 0 || *std::min_element(size.begin(), size.end()) < 3)
    return size;
  const double ofLimit_mm = std::cbrt(length_mm[0] * length_mm[1] * length_mm[2] / static_cast<double>(std::min(voxelLimit, kFineVoxels)));
  const double edge_mm = std::max(ofLimit_mm, *std::min_element(spacing_mm.begin(), spacing_mm.end()) / kMostParts);
  const auto coarse = [&](int axis) { return spacing_mm[axis] > kFineEnough * edge_mm; };
  constexpr double kRounding = 1e-6;
  const auto places = [&](int axis) {
    const double wanted = std::floor(static_cast<double>(size[axis] - 1) * spacing_mm[axis] / edge_mm + kRounding) + 1;
    return static_cast<std::int64_t>(std::clamp(wanted, 2.0, 4096.0));
  };
  if (!coarse(0) && !coarse(1) && !coarse(2))
    return size;
  Size fine = size;
  for (int axis = 0; axis < 3; ++axis)
    if (coarse(axis))
      fine[axis] = places(axis);
  for (int axis = 0; axis < 3 && countOf(fine) > voxelLimit; ++axis)
    fine[axis] = places(axis);
  return countOf(fine) > voxelLimit ? size : fine;
}

SplineTaps splineTaps(std::int64_t from, std::int64_t to) {
  const double step = to > 1 ? static_cast<double>(from - 1) / static_cast<double>(to - 1) : 1, width = widthOf(step);
  SplineTaps taps;
  taps.perPlace = static_cast<int>(std::ceil(4 * width)) + 1;
  for (std::int64_t place = 0; place < to; ++place) {
    const double at = static_cast<double>(place) * step;
    const auto first = static_cast<std::int64_t>(std::ceil(at - 2 * width));
    double sum = 0;
    for (int tap = 0; tap < taps.perPlace; ++tap)
      sum += cubicBSpline((static_cast<double>(first + tap) - at) / width);
    for (int tap = 0; tap < taps.perPlace; ++tap) {
      taps.index.push_back(std::clamp<std::int64_t>(first + tap, 0, from - 1));
      taps.weight.push_back(static_cast<float>(cubicBSpline((static_cast<double>(first + tap) - at) / width) / sum));
    }
  }
  return taps;
}

vtkSmartPointer<vtkImageData> refinedForRays(const vtkSmartPointer<vtkImageData>& image, std::int64_t voxelLimit) {
  int dimensions[3];
  std::array<double, 3> spacing;
  image->GetDimensions(dimensions);
  image->GetSpacing(spacing.data());
  Size size{dimensions[0], dimensions[1], dimensions[2]};
  const Size fine = refinedSize(size, spacing, voxelLimit);
  if (fine == size)
    return image;
  const auto* stored = static_cast<const unsigned short*>(image->GetPointData()->GetScalars()->GetVoidPointer(0));
  std::vector<float> values(stored, stored + countOf(size));
  for (int axis = 0; axis < 3; ++axis)
    if (fine[axis] != size[axis]) {
      spacing[axis] *= static_cast<double>(size[axis] - 1) / static_cast<double>(fine[axis] - 1);
      values = resampled(values, size, axis, fine[axis]);
      size[axis] = fine[axis];
    }
  vtkNew<vtkUnsignedShortArray> array;
  array->SetNumberOfValues(static_cast<vtkIdType>(values.size()));
  unsigned short* to = array->GetPointer(0);
  parallelFor(0, static_cast<std::int64_t>(values.size()), 1 << 16, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      to[i] = static_cast<unsigned short>(values[static_cast<std::size_t>(i)] + 0.5f);
  });
  auto result = vtkSmartPointer<vtkImageData>::New();
  result->SetDimensions(static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2]));
  result->SetSpacing(spacing.data());
  result->GetPointData()->SetScalars(array);
  return result;
}

} // namespace voxlab
