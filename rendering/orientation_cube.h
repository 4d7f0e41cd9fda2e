// SPDX-License-Identifier: GPL-3.0-or-later
// A small cube with R L A P S I on its faces in the lower left corner, turned as the scene is.
#pragma once
#include "rendering/slice_scene.h"
#include <vtkNew.h>

class vtkAnnotatedCubeActor;
class vtkCamera;
class vtkRenderWindow;
class vtkRenderer;

namespace voxlab {

class OrientationCube {
public:
  OrientationCube();
  ~OrientationCube();
  void addTo(vtkRenderWindow* window);
  void removeFrom(vtkRenderWindow* window);
  void follow(vtkCamera* camera);
  void setVisibility(Visibility visibility);

private:
  vtkNew<vtkRenderer> m_renderer;
  vtkNew<vtkAnnotatedCubeActor> m_cube;
};

} // namespace voxlab
