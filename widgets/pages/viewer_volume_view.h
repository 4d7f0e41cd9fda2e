// SPDX-License-Identifier: GPL-3.0-or-later
// The 3D view. Where the platform has no OpenGL it says so in a sentence, and everything else works.
#pragma once
#include "widgets/pages/newest_work.h"
#include "widgets/pages/viewer_cut_tool.h"
#include <QImage>
#include <QTimer>
#include <QWidget>

class QLabel;

namespace voxlab {

class ViewerDocument;
struct ViewerVolume;
class VtkView;

class ViewerVolumeView : public QWidget {
  Q_OBJECT
public:
  explicit ViewerVolumeView(ViewerDocument& document, QWidget* parent = nullptr);
  ~ViewerVolumeView() override;

  bool isAvailable() const { return m_view != nullptr; }
  // The direction of a volume that is one slice thick. Rays find nothing in it: it is drawn as a picture where it lies.
  static std::optional<SliceAxis> flatAxis(const Grid& grid);
  QString rendererText() const; // what draws, in words; empty before the first show
  VolumeScene& scene() { return m_scene; }
  VtkView* vtkView() const { return m_view; }

  const Transfer& transfer() const { return m_transfer; }
  void setTransfer(const Transfer& transfer);
  void setPlanes(Visibility visibility);
  Visibility planes() const { return m_planes; }
  void setVolumeVisibility(Visibility visibility);
  void setCropping(Visibility handles); // the box and its handles
  Visibility cropping() const { return m_cropping; }
  // Planes at any angle, dragged by their handles. What changes one by a button: cutPlanes() and then takeCuts().
  void setCutting(Visibility planes);
  ViewerCutTool& cutPlanes() { return m_cuts; }
  void takeCuts();
  void setCutSlices(Visibility slices); // the volume's slice on each plane
  // Surfaces of a label layer, known by its id: they wear its colours, hide with it and go with it.
  void setSurfaces(std::shared_ptr<const LabelSurfaces> surfaces, std::uint64_t ofLayer);
  void setTurntable(Visibility turning);
  void setNote(const QString& note); // in a corner, such as what is being made; empty hides it
  void lookFrom(LookFrom side);
  void resetView(); // camera, cropping, cutting planes
  QImage capture(QSize pixels); // drawn anew at that size, without frames and handles; null where there is no 3D
  // Draws coarser now, and the full picture after 300 ms of rest.
  void redrawMoving();
  void redrawStill();

signals:
  void enlargeRequested();
  void rayCasterChosen(voxlab::RayCaster rayCaster);
  void cropBoxChanged();
  void cutPlanesChanged();
  void stillDrawn();
  void menuRequested(const QPoint& globalPosition);
  void labelClicked(qint64 value, const voxlab::Vec3d& world); // on its surface

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

private:
  void takeVolume();
  // Of the document's time point; what was there before while that of another one is made.
  std::shared_ptr<const RenderVolume> atTimePoint(const ViewerVolume& source);
  void fit(LookFrom side);
  LookFrom home() const; // from where a volume is seen at first
  void takeAppearance();
  void styleSurfaces();
  void takeCursor();
  void drawCutSlices();
  void onInitialised();
  void press(QMouseEvent* event);
  void release(QMouseEvent* event);
  void move(QMouseEvent* event);
  int handleAt(QPointF position) const; // −1: none
  void dragHandle(QPointF delta);
  void placeHandles();
  void showUnderPointer(QPointF position);
  QPointF positionOf(Vec3d world) const;

  ViewerDocument& m_document;
  VolumeScene m_scene;
  ViewerCutTool m_cuts;
  VtkView* m_view = nullptr;
  QLabel* m_sentence = nullptr;
  LookFrom m_side = LookFrom::Corner; // that the camera was fitted from
  VolumeScene::Camera m_fitted;       // as it was then
  class HandleOverlay* m_handles = nullptr;
  Transfer m_transfer = transferPresets().front();
  Visibility m_planes = Visibility::Hidden, m_cropping = Visibility::Hidden, m_volume = Visibility::Shown, m_cutSlices = Visibility::Shown;
  std::shared_ptr<const RenderVolume> m_shown;
  std::uint64_t m_surfacesOf = 0; // no layer's id without surfaces
  std::string m_shownTitle; // time points and steps of a sample's denoising keep it
  struct Made {
    std::shared_ptr<const Volume> of;
    std::int64_t timePoint = 0;
    std::shared_ptr<const RenderVolume> volume;
  };
  Made m_made, m_making; // of the time points after the first
  NewestWork m_maker;
  QTimer m_rest, m_turn;
  QPointF m_last, m_pressed;
  Qt::MouseButton m_button = Qt::NoButton;
  bool m_moved = false, m_hasPlanes = false;
  int m_handle = -1;
  ViewerCutTool::Handle m_cutHandle;
};

} // namespace voxlab
