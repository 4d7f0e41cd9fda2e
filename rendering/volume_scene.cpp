// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/volume_scene.h"
#include "rendering/cpu_volume_mapper.h"
#include "rendering/orientation_cube.h"
#include "rendering/volume_overlays.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <vtkCamera.h>
#include <vtkColorTransferFunction.h>
#include <vtkGPUVolumeRayCastMapper.h>
#include <vtkImageData.h>
#include <vtkLight.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPlane.h>
#include <vtkPlaneCollection.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkVolume.h>
#include <vtkVolumeProperty.h>

namespace voxlab {
namespace {

// While moving: 20 pictures a second by the CPU, so that 15 are kept on a busy machine; 80 by a GPU, so that a display of 60 Hz misses none.
constexpr double targetFrame_ms(RayCaster rayCaster) { return rayCaster == RayCaster::Gpu ? 12.5 : 50; }

// Unit vector across the voxels' layers along an axis, towards the higher ones; of a sheared grid not the axis itself.
Vec3d faceNormal(const Affine& affine, int axis) {
  const Vec3d normal = cross(columnOf(affine, (axis + 1) % 3), columnOf(affine, (axis + 2) % 3));
  return normal * ((dot(normal, columnOf(affine, axis)) < 0 ? -1 : 1) / length(normal));
}

double smallestSpacing(vtkImageData& image) {
  const double* spacing = image.GetSpacing();
  return std::min({spacing[0], spacing[1], spacing[2]});
}

double meanSpacing(vtkImageData& image) {
  const double* spacing = image.GetSpacing();
  return (spacing[0] + spacing[1] + spacing[2]) / 3;
}

constexpr double kCoarsest = 6, kFinest = 1, kPi = 3.14159265358979;

} // namespace

struct VolumeScene::Parts {
  vtkNew<vtkRenderer> renderer;
  vtkNew<vtkLight> light;
  vtkNew<vtkVolume> actor;
  vtkNew<vtkVolumeProperty> property;
  vtkNew<vtkColorTransferFunction> colours;
  vtkNew<vtkPiecewiseFunction> opacity, gradientOpacity;
  vtkNew<CpuVolumeMapper> cpuMapper;
  vtkNew<vtkGPUVolumeRayCastMapper> gpuMapper;
  OrientationCube cube;
  VolumeOverlays overlays;
  std::shared_ptr<const RenderVolume> volume;
  RayCaster rayCaster = RayCaster::Cpu;
  RenderQuality quality = RenderQuality::Still;
  Visibility visibility = Visibility::Shown;
  Visibility cropFrame = Visibility::Hidden;
  DisplayRange range;
  Transfer transfer = transferPresets().front();
  CropBox crop;
  std::vector<CutPlane> cuts;
  Visibility cutFrames = Visibility::Hidden;
  double movingDistance = 2;

