// SPDX-License-Identifier: GPL-3.0-or-later
// One slice view: draws its plane of the document and turns mouse and keys into changes of the document.
#pragma once
#include "widgets/pages/viewer_slice_still.h"
#include <QImage>
#include <QWidget>
#include <optional>
#include <vector>

namespace voxlab {

class ViewerDocument;

class ViewerSliceView : public QWidget {
  Q_OBJECT
public:
  ViewerSliceView(ViewerDocument& document, SliceAxis axis, QWidget* parent = nullptr);

  SliceAxis axis() const { return m_axis; }
  void setAxis(SliceAxis axis);
  // Shows that layer alone, with labels on top: for views side by side. nullopt: everything.
  void setOnlyLayer(std::optional<int> layer) { setShown({layer, {}, {}}); }
  std::optional<int> onlyLayer() const { return m_shown.layer; }
  struct Shown {
    std::optional<int> layer;
    std::optional<int> subtracted{}; // another, from it
    enum class ColourBar { Here, Elsewhere } colourBar = ColourBar::Here; // of a difference
    bool operator==(const Shown&) const = default;
  };
  void setShown(const Shown& shown);
  const Shown& shown() const { return m_shown; }
  // The view's picture at another size, for screenshots and films.
  enum class Decoration { None, Full };
  QImage capture(QSize pixels, double pixelRatio, Decoration decoration) const;
  SliceStill still(QSize pixels, double pixelRatio, Decoration decoration) const; // the same, to be painted on any thread
  // One for each slice along an axis, with the cross-hair in it: of the view's own, all its slices.
  std::vector<SliceStill> stillsOfAllSlices(SliceAxis along, QSize pixels, double pixelRatio, Decoration decoration) const;
  SliceGeometry plane() const; // of the widget, in device pixels
  Vec3d worldAt(QPointF position) const;
  std::optional<Vec3d> pointedAt() const; // what is under the pointer now; nullopt while that is elsewhere
  // The colour bar of a difference in a view of that size, in its pixels; empty where none is shown.
  QRectF colourBar(QSizeF size) const;

signals:
  void hovered(const voxlab::Vec3d& world); // pointer over the view
  void left();
  void enlargeRequested();
  void menuRequested(const QPoint& globalPosition);
  // While a tool (brush, eraser …) holds the view, presses and drags go to it instead.
  void toolStroke(const voxlab::Vec3d& world, voxlab::SliceAxis axis, int phase); // 0 press, 1 move, 2 release

public:
  void setTool(std::optional<double> radius_mm); // that reaches so far around the pointer; nullopt: none

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  enum class Drag { None, Pending, Range, Crosshair, Pan, Zoom, Region, Swipe, Tool };
  void beginDrag(QMouseEvent* event);
  void dragTo(QMouseEvent* event);
  void dragRange(QPointF delta);
  void applyRegion();
  void paintScene(QPainter& painter, const SliceGeometry& plane, double pixelRatio) const;
  SliceDecorations decorationsAt(Vec3d cursor) const;
  bool showsOneLayer() const;
  void placeAt(SliceDecorations& over, Vec3d cursor) const; // what changes from slice to slice
  void nameLayer(SliceDecorations& over) const;
  void nameCompared(SliceDecorations& over) const;
  QPointF crosshairPosition() const;
  bool isNearSwipe(QPointF position) const;
  void redraw();
  void describe();

  ViewerDocument& m_document;
  SliceAxis m_axis;
  Shown m_shown;
  mutable Picture m_picture; // of the last paint; the QImage that is drawn points into it
  bool m_stale = true;
  Drag m_drag = Drag::None;
  QPointF m_pressed, m_last;
  std::optional<QPointF> m_pointer; // while it is over the view
  int m_wheel = 0;
  std::optional<double> m_toolRadius_mm; // of the tool that holds the view
};

} // namespace voxlab
