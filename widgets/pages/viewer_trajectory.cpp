// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_trajectory.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_document.h"
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

namespace voxlab {
namespace {
constexpr int kFrame_ms = 150;

int costOf(const ViewerVolume& volume) { return static_cast<int>(volume.volume->voxels.size() * sizeof(float) / 1024) + 1; }
} // namespace

ViewerTrajectoryBar::ViewerTrajectoryBar(ViewerDocument& document, QWidget* parent) : QWidget(parent), m_document(document) {
  m_play = makeToolButton(QStringLiteral("play"), tr("Play the denoising"), this);
  m_play->setCheckable(true);
  m_slider = new QSlider(Qt::Horizontal, this);
  m_slider->setPageStep(1);
  m_slider->setAccessibleName(tr("Denoising step"));
  m_text = makeLabel({}, nullptr, this);
  m_text->setMinimumWidth(190);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(kSpace, 2, kSpace, 2);
  layout->setSpacing(kSpace);
  layout->addWidget(m_text);
  layout->addWidget(m_play);
  layout->addWidget(m_slider, 1);
  m_clock.setInterval(kFrame_ms);
  setPrepareOptions({});
  connect(m_slider, &QSlider::valueChanged, this, &ViewerTrajectoryBar::goTo);
  connect(&m_clock, &QTimer::timeout, this, &ViewerTrajectoryBar::play);
  connect(m_play, &QToolButton::toggled, this, [this](bool on) {
    m_play->setIcon(themedIcon(on ? QStringLiteral("pause") : QStringLiteral("play"), IconTint::Text));
    if (on && position() + 1 == positions())
      m_slider->setValue(0);
    on ? m_clock.start() : m_clock.stop();
  });
  connect(&document, &ViewerDocument::layersChanged, this, &ViewerTrajectoryBar::takeDocument);
  takeDocument();
}

void ViewerTrajectoryBar::setPrepareOptions(const PrepareOptions& options) {
  m_options = options;
  m_options.kind = LayerKind::Image; // noise may look like anything
  m_read.setMaxCost(static_cast<int>(std::min<std::uint64_t>(options.memoryBudget_bytes / 4 / 1024, 1u << 30)));
}

int ViewerTrajectoryBar::positions() const { return m_final.volume ? static_cast<int>(m_final.trajectory.size()) + 1 : 0; }
int ViewerTrajectoryBar::position() const { return m_slider->value(); }
void ViewerTrajectoryBar::setPosition(int position) { m_slider->setValue(position); }

QString ViewerTrajectoryBar::words() const { return m_text->text(); }
void ViewerTrajectoryBar::togglePlaying() { m_play->toggle(); }
void ViewerTrajectoryBar::stopPlaying() { m_play->setChecked(false); }

void ViewerTrajectoryBar::takeDocument() {
  if (m_document.layerOf(m_current) < 0) { // another sample, or none
    m_reader.cancel();
    m_play->setChecked(false);
    m_read.clear();
    m_final = {};
    m_current.reset();
    for (int i = 0; i < m_document.layerCount() && !m_current; ++i)
      if (!m_document.source(i).trajectory.empty()) {
        m_final = m_document.source(i);
        m_current = m_final.volume;
      }
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, std::max(0, positions() - 1));
    m_slider->setValue(m_slider->maximum());
    m_said = tr("The finished sample");
  }
  sayWhose();
  setVisible(positions() > 0);
}

// Of several volumes, only one has its steps shown here.
void ViewerTrajectoryBar::sayWhose() {
  constexpr int kNameWidth = 160;
  const QString name = fontMetrics().elidedText(QString::fromStdString(m_final.title), Qt::ElideMiddle, kNameWidth);
  m_text->setText(m_document.imageCount() > 1 && !name.isEmpty() ? tr("%1: %2").arg(name, m_said) : m_said);
}

void ViewerTrajectoryBar::goTo(int position) {
  if (position >= static_cast<int>(m_final.trajectory.size())) {
    m_reader.cancel();
    return show(position, m_final);
  }
  if (const ViewerVolume* read = m_read.object(position)) {
    m_reader.cancel();
    return show(position, *read);
  }
  const TrajectoryStep step = m_final.trajectory[static_cast<std::size_t>(position)];
  m_reader.start([this, position, step, options = m_options](std::stop_token stop, const auto&) -> NewestWork::Report {
    ReadOptions read;
    read.cancel = stop;
    return [this, position, volume = readViewerVolume(step.file, read, options)] {
      if (!volume)
        return emit failed(QString::fromStdString(volume.error().message));
      show(position, *volume);
      m_read.insert(position, new ViewerVolume(*volume), costOf(*volume));
    };
  });
}

void ViewerTrajectoryBar::show(int position, const ViewerVolume& volume) {
  const int layer = m_document.layerOf(m_current);
  if (layer < 0)
    return;
  ViewerVolume shown = volume;
  shown.title = m_final.title;
  shown.origin = m_final.origin;
  shown.condition = m_final.condition;
  m_current = shown.volume;
  m_said = tr("The finished sample");
  if (position < static_cast<int>(m_final.trajectory.size())) {
    const TrajectoryStep& step = m_final.trajectory[static_cast<std::size_t>(position)];
    m_said = tr("Denoising step %1 (t = %2)").arg(step.step).arg(step.timestep);
    shown.origin += (shown.origin.empty() ? "" : ", ") + tr("denoising step %1").arg(step.step).toStdString(); // wherever the layer is named
  }
  m_document.setLayerVolume(layer, shown); // which says it, too
  emit this->shown(position);
}

// The next picture when the one before is there.
void ViewerTrajectoryBar::play() {
  if (m_reader.isBusy())
    return;
  if (position() + 1 >= positions())
    m_play->setChecked(false);
  else
    m_slider->setValue(position() + 1);
}

} // namespace voxlab
