// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_volume_view.h"
#include <QApplication>
#include <QGridLayout>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr std::array kAxes{SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal};
constexpr int kVolumeView = 3, kGap_px = 2, kLeastCompared_px = 24;

ComparePlanes planeOf(SliceAxis axis) {
  return axis == SliceAxis::Axial ? ComparePlanes::Axial : axis == SliceAxis::Coronal ? ComparePlanes::Coronal : ComparePlanes::Sagittal;
}
} // namespace

ViewerGrid::ViewerGrid(ViewerDocument& document, QWidget* parent) : QWidget(parent), m_document(document) {
  QPalette dark = palette(); // the gaps between black views
  dark.setColor(QPalette::Window, QColor(0x2b, 0x2e, 0x31));
  setPalette(dark);
  setAutoFillBackground(true);
  m_gridLayout = new QGridLayout(this);
  m_gridLayout->setContentsMargins(0, 0, 0, 0);
  m_gridLayout->setSpacing(kGap_px);
  for (std::size_t i = 0; i < kAxes.size(); ++i) {
    m_slices[i] = new ViewerSliceView(document, kAxes[i], this);
    connect(m_slices[i], &ViewerSliceView::enlargeRequested, this, [this, i] { toggleEnlarged(static_cast<int>(i)); });
  }
  m_volume = new ViewerVolumeView(document, this);
  connect(m_volume, &ViewerVolumeView::enlargeRequested, this, [this] { toggleEnlarged(kVolumeView); });
  arrange();
}

ViewerSliceView& ViewerGrid::sliceView(SliceAxis axis) const {
  return *m_slices[axis == SliceAxis::Sagittal ? 2 : axis == SliceAxis::Coronal ? 1 : 0];
}

QWidget* ViewerGrid::viewAt(int index) const {
  return index == kVolumeView ? static_cast<QWidget*>(m_volume) : m_slices[static_cast<std::size_t>(index)];
}

std::vector<ViewerSliceView*> ViewerGrid::shownSliceViews() const {
  std::vector<ViewerSliceView*> shown;
  for (auto* view : m_slices)
    if (!view->isHidden())
      shown.push_back(view);
  for (auto* view : m_compared)
    if (!view->isHidden())
      shown.push_back(view);
  return shown;
}

void ViewerGrid::setViewLayout(ViewLayout layout) {
  if (layout == m_layout)
    return;
  m_layout = layout;
  arrange();
  emit layoutChanged();
}

void ViewerGrid::setMainView(int view) {
  m_main = std::clamp(view, 0, kVolumeView);
  arrange();
  emit layoutChanged();
}

void ViewerGrid::toggleEnlarged(int view) {
  if (m_layout == ViewLayout::Single && m_main == view) {
    m_layout = m_before;
    m_main = m_mainBefore;
  } else {
    if (m_layout != ViewLayout::Single) {
      m_before = m_layout;
      m_mainBefore = m_main;
    }
    m_layout = ViewLayout::Single;
    m_main = view;
  }
  arrange();
  emit layoutChanged();
}

void ViewerGrid::setCompared(const std::vector<Shown>& volumes) {
  if (volumes == m_volumes)
    return;
  m_volumes.assign(volumes.begin(), volumes.begin() + std::min<std::ptrdiff_t>(std::ssize(volumes), kMostCompared));
  if (m_layout == ViewLayout::SideBySide) {
    arrange();
    emit layoutChanged();
  }
}

void ViewerGrid::setComparePlanes(ComparePlanes planes) {
  m_planes = planes;
  if (showsCompared())
    arrange();
  emit layoutChanged();
}

ComparePlanes ViewerGrid::comparePlanes() const { return m_arrangement.axes.size() == 1 ? planeOf(m_arrangement.axes.front()) : ComparePlanes::Three; }