  vtkVolumeMapper* mapper() { return rayCaster == RayCaster::Gpu ? static_cast<vtkVolumeMapper*>(gpuMapper) : cpuMapper; }
  // A maximum keeps the voxels themselves: smooth ones would dim whatever is as thin as a voxel, and it has no light that could ripple.
  vtkImageData* drawn() const { return transfer.blend == BlendMode::MaximumIntensity ? volume->image : volume->forSurfaces; }
  double alongRay_mm() const { return quality == RenderQuality::Moving ? voxelSize() : 0.6 * (volume ? smallestSpacing(*drawn()) : 1); }
  double voxelSize() const { return volume ? smallestSpacing(*volume->image) : 1; }
  void applyMapper();
  void applyImage();
  void applyTransfer();
  template <class AddColour> void addProjection(AddColour&& addColour);
  void applyCrop();
  void applyCuts();
  void applyQuality();
  struct CropFace {
    int axis = 0;
    double share = 0; // of the way along the axis
    Vec3d outwards;   // unit normal, to what is cut away
  };
  std::vector<CropFace> cuttingFaces() const;
  Vec3d worldOfShare(std::array<double, 3> share) const;
  std::pair<Vec3d, double> sphere() const; // around what shows: centre and radius in millimetres
};

void VolumeScene::Parts::applyMapper() {
  const bool shown = volume && visibility == Visibility::Shown;
  applyImage();
  actor->SetVisibility(shown);
  if (volume) {
    actor->SetMapper(mapper());
    actor->SetUserMatrix(matrixOf(volume->place));
  }
  applyTransfer();
  applyCrop();
  applyCuts();
  applyQuality();
}

void VolumeScene::Parts::applyImage() {
  cpuMapper->SetInputData(volume && rayCaster == RayCaster::Cpu ? drawn() : nullptr);
  gpuMapper->SetInputData(volume && rayCaster == RayCaster::Gpu ? drawn() : nullptr);
}

// The curves over the greys of a maximum projection, which are no straight line of the intensities.
template <class AddColour> void VolumeScene::Parts::addProjection(AddColour&& addColour) {
  DisplayRange projected = range;
  if (volume->isSigned) // black is zero, as in a glass brain
    projected.low = std::clamp(0.0, range.low, range.high);
  const ProjectionGreys greys = projectionGreys(projected, volume->brightest);
  constexpr int kPieces = 64;
  for (int piece = 0; piece <= kPieces; ++piece) {
    const double grey = static_cast<double>(piece) / kPieces, at = volume->storedOf(greys.intensityOf(grey));
    opacity->AddPoint(at, opacityAt(transfer, grey));
    addColour(at, colourAt(transfer, grey));
  }
}

void VolumeScene::Parts::applyTransfer() {
  if (!volume)
    return;
  const bool maximum = transfer.blend == BlendMode::MaximumIntensity;
  const auto stored = [&](double position) { return volume->storedOf(range.low + position * (range.high - range.low)); };
  opacity->RemoveAllPoints();
  colours->RemoveAllPoints();
  const auto addColour = [&](double at, Rgb c) { colours->AddRGBPoint(at, c.r / 255.0, c.g / 255.0, c.b / 255.0); };
  if (maximum)
    addProjection(addColour);
  else {
    for (const auto& p : transfer.opacity)
      opacity->AddPoint(stored(p.position), p.opacity);
    for (const auto& p : transfer.colours)
      addColour(stored(p.position), p.colour);
  }
  gradientOpacity->RemoveAllPoints();
  // VTK's gradients are differences over a mean voxel of what it draws, the curve's over one of the volume's.
  const double span = std::abs(stored(1) - stored(0)) * meanSpacing(*drawn()) / meanSpacing(*volume->image);
  gradientOpacity->AddPoint(0, transfer.flatShare);
  gradientOpacity->AddPoint(span * 0.04, transfer.flatShare);
  gradientOpacity->AddPoint(span * 0.20, 1);
  property->SetDisableGradientOpacity(transfer.flatShare >= 0.999 || maximum);
  property->SetShade(transfer.lighting == Lighting::On && !maximum);
  property->SetAmbient(transfer.ambient);
  property->SetDiffuse(transfer.diffuse);
  property->SetSpecular(transfer.specular);
  property->SetSpecularPower(transfer.specularPower);
  property->SetScalarOpacityUnitDistance(1.0);
  const auto blend = maximum ? vtkVolumeMapper::MAXIMUM_INTENSITY_BLEND : vtkVolumeMapper::COMPOSITE_BLEND;
  cpuMapper->SetBlendMode(blend);
  gpuMapper->SetBlendMode(blend);
}

void VolumeScene::Parts::applyCrop() {
  if (!volume)
    return;
  double bounds[6];
  volume->image->GetBounds(bounds);
  double planes[6];
  for (int axis = 0; axis < 3; ++axis) {
    const double low = bounds[2 * axis], size = bounds[2 * axis + 1] - low;
    planes[2 * axis] = low + size * crop.low[axis];
    planes[2 * axis + 1] = low + size * crop.high[axis];
  }
  for (vtkVolumeMapper* each : {static_cast<vtkVolumeMapper*>(cpuMapper), static_cast<vtkVolumeMapper*>(gpuMapper)}) {
    each->SetCropping(!crop.isWhole());
    each->SetCroppingRegionPlanes(planes);
    each->SetCroppingRegionFlagsToSubVolume();
  }
  std::array<Vec3d, 8> corners;
  for (int corner = 0; corner < 8; ++corner) {
    std::array<double, 3> share;
    for (int axis = 0; axis < 3; ++axis)
      share[axis] = (corner >> axis & 1) ? crop.high[axis] : crop.low[axis];
    corners[corner] = worldOfShare(share);
  }
  overlays.setBox(corners, cropFrame);
}

std::vector<VolumeScene::Parts::CropFace> VolumeScene::Parts::cuttingFaces() const {
  std::vector<CropFace> faces;
  for (int axis = 0; volume && axis < 3; ++axis)
    for (const bool upper : {false, true}) {
      const double share = upper ? crop.high[axis] : crop.low[axis];
      if (share == (upper ? 1.0 : 0.0))
        continue;
      faces.push_back({axis, share, faceNormal(volume->grid.affine, axis) * (upper ? 1 : -1)});
    }
  return faces;
}

void VolumeScene::Parts::applyCuts() {
  vtkNew<vtkPlaneCollection> planes;
  std::vector<std::vector<Vec3d>> outlines;
  for (const CutPlane& cut : cuts) {
    vtkNew<vtkPlane> plane; // VTK keeps what lies on the normal's side
    plane->SetOrigin(cut.point.x, cut.point.y, cut.point.z);
    plane->SetNormal(-cut.normal.x, -cut.normal.y, -cut.normal.z);
    planes->AddItem(plane);
    if (volume && cutFrames == Visibility::Shown)
      outlines.push_back(outlineOf(cut, volume->grid));
  }
  cpuMapper->SetClippingPlanes(planes);
  gpuMapper->SetClippingPlanes(planes);
  vtkNew<vtkPlaneCollection> ofSurfaces; // which the cropping box has to cut, too
  for (int i = 0; i < planes->GetNumberOfItems(); ++i)
    ofSurfaces->AddItem(planes->GetItem(i));
  for (const CropFace& face : cuttingFaces()) {
    if (ofSurfaces->GetNumberOfItems() == static_cast<int>(kMostCutPlanes))
      break;
    std::array<double, 3> share = crop.low;
    share[face.axis] = face.share;
    const Vec3d corner = worldOfShare(share);
    vtkNew<vtkPlane> plane;
    plane->SetOrigin(corner.x, corner.y, corner.z);
    plane->SetNormal(-face.outwards.x, -face.outwards.y, -face.outwards.z);
    ofSurfaces->AddItem(plane);
  }
  overlays.setCuts(ofSurfaces, planes->GetNumberOfItems(), outlines);
}

void VolumeScene::Parts::applyQuality() {
  const bool moving = quality == RenderQuality::Moving;
  const double along = alongRay_mm();
  const double between = moving ? movingDistance : kFinest;
  cpuMapper->SetAutoAdjustSampleDistances(0);
  cpuMapper->SetSampleDistance(static_cast<float>(along));
  cpuMapper->SetInteractiveSampleDistance(static_cast<float>(along));
  cpuMapper->SetImageSampleDistance(static_cast<float>(between));
  gpuMapper->SetAutoAdjustSampleDistances(0);
  gpuMapper->SetSampleDistance(static_cast<float>(along));
  gpuMapper->SetImageSampleDistance(static_cast<float>(between));
  gpuMapper->SetUseJittering(1);
}

Vec3d VolumeScene::Parts::worldOfShare(std::array<double, 3> share) const {
  if (!volume)
    return {};
  Vec3d index;
  for (int axis = 0; axis < 3; ++axis)
    index[axis] = share[axis] * static_cast<double>(volume->grid.size[axis] - 1);
  return transformPoint(volume->grid.affine, index);
}

std::pair<Vec3d, double> VolumeScene::Parts::sphere() const {
  return volume ? std::pair(volume->content.centre, std::max(volume->content.radius_mm, 1e-3)) : std::pair(Vec3d{}, 100.0);
}

VolumeScene::VolumeScene() : m(std::make_unique<Parts>()) {
  m->property->SetColor(m->colours);
  m->property->SetScalarOpacity(m->opacity);
  m->property->SetGradientOpacity(m->gradientOpacity);
  m->property->SetInterpolationTypeToLinear();
  m->actor->SetProperty(m->property);
  m->actor->VisibilityOff();
  m->cpuMapper->IntermixIntersectingGeometryOn();
  m->gpuMapper->SetMaxMemoryFraction(0.75f);
  m->light->SetLightTypeToCameraLight();
  m->light->SetPosition(-0.35, 0.45, 1); // over the left shoulder: a head-on light flattens faces
  m->light->SetFocalPoint(0, 0, 0);
  m->renderer->TwoSidedLightingOff();
  m->renderer->AutomaticLightCreationOff();
  m->renderer->AddLight(m->light);
  m->renderer->AddVolume(m->actor);
  m->renderer->SetBackground(0, 0, 0);
  m->overlays.addTo(m->renderer);
  lookFrom(LookFrom::Corner);
}

VolumeScene::~VolumeScene() = default;

vtkRenderer* VolumeScene::renderer() const { return m->renderer; }

void VolumeScene::addTo(vtkRenderWindow* window) {
  window->AddRenderer(m->renderer);
  m->cube.addTo(window);
}

void VolumeScene::removeFrom(vtkRenderWindow* window) {
  m->cube.removeFrom(window);
  window->RemoveRenderer(m->renderer);
}

RayCaster VolumeScene::suitableRayCaster(const std::string& openGlRenderer) {
  std::string name = openGlRenderer;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* software : {"llvmpipe", "softpipe", "swrast", "swiftshader", "software", "lavapipe", "gdi generic"})
    if (name.find(software) != std::string::npos)
      return RayCaster::Cpu;
  return name.empty() ? RayCaster::Cpu : RayCaster::Gpu;
}

