// SPDX-License-Identifier: GPL-3.0-or-later
// Arranges the three slice views and the 3D view; one of them can fill the page.
#pragma once
#include "widgets/pages/viewer_slice_still.h"
#include <QWidget>
#include <array>
#include <utility>
#include <vector>

class QGridLayout;

namespace voxlab {

class ViewerDocument;
class ViewerSliceView;
class ViewerVolumeView;

enum class ViewLayout { Four, OneAndThree, Single, SideBySide };

// The views at one moment; can be painted on any thread.
struct GridStill {
  QSize pixels;
  std::vector<std::pair<QPoint, SliceStill>> slices; // with their upper left corners
  QImage volume;                                     // the 3D view, drawn already; null where it is not shown
  QRect volumePlace;

  void hold(const SteadyMask& mask);
  QImage paint() const;
};

class ViewerGrid : public QWidget {
  Q_OBJECT
public:
  explicit ViewerGrid(ViewerDocument& document, QWidget* parent = nullptr);

  ViewLayout viewLayout() const { return m_layout; }
  void setViewLayout(ViewLayout layout);
  // SideBySide: which layers, one row each.
  void setCompared(int first, int second);
  // The large view of OneAndThree and Single: 0 axial, 1 coronal, 2 sagittal, 3 3D.
  int mainView() const { return m_main; }
  void setMainView(int view);
  // The view alone, or back to the layout before.
  void toggleEnlarged(int view);

  ViewerSliceView& sliceView(SliceAxis axis) const;
  ViewerVolumeView& volumeView() const { return *m_volume; }
  std::vector<ViewerSliceView*> shownSliceViews() const;
  // What is on the screen, scale times as large. The 3D view is drawn at once, the slices when the still is painted.
  GridStill still(double scale, bool decorated) const;

signals:
  void layoutChanged();
  void viewAdded(voxlab::ViewerSliceView* view); // comparison views, for whoever watches the pointer

private:
  QWidget* viewAt(int index) const;
  void arrange();

  ViewerDocument& m_document;
  QGridLayout* m_gridLayout;
  std::array<ViewerSliceView*, 3> m_slices{}; // axial, coronal, sagittal
  ViewerVolumeView* m_volume = nullptr;
  std::array<ViewerSliceView*, 6> m_compared{}; // first row, second row
  ViewLayout m_layout = ViewLayout::Four, m_before = ViewLayout::Four;
  int m_main = 3, m_mainBefore = 3;
};

} // namespace voxlab
