// SPDX-License-Identifier: GPL-3.0-or-later
// The 3D view: a ray-cast volume with slice planes, label surfaces, cropping box and orientation cube. Owns a VTK renderer
// that any render window can show. Not thread-safe: lives where the window lives.
#pragma once
#include "rendering/cut_plane.h"
#include "rendering/image_bridge.h"
#include "rendering/label_surfaces.h"
#include "rendering/slice_scene.h"
#include "rendering/transfer_presets.h"
#include <memory>
#include <optional>

class vtkRenderWindow;
class vtkRenderer;

namespace voxlab {

enum class RayCaster { Gpu, Cpu };
enum class RenderQuality { Moving, Still };
enum class LookFrom { Anterior, Posterior, Left, Right, Superior, Inferior, Corner };

// Shares of the volume's size along its voxel axes i, j, k; {0, 1} shows everything.
struct CropBox {
  std::array<double, 3> low{0, 0, 0}, high{1, 1, 1};
  bool operator==(const CropBox&) const = default;
  bool isWhole() const { return *this == CropBox{}; }
};

class VolumeScene {
public:
  VolumeScene();
  ~VolumeScene();
  VolumeScene(const VolumeScene&) = delete;
  VolumeScene& operator=(const VolumeScene&) = delete;

  void addTo(vtkRenderWindow* window);
  void removeFrom(vtkRenderWindow* window);
  vtkRenderer* renderer() const;

  // Which ray caster suits the window's OpenGL: the CPU's for software renderers (llvmpipe, softpipe, SwiftShader …).
  static RayCaster suitableRayCaster(const std::string& openGlRenderer);
  void setRayCaster(RayCaster rayCaster);
  RayCaster rayCaster() const;

  void setVolume(std::shared_ptr<const RenderVolume> volume); // nullptr: no volume
  void setVolumeVisibility(Visibility visibility);
  void setRange(DisplayRange range);
  void setTransfer(const Transfer& transfer);
  void setCropBox(const CropBox& box);
  const CropBox& cropBox() const;
  // Middle of each face of the cropping box in the world: low i, high i, low j, …
  std::array<Vec3d, 6> cropHandles() const;
  void setCropFrame(Visibility visibility);
  // How far before a cut a picture has to stand so that no sample of the volume is drawn over it.
  double lift_mm() const;
  // The faces of the cropping box that cut, lifted; the longer side has `edge` pixels.
  std::vector<SliceGeometry> cropFaces(int edge) const;
  // Planes at any angle; each cuts away volume and label surfaces on its normal's side. At most kMostCutPlanes are taken.
  static constexpr std::size_t kMostCutPlanes = 6; // what VTK's mappers of surfaces can do
  void setCutPlanes(const std::vector<CutPlane>& planes);
  const std::vector<CutPlane>& cutPlanes() const;
  void setCutFrames(Visibility visibility); // their outlines on the volume's box
  const Grid* grid() const; // of what is drawn; nullptr without a volume

  // Three pictures in the world; empty hides them.
  struct PlanePicture {
    SliceGeometry plane;
    Picture picture;
  };
  void setSlicePlanes(const std::vector<PlanePicture>& planes);
  // One for each cutting plane, which the other planes cut; empty hides them.
  void setCutPictures(const std::vector<PlanePicture>& pictures);
  // On cropFaces(); a ray caster's own picture of a cut is a pattern of noise, lit by gradients that mean nothing there.
  void setCropPictures(const std::vector<PlanePicture>& pictures);
  void setLabelSurfaces(std::shared_ptr<const LabelSurfaces> surfaces);
  void styleLabelSurfaces(const LabelTable& table, double opacity); // colours and per-label visibility
  // The label whose surface is seen at a pixel of the window, origin at the bottom left, and where.
  std::optional<std::pair<std::int64_t, Vec3d>> labelAt(double column, double row) const;
  void setOrientationCube(Visibility visibility);
  void setBackground(Rgb bottom, Rgb top);

  // Camera
  void lookFrom(LookFrom side);
  void rotate(double azimuth_deg, double elevation_deg);
  void zoom(double factor);
  void pan(double right_share, double up_share); // shares of the view's height
  // Keep two views together.
  struct Camera {
    Vec3d position, focus, up;
    double angle_deg = 30;
    bool operator==(const Camera&) const = default;
  };
  Camera camera() const;
  void setCamera(const Camera& camera);
  ViewDirections viewDirections() const;

  // Moving draws coarser, adapted so that frames take about the target time; Still draws every pixel.
  void setQuality(RenderQuality quality);
  void frameDrawn(double duration_ms); // feeds the adaptation
  double imageSampleDistance() const;  // pixels between rays, as last set
  double alongRay_mm() const;          // between two samples of a ray
  // To be called before each frame: lights and the orientation cube follow the camera.
  void prepareFrame();
  Vec3d displayOf(Vec3d world) const; // pixels of the window, origin at the bottom left

private:
  struct Parts;
  std::unique_ptr<Parts> m;
};

} // namespace voxlab
