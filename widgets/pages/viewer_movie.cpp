// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_movie.h"
#include "widgets/pages/viewer_colours.h"
#include "widgets/pages/viewer_dialogs.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
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
#include <QtConcurrent>

namespace voxlab {

ViewerMovie::ViewerMovie(ViewerDocument& document, ViewerGrid& grid, QObject* parent) : QObject(parent), m_document(document), m_grid(grid) {
  m_pool.setMaxThreadCount(1);
}

void ViewerMovie::start(const MovieOptions& options) {
  if (m_isRecording)
    return;
  m_options = options;
  m_frame = m_count = 0;
  m_isRecording = true;
  if (m_document.isEmpty())
    return end(tr("There is nothing to record: open a volume first."));
  if (options.kind == MovieOptions::Kind::Sweep) {
    m_sliceBefore = m_document.sliceNumber(options.axis).number;
    m_count = m_document.sliceNumber(options.axis).count;
  } else if (options.kind == MovieOptions::Kind::Trajectory) {
    if (!m_trajectory || m_trajectory->positions() < 2)
      return end(tr("There is no way from noise to record: open a sample that was drawn with sample.record_every."));
    startTrajectory();
  } else {
    m_count = std::max(2, options.frames);
    if (m_grid.volumeView().capture({16, 16}).isNull())
      return end(tr("The turntable needs the 3D view: show it first. On a display without OpenGL there is none."));
  }
  if (options.path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
    m_writer = animatedPng(options.path, m_count, 1000 / std::max(1, options.framesPerSecond));
  else
    m_writer = numberedPictures(options.path);
  QMetaObject::invokeMethod(this, &ViewerMovie::recordNext, Qt::QueuedConnection);
}

void ViewerMovie::setTrajectory(ViewerTrajectoryBar* trajectory) {
  m_trajectory = trajectory;
  connect(trajectory, &ViewerTrajectoryBar::shown, this, [this](int position) {
    if (!m_isRecording || m_options.kind != MovieOptions::Kind::Trajectory)
      return;
    if (position == m_frame)
      record(trajectoryPicture());
    else // somebody moved the slider
      QMetaObject::invokeMethod(this, &ViewerMovie::recordNext, Qt::QueuedConnection);
  });
  connect(trajectory, &ViewerTrajectoryBar::failed, this, [this](const QString& sentence) {
    if (m_isRecording && m_options.kind == MovieOptions::Kind::Trajectory)
      end(sentence);
  });
}

void ViewerMovie::startTrajectory() {
  m_trajectory->stopPlaying();
  m_count = m_trajectory->positions();
  m_positionBefore = m_trajectory->position();
}

// The views as they are arranged, with the step's name where letters are shown.
QImage ViewerMovie::trajectoryPicture() const {
  const bool decorated = m_document.annotations() == Visibility::Shown;
  const double scale = m_options.pixels.width() / std::max(1.0, m_grid.width() * m_grid.devicePixelRatioF());
  QImage picture = m_grid.capture(scale, decorated);
  if (!decorated)
    return picture;
  QPainter painter(&picture);
  QFont font = m_grid.font();
  font.setPixelSize(std::max(11, picture.width() / 45));
  painter.setFont(font);
  painter.setPen(Qt::white);
  const int margin = font.pixelSize();
  painter.drawText(picture.rect().adjusted(margin, margin, -margin, -margin), Qt::AlignHCenter | Qt::AlignBottom, m_trajectory->words());
  return picture;
}

void ViewerMovie::cancel() {
  if (m_isRecording)
    end(tr("The film was cancelled; no file was made."));
}

QImage ViewerMovie::nextPicture() {
  if (m_options.kind == MovieOptions::Kind::Sweep) {
    m_document.setSliceNumber(m_options.axis, m_frame + 1);
    return m_grid.sliceView(m_options.axis).capture(m_options.pixels, m_grid.devicePixelRatioF(), ViewerSliceView::Decoration::Full);
  }
  const QImage picture = m_grid.volumeView().capture(m_options.pixels);
  m_grid.volumeView().scene().rotate(-360.0 / m_count, 0);
  ++m_turns;
  return picture;
}

void ViewerMovie::recordNext() {
  if (!m_isRecording)
    return;
  if (m_options.kind != MovieOptions::Kind::Trajectory)
    record(nextPicture());
  else if (m_trajectory->position() != m_frame)
    m_trajectory->setPosition(m_frame); // records when its volume is there
  else
    record(trajectoryPicture());
}

void ViewerMovie::record(const QImage& picture) {
  if (picture.isNull()) // hidden meanwhile: half a film with a hole in it helps nobody
    return end(tr("The film was ended: the 3D view has to stay in sight while it is recorded."));
  const bool last = m_frame + 1 >= m_count;
  QtConcurrent::run(&m_pool, [writer = m_writer, picture, last] {
    const QString problem = writer->add(picture);
    return problem.isEmpty() && last ? writer->finish() : problem;
  }).then(this, [this](const QString& problem) { written(problem); });
}

void ViewerMovie::written(const QString& problem) {
  if (!m_isRecording) // cancelled meanwhile
    return;
  if (!problem.isEmpty())
    return end(problem);
  ++m_frame;
  emit progressed(static_cast<double>(m_frame) / m_count);
  if (m_frame >= m_count)
    end({});
  else
    QMetaObject::invokeMethod(this, &ViewerMovie::recordNext, Qt::QueuedConnection);
}

void ViewerMovie::end(const QString& problem) {
  m_isRecording = false;
  m_writer.reset(); // what is not finished goes
  if (m_options.kind == MovieOptions::Kind::Sweep && m_count > 0)
    m_document.setSliceNumber(m_options.axis, m_sliceBefore);
  if (m_options.kind == MovieOptions::Kind::Trajectory && m_count > 0)
    m_trajectory->setPosition(m_positionBefore);
  if (m_turns > 0 && m_turns < m_count) // back to where it began
    m_grid.volumeView().scene().rotate(360.0 * m_turns / m_count, 0);
  m_turns = 0;
  m_grid.volumeView().redrawStill();
  emit finished(problem, m_frame);
}

std::optional<MovieOptions> askForMovie(QWidget* parent, int trajectorySteps) {
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
  if (fileKind->currentIndex() == 0) {
    options.path = askForFile(parent, text("Save the film"), QStringLiteral("film.png"), text("Animated PNG (*.png)"));
    if (!options.path.isEmpty() && !options.path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
      options.path += QStringLiteral(".png");
  } else
    options.path = askForFolder(parent, text("Folder for the numbered PNG files"));
  if (options.path.isEmpty())
    return std::nullopt;
  options.framesPerSecond = speed->value();
  const int chosen = kind->currentData().toInt();
  options.kind = chosen == kTurntable ? MovieOptions::Kind::Turntable : chosen == kTrajectory ? MovieOptions::Kind::Trajectory : MovieOptions::Kind::Sweep;
  if (options.kind == MovieOptions::Kind::Sweep)
    options.axis = static_cast<SliceAxis>(chosen);
  options.frames = frames->value();
  options.pixels = QSize(edge->value(), edge->value());
  return options;
}

} // namespace voxlab
