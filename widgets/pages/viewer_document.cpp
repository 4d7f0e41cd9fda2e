// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_document.h"
#include "core/base/text.h"
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {

bool isSameGrid(const Grid& a, const Grid& b) {
  if (a.size != b.size)
    return false;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c)
      if (std::abs(a.affine[r][c] - b.affine[r][c]) > 1e-3)
        return false;
  return true;
}

// "run of 14:08:46", as the folder of a run that drew a sample names its beginning, or that folder's name; empty for other files.
std::string runOf(const std::filesystem::path& sample) {
  std::filesystem::path run;
  for (const auto& part : sample) {
    if (part == "samples")
      break;
    run = part;
  }
  const std::string name = sample.empty() || run == sample.filename() ? std::string() : run.string();
  static const QRegularExpression began(QStringLiteral("^\\d{4}-\\d\\d-\\d\\d_(\\d\\d)(\\d\\d)(\\d\\d)_"));
  const auto time = began.match(QString::fromStdString(name));
  return time.hasMatch() ? ViewerDocument::tr("run of %1:%2:%3").arg(time.captured(1), time.captured(2), time.captured(3)).toStdString() : name;
}

Vec3d axisOf(const SliceFrame& frame, int component) { return component == 0 ? frame.right : component == 1 ? frame.anterior : frame.superior; }

// From 1 within the bounds; beyond them 0 or less, or more than there are.
ViewerDocument::SliceNumber numberIn(const SliceFrame& frame, const Bounds& bounds, Vec3d cursor, SliceAxis axis) {
  const int through = throughComponent(axis);
  ViewerDocument::SliceNumber result;
  const double position = frame.toFrame(cursor)[through];
  result.count = std::max(1, static_cast<int>(std::lround(bounds.extent()[through] / frame.step_mm[through])));
  constexpr double kRounding = 1e-6; // of a voxel: grids that touch
  result.number = static_cast<int>(std::floor((position - bounds.low[through]) / frame.step_mm[through] + kRounding)) + 1;
  constexpr double kStraight = 0.99996; // cosine of half a degree
  result.position_mm = cursor[through];
  result.isOblique = std::abs(axisOf(frame, through)[through]) < kStraight;
  return result;
}

} // namespace

ViewerDocument::ViewerDocument(QObject* parent) : QObject(parent) {}

SliceLayer ViewerDocument::makeLayer(const ViewerVolume& volume) const {
  SliceLayer layer{*SampledVolume::of(volume.volume, std::min(m_timePoint, volume.timePoints() - 1))};
  layer.kind = volume.kind;
  layer.title = volume.longTitle();
  layer.range = robustRange(volume.summary);
  layer.interpolation = m_interpolation;
  layer.labels = volume.labels;
  layer.opacity = volume.kind == LayerKind::Labels ? 0.5 : 1;
  return layer;
}

int ViewerDocument::layerOf(const std::shared_ptr<const Volume>& volume) const {
  for (int i = 0; i < layerCount(); ++i)
    if (volume && source(i).volume == volume)
      return i;
  return -1;
}

int ViewerDocument::layerWithId(std::uint64_t id) const {
  const auto found = std::find(m_ids.begin(), m_ids.end(), id);
  return found == m_ids.end() ? -1 : static_cast<int>(found - m_ids.begin());
}

bool ViewerDocument::showsDifference() const {
  const Comparison& pair = m_scene.comparison;
  return pair.mode == CompareMode::Difference && pair.first < m_scene.layers.size() && pair.second < m_scene.layers.size();
}

QString ViewerDocument::differenceText() const {
  if (!showsDifference())
    return {};
  const ViewerVolume &first = m_sources[m_scene.comparison.first], &second = m_sources[m_scene.comparison.second];
  const bool byOrigin = !first.origin.empty() && !second.origin.empty() && first.origin != second.origin;
  const std::string &subtracted = byOrigin ? first.origin : m_scene.layers[m_scene.comparison.first].title,
                    &from = byOrigin ? second.origin : m_scene.layers[m_scene.comparison.second].title;
  if (m_scene.comparison.members.size() > 2)
    return tr("each − %1").arg(QString::fromStdString(subtracted));
  return QStringLiteral("%1 − %2").arg(QString::fromStdString(from), QString::fromStdString(subtracted));
}

