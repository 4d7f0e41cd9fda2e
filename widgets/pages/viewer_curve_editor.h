// SPDX-License-Identifier: GPL-3.0-or-later
// The opacity curve and the colours of the volume rendering over the histogram. Drag points; double click adds one, the
// right button removes it; the dots in the ramp below carry colours.
#pragma once
#include "core/imaging/display_range.h"
#include "rendering/transfer_presets.h"
#include <QWidget>

namespace voxlab {

class ViewerCurveEditor : public QWidget {
  Q_OBJECT
public:
  explicit ViewerCurveEditor(QWidget* parent = nullptr);
  void setTransfer(const Transfer& transfer);
  const Transfer& transfer() const { return m_transfer; }
  void setHistogram(const Histogram& histogram, DisplayRange range); // the part inside the range is shown; of a maximum projection by its greys
  QSize sizeHint() const override { return {240, 120}; }
  QPointF pointPosition(int index) const; // of an opacity point

signals:
  void edited(const voxlab::Transfer& transfer);

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
  QRectF curveArea() const;
  QRectF rampArea() const;
  int opacityPointAt(QPointF position) const;
  int colourPointAt(QPointF position) const;
  void removePointAt(QPointF position);
  void dragOpacity(QPointF position);
  void dragColour(QPointF position);
  void chooseColour(int index);
  void paintHistogram(QPainter& painter) const;
  void changed();

  Transfer m_transfer;
  Histogram m_histogram;
  DisplayRange m_range;
  int m_point = -1, m_colour = -1;
};

} // namespace voxlab
