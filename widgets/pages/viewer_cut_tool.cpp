// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_cut_tool.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr double kReach_px = 11;
constexpr double kKnobShare = 0.3; // of the box's mean edge
constexpr double kFirstLean = 0.4;        // so that the knob is seen beside the middle
constexpr double kSeenFromTheSide = 0.35; // a normal that points less than this along the screen is dragged up and down
} // namespace

ViewerCutTool::ViewerCutTool(VolumeScene& scene, Project project) : m_scene(scene), m_project(std::move(project)) {}

CutPlane* ViewerCutTool::current() {
  return m_scene.grid() && m_selected >= 0 && m_selected < static_cast<int>(m_planes.size()) ? &m_planes[static_cast<std::size_t>(m_selected)] : nullptr;
}

void ViewerCutTool::apply() {
  m_scene.setCutPlanes(m_shown == Visibility::Shown ? m_planes : std::vector<CutPlane>{});
  m_scene.setCutFrames(m_shown);
}

void ViewerCutTool::setShown(Visibility visibility) {
  m_shown = visibility;
  if (visibility == Visibility::Shown && m_planes.empty())
    add();
  apply();
}

void ViewerCutTool::add() {
  const Grid* grid = m_scene.grid();
  if (!grid || m_planes.size() >= VolumeScene::kMostCutPlanes)
    return;
  const ViewDirections view = m_scene.viewDirections();
  const Vec3d normal = view.toViewer + view.right * kFirstLean + view.up * (kFirstLean / 2);
  m_planes.push_back({boundsIn(SliceFrame{}, *grid).centre(), normal * (1 / length(normal))});
  m_selected = static_cast<int>(m_planes.size()) - 1;
  apply();
}

void ViewerCutTool::removeSelected() {
  if (!current())
    return;
  m_planes.erase(m_planes.begin() + m_selected);
  m_selected = static_cast<int>(m_planes.size()) - 1;
  apply();
}

void ViewerCutTool::clear() {
  m_planes.clear();
  m_selected = -1;
  m_shown = Visibility::Hidden;
  apply();
}

void ViewerCutTool::turnRound() {
  if (CutPlane* plane = current())
    plane->normal = plane->normal * -1;
  apply();
}

void ViewerCutTool::faceViewer() {
  if (CutPlane* plane = current())
    *plane = {middleOf(*plane, *m_scene.grid()), m_scene.viewDirections().toViewer};
  apply();
}

void ViewerCutTool::moveThrough(Vec3d world) {
  if (CutPlane* plane = current())
    *plane = moved(*plane, dot(world - plane->point, plane->normal), *m_scene.grid());
  apply();
}

void ViewerCutTool::moveBy(double distance_mm) {
  if (CutPlane* plane = current())
    *plane = moved(*plane, distance_mm, *m_scene.grid());
  apply();
}

// --- handles ---------------------------------------------------------------------------------------------------------

double ViewerCutTool::knobRadius_mm() const {
  const Vec3d extent = boundsIn(SliceFrame{}, *m_scene.grid()).extent();
  return kKnobShare * (extent.x + extent.y + extent.z) / 3;
}

double ViewerCutTool::pixelsPerMillimetre(Vec3d at) const {
  const QPointF d = m_project(at + m_scene.viewDirections().right) - m_project(at);
  return std::max(std::hypot(d.x(), d.y()), 1e-6);
}

std::vector<ViewerCutTool::Handle> ViewerCutTool::handles() const {
  std::vector<Handle> all;
  if (m_shown == Visibility::Hidden || !m_scene.grid())
    return all;
  for (int i = 0; i < static_cast<int>(m_planes.size()); ++i)
    all.push_back({Part::Middle, i});
  if (m_selected >= 0)
    all.push_back({Part::Knob, m_selected});
  return all;
}

QPointF ViewerCutTool::positionOf(Handle handle) const {
  const CutPlane& plane = m_planes[static_cast<std::size_t>(handle.plane)];
  const Vec3d middle = middleOf(plane, *m_scene.grid());
  return m_project(handle.part == Part::Knob ? middle + plane.normal * knobRadius_mm() : middle);
}

ViewerCutTool::Handle ViewerCutTool::handleAt(QPointF position) const {
  Handle best;
  double nearest = kReach_px;
  for (const Handle handle : handles()) {
    const QPointF d = positionOf(handle) - position;
    if (std::hypot(d.x(), d.y()) <= nearest) { // of two at one place the knob, which is the last
      nearest = std::hypot(d.x(), d.y());
      best = handle;
    }
  }
  return best;
}

void ViewerCutTool::press(Handle handle) {
  m_selected = handle.plane;
  if (CutPlane* plane = current())
    plane->point = middleOf(*plane, *m_scene.grid()); // turns about what is seen as its middle
  apply();
}

void ViewerCutTool::drag(Handle handle, QPointF delta) {
  m_selected = handle.plane;
  CutPlane* plane = current();
  if (!plane)
    return;
  const double scale = pixelsPerMillimetre(plane->point);
  if (handle.part == Part::Knob) {
    const ViewDirections screen = m_scene.viewDirections();
    const double radius_px = knobRadius_mm() * scale;
    plane->normal = turnedNormal(plane->normal, screen, dot(plane->normal, screen.right) + delta.x() / radius_px,
                                 dot(plane->normal, screen.up) - delta.y() / radius_px);
  } else {
    const QPointF along = (m_project(plane->point + plane->normal) - m_project(plane->point)) / scale; // pixels of a millimetre, over scale
    const double seen = std::hypot(along.x(), along.y());
    const double distance_mm = seen < kSeenFromTheSide ? -delta.y() / scale : QPointF::dotProduct(delta, along) / (seen * seen * scale);
    *plane = moved(*plane, distance_mm, *m_scene.grid());
  }
  apply();
}

} // namespace voxlab
