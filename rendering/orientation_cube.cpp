// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/orientation_cube.h"
#include <algorithm>
#include <vtkAnnotatedCubeActor.h>
#include <vtkCamera.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

namespace voxlab {

OrientationCube::OrientationCube() {
  m_cube->SetXPlusFaceText("R");
  m_cube->SetXMinusFaceText("L");
  m_cube->SetYPlusFaceText("A");
  m_cube->SetYMinusFaceText("P");
  m_cube->SetZPlusFaceText("S");
  m_cube->SetZMinusFaceText("I");
  m_cube->SetFaceTextScale(0.62);
  m_cube->SetZFaceTextRotation(90);
  m_cube->SetXFaceTextRotation(-90);
  m_cube->SetYFaceTextRotation(0);
  m_cube->GetCubeProperty()->SetColor(0.30, 0.33, 0.36);
  m_cube->GetTextEdgesProperty()->SetColor(0.45, 0.48, 0.50);
  m_cube->GetTextEdgesProperty()->SetLineWidth(1);
  // The colours of the slice views: sagittal, coronal, axial.
  double colours[3][3]{{0.90, 0.62, 0.0}, {0.34, 0.80, 0.55}, {0.45, 0.72, 0.95}};
  m_cube->GetXPlusFaceProperty()->SetColor(colours[0]);
  m_cube->GetXMinusFaceProperty()->SetColor(colours[0]);
  m_cube->GetYPlusFaceProperty()->SetColor(colours[1]);
  m_cube->GetYMinusFaceProperty()->SetColor(colours[1]);
  m_cube->GetZPlusFaceProperty()->SetColor(colours[2]);
  m_cube->GetZMinusFaceProperty()->SetColor(colours[2]);
  for (auto* face : {m_cube->GetXPlusFaceProperty(), m_cube->GetXMinusFaceProperty(), m_cube->GetYPlusFaceProperty(),
                     m_cube->GetYMinusFaceProperty(), m_cube->GetZPlusFaceProperty(), m_cube->GetZMinusFaceProperty()}) {
    face->SetInterpolationToFlat();
    face->SetAmbient(0.6);
    face->SetDiffuse(0.4);
  }
  m_renderer->AddActor(m_cube);
  m_renderer->SetLayer(1);
  m_renderer->InteractiveOff();
}

OrientationCube::~OrientationCube() = default;

void OrientationCube::addTo(vtkRenderWindow* window) {
  window->SetNumberOfLayers(2);
  window->AddRenderer(m_renderer);
}

void OrientationCube::removeFrom(vtkRenderWindow* window) { window->RemoveRenderer(m_renderer); }

void OrientationCube::setVisibility(Visibility visibility) { m_cube->SetVisibility(visibility == Visibility::Shown); }

void OrientationCube::follow(vtkCamera* camera) {
  if (const auto* window = m_renderer->GetRenderWindow()) {
    const int* size = const_cast<vtkRenderWindow*>(window)->GetSize();
    const double edge = std::clamp(0.2 * std::min(size[0], size[1]), 56.0, 160.0);
    m_renderer->SetViewport(0, 0, std::min(edge / std::max(size[0], 1), 1.0), std::min(edge / std::max(size[1], 1), 1.0));
  }
  double direction[3];
  camera->GetDirectionOfProjection(direction);
  vtkCamera* own = m_renderer->GetActiveCamera();
  constexpr double kDistance = 6.2;
  own->SetFocalPoint(0, 0, 0);
  own->SetPosition(-kDistance * direction[0], -kDistance * direction[1], -kDistance * direction[2]);
  own->SetViewUp(camera->GetViewUp());
  own->SetViewAngle(25);
  m_renderer->ResetCameraClippingRange();
}

} // namespace voxlab
