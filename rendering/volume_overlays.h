// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn beside the ray-cast volume: slice planes, label surfaces, the cropping box and the outlines of cutting planes.
#pragma once
#include "rendering/label_surfaces.h"
#include "rendering/slice_scene.h"
#include <array>
#include <optional>
#include <utility>
#include <vtkNew.h>

class vtkActor;
class vtkPlaneCollection;
class vtkRenderer;

namespace voxlab {

class VolumeOverlays {
public:
  VolumeOverlays();
  ~VolumeOverlays();
  void addTo(vtkRenderer* renderer);
  // Corners in the order of the bits i, j, k.
  void setBox(const std::array<Vec3d, 8>& corners, Visibility visibility);
  using Pictures = std::vector<std::pair<const SliceGeometry*, const Picture*>>;
  // Label surfaces are cut by the free planes, which come first, and by the cropping box's; an outline is a closed line.
  void setCuts(vtkPlaneCollection* planes, int freePlanes, const std::vector<std::vector<Vec3d>>& outlines);
  void setCutPictures(const Pictures& pictures); // as many as there are free planes, which were set before
  void setCropPictures(const Pictures& pictures); // on the cropping box's faces; the free planes cut them
  void setPlanes(const Pictures& planes);
  void setSurfaces(std::shared_ptr<const LabelSurfaces> surfaces);
  void styleSurfaces(const LabelTable& table, double opacity);
  // The label whose surface is seen at a pixel (origin at the bottom left), and where; hidden and cut away ones are none.
  struct SurfaceHit {
    std::int64_t label = 0;
    Vec3d world;
  };
  std::optional<SurfaceHit> surfaceAt(double column, double row) const;

private:
  vtkRenderer* m_renderer = nullptr; // of the scene that owns this
  vtkNew<vtkActor> m_box, m_cutFrames;
  vtkSmartPointer<vtkPlaneCollection> m_cuts;
  int m_freePlanes = 0; // of m_cuts
  void replace(std::vector<vtkSmartPointer<vtkActor>>& actors, const Pictures& pictures);
  void cutCropPictures();

  std::vector<vtkSmartPointer<vtkActor>> m_planes, m_cutPictures, m_cropPictures;
  std::shared_ptr<const LabelSurfaces> m_surfaces;
  std::vector<vtkSmartPointer<vtkActor>> m_surfaceActors; // as m_surfaces
};

} // namespace voxlab
