// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_slice_view.h"
#include "widgets/pages/viewer_volume_view.h"
#include <QGridLayout>
#include <QPainter>
#include <cmath>

namespace voxlab {
namespace {
constexpr std::array kAxes{SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal};
constexpr int kVolumeView = 3;
} // namespace

ViewerGrid::ViewerGrid(ViewerDocument& document, QWidget* parent) : QWidget(parent), m_document(document) {
  QPalette dark = palette(); // the gaps between black views
  dark.setColor(QPalette::Window, QColor(0x2b, 0x2e, 0x31));
  setPalette(dark);
  setAutoFillBackground(true);
  m_gridLayout = new QGridLayout(this);
  m_gridLayout->setContentsMargins(0, 0, 0, 0);
  m_gridLayout->setSpacing(2);
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
    if (view && !view->isHidden())
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

void ViewerGrid::setCompared(int first, int second) {
  for (std::size_t i = 0; i < m_compared.size(); ++i) {
    if (!m_compared[i]) {
      m_compared[i] = new ViewerSliceView(m_document, kAxes[i % 3], this);
      m_compared[i]->hide();
      emit viewAdded(m_compared[i]);
    }
    m_compared[i]->setOnlyLayer(i < 3 ? first : second);
  }
  if (m_layout == ViewLayout::SideBySide)
    arrange();
}

void ViewerGrid::arrange() {
  while (QLayoutItem* item = m_gridLayout->takeAt(0))
    delete item;
  for (int i = 0; i < 4; ++i) {
    m_gridLayout->setRowStretch(i, 0);
    m_gridLayout->setColumnStretch(i, 0);
  }
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
  if (m_layout == ViewLayout::SideBySide && m_compared[0]) {
    for (int i = 0; i < 6; ++i)
      place(m_compared[static_cast<std::size_t>(i)], i / 3, i % 3);
    stretch({1, 1}, {1, 1, 1});
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
  const auto setShown = [&](QWidget* view) { view->setVisible(std::find(shown.begin(), shown.end(), view) != shown.end()); };
  for (int i = 0; i < 4; ++i)
    setShown(viewAt(i));
  for (auto* view : m_compared)
    if (view)
      setShown(view);
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

} // namespace voxlab