void VolumeScene::setRayCaster(RayCaster rayCaster) {
  m->rayCaster = rayCaster;
  m->applyMapper();
}
RayCaster VolumeScene::rayCaster() const { return m->rayCaster; }

void VolumeScene::setVolume(std::shared_ptr<const RenderVolume> volume) {
  m->volume = std::move(volume);
  m->applyMapper();
}

void VolumeScene::setVolumeVisibility(Visibility visibility) {
  m->visibility = visibility;
  m->actor->SetVisibility(m->volume && visibility == Visibility::Shown);
}

void VolumeScene::setRange(DisplayRange range) {
  m->range = range;
  m->applyTransfer();
}

void VolumeScene::setTransfer(const Transfer& transfer) {
  const bool otherBlend = transfer.blend != m->transfer.blend;
  m->transfer = transfer;
  m->applyTransfer();
  if (otherBlend) {
    m->applyImage();
    m->applyQuality();
  }
}

void VolumeScene::setCropBox(const CropBox& box) {
  constexpr double kThinnest = 0.02;
  for (int axis = 0; axis < 3; ++axis) {
    m->crop.low[axis] = std::clamp(box.low[axis], 0.0, 1 - kThinnest);
    m->crop.high[axis] = std::clamp(box.high[axis], m->crop.low[axis] + kThinnest, 1.0);
  }
  m->applyCrop();
  m->applyCuts();
}
const CropBox& VolumeScene::cropBox() const { return m->crop; }

