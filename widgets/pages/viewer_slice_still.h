// SPDX-License-Identifier: GPL-3.0-or-later
// A slice view's picture as values: what it shows and what stands over it, at one moment. It can be painted on any thread,
// whatever becomes of the view and the document meanwhile; the volumes are shared, not copied.
#pragma once
#include "rendering/slice_scene.h"
#include "widgets/pages/viewer_compare_caption.h"
#include <QFont>
#include <QImage>
#include <QRectF>
#include <QString>
#include <memory>
#include <optional>

class QPainter;

namespace voxlab {

// Cross-hair, letters, scale bar and colour bar. Sizes are in the view's pixels; pixelRatio: the plane's pixels in each of them.
struct SliceDecorations {
  struct Difference {
    LayerName name; // which is subtracted from which
    double reach = 1;
    bool isMeasured = false; // or a guess until it is
    bool hasColourBar = true; // of several differences beside each other one has it
  };
  SliceAxis axis = SliceAxis::Axial;
  QFont font;
  std::optional<Vec3d> crosshair; // in world millimetres
  std::optional<double> swipe;    // share of the width
  Visibility annotations = Visibility::Shown;
  int number = 1, count = 1; // of the slice; number 0: beyond what the view shows
  double position_mm = 0; // of the cross-hair along x, y or z of the world
  bool isOblique = false;
  LayerName layer; // of a view that shows one alone; without it the direction's name stands there
  QString layerNote; // below the name
  std::optional<Difference> difference;
  CompareCaption compared; // of two in one picture

  void paint(QPainter& painter, const SliceGeometry& plane, QSizeF size, double pixelRatio) const;
  // The colour bar of a difference in a view of that size; empty where none is shown.
  QRectF colourBar(QSizeF size) const;

private:
  void paintCrosshair(QPainter& painter, const SliceGeometry& plane, QSizeF size, double pixelRatio) const;
  void paintSwipe(QPainter& painter, QSizeF size) const;
  void paintLetters(QPainter& painter, const SliceGeometry& plane, QSizeF size) const;
  void paintHeader(QPainter& painter, QSizeF size, const QString& letter) const;
  void paintScaleBar(QPainter& painter, const SliceGeometry& plane, QSizeF size, double pixelRatio) const;
  void paintColourBar(QPainter& painter, QSizeF size) const;
  QString numberText(double width_px) const;
};

// A mask that is being painted on changes in place. Pictures of it are made of a copy, as it was when the picture was asked for.
struct SteadyMask {
  std::shared_ptr<const Volume> painted, copy; // both null: none is painted on
};

struct SliceStill {
  std::shared_ptr<const SliceScene> scene; // shared by pictures of one moment; null or without layers: black
  std::optional<std::size_t> onlyLayer, subtracted; // the second is subtracted from the first
  SliceGeometry plane; // its width and height are the picture's
  double pixelRatio = 1;
  std::optional<SliceDecorations> decorations;

  void hold(const SteadyMask& mask); // to be called before it is painted elsewhere
  QImage paint() const;
};

} // namespace voxlab