QString ViewerDocument::heading() const {
  if (isEmpty())
    return {};
  const std::vector<std::size_t>& compared = m_scene.comparison.members;
  if (compared.size() > 2 && compared.front() < m_scene.layers.size()) {
    const QString reference = QString::fromStdString(m_scene.layers[compared.front()].title);
    const int others = static_cast<int>(compared.size()) - 1;
    return showsDifference() ? tr("Differences of %n volume(s) from %1", nullptr, others).arg(reference) : tr("%1 and %n more, compared", nullptr, others).arg(reference);
  }
  if (showsDifference()) {
    const QString name = QString::fromStdString(m_sources[m_scene.comparison.second].title), words = differenceText();
    return words.contains(name) ? words : name + QStringLiteral(" · ") + words;
  }
  const QString lowest = QString::fromStdString(layer(0).title);
  if (layerCount() == 1)
    return lowest;
  return layerCount() == 2 ? tr("%1 with %2").arg(lowest, QString::fromStdString(layer(1).title)) : tr("%1 with %n more", nullptr, layerCount() - 1).arg(lowest);
}

void ViewerDocument::replaceAll(const ViewerVolume& volume) {
  const bool sameGrid = !isEmpty() && isSameGrid(source(0).volume->grid(), volume.volume->grid());
  const std::optional<SliceLayer> before = isEmpty() ? std::nullopt : std::optional(layer(0));
  m_timePoint = sameGrid ? std::min(m_timePoint, volume.timePoints() - 1) : 0;
  endComparison();
  m_sources = {volume};
  m_ids = {++m_lastId};
  m_scene.layers = {makeLayer(volume)};
  if (volume.kind == LayerKind::Labels)
    m_scene.layers[0].opacity = 1;
  if (before && m_rangeLocked && before->kind == volume.kind) {
    m_scene.layers[0].range = before->range;
    m_scene.layers[0].colourMap = before->colourMap;
  }
  m_active = 0;
  if (!sameGrid)
    resetReference();
  emit layersChanged();
  emit activeLayerChanged();
  emit cursorChanged();
  emit cameraChanged();
}

void ViewerDocument::addOnTop(const ViewerVolume& volume) {
  if (isEmpty())
    return replaceAll(volume);
  const auto isImage = [](const SliceLayer& layer) { return layer.kind == LayerKind::Image; };
  const auto lastImage = std::find_if(m_scene.layers.rbegin(), m_scene.layers.rend(), isImage);
  const std::ptrdiff_t at = volume.kind == LayerKind::Labels || lastImage == m_scene.layers.rend() ? layerCount() : m_scene.layers.rend() - lastImage;
  m_sources.insert(m_sources.begin() + at, volume);
  m_scene.layers.insert(m_scene.layers.begin() + at, makeLayer(volume));
  m_ids.insert(m_ids.begin() + at, ++m_lastId);
  tellRunsApart();
  m_active = static_cast<int>(at);
  emit layersChanged();
  emit activeLayerChanged();
}

void ViewerDocument::removeLayer(int index) {
  if (index < 0 || index >= layerCount())
    return;
  m_scene.layers.erase(m_scene.layers.begin() + index);
  m_sources.erase(m_sources.begin() + index);
  m_ids.erase(m_ids.begin() + index);
  endComparison();
  m_active = std::min(m_active, layerCount() - 1);
  if (index == 0 && !isEmpty())
    resetReference();
  emit layersChanged();
  emit activeLayerChanged();
}

void ViewerDocument::moveLayer(int from, int to) {
  if (from < 0 || to < 0 || from >= layerCount() || to >= layerCount() || from == to)
    return;
  const auto shift = [from, to](auto& list) {
    auto item = std::move(list[static_cast<std::size_t>(from)]);
    list.erase(list.begin() + from);
    list.insert(list.begin() + to, std::move(item));
  };
  shift(m_scene.layers);
  shift(m_sources);
  shift(m_ids);
  m_active = to;
  emit layersChanged();
  emit activeLayerChanged();
}

void ViewerDocument::clear() {
  m_scene.layers.clear();
  m_sources.clear();
  m_ids.clear();
  m_active = -1;
  emit layersChanged();
  emit activeLayerChanged();
}

void ViewerDocument::editLayer(int index, const std::function<void(SliceLayer&)>& edit) {
  if (index < 0 || index >= layerCount())
    return;
  edit(m_scene.layers[static_cast<std::size_t>(index)]);
  emit appearanceChanged();
}

