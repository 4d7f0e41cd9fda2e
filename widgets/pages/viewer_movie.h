// SPDX-License-Identifier: GPL-3.0-or-later
// Records a film, as numbered PNG files or one animated PNG: the 3D view on a turntable, a sweep through all slices, or the way from
// noise to a sample as the views show it. A
// picture is drawn in the window's thread and written in another, so that the window goes on answering.
#pragma once
#include "rendering/slice_geometry.h"
#include "widgets/pages/film_writer.h"
#include <QObject>
#include <QSize>
#include <QThreadPool>
#include <optional>

class QWidget;

namespace voxlab {

class ViewerDocument;
class ViewerGrid;
class ViewerTrajectoryBar;

struct MovieOptions {
  enum class Kind { Turntable, Sweep, Trajectory };
  Kind kind = Kind::Turntable;
  SliceAxis axis = SliceAxis::Axial; // Sweep
  int frames = 90;                   // Turntable; a sweep has one a slice, a trajectory one a recorded step
  QSize pixels{720, 720};            // a trajectory's film is as wide, and as high as the views are then
  QString path; // a folder for numbered files; a name that ends in .png gets the whole film
  int framesPerSecond = 15;
};

class ViewerMovie : public QObject {
  Q_OBJECT
public:
  ViewerMovie(ViewerDocument& document, ViewerGrid& grid, QObject* parent = nullptr);
  void setTrajectory(ViewerTrajectoryBar* trajectory); // that Trajectory records
  void start(const MovieOptions& options);
  void cancel();

signals:
  void progressed(double share);
  void finished(const QString& problem, int frames); // an empty problem: all is well

private:
  void recordNext();
  void record(const QImage& picture);
  void startTrajectory();
  QImage trajectoryPicture() const;
  void written(const QString& problem);
  QImage nextPicture();
  void end(const QString& problem);

  ViewerDocument& m_document;
  ViewerGrid& m_grid;
  ViewerTrajectoryBar* m_trajectory = nullptr;
  MovieOptions m_options;
  std::shared_ptr<FilmWriter> m_writer;
  QThreadPool m_pool;
  int m_frame = 0, m_count = 0, m_sliceBefore = 1, m_positionBefore = 0;
  int m_turns = 0; // of the turntable so far
  bool m_isRecording = false;
};

// trajectorySteps: recorded steps of the sample that is shown; 0 offers no film of them.
std::optional<MovieOptions> askForMovie(QWidget* parent, int trajectorySteps);

} // namespace voxlab
