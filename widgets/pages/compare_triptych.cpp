// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare_triptych.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/base/when_done.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/table_text.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kTripleWidth = 430, kWidest = 560, kGap = 16, kPictureGap = 4; // pixels
constexpr std::size_t kMostTriples = 24;

// Off the window's thread.
std::vector<TriptychView::Triple> readTriples(const std::vector<VolumeTriple>& volumes) {
  std::vector<TriptychView::Triple> triples;
  for (const VolumeTriple& one : volumes) {
    TriptychView::Triple triple;
    triple.volumes = one;
    if (auto slices = readSliceDifference(one.baseline, one.other))
      triple.slices = std::move(*slices);
    else
      triple.problem = text(slices.error().message);
    triples.push_back(std::move(triple));
  }
  return triples;
}
} // namespace

TriptychView::TriptychView(QWidget* parent) : PaintedPlot(parent) {
  setExportName(QStringLiteral("equal_seeds"));
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setEmptyText(tr("Draw volumes of one seed and mask with the baseline and with other modes: their slices and differences stand here."));
}

void TriptychView::setTriples(std::vector<Triple> triples, const QString& baseline) {
  m_triples = std::move(triples);
  m_baseline = baseline;
  updateGeometry();
  update();
}

void TriptychView::setPlane(SlicePlane plane) {
  m_plane = plane;
  update();
}

int TriptychView::columnsIn(int width) const { return std::max(1, (width + kGap) / (kTripleWidth + kGap)); }

int TriptychView::tripleHeight(int tripleWidth) const {
  const int line = fontMetrics().height();
  return (tripleWidth - 2 * kPictureGap) / 3 + 2 * line + line / 2 + kGap; // name, pictures, captions
}

QRect TriptychView::placeOf(int index, int width) const {
  const int columns = columnsIn(width), tripleWidth = std::min((width - (columns - 1) * kGap) / columns, kWidest), height = tripleHeight(tripleWidth);
  return {(index % columns) * (tripleWidth + kGap), (index / columns) * height, tripleWidth, height - kGap};
}

int TriptychView::heightForWidth(int width) const {
  return m_triples.empty() ? 110 : placeOf(static_cast<int>(m_triples.size()) - 1, width).bottom() + 4;
}

int TriptychView::tripleAt(const QPoint& position) const {
  for (int index = 0; index < static_cast<int>(m_triples.size()); ++index)
    if (placeOf(index, width()).contains(position))
      return index;
  return -1;
}

void TriptychView::paint(QPainter& painter, const QSize& size) {
  for (int index = 0; index < static_cast<int>(m_triples.size()); ++index)
    paintTriple(painter, m_triples[static_cast<std::size_t>(index)], placeOf(index, size.width()));
}

void TriptychView::paintTriple(QPainter& painter, const Triple& triple, const QRect& area) const {
  const ThemeColours& colours = themeColours(palette());
  const int line = fontMetrics().height(), side = (area.width() - 2 * kPictureGap) / 3;
  const auto words = [&](const QRect& place, const QString& what, const QColor& colour, Qt::Alignment alignment = Qt::AlignLeft) {
    painter.setPen(colour);
    painter.drawText(place, static_cast<int>(alignment | Qt::AlignVCenter), painter.fontMetrics().elidedText(what, Qt::ElideRight, place.width()));
  };
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  words({area.left(), area.top(), area.width(), line}, triple.name, colours.text);
  painter.setFont(smallFont());
  const int top = area.top() + line + line / 4;
  if (!triple.problem.isEmpty()) {
    painter.setPen(colours.muted);
    painter.drawText(QRect(area.left(), top, area.width(), side), static_cast<int>(Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap), triple.problem);
    return;
  }
  const auto plane = static_cast<std::size_t>(m_plane);
  const VoxelDifference& found = triple.slices.statistics;
  const QString error = found.largest == 0 ? tr("no difference") : tr("difference, ± %1").arg(text(formatSignificant(triple.slices.reach, 2)));
  const std::pair<const QImage*, QString> pictures[] = {{&triple.slices.first[plane], m_baseline}, {&triple.slices.second[plane], found.psnr_db ? tr("PSNR %1 dB (R %2)").arg(text(formatSignificant(*found.psnr_db)), text(formatSignificant(triple.slices.dataRange))) : tr("equal")},
                                                        {&triple.slices.difference[plane], error}};
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  for (int n = 0; n < 3; ++n) {
    const QRect place(area.left() + n * (side + kPictureGap), top, side, side);
    painter.fillRect(place, n == 2 ? QColor(Qt::white) : QColor(Qt::black));
    QSize fitted = pictures[n].first->size().scaled(place.size(), Qt::KeepAspectRatio);
    painter.drawImage(QRect(place.center() - QPoint(fitted.width() / 2 - 1, fitted.height() / 2 - 1), fitted), *pictures[n].first);
    words({place.left(), place.bottom() + 2, side, line}, pictures[n].second, colours.muted);
  }
}