void ViewerDocument::tellRunsApart() {
  std::vector<bool> isAmbiguous(m_sources.size());
  for (std::size_t i = 0; i < m_sources.size(); ++i)
    for (std::size_t j = 0; j < m_sources.size(); ++j)
      if (i != j && m_sources[i].longTitle() == m_sources[j].longTitle() && runOf(m_sources[i].path) != runOf(m_sources[j].path))
        isAmbiguous[i] = true;
  for (std::size_t i = 0; i < m_sources.size(); ++i)
    if (const std::string run = isAmbiguous[i] ? runOf(m_sources[i].path) : std::string(); !run.empty()) {
      m_sources[i].origin += (m_sources[i].origin.empty() ? "" : ", ") + run;
      m_scene.layers[i].title = m_sources[i].longTitle();
    }
}

void ViewerDocument::chooseRange(int index, DisplayRange range) {
  if (index < 0 || index >= layerCount())
    return;
  m_sources[static_cast<std::size_t>(index)].chosenRange = range;
  editLayer(index, [range](SliceLayer& layer) { layer.range = range; });
}

void ViewerDocument::setLayerVolume(int index, const ViewerVolume& volume) {
  if (index < 0 || index >= layerCount())
    return;
  SliceLayer& old = m_scene.layers[static_cast<std::size_t>(index)];
  SliceLayer fresh = makeLayer(volume);
  if (fresh.kind == old.kind) {
    fresh.opacity = old.opacity;
    fresh.style = old.style;
    fresh.colourMap = old.colourMap;
    fresh.visibility = old.visibility;
    if (fresh.kind == LayerKind::Image)
      fresh.range = old.range;
    for (auto& label : fresh.labels.labels)
      if (const Label* known = old.labels.find(label.value))
        label = *known;
  }
  old = std::move(fresh);
  const bool isMoved = !(volume.volume->grid() == this->source(index).volume->grid());
  ViewerVolume& source = m_sources[static_cast<std::size_t>(index)];
  const std::optional<DisplayRange> chosen = source.chosenRange;
  source = volume;
  source.chosenRange = chosen;
  tellRunsApart();
  if (index == 0 && isMoved)
    resetReference();
  emit layersChanged();
  emit activeLayerChanged();
  if (index == 0 && isMoved)
    emit cameraChanged();
}

void ViewerDocument::setActiveLayer(int index) {
  if (index == m_active || index < 0 || index >= layerCount())
    return;
  m_active = index;
  emit activeLayerChanged();
}

int ViewerDocument::imageLayer() const {
  if (m_active >= 0 && layer(m_active).kind == LayerKind::Image)
    return m_active;
  for (int i = 0; i < layerCount(); ++i)
    if (layer(i).kind == LayerKind::Image)
      return i;
  return -1;
}

int ViewerDocument::imageCount() const {
  return static_cast<int>(std::count_if(m_scene.layers.begin(), m_scene.layers.end(), [](const SliceLayer& each) { return each.kind == LayerKind::Image; }));
}

int ViewerDocument::labelLayer() const {
  if (m_active >= 0 && layer(m_active).kind == LayerKind::Labels)
    return m_active;
  for (int i = layerCount() - 1; i >= 0; --i)
    if (layer(i).kind == LayerKind::Labels)
      return i;
  return -1;
}

std::int64_t ViewerDocument::timePoints() const {
  std::int64_t most = 1;
  for (const auto& volume : m_sources)
    most = std::max(most, volume.timePoints());
  return most;
}

void ViewerDocument::setTimePoint(std::int64_t timePoint) {
  timePoint = std::clamp<std::int64_t>(timePoint, 0, timePoints() - 1);
  if (timePoint == m_timePoint)
    return;
  m_timePoint = timePoint;
  for (std::size_t i = 0; i < m_sources.size(); ++i)
    m_scene.layers[i].source = *SampledVolume::of(m_sources[i].volume, std::min(timePoint, m_sources[i].timePoints() - 1));
  emit appearanceChanged();
}

void ViewerDocument::endComparison() {
  m_scene.comparison.mode = CompareMode::None;
  m_scene.comparison.members.clear(); // which were indices
}

SliceFrame ViewerDocument::frameOf(const Grid& grid) const { return m_frameChoice == FrameChoice::Volume ? alignedFrame(grid) : worldFrame(grid); }

// Slices follow the lowest layer; the cross-hair starts in its middle.
void ViewerDocument::resetReference() {
  const Grid& grid = source(0).volume->grid();
  m_frame = frameOf(grid);
  m_bounds = boundsIn(m_frame, grid);
  m_zoom = 1;
  m_pan = {};
  setCursor(m_frame.toWorld(m_bounds.centre()));
}

