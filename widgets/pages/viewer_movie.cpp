// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_movie.h"
#include "widgets/base/when_done.h"
#include "widgets/pages/outlined_text.h"
#include "widgets/pages/viewer_colours.h"
#include "widgets/pages/viewer_dialogs.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_mask_editor.h"
#include "widgets/pages/viewer_slice_view.h"
#include "widgets/pages/viewer_trajectory.h"
#include "widgets/pages/viewer_volume_view.h"
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QtConcurrent>
#include <utility>

namespace voxlab {

ViewerMovie::ViewerMovie(ViewerDocument& document, ViewerGrid& grid, QObject* parent) : QObject(parent), m_document(document), m_grid(grid) {
  m_pool.setMaxThreadCount(1);
}

void ViewerMovie::setEditor(ViewerMaskEditor* editor) { m_editor = editor; }

void ViewerMovie::setTrajectory(ViewerTrajectoryBar* trajectory) {
  m_trajectory = trajectory;
  connect(trajectory, &ViewerTrajectoryBar::shown, this, [this](int position) {
    if (!m_isRecording || m_options.kind != MovieOptions::Kind::Trajectory)
      return;
    if (position == m_frame)
      recordTrajectory();
    else // somebody moved the slider
      recordWhenIdle();
  });
  connect(trajectory, &ViewerTrajectoryBar::failed, this, [this](const QString& sentence) {
    if (m_isRecording && m_options.kind == MovieOptions::Kind::Trajectory)
      end(sentence, MessageKind::Failure);
  });
}

void ViewerMovie::start(const MovieOptions& options) {
  if (m_isRecording)
    return;
  m_options = options;
  m_frame = m_count = 0;
  m_isRecording = true;
  if (const QString problem = prepare(); !problem.isEmpty())
    return end(problem, MessageKind::Attention);
  if (options.path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
    m_writer = animatedPng(options.path, m_count, 1000 / std::max(1, options.framesPerSecond));
  else
    m_writer = numberedPictures(options.path);
  const auto begin = [this, film = ++m_film](const SteadyMask& mask) {
    if (film != m_film)
      return;
    m_mask = mask;
    recordWhenIdle();
  };
  if (m_editor)
    m_editor->whenSteady(begin);
  else
    begin({});
}

QString ViewerMovie::prepare() {
  if (m_document.isEmpty())
    return tr("There is nothing to record: open a volume first.");
  switch (m_options.kind) {
  case MovieOptions::Kind::Sweep:
    m_slices = m_grid.stillsOfAllSlices(m_options.axis, m_options.pixels);
    m_count = static_cast<int>(m_slices.size());
    break;
  case MovieOptions::Kind::Trajectory:
    if (!m_trajectory || m_trajectory->positions() < 2)
      return tr("There is no way from noise to record: open a sample that was drawn with sample.record_every.");
    m_trajectory->stopPlaying();
    m_count = m_trajectory->positions();
    m_positionBefore = m_trajectory->position();
    break;
  case MovieOptions::Kind::Turntable:
    if (m_grid.volumeView().capture({16, 16}).isNull())
      return tr("The turntable needs the 3D view: show it first. On a display without OpenGL there is none.");
    m_count = std::max(2, m_options.frames);
    m_camera = m_grid.volumeView().scene().camera();
    break;
  }
  return {};
}

void ViewerMovie::cancel() {
  if (m_isRecording)
    end(tr("The film was cancelled; no file was made."), MessageKind::Information);
}

// After what the user does meanwhile: keys, the mouse and repainting go first.
void ViewerMovie::recordWhenIdle() {
  QTimer::singleShot(0, this, [this, film = m_film] {
    if (film == m_film)
      recordNext();
  });
}

void ViewerMovie::recordNext() {
  if (m_options.kind == MovieOptions::Kind::Sweep) {
    GridStill still = m_slices[static_cast<std::size_t>(m_frame)];
    still.hold(m_mask);
    record([still = std::move(still)] { return still.paint(); });
  } else if (m_options.kind == MovieOptions::Kind::Turntable) {
    const QImage picture = turnedPicture();
    if (picture.isNull()) // hidden meanwhile: half a film with a hole in it helps nobody
      return end(tr("The film was ended: the 3D view has to stay in sight while it is recorded."), MessageKind::Attention);
    record([picture] { return picture; });
  } else if (m_trajectory->position() != m_frame)
    m_trajectory->setPosition(m_frame); // records when its volume is there
  else
    recordTrajectory();
}

// The view's own camera, which the user may move meanwhile, is borrowed.
QImage ViewerMovie::turnedPicture() {
  VolumeScene& scene = m_grid.volumeView().scene();
  const VolumeScene::Camera own = scene.camera();
  scene.setCamera(m_camera);
  scene.rotate(-360.0 * m_frame / m_count, 0);
  const QImage picture = m_grid.volumeView().capture(m_options.pixels);
  scene.setCamera(own);
  return picture;
}

// The views as they are arranged, with the step's name where letters are shown.
void ViewerMovie::recordTrajectory() {
  const bool decorated = m_document.annotations() == Visibility::Shown;
  GridStill still = m_grid.still(m_options.pixels.width() / std::max(1.0, m_grid.width() * m_grid.devicePixelRatioF()), decorated);
  still.hold(m_mask);
  record([still = std::move(still), decorated, font = m_grid.font(), words = m_trajectory->words()]() mutable {
    QImage picture = still.paint();
    if (!decorated)
      return picture;
    QPainter painter(&picture);
    font.setPixelSize(std::max(11, picture.width() / 45));
    painter.setFont(font);
    painter.setRenderHint(QPainter::Antialiasing);
    const int margin = font.pixelSize();
    drawOutlined(painter, picture.rect().adjusted(margin, margin, -margin, -margin), Qt::AlignHCenter | Qt::AlignBottom, words, Qt::white);
    return picture;
  });
}

void ViewerMovie::record(Paint paint) {
  const bool last = m_frame + 1 >= m_count;
  whenDone(QtConcurrent::run(&m_pool, [writer = m_writer, paint = std::move(paint), last] {
    const QString problem = writer->add(paint());
    return problem.isEmpty() && last ? writer->finish() : problem;
  }), this, [this, film = m_film](const QString& problem) {
    if (film == m_film) // not cancelled meanwhile
      written(problem);
  });
}

void ViewerMovie::written(const QString& problem) {
  if (!problem.isEmpty())
    return end(problem, MessageKind::Failure);
  ++m_frame;
  emit progressed(m_frame, m_count);
  if (!m_isRecording) // somebody who was told of it cancelled
    return;
  if (m_frame >= m_count)
    end({}, MessageKind::Information);
  else
    recordWhenIdle();
}

void ViewerMovie::end(const QString& problem, MessageKind kind) {
  m_isRecording = false;
  ++m_film;
  m_writer.reset(); // what is not finished goes
  m_slices.clear();
  m_pool.start([mask = std::exchange(m_mask, {})] {}); // giving back a large copy takes long too
  if (m_options.kind == MovieOptions::Kind::Trajectory && m_count > 0)
    m_trajectory->setPosition(m_positionBefore);
  if (m_options.kind == MovieOptions::Kind::Turntable)
    m_grid.volumeView().redrawStill();
  emit finished(problem, m_frame, kind);
}

std::optional<MovieOptions> askForMovie(QWidget* parent, const QString& name, int trajectorySteps) {
  const auto text = [](const char* source) { return QCoreApplication::translate("Viewer", source); };
  QDialog dialog(parent);
  dialog.setWindowTitle(text("Record a film"));
  auto* kind = new QComboBox(&dialog);
  kind->setAccessibleName(text("What the film shows"));
  constexpr int kTurntable = 0, kTrajectory = -1; // otherwise a SliceAxis
  kind->addItem(text("3D on a turntable"), kTurntable);
  for (const SliceAxis axis : {SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal})
    kind->addItem(text("Through the slices: %1").arg(axisName(axis)), static_cast<int>(axis));
  if (trajectorySteps > 0)
    kind->addItem(text("From noise to the sample, as the views show it"), kTrajectory);
  auto* frames = new QSpinBox(&dialog);
  frames->setRange(12, 720);
  frames->setValue(90);
  auto* edge = new QSpinBox(&dialog);
  edge->setRange(128, 2160);
  edge->setValue(720);
  edge->setSuffix(text(" pixels"));
  auto* speed = new QSpinBox(&dialog);
  speed->setRange(1, 60);
  speed->setValue(15);
  speed->setSuffix(text(" pictures a second"));
  auto* fileKind = new QComboBox(&dialog);
  fileKind->addItem(text("One animated PNG, for slides and web pages"));
  fileKind->addItem(text("Numbered PNG files, for a video program"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, &dialog);
  buttons->button(QDialogButtonBox::Ok)->setText(text("Choose where…"));
  auto* form = new QFormLayout(&dialog);
  form->addRow(text("Film"), kind);
  form->addRow(text("Frames of a turn"), frames);
  form->addRow(text("Size"), edge);
  form->addRow(text("Speed"), speed);
  form->addRow(text("As"), fileKind);
  form->addRow(buttons);
  QObject::connect(kind, &QComboBox::currentIndexChanged, frames, [frames](int index) { frames->setEnabled(index == 0); });
  QObject::connect(fileKind, &QComboBox::currentIndexChanged, speed, [speed](int index) { speed->setEnabled(index == 0); });
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  if (dialog.exec() != QDialog::Accepted)
    return std::nullopt;
  MovieOptions options;
  const int chosen = kind->currentData().toInt();
  if (fileKind->currentIndex() == 0) {
    const QString what = chosen == kTurntable ? text("turntable") : chosen == kTrajectory ? text("from noise") : axisName(static_cast<SliceAxis>(chosen)).toLower();
    options.path = askForFile(parent, text("Save the film"), QStringLiteral("%1 %2.png").arg(name, what), text("Animated PNG (*.png)"));
    if (!options.path.isEmpty() && !options.path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
      options.path += QStringLiteral(".png");
  } else
    options.path = askForFolder(parent, text("Folder for the numbered PNG files"));
  if (options.path.isEmpty())
    return std::nullopt;
  options.framesPerSecond = speed->value();
  options.kind = chosen == kTurntable ? MovieOptions::Kind::Turntable : chosen == kTrajectory ? MovieOptions::Kind::Trajectory : MovieOptions::Kind::Sweep;
  if (options.kind == MovieOptions::Kind::Sweep)
    options.axis = static_cast<SliceAxis>(chosen);
  options.frames = frames->value();
  options.pixels = QSize(edge->value(), edge->value());
  return options;
}

} // namespace voxlab
