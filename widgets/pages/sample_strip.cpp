// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/sample_strip.h"
#include "core/base/text.h"
#include "core/protocol/left_out.h"
#include "widgets/pages/viewer_samples_panel.h"
#include "widgets/base/when_done.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include "widgets/plots/theme_colours.h"
#include <QAbstractButton>
#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <QtConcurrent>

namespace voxlab {
namespace {
constexpr int kPlaneSize = 116, kThumbSize = 44;
constexpr std::size_t kThumbsKept = 40; // older ones are in the viewer's list

QPixmap fitted(const QImage& image, int size, qreal ratio) {
  QPixmap pixmap = QPixmap::fromImage(image.scaled(QSize(size, size) * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation));
  pixmap.setDevicePixelRatio(ratio);
  return pixmap;
}
} // namespace

class SampleThumb : public QAbstractButton {
public:
  explicit SampleThumb(const QString& caption, QWidget* parent) : QAbstractButton(parent) {
    setText(caption);
    setAccessibleName(tr("Sample %1").arg(caption));
    setFixedSize(kThumbSize + 4, kThumbSize + 20);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
  }
  void setPicture(const QImage& image) {
    m_image = image;
    update();
  }

protected:
  void paintEvent(QPaintEvent*) override {
    const ThemeColours& theme = themeColours(palette());
    QPainter painter(this);
    const QRect box(2, 2, kThumbSize, kThumbSize);
    painter.fillRect(box, Qt::black);
    if (!m_image.isNull()) {
      const QPixmap picture = fitted(m_image, kThumbSize, devicePixelRatioF());
      const QSizeF size = picture.deviceIndependentSize();
      painter.drawPixmap(QPointF(box.center().x() - size.width() / 2 + 0.5, box.center().y() - size.height() / 2 + 0.5), picture);
    }
    if (underMouse() || hasFocus()) {
      painter.setPen(QPen(theme.accent, 2));
      painter.drawRect(box);
    }
    QFont small = font();
    small.setPointSizeF(std::max(7.0, small.pointSizeF() - 2.5));
    painter.setFont(small);
    painter.setPen(theme.muted);
    painter.drawText(QRect(0, kThumbSize + 4, width(), 16), Qt::AlignCenter, text());
  }

private:
  QImage m_image;
};

SampleStrip::SampleStrip(QWidget* parent) : QFrame(parent) {
  setRole(this, "card");
  setAccessibleName(tr("Samples"));
  m_title = makeLabel(tr("Newest sample"), "heading", this);
  m_caption = new ElidedLabel("caption", this);
  m_open = makeButton(tr("Open in viewer"), "link", QStringLiteral("open"), this);
  m_empty = makeWrappedLabel({}, "caption", this);
  m_empty->setAlignment(Qt::AlignCenter);
  auto* head = new QHBoxLayout;
  head->setSpacing(kSpace);
  head->addWidget(m_title);
  head->addWidget(m_caption, 1);
  head->addWidget(m_open);
  m_newest = new QWidget(this);
  auto* planes = new QHBoxLayout(m_newest);
  planes->setContentsMargins(0, 0, 0, 0);
  planes->setSpacing(kSpaceSmall);
  const QString names[3] = {tr("Axial slice"), tr("Coronal slice"), tr("Sagittal slice")};
  for (int plane = 0; plane < 3; ++plane) {
    m_planes[plane] = makeLabel({}, nullptr, m_newest);
    m_planes[plane]->setFixedSize(kPlaneSize, kPlaneSize);
    m_planes[plane]->setAlignment(Qt::AlignCenter);
    m_planes[plane]->setStyleSheet(QStringLiteral("background: black; border-radius: 4px;"));
    m_planes[plane]->setAccessibleName(names[plane]);
    planes->addWidget(m_planes[plane]);
  }
  planes->addStretch();
  m_row = new QWidget;
  auto* row = new QHBoxLayout(m_row);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpaceSmall);
  row->addStretch();
  m_scroll = new QScrollArea(this);
  m_scroll->setWidget(m_row);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFixedHeight(kThumbSize + 30);
  m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, kSpace, 12, kSpace);
  column->setSpacing(kSpace);
  column->addLayout(head);
  column->addWidget(m_empty, 1);
  column->addWidget(m_newest);
  column->addWidget(m_scroll);
  m_leftOut = makeWrappedLabel({}, "caption", this);
  column->addWidget(m_leftOut);
  column->addStretch();
  connect(m_open, &QPushButton::clicked, this, [this] {
    if (!m_files.isEmpty())
      emit openRequested(m_files.last());
  });
  clear({});
}

