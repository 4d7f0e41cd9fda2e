// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/painted_plot.h"
#include <QEvent>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <cmath>

namespace voxlab {
namespace {
constexpr int kPdfResolution = 96; // so that a unit is a pixel of the screen

// Relative luminance (WCAG 2.1).
double luminance(const QColor& colour) {
  const auto linear = [](double value) { return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}
} // namespace

QColor readableOn(const QColor& background) { return luminance(background) > 0.22 ? QColor(0x14, 0x18, 0x1c) : QColor(Qt::white); }

QColor blended(const QColor& from, const QColor& to, double share) {
  const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
  return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

PaintedPlot::PaintedPlot(QWidget* parent) : PlotWidget(parent) { setMouseTracking(true); }

void PaintedPlot::setEmptyText(const QString& sentence) {
  m_emptyText = sentence;
  update();
}

QFont PaintedPlot::smallFont() const {
  QFont small = font();
  small.setPointSizeF(std::max(7.5, font().pointSizeF() - 1.5));
  return small;
}

void PaintedPlot::paintPage(QPainter& painter, const QSize& size) {
  const ThemeColours& colours = themeColours(palette());
  painter.fillRect(QRect({}, size), colours.surface);
  painter.setFont(smallFont());
  if (showsData()) {
    paint(painter, size);
    return;
  }
  painter.setPen(colours.muted);
  painter.drawText(QRect({}, size).adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

void PaintedPlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintPage(painter, size());
}

void PaintedPlot::changeEvent(QEvent* event) {
  PlotWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
    update();
}

QPixmap PaintedPlot::picture() {
  const QSize page = pageSize();
  QPixmap pixmap(page * kPngScale);
  pixmap.setDevicePixelRatio(kPngScale);
  QPainter painter(&pixmap);
  paintPage(painter, page);
  update(); // what lies where on the screen is told by the last painting
  return pixmap;
}

QSize PaintedPlot::pageSize() const { return {std::max(width(), 480), std::max(height(), minimumSizeHint().height())}; }

bool PaintedPlot::writePicture(const QString& file, const QString& suffix) {
  const QSize page = pageSize();
  update();
  QPainter painter;
  if (suffix == QLatin1String("png"))
    return picture().save(file, "PNG");
  if (suffix == QLatin1String("pdf")) {
    QPdfWriter pdf(file);
    pdf.setResolution(kPdfResolution);
    pdf.setPageMargins({});
    pdf.setPageSize(QPageSize(QSizeF(page) * 72.0 / kPdfResolution, QPageSize::Point));
    pdf.setTitle(exportName());
    if (!painter.begin(&pdf))
      return false;
    paintPage(painter, page);
    return painter.end();
  }
  QSvgGenerator svg;
  svg.setFileName(file);
  svg.setSize(page);
  svg.setViewBox(QRect({}, page));
  svg.setTitle(exportName());
  if (!painter.begin(&svg))
    return false;
  paintPage(painter, page);
  return painter.end();
}

} // namespace voxlab
