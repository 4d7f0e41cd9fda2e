// SPDX-License-Identifier: GPL-3.0-or-later
// The values under the cross-hair over the time points of the image that the page speaks of, and which one is shown.
#pragma once
#include "core/analysis/series.h"
#include <QWidget>

namespace voxlab {

class SeriesPlot;
class ViewerDocument;

class ViewerTimeCurve : public QWidget {
  Q_OBJECT
public:
  explicit ViewerTimeCurve(ViewerDocument& document, QWidget* parent = nullptr);
  // Over time points from 1, or over seconds from 0 where the file says how far they are apart. Gaps where a voxel is no number; empty
  // outside of the volume.
  Series values() const;

protected:
  void showEvent(QShowEvent* event) override;

private:
  void take();
  double positionOf(std::int64_t timePoint) const;
  Series mark() const; // the time point that is shown

  ViewerDocument& m_document;
  SeriesPlot* m_plot;
};

} // namespace voxlab
