// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes for VTK: the voxels themselves without a copy, or a compact copy for ray casting.
#pragma once
#include "core/imaging/display_range.h"
#include "core/imaging/volume.h"
#include "rendering/ray_content.h"
#include <memory>
#include <vtkSmartPointer.h>

class vtkImageData;
class vtkMatrix4x4;

namespace voxlab {

// FP32 image in index space (origin 0, spacing 1) over the voxels of one time point. The volume lives as long as the
// image does. Place it in the world with worldMatrix: VTK's own direction matrix cannot hold a shear.
vtkSmartPointer<vtkImageData> vtkImageOf(std::shared_ptr<const Volume> volume, std::int64_t timePoint = 0);

// Index space to world, for SetUserMatrix.
vtkSmartPointer<vtkMatrix4x4> matrixOf(const Affine& affine);

// What the ray caster works on: 16 bits a voxel, the box means of reduction³ voxels where the volume has more than
// `voxelLimit`. Spacing in millimetres; `place` maps from there to the world. Made off the GUI thread.
struct RenderVolume {
  vtkSmartPointer<vtkImageData> image;
  vtkSmartPointer<vtkImageData> forSurfaces; // `image` itself, or a smooth, finer copy of the same bounds (ray_refinement.h)
  Affine place = kIdentityAffine;
  double valueAtZero = 0, valuePerStep = 1; // intensity = valueAtZero + stored · valuePerStep
  std::int64_t voxelLimit = 0; // that it was made with
  int reduction = 1;
  Grid grid; // of `image`
  RayContent content;
  double brightest = 1; // intensity that next to no voxel exceeds
  bool isSigned = false; // a difference, a z-map: nothing is to be seen about zero
  double storedOf(double intensity) const { return (intensity - valueAtZero) / valuePerStep; }
};
std::shared_ptr<const RenderVolume> makeRenderVolume(const Volume& volume, std::int64_t timePoint, const Histogram& summary,
                                                     std::int64_t voxelLimit);

// Box means over reduction³ voxels; the outer voxels that do not fill a box are averaged over what there is.
Volume reducedVolume(const Volume& volume, std::int64_t timePoint, int reduction);

} // namespace voxlab
