// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/volume_overlays.h"
#include <algorithm>
#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkCellPicker.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPlaneCollection.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkTexture.h>

namespace voxlab {
namespace {

vtkSmartPointer<vtkImageData> textureImage(const Picture& picture) {
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(picture.width, picture.height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  auto* out = static_cast<unsigned char*>(image->GetScalarPointer());
  for (int row = picture.height - 1; row >= 0; --row) // textures start at the bottom
    for (int column = 0; column < picture.width; ++column) {
      const std::uint32_t p = picture.at(column, row);
      *out++ = static_cast<unsigned char>(p >> 16);
      *out++ = static_cast<unsigned char>(p >> 8);
      *out++ = static_cast<unsigned char>(p);
    }
  return image;
}

// Black that reaches the picture's edge: around the head, not in it.
std::vector<char> outsideOf(const Picture& picture) {
  constexpr std::uint32_t kDark = 14;
  const int width = picture.width, height = picture.height;
  std::vector<char> outside(picture.pixels.size(), 0);
  std::vector<std::pair<int, int>> open;
  const auto visit = [&](int column, int row) {
    if (column < 0 || row < 0 || column >= width || row >= height)
      return;
    const std::size_t i = static_cast<std::size_t>(row) * width + column;
    const std::uint32_t p = picture.pixels[i];
    if (outside[i] || (p >> 16 & 0xff) > kDark || (p >> 8 & 0xff) > kDark || (p & 0xff) > kDark)
      return;
    outside[i] = 1;
    open.emplace_back(column, row);
  };
  for (int column = 0; column < width; ++column)
    for (const int row : {0, height - 1})
      visit(column, row);
  for (int row = 0; row < height; ++row)
    for (const int column : {0, width - 1})
      visit(column, row);
  while (!open.empty()) {
    const auto [column, row] = open.back();
    open.pop_back();
    visit(column - 1, row);
    visit(column + 1, row);
    visit(column, row - 1);
    visit(column, row + 1);
  }
  return outside;
}

// One quad for each run of pixels that are not outside, so that a slice does not hide what lies behind its black corners.
vtkSmartPointer<vtkPolyData> silhouetteMesh(const SliceGeometry& plane, const Picture& picture) {
  const std::vector<char> outside = outsideOf(picture);
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> quads;
  vtkNew<vtkFloatArray> texture;
  texture->SetNumberOfComponents(2);
  const auto addCorner = [&](double column, double row) {
    const Vec3d p = plane.worldAt(column - 0.5, row - 0.5);
    texture->InsertNextTuple2(column / picture.width, 1 - row / picture.height);
    return points->InsertNextPoint(p.x, p.y, p.z);
  };
  for (int row = 0; row < picture.height; ++row)
    for (int column = 0; column < picture.width; ++column) {
      const auto isOutside = [&](int c) { return outside[static_cast<std::size_t>(row) * picture.width + c] != 0; };
      if (isOutside(column))
        continue;
      const int first = column;
      while (column < picture.width && !isOutside(column))
        ++column;
      const vtkIdType corners[4]{addCorner(first, row), addCorner(column, row), addCorner(column, row + 1), addCorner(first, row + 1)};
      quads->InsertNextCell(4, corners);
    }
  auto mesh = vtkSmartPointer<vtkPolyData>::New();
  mesh->SetPoints(points);
  mesh->SetPolys(quads);
  mesh->GetPointData()->SetTCoords(texture);
  return mesh;
}

vtkSmartPointer<vtkActor> planeActor(const SliceGeometry& plane, const Picture& picture) {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(silhouetteMesh(plane, picture));
  vtkNew<vtkTexture> texture;
  texture->SetInputData(textureImage(picture));
  texture->InterpolateOn();
  texture->SetWrap(vtkTexture::ClampToEdge);
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  actor->SetTexture(texture);
  actor->GetProperty()->LightingOff();
  return actor;
}

void dressFrame(vtkActor* actor) {
  actor->GetProperty()->SetColor(0.16, 0.72, 0.69);
  actor->GetProperty()->LightingOff();
  actor->VisibilityOff();
}

} // namespace

VolumeOverlays::VolumeOverlays() {
  vtkNew<vtkPolyData> lines;
  vtkNew<vtkPoints> points;
  points->SetNumberOfPoints(8);
  for (int i = 0; i < 8; ++i)
    points->SetPoint(i, 0, 0, 0);
  vtkNew<vtkCellArray> edges;
  for (vtkIdType corner = 0; corner < 8; ++corner)
    for (int axis = 0; axis < 3; ++axis)
      if (!(corner >> axis & 1)) {
        const vtkIdType ends[2]{corner, corner | (vtkIdType{1} << axis)};
        edges->InsertNextCell(2, ends);
      }
  lines->SetPoints(points);
  lines->SetLines(edges);
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(lines);
  m_box->SetMapper(mapper);
  dressFrame(m_box);
  vtkNew<vtkPolyDataMapper> cuts;
  cuts->SetInputData(vtkNew<vtkPolyData>());
  m_cutFrames->SetMapper(cuts);
  dressFrame(m_cutFrames);
}

VolumeOverlays::~VolumeOverlays() = default;

void VolumeOverlays::addTo(vtkRenderer* renderer) {
  m_renderer = renderer;
  renderer->AddActor(m_box);
  renderer->AddActor(m_cutFrames);
}

void VolumeOverlays::setCuts(vtkPlaneCollection* planes, int freePlanes, const std::vector<std::vector<Vec3d>>& outlines) {
  m_cuts = planes;
  m_freePlanes = freePlanes;
  cutCropPictures();
  for (const auto& actor : m_surfaceActors)
    actor->GetMapper()->SetClippingPlanes(planes);
  vtkNew<vtkPolyData> lines;
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> closed;
  for (const auto& outline : outlines) {
    if (outline.empty())
      continue;
    closed->InsertNextCell(static_cast<int>(outline.size()) + 1);
    const vtkIdType first = points->GetNumberOfPoints();
    for (const Vec3d p : outline)
      closed->InsertCellPoint(points->InsertNextPoint(p.x, p.y, p.z));
    closed->InsertCellPoint(first);
  }
  lines->SetPoints(points);
  lines->SetLines(closed);
  vtkPolyDataMapper::SafeDownCast(m_cutFrames->GetMapper())->SetInputData(lines);
  m_cutFrames->SetVisibility(points->GetNumberOfPoints() > 0);
}

void VolumeOverlays::setBox(const std::array<Vec3d, 8>& corners, Visibility visibility) {
  auto* lines = vtkPolyData::SafeDownCast(m_box->GetMapper()->GetInput());
  for (int i = 0; i < 8; ++i)
    lines->GetPoints()->SetPoint(i, corners[i].x, corners[i].y, corners[i].z);
  lines->GetPoints()->Modified();
  m_box->SetVisibility(visibility == Visibility::Shown);
}

void VolumeOverlays::replace(std::vector<vtkSmartPointer<vtkActor>>& actors, const Pictures& pictures) {
  for (const auto& actor : actors)
    m_renderer->RemoveActor(actor);
  actors.clear();
  for (const auto& [plane, picture] : pictures) {
    actors.push_back(planeActor(*plane, *picture));
    m_renderer->AddActor(actors.back());
  }
}

void VolumeOverlays::setPlanes(const Pictures& planes) { replace(m_planes, planes); }

void VolumeOverlays::setCutPictures(const Pictures& pictures) {
  replace(m_cutPictures, pictures);
  const int planes = m_cuts ? m_cuts->GetNumberOfItems() : 0;
  for (int picture = 0; picture < static_cast<int>(m_cutPictures.size()); ++picture)
    for (int other = 0; other < planes; ++other)
      if (other != picture)
        m_cutPictures[static_cast<std::size_t>(picture)]->GetMapper()->AddClippingPlane(m_cuts->GetItem(other));
}

void VolumeOverlays::setCropPictures(const Pictures& pictures) {
  replace(m_cropPictures, pictures);
  cutCropPictures();
}

void VolumeOverlays::cutCropPictures() {
  for (const auto& actor : m_cropPictures) {
    actor->GetMapper()->RemoveAllClippingPlanes();
    for (int plane = 0; plane < m_freePlanes; ++plane)
      actor->GetMapper()->AddClippingPlane(m_cuts->GetItem(plane));
  }
}

void VolumeOverlays::setSurfaces(std::shared_ptr<const LabelSurfaces> surfaces) {
  for (const auto& actor : m_surfaceActors)
    m_renderer->RemoveActor(actor);
  m_surfaceActors.clear();
  m_surfaces = std::move(surfaces);
  if (!m_surfaces)
    return;
  for (const auto& surface : m_surfaces->surfaces) {
    vtkNew<vtkPolyDataMapper> mapper;
    mapper->SetInputData(surface.mesh);
    mapper->ScalarVisibilityOff();
    mapper->SetClippingPlanes(m_cuts);
    vtkNew<vtkActor> actor;
    actor->SetMapper(mapper);
    actor->GetProperty()->SetSpecular(0.2);
    actor->GetProperty()->SetSpecularPower(25);
    actor->GetProperty()->SetAmbient(0.15);
    m_renderer->AddActor(actor);
    m_surfaceActors.emplace_back(actor);
  }
}

std::optional<VolumeOverlays::SurfaceHit> VolumeOverlays::surfaceAt(double column, double row) const {
  vtkNew<vtkCellPicker> picker;
  picker->SetTolerance(0);
  picker->PickFromListOn();
  for (const auto& actor : m_surfaceActors)
    if (actor->GetVisibility())
      picker->AddPickList(actor);
  if (!m_renderer || picker->Pick(column, row, 0, m_renderer) == 0)
    return std::nullopt;
  const auto seen = std::find(m_surfaceActors.begin(), m_surfaceActors.end(), picker->GetActor());
  if (seen == m_surfaceActors.end())
    return std::nullopt;
  const double* at = picker->GetPickPosition();
  return SurfaceHit{m_surfaces->surfaces[static_cast<std::size_t>(seen - m_surfaceActors.begin())].value, {at[0], at[1], at[2]}};
}

void VolumeOverlays::styleSurfaces(const LabelTable& table, double opacity) {
  for (std::size_t i = 0; i < m_surfaceActors.size(); ++i) {
    const Label* label = table.find(m_surfaces->surfaces[i].value);
    m_surfaceActors[i]->SetVisibility(label && label->visible);
    if (!label)
      continue;
    m_surfaceActors[i]->GetProperty()->SetColor(label->colour[0] / 255.0, label->colour[1] / 255.0, label->colour[2] / 255.0);
    m_surfaceActors[i]->GetProperty()->SetOpacity(opacity);
  }
}

} // namespace voxlab
