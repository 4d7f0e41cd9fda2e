// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_time_curve.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/plots/series_plot.h"
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr int kHeight_px = 140;

// The image that the page speaks of if it has several time points, else the lowest layer that has; −1 without one.
int layerOverTime(const ViewerDocument& document) {
  if (const int image = document.imageLayer(); image >= 0 && document.source(image).timePoints() > 1)
    return image;
  for (int layer = 0; layer < document.layerCount(); ++layer)
    if (document.source(layer).timePoints() > 1)
      return layer;
  return -1;
}
} // namespace

ViewerTimeCurve::ViewerTimeCurve(ViewerDocument& document, QWidget* parent) : QWidget(parent), m_document(document), m_plot(new SeriesPlot(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_plot);
  setFixedHeight(kHeight_px);
  m_plot->setAccessibleName(tr("Values at the cross-hair over time"));
  m_plot->setExportName(QStringLiteral("values_over_time"));
  m_plot->setEmptyText(tr("The cross-hair is where this volume has no values."));
  const auto thinned = [](const Series& all, double first, double last, std::size_t points) { return all.between(first, last).thinned(points); };
  m_plot->addLine(tr("value at the cross-hair"), QStringLiteral("host"), LineWeight::Strong,
                  [this, thinned](double first, double last, std::size_t points) { return thinned(values(), first, last, points); });
  m_plot->addLine(tr("shown"), QStringLiteral("backward"), LineWeight::Thin,
                  [this, thinned](double first, double last, std::size_t points) { return thinned(mark(), first, last, points); });
  for (const auto signal : {&ViewerDocument::cursorChanged, &ViewerDocument::layersChanged, &ViewerDocument::activeLayerChanged, &ViewerDocument::appearanceChanged})
    connect(&document, signal, this, &ViewerTimeCurve::take);
}

double ViewerTimeCurve::positionOf(std::int64_t timePoint) const {
  const int layer = layerOverTime(m_document);
  const auto step_s = layer < 0 ? std::nullopt : m_document.source(layer).volume->header.timeStep_s;
  return step_s ? static_cast<double>(timePoint) * *step_s : static_cast<double>(timePoint + 1);
}

Series ViewerTimeCurve::values() const {
  Series series;
  const int layer = layerOverTime(m_document);
  if (layer < 0)
    return series;
  const Volume& volume = *m_document.source(layer).volume;
  const auto index = m_document.layer(layer).source.voxelAt(m_document.cursor());
  if (!index)
    return series;
  const auto& size = volume.grid().size;
  const auto within = static_cast<std::size_t>((*index)[0] + size[0] * ((*index)[1] + size[1] * (*index)[2]));
  const auto each = static_cast<std::size_t>(volume.grid().voxelCount());
  for (std::size_t t = 0; t * each + within < volume.voxels.size(); ++t)
    series.append(positionOf(static_cast<std::int64_t>(t)), static_cast<double>(volume.voxels[t * each + within]));
  return series;
}

Series ViewerTimeCurve::mark() const {
  Series line;
  const Series all = values();
  double low = INFINITY, high = -INFINITY;
  for (const double value : all.y())
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (low > high)
    return line;
  const double at = positionOf(m_document.timePoint()), aside = 1e-6 * std::max(1.0, std::abs(at)); // two points of one place would be one
  line.append(at - aside, low);
  line.append(at + aside, high);
  return line;
}

void ViewerTimeCurve::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  take();
}

void ViewerTimeCurve::take() {
  const int layer = layerOverTime(m_document);
  if (!isVisible() || layer < 0)
    return;
  m_plot->setAxisTitles(m_document.source(layer).volume->header.timeStep_s ? tr("Time (s)") : tr("Time point"), QString());
  m_plot->refresh();
}

} // namespace voxlab
