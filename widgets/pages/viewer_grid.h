// SPDX-License-Identifier: GPL-3.0-or-later
// Arranges the three slice views and the 3D view; one of them can fill the page. Or volumes side by side, in as many views as they need.
#pragma once
#include "widgets/pages/viewer_compare_arrangement.h"
#include "widgets/pages/viewer_slice_view.h"
#include <QWidget>
#include <array>
#include <utility>
#include <vector>

class QGridLayout;

namespace voxlab {

class ViewerDocument;
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
  // SideBySide: what each volume's views show, at most kMostCompared.
  using Shown = ViewerSliceView::Shown;
  void setCompared(const std::vector<Shown>& volumes);
  void setComparePlanes(ComparePlanes planes);
  ComparePlanes comparePlanes() const; // as they are seen: never Automatic
  void toggleComparedPlane(SliceAxis axis); // alone, or back to three
  const CompareArrangement& arrangement() const { return m_arrangement; }
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
  // For each slice along an axis its view; side by side those of all volumes.
  std::vector<GridStill> stillsOfAllSlices(SliceAxis along, QSize pixels) const;

signals:
  void layoutChanged();
  void viewAdded(voxlab::ViewerSliceView* view); // comparison views, for whoever watches the pointer

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  QWidget* viewAt(int index) const;
  void arrange();
  void arrangeCompared(std::vector<QWidget*>& shown);
  ViewerSliceView* comparedView(std::size_t index);
  Shown shownIn(std::size_t volume, std::size_t plane) const;
  bool showsCompared() const { return m_layout == ViewLayout::SideBySide && !m_volumes.empty(); }

  ViewerDocument& m_document;
  QGridLayout* m_gridLayout;
  std::array<ViewerSliceView*, 3> m_slices{}; // axial, coronal, sagittal
  ViewerVolumeView* m_volume = nullptr;
  std::vector<ViewerSliceView*> m_compared; // as many as were needed so far: the first volume's planes, the second's, …
  std::vector<Shown> m_volumes;
  ComparePlanes m_planes = ComparePlanes::Automatic, m_planesBefore = ComparePlanes::Automatic;
  CompareArrangement m_arrangement;
  ViewLayout m_layout = ViewLayout::Four, m_before = ViewLayout::Four;
  int m_main = 3, m_mainBefore = 3;
};

} // namespace voxlab
