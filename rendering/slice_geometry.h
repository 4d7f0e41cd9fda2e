// SPDX-License-Identifier: GPL-3.0-or-later
// Where the pixels of one slice picture lie in the world.
#pragma once
#include "rendering/space.h"
#include <optional>

namespace voxlab {

enum class SliceAxis { None, Axial, Coronal, Sagittal };
// Radiological: the patient's right is at the left of the picture, as if seen from the feet.
// Common: one scale for all three directions, so that views of equal size show millimetres equally large.
enum class FitScale { Own, Common };
enum class SideConvention { Unknown, Radiological, Neurological };

// Pixel (column, row), row 0 at the top, has its centre at origin + across·column + down·row (mm).
struct SliceGeometry {
  SliceAxis axis = SliceAxis::None;
  Vec3d origin, across, down;
  int width = 0, height = 0;
  double mmPerPixel() const { return length(across); }
  Vec3d normal() const { return cross(across, down); }
  Vec3d worldAt(double column, double row) const { return origin + across * column + down * row; }
};
struct PixelPosition {
  double column = 0, row = 0;
};

// How one view looks at the scene. Zoom 1 shows the whole bounds with a small margin.
struct SliceCamera {
  SliceAxis axis = SliceAxis::Axial;
  SideConvention convention = SideConvention::Radiological;
  FitScale fit = FitScale::Common;
  double zoom = 1;
  Vec3d pan; // mm in the frame (right, anterior, superior), from the middle of the bounds
};

SliceGeometry sliceGeometry(const SliceCamera& camera, const SliceFrame& frame, const Bounds& bounds, Vec3d cursor, int width, int height);
// mm per pixel with which the bounds fit a picture of that size at zoom 1.
double fitMmPerPixel(SliceAxis axis, const Bounds& bounds, int width, int height);

// Foot of the perpendicular: where a point of the world is drawn.
PixelPosition pixelOf(const SliceGeometry& plane, Vec3d world);

// Which component of the frame (0 right, 1 anterior, 2 superior) the view looks along.
int throughComponent(SliceAxis axis);

struct OrientationLetters {
  std::string left, right, top, bottom;
};
OrientationLetters orientationLetters(const SliceGeometry& plane);

// A round length of 1, 2 or 5 × 10^n mm that takes about a fifth of the picture's width.
struct ScaleBar {
  double length_mm = 0, length_px = 0;
  std::string text; // "20 mm", "5 cm", "500 µm"
};
std::optional<ScaleBar> scaleBar(const SliceGeometry& plane);

} // namespace voxlab
