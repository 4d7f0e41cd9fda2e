// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/image_bridge.h"
#include "rendering/parallel.h"
#include "rendering/ray_refinement.h"
#include "rendering/space.h"
#include <algorithm>
#include <cmath>
#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnsignedShortArray.h>

namespace voxlab {

vtkSmartPointer<vtkImageData> vtkImageOf(std::shared_ptr<const Volume> volume, std::int64_t timePoint) {
  const auto voxels = timePointOf(*volume, timePoint);
  auto image = vtkSmartPointer<vtkImageData>::New();
  const auto& size = volume->grid().size;
  image->SetDimensions(static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2]));
  vtkNew<vtkFloatArray> array;
  constexpr int kNotOursToFree = 1;
  array->SetArray(const_cast<float*>(voxels.data()), static_cast<vtkIdType>(voxels.size()), kNotOursToFree);
  vtkNew<vtkCallbackCommand> keeper; // holds the volume until the array dies
  keeper->SetClientData(new std::shared_ptr<const Volume>(volume));
  keeper->SetClientDataDeleteCallback([](void* held) { delete static_cast<std::shared_ptr<const Volume>*>(held); });
  array->AddObserver(vtkCommand::DeleteEvent, keeper);
  image->GetPointData()->SetScalars(array);
  return image;
}

vtkSmartPointer<vtkMatrix4x4> matrixOf(const Affine& affine) {
  auto matrix = vtkSmartPointer<vtkMatrix4x4>::New();
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      matrix->SetElement(r, c, affine[r][c]);
  return matrix;
}

Volume reducedVolume(const Volume& volume, std::int64_t timePoint, int reduction) {
  const auto voxels = timePointOf(volume, timePoint);
  const auto& from = volume.grid().size;
  Volume out;
  out.header = volume.header;
  out.header.timePoints = 1;
  auto& to = out.header.grid.size;
  for (int axis = 0; axis < 3; ++axis)
    to[axis] = (from[axis] + reduction - 1) / reduction;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) { // the first box's middle is (reduction − 1)/2 voxels inside
      out.header.grid.affine[r][3] += volume.grid().affine[r][c] * (reduction - 1) / 2.0;
      out.header.grid.affine[r][c] *= reduction;
    }
  }
  out.voxels.resize(static_cast<std::size_t>(out.grid().voxelCount()));
  parallelFor(0, to[2], 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k < last; ++k)
      for (std::int64_t j = 0; j < to[1]; ++j)
        for (std::int64_t i = 0; i < to[0]; ++i) {
          float sum = 0;
          int count = 0;
          for (std::int64_t z = k * reduction; z < std::min((k + 1) * reduction, from[2]); ++z)
            for (std::int64_t y = j * reduction; y < std::min((j + 1) * reduction, from[1]); ++y)
              for (std::int64_t x = i * reduction; x < std::min((i + 1) * reduction, from[0]); ++x) {
                const float v = voxels[static_cast<std::size_t>(x + from[0] * (y + from[1] * z))];
                if (std::isfinite(v)) {
                  sum += v;
                  ++count;
                }
              }
          out.voxels[static_cast<std::size_t>(i + to[0] * (j + to[1] * k))] = count ? sum / static_cast<float>(count) : 0.0f;
        }
  });
  return out;
}

std::shared_ptr<const RenderVolume> makeRenderVolume(const Volume& volume, std::int64_t timePoint, const Histogram& summary,
                                                     std::int64_t voxelLimit) {
  auto result = std::make_shared<RenderVolume>();
  result->voxelLimit = voxelLimit;
  while (volume.grid().voxelCount() / (static_cast<std::int64_t>(result->reduction) * result->reduction * result->reduction) > voxelLimit)
    ++result->reduction;
  Volume reduced;
  std::span<const float> voxels = timePointOf(volume, timePoint);
  result->grid = volume.grid();
  if (result->reduction > 1) {
    reduced = reducedVolume(volume, timePoint, result->reduction);
    voxels = reduced.voxels;
    result->grid = reduced.grid();
  }
  const auto& size = result->grid.size;
  result->image = vtkSmartPointer<vtkImageData>::New();
  result->image->SetDimensions(static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2]));
  result->place = result->grid.affine;
  double spacing[3];
  for (int axis = 0; axis < 3; ++axis) {
    spacing[axis] = std::max(length(columnOf(result->grid.affine, axis)), 1e-6);
    for (int r = 0; r < 3; ++r)
      result->place[r][axis] /= spacing[axis];
  }
  result->image->SetSpacing(spacing);
  constexpr double kSteps = 32767; // the fixed-point ray caster keeps 15 bits
  result->valueAtZero = summary.minimum;
  result->valuePerStep = summary.maximum > summary.minimum ? (summary.maximum - summary.minimum) / kSteps : 1;
  vtkNew<vtkUnsignedShortArray> array;
  array->SetNumberOfValues(static_cast<vtkIdType>(voxels.size()));
  unsigned short* stored = array->GetPointer(0);
  const float low = static_cast<float>(result->valueAtZero), scale = static_cast<float>(1 / result->valuePerStep);
  parallelFor(0, static_cast<std::int64_t>(voxels.size()), 1 << 16, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      const float v = (voxels[static_cast<std::size_t>(i)] - low) * scale + 0.5f;
      stored[i] = !std::isfinite(v) ? 0 : static_cast<unsigned short>(std::clamp(v, 0.0f, static_cast<float>(kSteps)));
    }
  });
  result->image->GetPointData()->SetScalars(array);
  result->forSurfaces = refinedForRays(result->image, voxelLimit);
  const DisplayRange shown = robustRange(summary);
  constexpr double kAir = 0.1; // of the range: what no preset shows, or hardly
  result->isSigned = isSignedMap(summary);
  const double reach = shown.high - shown.low;
  const HiddenBand hidden = result->isSigned ? HiddenBand{result->storedOf(-kAir * reach), result->storedOf(kAir * reach)}
                                             : HiddenBand{-1, result->storedOf(shown.low + kAir * reach)};
  result->content = rayContentOf({stored, voxels.size()}, result->grid, hidden);
  result->brightest = brightestOf(summary);
  return result;
}

} // namespace voxlab
