// SPDX-License-Identifier: GPL-3.0-or-later
// What the viewer page shows and how: the layers, the cross-hair, the cameras. Every view and panel reads it and changes
// it here, so that all of them agree.
#pragma once
#include "rendering/slice_scene.h"
#include "widgets/pages/viewer_volume.h"
#include <QObject>
#include <functional>

namespace voxlab {

enum class Snap { Off, ToVoxel };
enum class FrameChoice { Volume, World }; // whose axes the slices follow

class ViewerDocument : public QObject {
  Q_OBJECT
public:
  explicit ViewerDocument(QObject* parent = nullptr);

  // Layers
  int layerCount() const { return static_cast<int>(m_scene.layers.size()); }
  bool isEmpty() const { return m_scene.layers.empty(); }
  const SliceScene& scene() const { return m_scene; }
  const SliceLayer& layer(int index) const { return m_scene.layers.at(static_cast<std::size_t>(index)); }
  int layerOf(const std::shared_ptr<const Volume>& volume) const; // −1 when it is not shown (any more)
  // Stays with a layer when it is moved or gets other voxels; never 0.
  std::uint64_t idOf(int layer) const { return m_ids.at(static_cast<std::size_t>(layer)); }
  int layerWithId(std::uint64_t id) const; // −1 when it is not shown (any more)
  const ViewerVolume& source(int index) const { return m_sources.at(static_cast<std::size_t>(index)); }
  // What the page shows, in a line: the lowest layer, what lies on it, or which is subtracted from which.
  QString heading() const;
  bool showsDifference() const; // of two layers that are there
  QString differenceText() const; // "fused_bf16, ddpm 250 − baseline, ddpm 250", of several "each − baseline, ddpm 250"; the layers' titles where that tells no two apart
  // Keeps cross-hair and cameras where the new volume lies on the same grid; a locked range stays too.
  void replaceAll(const ViewerVolume& volume);
  void addOnTop(const ViewerVolume& volume); // images below the labels that lie over images
  void removeLayer(int index);
  void moveLayer(int from, int to);
  void clear();
  void editLayer(int index, const std::function<void(SliceLayer&)>& edit);
  void chooseRange(int index, DisplayRange range); // to be kept for the next volume of its kind; what editLayer changes is in passing
  void setLayerVolume(int index, const ViewerVolume& volume); // the same layer's new voxels (edited mask, other time point)
  int activeLayer() const { return m_active; } // −1 without layers
  void setActiveLayer(int index);
  int imageLayer() const; // the image that 3D and the status line speak of: the active one, else the lowest; −1 if none
  int imageCount() const;
  int labelLayer() const; // likewise the labels; the active one, else the topmost
  bool isRangeLocked() const { return m_rangeLocked; }
  enum class RangeLock { Off, On };
  void setRangeLock(RangeLock lock) { m_rangeLocked = lock == RangeLock::On; }

  // Time points (or components) of all layers that have several
  std::int64_t timePoints() const;
  std::int64_t timePoint() const { return m_timePoint; }
  void setTimePoint(std::int64_t timePoint);

  // Cross-hair, in world millimetres
  Vec3d cursor() const { return m_cursor; }
  void setCursor(Vec3d world, Snap snap = Snap::ToVoxel);
  void step(SliceAxis axis, int slices); // positive: to right, anterior, superior
  // Index from 1 and number of slices along an axis of the reference volume's frame, and where the slice's cross-hair stands: its
  // world coordinate x, y or z, as the reading under the views says it. Of an oblique slice other points have others.
  struct SliceNumber {
    int number = 1, count = 1;
    double position_mm = 0;
    bool isOblique = false; // more than half a degree off the world's axis
  };
  SliceNumber sliceNumber(SliceAxis axis) const { return sliceNumberAt(m_cursor, axis); }
  SliceNumber sliceNumberAt(Vec3d cursor, SliceAxis axis) const;
  // The same of a layer's own slices, which may lie otherwise; number 0 where the place is beyond them.
  SliceNumber sliceNumberOf(int layer, Vec3d cursor, SliceAxis axis) const;
  void setSliceNumber(SliceAxis axis, int number);
  Vec3d cursorInSlice(SliceAxis axis, int number) const; // where setSliceNumber would put the cross-hair

  // Cameras, linked over all slice views
  SliceCamera camera(SliceAxis axis) const;
  const SliceFrame& frame() const { return m_frame; }
  const Bounds& bounds() const { return m_bounds; }
  SliceGeometry plane(SliceAxis axis, int width, int height) const { return planeThrough(m_cursor, axis, width, height); }
  SliceGeometry planeThrough(Vec3d cursor, SliceAxis axis, int width, int height) const;
  void setZoom(double zoom);
  double zoom() const { return m_zoom; }
  void panBy(Vec3d world_mm);
  void resetCamera();
  SideConvention convention() const { return m_convention; }
  void setConvention(SideConvention convention);
  void setFrameChoice(FrameChoice choice);

  // Decorations
  Visibility crosshair() const { return m_crosshair; }
  void setCrosshair(Visibility visibility);
  Visibility annotations() const { return m_annotations; }
  void setAnnotations(Visibility visibility);
  void setInterpolation(Interpolation interpolation);
  Interpolation interpolation() const { return m_interpolation; }

  const Comparison& comparison() const { return m_scene.comparison; }
  void setComparison(const Comparison& comparison);

signals:
  void layersChanged();     // added, removed, reordered, other voxels
  void activeLayerChanged();
  void appearanceChanged(); // range, colours, opacity, visibility, comparison
  void cursorChanged();
  void cameraChanged();
  void decorationsChanged();

private:
  void resetReference();
  SliceFrame frameOf(const Grid& grid) const;
  void endComparison();
  void tellRunsApart(); // volumes of equal names and origins
  SliceLayer makeLayer(const ViewerVolume& volume) const;
  Vec3d allowed(Vec3d world, Snap snap) const; // inside the volume, and where asked for in the middle of a voxel

  SliceScene m_scene;
  std::vector<ViewerVolume> m_sources; // as m_scene.layers
  std::vector<std::uint64_t> m_ids;    // likewise
  std::uint64_t m_lastId = 0;
  int m_active = -1;
  bool m_rangeLocked = false;
  std::int64_t m_timePoint = 0;
  SliceFrame m_frame;
  Bounds m_bounds{{-100, -100, -100}, {100, 100, 100}};
  Vec3d m_cursor;
  double m_zoom = 1;
  Vec3d m_pan;
  SideConvention m_convention = SideConvention::Radiological;
  FrameChoice m_frameChoice = FrameChoice::Volume;
  Visibility m_crosshair = Visibility::Shown, m_annotations = Visibility::Shown;
  Interpolation m_interpolation = Interpolation::Linear;
};

} // namespace voxlab
