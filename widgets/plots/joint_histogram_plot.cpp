// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/joint_histogram_plot.h"
#include "core/base/text.h"
#include "widgets/plots/table_text.h"
#include "widgets/plots/tickers.h"
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>
#include <qcustomplot.h>

namespace voxlab {
namespace {
QCPColorGradient viridis() {
  QCPColorGradient gradient;
  gradient.clearColorStops();
  const QRgb stops[]{0x440154, 0x414487, 0x2a788e, 0x22a884, 0x7ad151, 0xfde725};
  for (int i = 0; i < 6; ++i)
    gradient.setColorStopAt(i / 5.0, QColor(stops[i]));
  gradient.setNanHandling(QCPColorGradient::nhTransparent);
  return gradient;
}
} // namespace

JointHistogramPlot::JointHistogramPlot(QWidget* parent) : PlotView(parent) {
  m_map = new QCPColorMap(canvas()->xAxis, canvas()->yAxis);
  m_map->setGradient(viridis());
  m_map->setInterpolate(false);
  m_equal = new QCPItemStraightLine(canvas());
  m_equal->point1->setCoords(0, 0);
  m_equal->point2->setCoords(1, 1);
  for (QCPAxis* axis : {canvas()->xAxis, canvas()->yAxis})
    axis->setTicker(QSharedPointer<LinearTicker>::create());
  canvas()->setInteractions({});
  canvas()->installEventFilter(this);
  setExportName(QStringLiteral("joint_histogram"));
  applyColours(themeColours(palette()));
}

void JointHistogramPlot::setData(const Data& joint) {
  m_data = joint;
  const auto size = static_cast<std::size_t>(joint.bins) * static_cast<std::size_t>(joint.bins);
  if (joint.bins < 1 || joint.counts.size() != size || std::all_of(joint.counts.begin(), joint.counts.end(), [](auto count) { return count == 0; }))
    return setShowsData(false);
  auto* cells = new QCPColorMapData(joint.bins, joint.bins, {middleOf(joint.x, 0), middleOf(joint.x, joint.bins - 1)}, {middleOf(joint.y, 0), middleOf(joint.y, joint.bins - 1)});
  for (int y = 0; y < joint.bins; ++y)
    for (int x = 0; x < joint.bins; ++x) {
      const std::uint32_t count = joint.counts[static_cast<std::size_t>(y) * static_cast<std::size_t>(joint.bins) + static_cast<std::size_t>(x)];
      cells->setCell(x, y, count > 0 ? std::log10(static_cast<double>(count)) : std::numeric_limits<double>::quiet_NaN());
    }
  m_map->setData(cells);
  m_map->rescaleDataRange(true);
  setAxisTitles(joint.x.name, joint.y.name);
  rescale();
  setShowsData(true);
  redraw();
}

void JointHistogramPlot::rescale() {
  canvas()->xAxis->setRange(m_data.x.low, m_data.x.high);
  canvas()->yAxis->setRange(m_data.y.low, m_data.y.high);
}

void JointHistogramPlot::applyColours(const ThemeColours& colours) {
  PlotView::applyColours(colours);
  if (m_equal)
    m_equal->setPen(QPen(colours.muted, 1, Qt::DashLine));
}

QString JointHistogramPlot::tableText() const {
  QString out = csvRow({m_data.x.name, m_data.y.name, tr("voxels")});
  for (int y = 0; y < m_data.bins; ++y)
    for (int x = 0; x < m_data.bins; ++x)
      if (const auto count = m_data.counts[static_cast<std::size_t>(y) * static_cast<std::size_t>(m_data.bins) + static_cast<std::size_t>(x)]; count > 0)
        out += csvRow({QString::number(middleOf(m_data.x, x), 'g', 7), QString::number(middleOf(m_data.y, y), 'g', 7), QString::number(count)});
  return out;
}

QString JointHistogramPlot::wordsAt(QPointF position) const {
  if (!showsData() || !canvas()->axisRect()->rect().contains(position.toPoint()))
    return {};
  const auto binOf = [&](const QCPAxis* axis, double pixel, const Axis& of) {
    return std::clamp(static_cast<int>((axis->pixelToCoord(pixel) - of.low) / (of.high - of.low) * m_data.bins), 0, m_data.bins - 1);
  };
  const int x = binOf(canvas()->xAxis, position.x(), m_data.x), y = binOf(canvas()->yAxis, position.y(), m_data.y);
  const auto count = m_data.counts[static_cast<std::size_t>(y) * static_cast<std::size_t>(m_data.bins) + static_cast<std::size_t>(x)];
  const auto number = [](double value) { return QString::fromStdString(formatSignificant(value)); };
  return tr("%1 about %2\n%3 about %4\n%5 voxels").arg(m_data.x.name, number(middleOf(m_data.x, x)), m_data.y.name, number(middleOf(m_data.y, y)), QString::fromStdString(formatCount(count)));
}

bool JointHistogramPlot::eventFilter(QObject* watched, QEvent* event) {
  if (watched != canvas() || event->type() != QEvent::ToolTip)
    return PlotView::eventFilter(watched, event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), wordsAt(help->pos()), canvas());
  return true;
}

} // namespace voxlab
