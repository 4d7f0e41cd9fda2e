// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/label_surfaces.h"
#include "core/imaging/display_range.h"
#include "rendering/image_bridge.h"
#include "rendering/parallel.h"
#include <algorithm>
#include <atomic>
#include <limits>
#include <unordered_map>
#include <vtkDiscreteFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkMatrix4x4.h>
#include <vtkMatrixToLinearTransform.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkPolyDataNormals.h>
#include <vtkTransformPolyDataFilter.h>
#include <vtkWindowedSincPolyDataFilter.h>

namespace voxlab {
namespace {

struct Box {
  std::array<std::int64_t, 3> low{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max(),
                                  std::numeric_limits<std::int64_t>::max()},
      high{-1, -1, -1};
  void add(std::int64_t i, std::int64_t j, std::int64_t k) {
    const std::array p{i, j, k};
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
};

std::unordered_map<float, Box> boxesOf(std::span<const float> voxels, const std::array<std::int64_t, 3>& size) {
  std::unordered_map<float, Box> boxes;
  std::size_t index = 0;
  for (std::int64_t k = 0; k < size[2]; ++k)
    for (std::int64_t j = 0; j < size[1]; ++j)
      for (std::int64_t i = 0; i < size[0]; ++i, ++index)
        if (const float v = voxels[index]; v != 0 && v == v)
          boxes[v].add(i, j, k);
  return boxes;
}

// One class as 0/1 in its own box with a border of background, so that surfaces close at the volume's edge.
vtkSmartPointer<vtkImageData> classImage(std::span<const float> voxels, const std::array<std::int64_t, 3>& size, const Box& box, float value) {
  auto image = vtkSmartPointer<vtkImageData>::New();
  int extent[3];
  for (int axis = 0; axis < 3; ++axis)
    extent[axis] = static_cast<int>(box.high[axis] - box.low[axis] + 3);
  image->SetDimensions(extent);
  image->SetOrigin(static_cast<double>(box.low[0] - 1), static_cast<double>(box.low[1] - 1), static_cast<double>(box.low[2] - 1));
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 1);
  auto* out = static_cast<unsigned char*>(image->GetScalarPointer());
  std::fill_n(out, static_cast<std::size_t>(extent[0]) * extent[1] * extent[2], static_cast<unsigned char>(0));
  for (std::int64_t k = box.low[2]; k <= box.high[2]; ++k)
    for (std::int64_t j = box.low[1]; j <= box.high[1]; ++j)
      for (std::int64_t i = box.low[0]; i <= box.high[0]; ++i)
        if (voxels[static_cast<std::size_t>(i + size[0] * (j + size[1] * k))] == value)
          out[(i - box.low[0] + 1) + extent[0] * ((j - box.low[1] + 1) + extent[1] * (k - box.low[2] + 1))] = 1;
  return image;
}

vtkSmartPointer<vtkPolyData> smoothSurface(vtkImageData* image, const Affine& affine) {
  vtkNew<vtkDiscreteFlyingEdges3D> edges;
  edges->SetInputData(image);
  edges->SetValue(0, 1);
  edges->ComputeScalarsOff();
  edges->ComputeNormalsOff();
  edges->ComputeGradientsOff();
  vtkNew<vtkWindowedSincPolyDataFilter> smooth;
  smooth->SetInputConnection(edges->GetOutputPort());
  smooth->SetNumberOfIterations(15);
  smooth->SetPassBand(0.08);
  smooth->BoundarySmoothingOff();
  smooth->FeatureEdgeSmoothingOff();
  smooth->NonManifoldSmoothingOn();
  smooth->NormalizeCoordinatesOn();
  vtkNew<vtkMatrixToLinearTransform> place;
  place->SetInput(matrixOf(affine));
  vtkNew<vtkTransformPolyDataFilter> toWorld;
  toWorld->SetInputConnection(smooth->GetOutputPort());
  toWorld->SetTransform(place);
  vtkNew<vtkPolyDataNormals> normals;
  normals->SetInputConnection(toWorld->GetOutputPort());
  normals->SplittingOff();
  normals->ConsistencyOn();
  normals->AutoOrientNormalsOn();
  normals->Update();
  return normals->GetOutput();
}

} // namespace

std::shared_ptr<const LabelSurfaces> makeLabelSurfaces(const Volume& volume, const std::vector<std::int64_t>& values, std::stop_token stop,
                                                       const std::function<void(std::size_t)>& done) {
  const auto voxels = timePointOf(volume, 0);
  const auto boxes = boxesOf(voxels, volume.grid().size);
  std::vector<LabelSurface> made(values.size());
  std::atomic<std::size_t> count = 0;
  parallelFor(0, static_cast<std::int64_t>(values.size()), 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t n = first; n < last && !stop.stop_requested(); ++n) {
      const auto index = static_cast<std::size_t>(n);
      const auto box = boxes.find(static_cast<float>(values[index]));
      if (box == boxes.end())
        continue;
      const auto image = classImage(voxels, volume.grid().size, box->second, box->first);
      made[index] = {values[index], smoothSurface(image, volume.grid().affine)};
      if (const std::size_t ready = ++count; done)
        done(ready);
    }
  });
  std::erase_if(made, [](const LabelSurface& each) { return !each.mesh; });
  auto result = std::make_shared<LabelSurfaces>();
  result->surfaces = std::move(made);
  return result;
}

} // namespace voxlab