void ViewerGrid::toggleComparedPlane(SliceAxis axis) {
  if (comparePlanes() == ComparePlanes::Three)
    m_planesBefore = m_planes;
  setComparePlanes(comparePlanes() == ComparePlanes::Three ? planeOf(axis) : m_planesBefore == planeOf(axis) ? ComparePlanes::Three : m_planesBefore);
}

ViewerSliceView* ViewerGrid::comparedView(std::size_t index) {
  while (m_compared.size() <= index) {
    auto* view = new ViewerSliceView(m_document, SliceAxis::Axial, this);
    view->setMinimumSize(kLeastCompared_px, kLeastCompared_px); // many of them must not widen the window
    view->hide();
    connect(view, &ViewerSliceView::enlargeRequested, this, [this, view] { toggleComparedPlane(view->axis()); });
    m_compared.push_back(view);
    emit viewAdded(view);
  }
  return m_compared[index];
}

// One of a volume's planes has the colour bar.
ViewerGrid::Shown ViewerGrid::shownIn(std::size_t volume, std::size_t plane) const {
  Shown what = m_volumes[volume];
  if (plane > 0)
    what.colourBar = Shown::ColourBar::Elsewhere;
  return what;
}

void ViewerGrid::arrangeCompared(std::vector<QWidget*>& shown) {
  m_arrangement = compareArrangement(static_cast<int>(m_volumes.size()), size(), m_planes);
  std::size_t next = 0;
  for (std::size_t volume = 0; volume < m_volumes.size(); ++volume)
    for (std::size_t plane = 0; plane < m_arrangement.axes.size(); ++plane) {
      ViewerSliceView* view = comparedView(next++);
      if (view->axis() != m_arrangement.axes[plane])
        view->setAxis(m_arrangement.axes[plane]);
      const Shown what = shownIn(volume, plane);
      if (view->shown() != what)
        view->setShown(what);
      const auto at = m_arrangement.placeOf(static_cast<int>(volume), static_cast<int>(plane));
      m_gridLayout->addWidget(view, at.row, at.column);
      shown.push_back(view);
    }
  for (int row = 0; row < m_arrangement.rows; ++row)
    m_gridLayout->setRowStretch(row, 1);
  for (int column = 0; column < m_arrangement.columns; ++column)
    m_gridLayout->setColumnStretch(column, 1);
}

void ViewerGrid::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (showsCompared() && !(compareArrangement(static_cast<int>(m_volumes.size()), size(), m_planes) == m_arrangement)) {
    arrange();
    emit layoutChanged();
  }
}

void ViewerGrid::arrange() {
  while (QLayoutItem* item = m_gridLayout->takeAt(0))
    delete item;
  for (int row = 0; row < m_gridLayout->rowCount(); ++row)
    m_gridLayout->setRowStretch(row, 0);
  for (int column = 0; column < m_gridLayout->columnCount(); ++column)
    m_gridLayout->setColumnStretch(column, 0);
  std::vector<QWidget*> shown;
  const auto place = [&](QWidget* view, int row, int column, int rows = 1, int columns = 1) {
    m_gridLayout->addWidget(view, row, column, rows, columns);
    shown.push_back(view);
  };
  const auto stretch = [&](std::initializer_list<int> rows, std::initializer_list<int> columns) {
    int i = 0;
    for (const int s : rows)
      m_gridLayout->setRowStretch(i++, s);
    i = 0;
    for (const int s : columns)
      m_gridLayout->setColumnStretch(i++, s);
  };
  if (showsCompared()) {
    arrangeCompared(shown);
  } else if (m_layout == ViewLayout::Single) {
    place(viewAt(m_main), 0, 0);
    stretch({1}, {1});
  } else if (m_layout == ViewLayout::OneAndThree) {
    place(viewAt(m_main), 0, 0, 3, 1);
    int row = 0;
    for (int i = 0; i < 4; ++i)
      if (i != m_main)
        place(viewAt(i), row++, 1);
    stretch({1, 1, 1}, {5, 2});
  } else {
    place(viewAt(0), 0, 0);
    place(viewAt(2), 0, 1);
    place(viewAt(1), 1, 0);
    place(viewAt(3), 1, 1);
    stretch({1, 1}, {1, 1});
  }
  const bool hadFocus = isAncestorOf(QApplication::focusWidget());
  const auto setShown = [&](QWidget* view) { view->setVisible(std::find(shown.begin(), shown.end(), view) != shown.end()); };
  for (int i = 0; i < 4; ++i)
    setShown(viewAt(i));
  for (auto* view : m_compared)
    setShown(view);
  if (hadFocus && !shown.empty() && !isAncestorOf(QApplication::focusWidget())) // keys go on doing what they did
    shown.front()->setFocus();
}

