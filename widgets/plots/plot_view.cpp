// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_view.h"
#include <QEvent>
#include <QLabel>
#include <QStackedLayout>
#include <QSvgGenerator>
#include <qcustomplot.h>

namespace voxlab {
namespace {
constexpr int kLegendSpacing = 16;
constexpr int kLeastName = 80; // pixels

void dressAxis(QCPAxis* axis, const ThemeColours& colours, const QFont& font) {
  axis->setBasePen(QPen(colours.strongBorder));
  axis->setTickPen(QPen(colours.strongBorder));
  axis->setSubTickPen(Qt::NoPen);
  axis->setTickLengthIn(0);
  axis->setTickLengthOut(3);
  axis->setTickLabelColor(colours.muted);
  axis->setLabelColor(colours.muted);
  axis->setTickLabelFont(font);
  axis->setLabelFont(font);
  axis->setLabelPadding(4);
  axis->setTickLabelPadding(4);
  axis->grid()->setPen(QPen(colours.border, 1, Qt::SolidLine));
  axis->grid()->setZeroLinePen(QPen(colours.border, 1, Qt::SolidLine));
}
} // namespace

PlotView::PlotView(QWidget* parent) : PlotWidget(parent) {
  m_canvas = new QCustomPlot(this);
  m_empty = new QLabel(this);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setProperty("role", "caption");
  auto* layout = new QStackedLayout(this);
  layout->addWidget(m_empty);
  layout->addWidget(m_canvas);
  m_canvas->plotLayout()->insertRow(0); // the legend stands above, on one line, at the left
  auto* top = new QCPLayoutGrid;
  m_canvas->plotLayout()->addElement(0, 0, top);
  top->addElement(0, 0, m_canvas->legend);
  top->addElement(0, 1, new QCPLayoutElement(m_canvas));
  top->setColumnStretchFactor(0, 0.001);
  m_canvas->legend->setColumnSpacing(kLegendSpacing);
  m_canvas->plotLayout()->setRowStretchFactor(0, 0.001);
  m_canvas->plotLayout()->setRowSpacing(0);
  m_canvas->legend->setFillOrder(QCPLegend::foColumnsFirst);
  m_canvas->axisRect()->setMinimumMargins(QMargins(8, 4, 8, 4));
  m_canvas->setNoAntialiasingOnDrag(true);
  m_canvas->setFocusPolicy(Qt::NoFocus);
  m_canvas->setAttribute(Qt::WA_NoMousePropagation, false); // a wheel that is not the plot's scrolls the page around it
  setLegendShown(false);
  setUpInteraction();
  dress();
}

PlotView::~PlotView() = default;

void PlotView::setUpInteraction() {
  m_canvas->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  m_canvas->axisRect()->setRangeZoom(Qt::Horizontal);
  m_canvas->axisRect()->setRangeDrag(Qt::Horizontal);
  const auto userMoved = [this] {
    m_followsData = false;
    viewChanged();
  };
  connect(m_canvas, &QCustomPlot::mouseWheel, this, userMoved, Qt::QueuedConnection);
  connect(m_canvas, &QCustomPlot::mouseMove, this, [this, userMoved](QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
      userMoved();
  });
  connect(m_canvas, &QCustomPlot::mouseDoubleClick, this, [this] { resetView(); });
}

void PlotView::setAxisTitles(const QString& x, const QString& y) {
  m_canvas->xAxis->setLabel(x);
  m_canvas->yAxis->setLabel(y);
  redraw();
}

void PlotView::setEmptyText(const QString& sentence) { m_empty->setText(sentence); }

void PlotView::setShowsData(bool showsData) {
  m_showsData = showsData;
  static_cast<QStackedLayout*>(layout())->setCurrentWidget(showsData ? static_cast<QWidget*>(m_canvas) : m_empty);
}

void PlotView::redraw() { m_canvas->replot(QCustomPlot::rpQueuedReplot); }

void PlotView::nameRows(const QStringList& names, qsizetype stride) {
  const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  const QFontMetrics metrics(m_canvas->yAxis->tickLabelFont());
  const int room = std::max(kLeastName, width() * 2 / 5);
  for (qsizetype i = 0; i < names.size(); i += stride)
    ticker->addTick(static_cast<double>(i), metrics.elidedText(names[i], Qt::ElideMiddle, room));
  m_canvas->yAxis->setTicker(ticker);
}

void PlotView::setLegendShown(bool shown) {
  m_canvas->legend->setVisible(shown);
  m_canvas->legend->setMaximumSize(QWIDGETSIZE_MAX, shown ? QWIDGETSIZE_MAX : 0);
}

void PlotView::resetView() {
  m_followsData = true;
  rescale();
  viewChanged();
  redraw();
}

void PlotView::dress() {
  applyColours(themeColours(palette()));
  redraw();
}

void PlotView::applyColours(const ThemeColours& colours) {
  QFont small = font();
  small.setPointSizeF(std::max(7.5, font().pointSizeF() - 1.5));
  m_canvas->setBackground(QBrush(colours.surface));
  for (QCPAxis* axis : {m_canvas->xAxis, m_canvas->yAxis, m_canvas->xAxis2, m_canvas->yAxis2})
    dressAxis(axis, colours, small);
  m_canvas->xAxis->grid()->setVisible(false);
  m_canvas->legend->setBrush(Qt::NoBrush);
  m_canvas->legend->setBorderPen(Qt::NoPen);
  m_canvas->legend->setTextColor(colours.muted);
  m_canvas->legend->setFont(small);
  m_canvas->legend->setIconSize(14, 10);
  m_canvas->legend->setMargins(QMargins(4, 0, 4, 2));
}

void PlotView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
    dress();
}

void PlotView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  viewChanged(); // as many points as there are pixels
}

QPixmap PlotView::picture() { return m_canvas->toPixmap(m_canvas->width(), m_canvas->height(), kPngScale); }

bool PlotView::writePicture(const QString& file, const QString& suffix) {
  const int width = std::max(m_canvas->width(), 480), height = std::max(m_canvas->height(), 270);
  if (suffix == QLatin1String("pdf"))
    return m_canvas->savePdf(file, width, height, QCP::epNoCosmetic);
  if (suffix == QLatin1String("png"))
    return m_canvas->savePng(file, width, height, kPngScale);
  QSvgGenerator svg;
  svg.setFileName(file);
  svg.setSize({width, height});
  svg.setViewBox(QRect(0, 0, width, height));
  svg.setTitle(exportName());
  QCPPainter painter;
  if (!painter.begin(&svg))
    return false;
  painter.setMode(QCPPainter::pmVectorized);
  painter.setMode(QCPPainter::pmNoCaching);
  m_canvas->toPainter(&painter, width, height);
  return painter.end();
}

} // namespace voxlab
