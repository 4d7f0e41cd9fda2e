// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_mask_editor.h"
#include "widgets/pages/viewer_document.h"
#include <QUndoCommand>
#include <algorithm>

namespace voxlab {

// The stroke was painted already when the command is pushed: the first redo does nothing.
class MaskEditCommand : public QUndoCommand {
public:
  MaskEditCommand(ViewerMaskEditor& editor, const QString& what, MaskChange change)
      : QUndoCommand(what), m_editor(editor), m_mask(editor.m_mask), m_change(std::move(change)) {}
  void undo() override {
    voxlab::undo(*m_mask, m_change);
    for (auto& each : m_editor.m_copies)
      if (each.copy.mask() == m_mask)
        each.copy.wasUndone(m_change);
    m_editor.changed(m_mask, m_change, -1);
  }
  void redo() override {
    if (std::exchange(m_isPainted, true)) {
      voxlab::redo(*m_mask, m_change);
      m_editor.wasPainted(m_change);
    }
    m_editor.changed(m_mask, m_change, 1);
  }

private:
  ViewerMaskEditor& m_editor;
  std::shared_ptr<Volume> m_mask;
  MaskChange m_change;
  bool m_isPainted = false;
};

namespace {

constexpr std::int64_t kCopiedAtOnce_voxels = 1'000'000; // in one or two milliseconds

std::array<double, 3> plain(Vec3d v) { return {v.x, v.y, v.z}; }

} // namespace

ViewerMaskEditor::ViewerMaskEditor(ViewerDocument& document, QObject* parent) : QObject(parent), m_document(document) {
  connect(&m_spareTime, &QTimer::timeout, this, &ViewerMaskEditor::copyMore);
  connect(&document, &ViewerDocument::layersChanged, this, &ViewerMaskEditor::forgetWhatIsGone);
  connect(&document, &ViewerDocument::activeLayerChanged, this, &ViewerMaskEditor::followActiveLayer);
}

// The layer went: nothing to edit, nothing to take back.
void ViewerMaskEditor::forgetWhatIsGone() {
  if (std::erase_if(m_edited, [this](const Edited& each) { return m_document.layerOf(each.mask) < 0; }) == 0 || layer() >= 0)
    return;
  m_mask.reset();
  setTool(EditTool::None);
  emit historyChanged();
}

// Who chooses other labels paints on those.
void ViewerMaskEditor::followActiveLayer() {
  const int active = m_document.activeLayer();
  if (m_tool != EditTool::None && active >= 0 && active != layer() && m_document.layer(active).kind == LayerKind::Labels)
    setTool(m_tool);
}

int ViewerMaskEditor::layer() const { return m_document.layerOf(m_mask); }

// A history that ends says that it has changed, when the document is gone already.
ViewerMaskEditor::~ViewerMaskEditor() { blockSignals(true); }

QUndoStack* ViewerMaskEditor::historyOf(const std::shared_ptr<const Volume>& mask) const {
  const auto found = std::find_if(m_edited.begin(), m_edited.end(), [&](const Edited& each) { return each.mask == mask; });
  return found == m_edited.end() ? nullptr : found->history.get();
}

QUndoStack& ViewerMaskEditor::history() {
  QUndoStack* own = historyOf(m_mask);
  return own ? *own : m_nothing;
}

std::vector<std::shared_ptr<const Volume>> ViewerMaskEditor::unsaved() const {
  std::vector<std::shared_ptr<const Volume>> masks;
  for (const Edited& each : m_edited)
    if (!each.history->isClean())
      masks.push_back(each.mask);
  return masks;
}

void ViewerMaskEditor::setTool(EditTool tool) {
  if (tool == EditTool::None || m_document.isEmpty()) {
    m_copying.cancel();
    m_tool = EditTool::None;
    emit toolChanged();
    return;
  }
  whenReady([this, tool] {
    m_tool = tool;
    emit toolChanged();
  });
  if (isPreparing())
    emit toolChanged(); // the button that was pressed waits
}

namespace {
// The labels' voxels of the first time point, or nothing but background on an image's grid.
std::shared_ptr<Volume> editableCopy(const Volume& source, LayerKind kind) {
  auto copy = std::make_shared<Volume>();
  copy->header.grid = source.grid();
  const auto voxels = static_cast<std::size_t>(source.grid().voxelCount());
  if (kind == LayerKind::Labels) {
    copy->header = source.header;
    copy->header.timePoints = 1;
    copy->voxels.assign(source.voxels.begin(), source.voxels.begin() + static_cast<std::ptrdiff_t>(std::min(voxels, source.voxels.size())));
  } else
    copy->voxels.assign(voxels, 0);
  return copy;
}
} // namespace

bool ViewerMaskEditor::takeUp(const std::shared_ptr<const Volume>& mask) {
  const auto found = std::find_if(m_edited.begin(), m_edited.end(), [&](const Edited& each) { return each.mask == mask; });
  if (found == m_edited.end())
    return false;
  if (std::exchange(m_mask, found->mask) != found->mask)
    emit historyChanged();
  return true;
}

void ViewerMaskEditor::whenReady(const std::function<void()>& then) {
  if (m_document.isEmpty())
    return;
  const int labels = m_document.labelLayer();
  if (labels < 0)
    makeEditable(std::max(m_document.imageLayer(), 0), Origin::Nothing, then);
  else if (takeUp(m_document.source(labels).volume))
    then();
  else
    makeEditable(labels, Origin::Labels, then);
}

void ViewerMaskEditor::startNewMask() {
  if (m_document.isEmpty())
    return;
  m_value = 1;
  makeEditable(std::max(m_document.imageLayer(), 0), Origin::Nothing, [this] {
    m_tool = m_tool == EditTool::None ? EditTool::Brush : m_tool;
    emit toolChanged();
  });
}

std::string ViewerMaskEditor::newTitle(const std::string& over) const {
  const std::string plain = over + tr(" mask").toStdString();
  const auto isTaken = [this](const std::string& title) {
    for (int i = 0; i < m_document.layerCount(); ++i)
      if (m_document.source(i).title == title)
        return true;
    return false;
  };
  std::string title = plain;
  for (int number = 2; isTaken(title); ++number)
    title = plain + ' ' + std::to_string(number);
  return title;
}

void ViewerMaskEditor::makeEditable(int layer, Origin origin, const std::function<void()>& then) {
  const ViewerVolume& source = m_document.source(layer);
  ViewerVolume edited;
  if (origin == Origin::Labels)
    edited = source;
  else
    edited.title = newTitle(source.title);
  edited.kind = LayerKind::Labels;
  const auto make = [original = source.volume, origin] { return editableCopy(*original, origin == Origin::Labels ? LayerKind::Labels : LayerKind::Image); };
  if (source.volume->grid().voxelCount() <= kCopiedAtOnce_voxels) {
    adopt(edited, make(), source.volume, origin);
    return then();
  }
  m_copying.start([this, make, edited, over = source.volume, origin, then](std::stop_token, const auto&) -> NewestWork::Report {
    return [this, mask = make(), edited, over, origin, then] {
      adopt(edited, mask, over, origin);
      if (this->layer() >= 0)
        then();
    };
  });
}

// Not when what it was copied from is gone meanwhile.
void ViewerMaskEditor::adopt(ViewerVolume edited, std::shared_ptr<Volume> mask, const std::shared_ptr<const Volume>& over, Origin origin) {
  const int original = m_document.layerOf(over);
  if (original < 0)
    return;
  m_mask = std::move(mask);
  m_edited.push_back({m_mask, std::make_unique<QUndoStack>()});
  connect(m_edited.back().history.get(), &QUndoStack::indexChanged, this, &ViewerMaskEditor::historyChanged);
  edited.volume = m_mask;
  edited.condition = std::exchange(edited.path, {}); // a sample's mask stays known as that
  const QString title = QString::fromStdString(edited.title);
  if (origin == Origin::Labels)
    m_document.setLayerVolume(original, edited);
  else
    m_document.addOnTop(edited);
  emit historyChanged();
  emit started(origin == Origin::Labels ? tr("You paint on %1. Its file stays as it is until you save the labels (Ctrl+Shift+S).").arg(title)
                                        : tr("You paint on the new mask %1. Ctrl+Shift+S saves it.").arg(title));
}

Brush ViewerMaskEditor::brushAt(Vec3d world, SliceAxis axis) const {
  const SliceFrame& frame = m_document.frame();
  const int through = throughComponent(axis);
  const Vec3d normal = through == 0 ? frame.right : through == 1 ? frame.anterior : frame.superior;
  return {m_shape, plain(world), plain(normal), frame.step_mm[through], m_radius_mm, m_tool == EditTool::Eraser ? 0.0f : static_cast<float>(m_value)};
}

void ViewerMaskEditor::stroke(Vec3d world, SliceAxis axis, int phase) {
  if (m_tool == EditTool::None || !m_mask)
    return;
  const Brush brush = brushAt(m_last.value_or(world), axis);
  const MaskChange part = m_last ? paintLine(*m_mask, brush, plain(world)) : paint(*m_mask, brush);
  wasPainted(part);
  m_stroke.insert(m_stroke.end(), part.begin(), part.end());
  m_last = world;
  if (phase == 2) {
    m_last.reset();
    push(m_tool == EditTool::Eraser ? tr("Erase") : tr("Paint"), std::exchange(m_stroke, {}));
  } else if (!part.empty())
    emit m_document.appearanceChanged();
}

void ViewerMaskEditor::ballAtCrosshair() {
  whenReady([this, at = plain(m_document.cursor())] {
    MaskChange ball = paint(*m_mask, {BrushShape::Ball, at, {}, 1, m_radius_mm, static_cast<float>(m_value)});
    wasPainted(ball);
    push(tr("Ball"), std::move(ball));
  });
}

void ViewerMaskEditor::push(const QString& what, MaskChange change) {
  if (!change.empty())
    history().push(new MaskEditCommand(*this, what, std::move(change)));
}

void ViewerMaskEditor::wasPainted(const MaskChange& change) {
  for (auto& each : m_copies)
    if (each.copy.mask() == m_mask)
      each.copy.wasMade(change);
}

void ViewerMaskEditor::whenSteady(std::function<void(const SteadyMask&)> then) {
  if (layer() < 0)
    return then({});
  m_copies.push_back({MaskCopy(m_mask), std::move(then)});
  m_spareTime.start(0); // after what the user does
}

void ViewerMaskEditor::copyMore() {
  Copy& first = m_copies.front();
  auto copy = first.copy.advance(kCopiedAtOnce_voxels);
  if (!copy)
    return;
  const SteadyMask steady{first.copy.mask(), std::move(copy)};
  const auto then = std::move(first.then);
  m_copies.erase(m_copies.begin());
  if (m_copies.empty())
    m_spareTime.stop();
  then(steady);
}

// Keeps the counts, and so the millilitres, in step; sign −1 takes the change back.
void ViewerMaskEditor::changed(const std::shared_ptr<const Volume>& mask, const MaskChange& change, int sign) {
  const int target = m_document.layerOf(mask);
  if (target < 0)
    return;
  ViewerVolume volume = m_document.source(target);
  for (const auto& voxel : change) {
    volume.counts[static_cast<std::int64_t>(voxel.before)] -= sign;
    volume.counts[static_cast<std::int64_t>(voxel.after)] += sign;
  }
  std::vector<std::int64_t> values;
  for (const auto& [value, count] : volume.counts)
    if (count > 0)
      values.push_back(value);
  volume.labels = tableFor(values, m_document.layer(target).labels);
  m_document.setLayerVolume(target, volume);
}

} // namespace voxlab