void GridStill::hold(const SteadyMask& mask) {
  for (auto& [place, slice] : slices)
    slice.hold(mask);
}

QImage GridStill::paint() const {
  QImage image(pixels, QImage::Format_RGB32);
  image.fill(Qt::black);
  QPainter painter(&image);
  for (const auto& [place, slice] : slices)
    painter.drawImage(place, slice.paint());
  if (!volume.isNull()) {
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(volumePlace, volume);
  }
  return image;
}

GridStill ViewerGrid::still(double scale, bool decorated) const {
  const double ratio = devicePixelRatioF() * scale;
  const auto target = [&](const QWidget* view) {
    return QRectF(QPointF(view->pos()) * ratio, QSizeF(view->size()) * ratio).toAlignedRect();
  };
  const auto decoration = decorated ? ViewerSliceView::Decoration::Full : ViewerSliceView::Decoration::None;
  GridStill still;
  still.pixels = (QSizeF(size()) * ratio).toSize();
  for (const auto* view : shownSliceViews())
    still.slices.emplace_back(target(view).topLeft(), view->still(target(view).size(), ratio, decoration));
  if (!m_volume->isHidden()) {
    still.volumePlace = target(m_volume);
    still.volume = m_volume->capture(still.volumePlace.size());
  }
  return still;
}

std::vector<GridStill> ViewerGrid::stillsOfAllSlices(SliceAxis along, QSize pixels) const {
  const auto sweep = [&](const ViewerSliceView& view, QSize size) {
    return view.stillsOfAllSlices(along, size, devicePixelRatioF(), ViewerSliceView::Decoration::Full);
  };
  std::vector<GridStill> stills(static_cast<std::size_t>(m_document.sliceNumber(along).count), GridStill{pixels, {}, {}, {}});
  const auto place = [&stills](QPoint corner, std::vector<SliceStill> slices) {
    for (std::size_t i = 0; i < stills.size(); ++i)
      stills[i].slices.emplace_back(corner, std::move(slices[i]));
  };
  if (!showsCompared()) {
    place({}, sweep(sliceView(along), pixels));
    return stills;
  }
  const auto arrangement = compareArrangement(static_cast<int>(m_volumes.size()), pixels, comparePlanes() == ComparePlanes::Three ? ComparePlanes::Three : planeOf(along));
  const auto edge = [](int whole, int parts, int index) { return (whole + kGap_px) * index / parts; };
  for (std::size_t volume = 0; volume < m_volumes.size(); ++volume)
    for (std::size_t plane = 0; plane < arrangement.axes.size(); ++plane) {
      ViewerSliceView view(m_document, arrangement.axes[plane]); // of the film's own size, beside those on the screen
      view.setFont(font());
      view.setShown(shownIn(volume, plane));
      const auto at = arrangement.placeOf(static_cast<int>(volume), static_cast<int>(plane));
      const QPoint corner(edge(pixels.width(), arrangement.columns, at.column), edge(pixels.height(), arrangement.rows, at.row));
      const QPoint next(edge(pixels.width(), arrangement.columns, at.column + 1), edge(pixels.height(), arrangement.rows, at.row + 1));
      place(corner, sweep(view, QSize(next.x() - corner.x() - kGap_px, next.y() - corner.y() - kGap_px)));
    }
  return stills;
}

} // namespace voxlab
