// SPDX-License-Identifier: GPL-3.0-or-later
// The cutting planes of the 3D view and their handles: the dot in a plane's middle moves it along its normal, the knob in front of it
// turns it. Knows no widget: it is given the way from the world to the screen.
#pragma once
#include "rendering/volume_scene.h"
#include <QPointF>
#include <functional>

namespace voxlab {

class ViewerCutTool {
public:
  using Project = std::function<QPointF(Vec3d world)>;
  ViewerCutTool(VolumeScene& scene, Project project);

  // Hidden: the planes do not cut, and are kept.
  void setShown(Visibility visibility); // makes the first plane where there is none
  Visibility shown() const { return m_shown; }
  const std::vector<CutPlane>& planes() const { return m_planes; }
  int selected() const { return m_selected; }
  void add();                   // nearly faces the viewer, through the volume's middle
  void removeSelected();
  void clear();
  void turnRound();             // cuts away the other side
  void faceViewer();
  void moveThrough(Vec3d world);
  void moveBy(double distance_mm);

  enum class Part { None, Middle, Knob };
  struct Handle {
    Part part = Part::None;
    int plane = -1;
    bool operator==(const Handle&) const = default;
  };
  Handle handleAt(QPointF position) const;
  QPointF positionOf(Handle handle) const;
  std::vector<Handle> handles() const; // the selected plane's knob is the last
  void press(Handle handle);           // selects its plane
  void drag(Handle handle, QPointF delta);

private:
  void apply();
  CutPlane* current();
  double knobRadius_mm() const;
  double pixelsPerMillimetre(Vec3d at) const;

  VolumeScene& m_scene;
  Project m_project;
  std::vector<CutPlane> m_planes;
  int m_selected = -1;
  Visibility m_shown = Visibility::Hidden;
};

} // namespace voxlab
