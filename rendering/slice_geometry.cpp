// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/slice_geometry.h"
#include <algorithm>

namespace voxlab {
namespace {

struct ScreenAxes {
  int acrossComponent, upComponent;
  double acrossSign; // +1: the frame's positive direction runs to the right of the picture
};

ScreenAxes screenAxes(const SliceAxis axis, const SideConvention convention) {
  const double side = convention == SideConvention::Neurological ? 1 : -1;
  switch (axis) {
  case SliceAxis::Coronal:
    return {0, 2, side};
  case SliceAxis::Sagittal:
    return {1, 2, -1}; // the face looks to the left
  default:
    return {0, 1, side};
  }
}

Vec3d frameDirection(const SliceFrame& frame, int component) {
  return component == 0 ? frame.right : component == 1 ? frame.anterior : frame.superior;
}

} // namespace

int throughComponent(SliceAxis axis) {
  return axis == SliceAxis::Sagittal ? 0 : axis == SliceAxis::Coronal ? 1 : 2;
}

double fitMmPerPixel(SliceAxis axis, const Bounds& bounds, int width, int height) {
  const ScreenAxes axes = screenAxes(axis, SideConvention::Radiological);
  const Vec3d extent = bounds.extent();
  constexpr double kMargin = 1.04;
  const double fit = std::max(extent[axes.acrossComponent] / std::max(width, 1), extent[axes.upComponent] / std::max(height, 1));
  return fit > 0 && std::isfinite(fit) ? fit * kMargin : 1;
}

SliceGeometry sliceGeometry(const SliceCamera& camera, const SliceFrame& frame, const Bounds& bounds, Vec3d cursor, int width, int height) {
  const ScreenAxes axes = screenAxes(camera.axis, camera.convention);
  double fit = fitMmPerPixel(camera.axis, bounds, width, height);
  if (camera.fit == FitScale::Common)
    for (const SliceAxis axis : {SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal})
      fit = std::max(fit, fitMmPerPixel(axis, bounds, width, height));
  const double mm = fit / std::clamp(camera.zoom, 0.05, 200.0);
  SliceGeometry plane;
  plane.axis = camera.axis;
  plane.width = width;
  plane.height = height;
  plane.across = frameDirection(frame, axes.acrossComponent) * (axes.acrossSign * mm);
  plane.down = frameDirection(frame, axes.upComponent) * -mm;
  Vec3d middle = bounds.centre() + camera.pan;
  const int through = throughComponent(camera.axis);
  middle[through] = frame.toFrame(cursor)[through];
  plane.origin = frame.toWorld(middle) - plane.across * ((width - 1) / 2.0) - plane.down * ((height - 1) / 2.0);
  return plane;
}

PixelPosition pixelOf(const SliceGeometry& plane, Vec3d world) {
  const Vec3d d = world - plane.origin;
  return {dot(d, plane.across) / dot(plane.across, plane.across), dot(d, plane.down) / dot(plane.down, plane.down)};
}

OrientationLetters orientationLetters(const SliceGeometry& plane) {
  return {directionLetters(plane.across * -1), directionLetters(plane.across), directionLetters(plane.down * -1),
          directionLetters(plane.down)};
}

std::optional<ScaleBar> scaleBar(const SliceGeometry& plane) {
  const double mm = plane.mmPerPixel();
  if (plane.width < 40 || !(mm > 0) || !std::isfinite(mm))
    return std::nullopt;
  const double wanted = plane.width * 0.2 * mm;
  const double decade = std::pow(10.0, std::floor(std::log10(wanted)));
  const double leading = wanted / decade;
  ScaleBar bar;
  bar.length_mm = (leading >= 5 ? 5 : leading >= 2 ? 2 : 1) * decade;
  bar.length_px = bar.length_mm / mm;
  const auto whole = [](double value) { return std::to_string(std::lround(value)); };
  bar.text = bar.length_mm >= 10  ? whole(bar.length_mm / 10) + " cm"
             : bar.length_mm >= 1 ? whole(bar.length_mm) + " mm"
                                  : whole(bar.length_mm * 1000) + " µm";
  return bar;
}

} // namespace voxlab