Vec3d ViewerDocument::allowed(Vec3d world, Snap snap) const {
  if (snap == Snap::ToVoxel && m_frameChoice == FrameChoice::Volume) {
    const SampledVolume& reference = layer(0).source;
    Vec3d voxel = reference.toVoxel(world);
    for (int axis = 0; axis < 3; ++axis)
      voxel[axis] = std::clamp(std::round(voxel[axis]), 0.0, static_cast<double>(reference.grid().size[axis] - 1));
    return reference.toWorld(voxel);
  }
  Vec3d inFrame = m_frame.toFrame(world);
  for (int axis = 0; axis < 3; ++axis)
    inFrame[axis] = std::clamp(inFrame[axis], m_bounds.low[axis], m_bounds.high[axis]);
  return m_frame.toWorld(inFrame);
}

void ViewerDocument::setCursor(Vec3d world, Snap snap) {
  if (isEmpty())
    return;
  world = allowed(world, snap);
  if (world == m_cursor)
    return;
  m_cursor = world;
  emit cursorChanged();
}

void ViewerDocument::step(SliceAxis axis, int slices) {
  Vec3d inFrame = m_frame.toFrame(m_cursor);
  const int through = throughComponent(axis);
  inFrame[through] += m_frame.step_mm[through] * slices;
  setCursor(m_frame.toWorld(inFrame));
}

ViewerDocument::SliceNumber ViewerDocument::sliceNumberAt(Vec3d cursor, SliceAxis axis) const {
  SliceNumber result = numberIn(m_frame, m_bounds, cursor, axis);
  result.number = std::clamp(result.number, 1, result.count);
  return result;
}

ViewerDocument::SliceNumber ViewerDocument::sliceNumberOf(int layer, Vec3d cursor, SliceAxis axis) const {
  const Grid& grid = source(layer).volume->grid();
  const SliceFrame frame = frameOf(grid);
  SliceNumber result = numberIn(frame, boundsIn(frame, grid), cursor, axis);
  if (result.number < 1 || result.number > result.count)
    result.number = 0;
  return result;
}

Vec3d ViewerDocument::cursorInSlice(SliceAxis axis, int number) const {
  const int through = throughComponent(axis);
  Vec3d inFrame = m_frame.toFrame(m_cursor);
  inFrame[through] = m_bounds.low[through] + (number - 0.5) * m_frame.step_mm[through];
  return isEmpty() ? m_cursor : allowed(m_frame.toWorld(inFrame), Snap::ToVoxel);
}

void ViewerDocument::setSliceNumber(SliceAxis axis, int number) { setCursor(cursorInSlice(axis, number)); }

SliceCamera ViewerDocument::camera(SliceAxis axis) const { return {axis, m_convention, FitScale::Common, m_zoom, m_pan}; }

SliceGeometry ViewerDocument::planeThrough(Vec3d cursor, SliceAxis axis, int width, int height) const {
  return sliceGeometry(camera(axis), m_frame, m_bounds, cursor, width, height);
}

void ViewerDocument::setZoom(double zoom) {
  zoom = std::clamp(zoom, 0.2, 60.0);
  if (zoom == m_zoom)
    return;
  m_zoom = zoom;
  emit cameraChanged();
}

void ViewerDocument::panBy(Vec3d world_mm) {
  m_pan = m_pan + m_frame.toFrame(world_mm);
  emit cameraChanged();
}

void ViewerDocument::resetCamera() {
  m_zoom = 1;
  m_pan = {};
  emit cameraChanged();
}

void ViewerDocument::setConvention(SideConvention convention) {
  if (convention == m_convention)
    return;
  m_convention = convention;
  emit cameraChanged();
}

void ViewerDocument::setFrameChoice(FrameChoice choice) {
  if (choice == m_frameChoice)
    return;
  m_frameChoice = choice;
  if (!isEmpty())
    resetReference();
  emit cameraChanged();
}

void ViewerDocument::setCrosshair(Visibility visibility) {
  m_crosshair = visibility;
  emit decorationsChanged();
}

void ViewerDocument::setAnnotations(Visibility visibility) {
  m_annotations = visibility;
  emit decorationsChanged();
}

void ViewerDocument::setInterpolation(Interpolation interpolation) {
  m_interpolation = interpolation;
  for (auto& each : m_scene.layers)
    each.interpolation = interpolation;
  emit appearanceChanged();
}

void ViewerDocument::setComparison(const Comparison& comparison) {
  m_scene.comparison = comparison;
  emit appearanceChanged();
}

} // namespace voxlab
