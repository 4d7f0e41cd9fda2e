// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn beside the ray-cast volume: slice planes, label surfaces and the cropping box.
#pragma once
#include "rendering/label_surfaces.h"
#include "rendering/slice_scene.h"
#include <array>
#include <utility>
#include <vtkNew.h>

class vtkActor;
class vtkRenderer;

namespace voxlab {

class VolumeOverlays {
public:
  VolumeOverlays();
  ~VolumeOverlays();
  void addTo(vtkRenderer* renderer);
  // Corners in the order of the bits i, j, k.
  void setBox(const std::array<Vec3d, 8>& corners, Visibility visibility);
  void setPlanes(const std::vector<std::pair<const SliceGeometry*, const Picture*>>& planes);
  void setSurfaces(std::shared_ptr<const LabelSurfaces> surfaces);
  void styleSurfaces(const LabelTable& table, double opacity);

private:
  vtkRenderer* m_renderer = nullptr; // of the scene that owns this
  vtkNew<vtkActor> m_box;
  std::vector<vtkSmartPointer<vtkActor>> m_planes;
  std::shared_ptr<const LabelSurfaces> m_surfaces;
  std::vector<vtkSmartPointer<vtkActor>> m_surfaceActors; // as m_surfaces
};

} // namespace voxlab