QString TriptychView::tableText() const {
  QString out = csvRow({QStringLiteral("mode"), QStringLiteral("seed"), QStringLiteral("mask"), QStringLiteral("mae"), QStringLiteral("rmse"), QStringLiteral("largest"), QStringLiteral("bias"), QStringLiteral("psnr_db"), QStringLiteral("data_range")});
  const auto number = [](double value) { return QString::number(value, 'g', 9); };
  for (const Triple& triple : m_triples) {
    const VoxelDifference& found = triple.slices.statistics;
    QStringList row{triple.name, QString::number(triple.volumes.seed), text(triple.volumes.mask)};
    if (triple.problem.isEmpty())
      row << number(found.mae) << number(found.rmse) << number(found.largest) << number(found.bias) << (found.psnr_db ? number(*found.psnr_db) : QString()) << number(triple.slices.dataRange);
    else
      row << QString() << QString() << QString() << QString() << QString() << QString();
    out += csvRow(row);
  }
  return out;
}

void TriptychView::mousePressEvent(QMouseEvent* event) {
  const int index = tripleAt(event->pos());
  if (event->button() == Qt::LeftButton && index >= 0)
    emit tripleClicked(index);
}

void TriptychView::mouseMoveEvent(QMouseEvent* event) {
  const int index = tripleAt(event->pos());
  setCursor(index >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  const auto& known = m_triples;
  setToolTip(index < 0 ? QString() : tr("%1: seed %2%3. A click opens the difference.").arg(known[static_cast<std::size_t>(index)].name).arg(known[static_cast<std::size_t>(index)].volumes.seed)
                                         .arg(known[static_cast<std::size_t>(index)].volumes.mask.empty() ? QString() : QStringLiteral(", ") + text(known[static_cast<std::size_t>(index)].volumes.mask)));
}

void TriptychView::resizeEvent(QResizeEvent* event) {
  PaintedPlot::resizeEvent(event);
  setMinimumHeight(heightForWidth(width()));
}

CompareTriptych::CompareTriptych(QWidget* parent) : QFrame(parent), m_sampling(new QComboBox), m_plane(new QComboBox), m_words(makeWrappedLabel({}, "help")), m_view(new TriptychView) {
  setRole(this, "card");
  m_plane->addItems({tr("Axial"), tr("Coronal"), tr("Sagittal")});
  m_plane->setAccessibleName(tr("Plane"));
  m_sampling->setAccessibleName(tr("Sampler and steps"));
  m_sampling->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_sampling->setMinimumWidth(90);
  auto* head = new QHBoxLayout;
  head->addWidget(makeLabel(tr("The same seed in every mode"), "heading"));
  head->addStretch();
  head->addWidget(m_sampling);
  head->addWidget(m_plane);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, kSpace, 12, kSpace);
  column->setSpacing(kSpace);
  column->addLayout(head);
  column->addWidget(m_view);
  column->addWidget(m_words);
  connect(m_sampling, &QComboBox::currentIndexChanged, this, &CompareTriptych::load);
  connect(m_plane, &QComboBox::currentIndexChanged, this, [this](int index) { m_view->setPlane(static_cast<SlicePlane>(index)); });
  connect(m_view, &TriptychView::tripleClicked, this, [this](int index) {
    const VolumeTriple& volumes = m_view->triples()[static_cast<std::size_t>(index)].volumes;
    emit differenceRequested(text(volumes.baseline.string()), text(volumes.other.string()));
  });
}

void CompareTriptych::setPoints(const std::vector<VolumePoint>& points, const std::string& baselineMode, const QHash<QString, QString>& names) {
  m_points = points;
  m_baseline = baselineMode;
  m_names = names;
  const QString kept = m_sampling->currentText();
  {
    const QSignalBlocker blocker(m_sampling);
    m_sampling->clear();
    for (const std::string& sampling : samplingsOf(points, baselineMode))
      m_sampling->addItem(text(sampling));
    m_sampling->setCurrentIndex(std::max(0, m_sampling->findText(kept)));
  }
  m_sampling->setVisible(m_sampling->count() > 1);
  load();
}

void CompareTriptych::load() {
  auto volumes = volumeTriples(m_points, m_baseline, m_sampling->currentText().toStdString());
  if (volumes.size() > kMostTriples)
    volumes.resize(kMostTriples);
  const int generation = ++m_generation;
  m_loading = !volumes.empty();
  m_words->setVisible(!volumes.empty());
  if (volumes.empty())
    return m_view->setTriples({}, {});
  m_words->setText(tr("Seed %1%2. All grey pictures have the baseline's window; blue is less, red is more than the baseline. PSNR takes the baseline's data range R, its largest minus its smallest voxel. A click opens the difference in the viewer.")
                       .arg(volumes.front().seed)
                       .arg(volumes.front().mask.empty() ? QString() : tr(", mask %1").arg(text(volumes.front().mask))));
  whenDone(QtConcurrent::run([volumes] { return readTriples(volumes); }), this, [this, generation](std::vector<TriptychView::Triple> triples) {
    if (generation != m_generation)
      return;
    m_loading = false;
    for (TriptychView::Triple& triple : triples)
      triple.name = m_names.value(text(triple.volumes.mode), text(triple.volumes.mode));
    m_view->setTriples(std::move(triples), text(m_baseline));
  });
}

} // namespace voxlab