void SampleStrip::clear(const QString& runFolder) {
  m_folder = runFolder;
  ++m_generation;
  m_reading = 0;
  m_files.clear();
  m_titles.clear();
  m_known = 0;
  m_leftOutFiles = leftOutOf(runFolder.toStdString());
  m_leftOutCount = m_missingCount = 0;
  m_pictures.clear();
  qDeleteAll(m_thumbs);
  m_thumbs.clear();
  for (QLabel* plane : m_planes)
    plane->clear();
  m_empty->setText(tr("No sample yet. Samples appear here as they are drawn; “Sample now” asks for one."));
  m_empty->show();
  m_newest->hide();
  m_scroll->hide();
  m_open->hide();
  m_leftOut->hide();
  m_caption->clear();
}

QString SampleStrip::titleOf(const SampleRecord& sample) const {
  QStringList parts;
  if (sample.step)
    parts << tr("step %1").arg(QString::fromStdString(formatCount(*sample.step)));
  if (sample.seed)
    parts << tr("seed %1").arg(*sample.seed);
  if (!sample.sampler.empty())
    parts << QString::fromStdString(sample.sampler) + (sample.samplerSteps ? tr(", %1 steps").arg(*sample.samplerSteps) : QString());
  if (sample.duration_ms)
    parts << QString::fromStdString(formatDuration(*sample.duration_ms / 1000));
  return parts.join(QStringLiteral(" · "));
}

void SampleStrip::setSamples(const std::vector<SampleRecord>& samples) {
  if (samples.size() < m_known) // the run went back to an earlier step
    clear(m_folder);
  const qsizetype before = m_files.size();
  for (std::size_t i = m_known; i < samples.size(); ++i) {
    const QString file = m_folder + QLatin1Char('/') + QString::fromStdString(samples[i].path);
    if (!QFileInfo::exists(file)) {
      ++(m_leftOutFiles.contains(samples[i].path) ? m_leftOutCount : m_missingCount);
      continue;
    }
    m_files << file;
    m_titles << titleOf(samples[i]);
    if (samples.size() - i <= kThumbsKept)
      addThumb(samples[i], file);
  }
  m_known = samples.size();
  const QString absent = absentVolumesText(m_leftOutCount, m_missingCount, static_cast<int>(m_known));
  if (m_files.size() > before)
    showNewest();
  if (m_files.isEmpty() && !absent.isEmpty())
    m_empty->setText(absent);
  m_leftOut->setText(absent);
  m_leftOut->setVisible(!m_files.isEmpty() && !absent.isEmpty());
}

void SampleStrip::addThumb(const SampleRecord& sample, const QString& file) {
  const QString caption = sample.step ? QString::fromStdString(formatCount(*sample.step)) : QString::number(m_files.size());
  auto* thumb = new SampleThumb(caption, m_row);
  thumb->setToolTip(titleOf(sample));
  m_thumbs[file] = thumb;
  auto* row = static_cast<QHBoxLayout*>(m_row->layout());
  row->insertWidget(row->count() - 1, thumb);
  connect(thumb, &QAbstractButton::clicked, this, [this, file] { emit openRequested(file); });
  read(file);
}

void SampleStrip::showNewest() {
  m_empty->hide();
  m_newest->show();
  m_open->show();
  m_scroll->setVisible(m_files.size() > 1);
  m_caption->setText(m_titles.last());
  if (m_pictures.contains(m_files.last()))
    showPictures(m_files.last(), m_pictures.value(m_files.last()));
  QTimer::singleShot(0, this, [this] { m_scroll->horizontalScrollBar()->setValue(m_scroll->horizontalScrollBar()->maximum()); });
}

void SampleStrip::read(const QString& file) {
  ++m_reading;
  const int generation = m_generation;
  whenDone(QtConcurrent::run([file] { return readSlicePictures(file.toStdString()); }), this, [this, file, generation](const Result<SlicePictures>& pictures) {
    if (generation != m_generation)
      return;
    --m_reading;
    if (pictures) {
      m_pictures[file] = *pictures;
      showPictures(file, *pictures);
    } else if (SampleThumb* thumb = m_thumbs.value(file)) {
      thumb->setToolTip(QString::fromStdString(pictures.error().message));
    }
    emit picturesChanged();
  });
}

void SampleStrip::showPictures(const QString& file, const SlicePictures& pictures) {
  if (SampleThumb* thumb = m_thumbs.value(file))
    thumb->setPicture(pictures.planes[0]);
  if (m_files.isEmpty() || m_files.last() != file)
    return;
  for (std::size_t plane = 0; plane < 3; ++plane)
    m_planes[plane]->setPixmap(fitted(pictures.planes[plane], kPlaneSize, devicePixelRatioF()));
}

int SampleStrip::pictureCount() const { return static_cast<int>(m_pictures.size()); }

} // namespace voxlab