std::array<Vec3d, 6> VolumeScene::cropHandles() const {
  std::array<Vec3d, 6> handles;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      std::array<double, 3> share;
      for (int other = 0; other < 3; ++other)
        share[other] = (m->crop.low[other] + m->crop.high[other]) / 2;
      share[axis] = side ? m->crop.high[axis] : m->crop.low[axis];
      handles[2 * axis + side] = m->worldOfShare(share);
    }
  return handles;
}

void VolumeScene::setCropFrame(Visibility visibility) {
  m->cropFrame = visibility;
  m->applyCrop();
}

double VolumeScene::lift_mm() const {
  constexpr double kCpu = 0.25, kGpu = 1.2; // voxels; the GPU's samples, a voxel apart while moving, end up to one of them behind a surface
  return (m->rayCaster == RayCaster::Gpu ? kGpu : kCpu) * m->voxelSize();
}

std::vector<SliceGeometry> VolumeScene::cropFaces(int edge) const {
  std::vector<SliceGeometry> faces;
  for (const Parts::CropFace& face : m->cuttingFaces()) {
    const int right = (face.axis + 1) % 3, down = (face.axis + 2) % 3;
    std::array<double, 3> low = m->crop.low;
    low[face.axis] = face.share;
    std::array<double, 3> toRight = low, toDown = low;
    toRight[right] = m->crop.high[right];
    toDown[down] = m->crop.high[down];
    const Vec3d corner = m->worldOfShare(low), across = m->worldOfShare(toRight) - corner, along = m->worldOfShare(toDown) - corner;
    const double mm = std::max({length(across), length(along), 1e-6}) / edge;
    SliceGeometry slice;
    slice.width = std::max(2, static_cast<int>(std::lround(length(across) / mm)));
    slice.height = std::max(2, static_cast<int>(std::lround(length(along) / mm)));
    slice.across = across * (1.0 / slice.width);
    slice.down = along * (1.0 / slice.height);
    slice.origin = corner + slice.across * 0.5 + slice.down * 0.5 + face.outwards * lift_mm();
    faces.push_back(slice);
  }
  return faces;
}

