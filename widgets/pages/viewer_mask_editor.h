// SPDX-License-Identifier: GPL-3.0-or-later
// Edits the label layer that is active: brush, eraser, a ball at the cross-hair; undo and redo, for each mask its own. Works on a
// copy, so that the file's own voxels stay as they are; a large one is copied beside the window, and the tool comes when that is
// done.
#pragma once
#include "core/imaging/mask_copy.h"
#include "rendering/slice_geometry.h"
#include "widgets/pages/newest_work.h"
#include "widgets/pages/viewer_slice_still.h"
#include "widgets/pages/viewer_volume.h"
#include <QObject>
#include <QTimer>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace voxlab {

class ViewerDocument;

enum class EditTool { None, Brush, Eraser };

class ViewerMaskEditor : public QObject {
  Q_OBJECT
public:
  explicit ViewerMaskEditor(ViewerDocument& document, QObject* parent = nullptr);
  ~ViewerMaskEditor() override;

  EditTool tool() const { return m_tool; }
  void setTool(EditTool tool); // starts editing the label layer; makes an empty one over the image where there is none
  void startNewMask();         // an empty one over the image, beside the labels that are there
  bool isPreparing() const { return m_copying.isBusy(); }
  void setRadius(double radius_mm) {
    m_radius_mm = radius_mm;
    emit toolChanged();
  }
  double radius_mm() const { return m_radius_mm; }
  void setValue(std::int64_t value) { m_value = value; }
  std::int64_t value() const { return m_value; }
  void setShape(BrushShape shape) { m_shape = shape; }
  void stroke(Vec3d world, SliceAxis axis, int phase); // 0 press, 1 move, 2 release
  void ballAtCrosshair();
  // Of the mask that is edited now; and of any that was, null for others.
  QUndoStack& history();
  QUndoStack* historyOf(const std::shared_ptr<const Volume>& mask) const;
  std::vector<std::shared_ptr<const Volume>> unsaved() const; // masks that were painted on since they were saved
  // The layer that is edited; −1 if there is none (any more).
  int layer() const;
  // Calls `then` with the mask as it is now, whatever is painted meanwhile: at once where none is edited, else when it is copied,
  // which is done between the window's other work.
  void whenSteady(std::function<void(const SteadyMask&)> then);

signals:
  void toolChanged();
  void historyChanged();
  void started(const QString& sentence); // what is painted on from now on

private:
  friend class MaskEditCommand;
  // Calls `then` when there is a layer to edit: now, or after its copy is made. Nothing without a volume.
  void whenReady(const std::function<void()>& then);
  enum class Origin { Labels, Nothing }; // what an edited mask begins as
  void makeEditable(int layer, Origin origin, const std::function<void()>& then);
  void adopt(ViewerVolume edited, std::shared_ptr<Volume> mask, const std::shared_ptr<const Volume>& over, Origin origin);
  bool takeUp(const std::shared_ptr<const Volume>& mask); // again; false: it was not edited yet
  void forgetWhatIsGone();
  void followActiveLayer();
  std::string newTitle(const std::string& over) const;
  Brush brushAt(Vec3d world, SliceAxis axis) const;
  void push(const QString& what, MaskChange change);
  void changed(const std::shared_ptr<const Volume>& mask, const MaskChange& change, int sign);
  void wasPainted(const MaskChange& change);
  void copyMore();

  ViewerDocument& m_document;
  struct Edited {
    std::shared_ptr<Volume> mask; // also the layer's volume
    std::unique_ptr<QUndoStack> history;
  };
  std::vector<Edited> m_edited;
  QUndoStack m_nothing;
  std::shared_ptr<Volume> m_mask; // that is edited now
  EditTool m_tool = EditTool::None;
  BrushShape m_shape = BrushShape::Disc;
  double m_radius_mm = 5;
  std::int64_t m_value = 1;
  MaskChange m_stroke;
  std::optional<Vec3d> m_last;
  NewestWork m_copying;
  struct Copy {
    MaskCopy copy;
    std::function<void(const SteadyMask&)> then;
  };
  std::vector<Copy> m_copies; // that are being made; the first is next
  QTimer m_spareTime;
};

} // namespace voxlab