void VolumeScene::setCutPlanes(const std::vector<CutPlane>& planes) {
  m->cuts.assign(planes.begin(), planes.begin() + static_cast<std::ptrdiff_t>(std::min(planes.size(), kMostCutPlanes)));
  m->applyCuts();
}
const std::vector<CutPlane>& VolumeScene::cutPlanes() const { return m->cuts; }

void VolumeScene::setCutFrames(Visibility visibility) {
  m->cutFrames = visibility;
  m->applyCuts();
}

const Grid* VolumeScene::grid() const { return m->volume ? &m->volume->grid : nullptr; }

namespace {
VolumeOverlays::Pictures pointersTo(const std::vector<VolumeScene::PlanePicture>& planes) {
  VolumeOverlays::Pictures pictures;
  for (const auto& p : planes)
    pictures.emplace_back(&p.plane, &p.picture);
  return pictures;
}
} // namespace

void VolumeScene::setSlicePlanes(const std::vector<PlanePicture>& planes) { m->overlays.setPlanes(pointersTo(planes)); }
void VolumeScene::setCutPictures(const std::vector<PlanePicture>& pictures) { m->overlays.setCutPictures(pointersTo(pictures)); }
void VolumeScene::setCropPictures(const std::vector<PlanePicture>& pictures) { m->overlays.setCropPictures(pointersTo(pictures)); }
void VolumeScene::setLabelSurfaces(std::shared_ptr<const LabelSurfaces> surfaces) { m->overlays.setSurfaces(std::move(surfaces)); }
void VolumeScene::styleLabelSurfaces(const LabelTable& table, double opacity) { m->overlays.styleSurfaces(table, opacity); }
std::optional<std::pair<std::int64_t, Vec3d>> VolumeScene::labelAt(double column, double row) const {
  const auto hit = m->overlays.surfaceAt(column, row);
  return hit ? std::optional(std::pair(hit->label, hit->world)) : std::nullopt;
}
void VolumeScene::setOrientationCube(Visibility visibility) { m->cube.setVisibility(visibility); }

void VolumeScene::setBackground(Rgb bottom, Rgb top) {
  m->renderer->SetBackground(bottom.r / 255.0, bottom.g / 255.0, bottom.b / 255.0);
  m->renderer->SetBackground2(top.r / 255.0, top.g / 255.0, top.b / 255.0);
  m->renderer->SetGradientBackground(!(bottom == top));
}

void VolumeScene::lookFrom(LookFrom side) {
  Vec3d from, up{0, 0, 1};
  switch (side) {
  case LookFrom::Anterior: from = {0, 1, 0}; break;
  case LookFrom::Posterior: from = {0, -1, 0}; break;
  case LookFrom::Left: from = {-1, 0, 0}; break;
  case LookFrom::Right: from = {1, 0, 0}; break;
  case LookFrom::Superior: from = {0, 0, 1}; up = {0, 1, 0}; break;
  case LookFrom::Inferior: from = {0, 0, -1}; up = {0, 1, 0}; break;
  case LookFrom::Corner: from = {-0.55, 0.95, 0.35}; break;
  }
  // The sphere around what shows touches the shorter edge's ends (prepareFrame() gives that edge the angle), from wherever it is seen.
  constexpr double kAngle_deg = 25, kMargin = 1.04;
  const auto [focus, radius] = m->sphere();
  const double distance = kMargin * radius / std::sin(kAngle_deg / 2 * kPi / 180);
  setCamera({focus + from * (distance / length(from)), focus, up, kAngle_deg});
}

void VolumeScene::rotate(double azimuth_deg, double elevation_deg) {
  vtkCamera* camera = m->renderer->GetActiveCamera();
  camera->Azimuth(azimuth_deg);
  camera->Elevation(elevation_deg);
  camera->OrthogonalizeViewUp();
}

void VolumeScene::zoom(double factor) {
  m->renderer->GetActiveCamera()->Dolly(std::clamp(factor, 0.2, 5.0));
}

void VolumeScene::pan(double right_share, double up_share) {
  const Camera c = camera();
  const Vec3d forward = c.focus - c.position;
  const double height = 2 * length(forward) * std::tan(c.angle_deg / 2 * kPi / 180);
  const Vec3d right = cross(forward, c.up);
  const Vec3d move = right * (-right_share * height / length(right)) + c.up * (-up_share * height / length(c.up));
  setCamera({c.position + move, c.focus + move, c.up, c.angle_deg});
}

VolumeScene::Camera VolumeScene::camera() const {
  const vtkCamera* source = m->renderer->GetActiveCamera();
  const auto vec = [](const double* p) { return Vec3d{p[0], p[1], p[2]}; };
  auto* c = const_cast<vtkCamera*>(source);
  return {vec(c->GetPosition()), vec(c->GetFocalPoint()), vec(c->GetViewUp()), c->GetViewAngle()};
}

void VolumeScene::setCamera(const Camera& camera) {
  vtkCamera* target = m->renderer->GetActiveCamera();
  target->SetPosition(camera.position.x, camera.position.y, camera.position.z);
  target->SetFocalPoint(camera.focus.x, camera.focus.y, camera.focus.z);
  target->SetViewUp(camera.up.x, camera.up.y, camera.up.z);
  target->SetViewAngle(camera.angle_deg);
}

ViewDirections VolumeScene::viewDirections() const {
  const Camera c = camera();
  const Vec3d back = c.position - c.focus, toViewer = back * (1 / length(back));
  const Vec3d across = cross(c.up, toViewer), right = across * (1 / length(across));
  return {right, cross(toViewer, right), toViewer};
}

void VolumeScene::setQuality(RenderQuality quality) {
  m->quality = quality;
  m->applyQuality();
}

void VolumeScene::frameDrawn(double duration_ms) {
  if (m->quality != RenderQuality::Moving || duration_ms <= 0)
    return;
  // A frame costs about the number of its rays; half the step damps single slow frames.
  const double wanted = m->movingDistance * std::sqrt(duration_ms / targetFrame_ms(m->rayCaster));
  m->movingDistance = std::clamp((m->movingDistance + wanted) / 2, kFinest, kCoarsest);
  m->applyQuality();
}

double VolumeScene::imageSampleDistance() const { return m->quality == RenderQuality::Moving ? m->movingDistance : kFinest; }

double VolumeScene::alongRay_mm() const { return m->alongRay_mm(); }

void VolumeScene::prepareFrame() {
  if (auto* window = m->renderer->GetRenderWindow()) { // the angle belongs to the shorter edge
    const int* size = window->GetSize();
    m->renderer->GetActiveCamera()->SetUseHorizontalViewAngle(size[0] < size[1]);
  }
  m->renderer->ResetCameraClippingRange();
  m->cube.follow(m->renderer->GetActiveCamera());
}

Vec3d VolumeScene::displayOf(Vec3d world) const {
  m->renderer->SetWorldPoint(world.x, world.y, world.z, 1);
  m->renderer->WorldToDisplay();
  const double* p = m->renderer->GetDisplayPoint();
  return {p[0], p[1], p[2]};
}

} // namespace voxlab
