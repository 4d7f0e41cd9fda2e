// SPDX-License-Identifier: GPL-3.0-or-later
// Records a film, as numbered PNG files or one animated PNG: the 3D view on a turntable, a sweep through all slices, or the way from
// noise to a sample as the views show it. Slices are painted and files written beside the window; only VTK draws in the window's
// thread, one picture whenever nothing else is to be done there. A sweep and a turntable show what was there when they were begun.
#pragma once
#include "rendering/slice_geometry.h"
#include "rendering/volume_scene.h"
#include "widgets/pages/film_writer.h"
#include "widgets/pages/message_kind.h"
#include "widgets/pages/viewer_grid.h"
#include <QObject>
#include <QSize>
#include <QThreadPool>
#include <functional>
#include <optional>
#include <vector>

class QWidget;

namespace voxlab {

class ViewerDocument;
class ViewerGrid;
class ViewerMaskEditor;
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
  void setEditor(ViewerMaskEditor* editor);             // whose mask may be painted on meanwhile
  void start(const MovieOptions& options);
  void cancel();
  bool isRecording() const { return m_isRecording; }

signals:
  void progressed(int frames, int of);
  // An empty problem: all is well. kind: Failure where something went wrong, Attention where the film cannot be, Information else.
  void finished(const QString& problem, int frames, voxlab::MessageKind kind);

private:
  using Paint = std::function<QImage()>; // runs beside the window
  QString prepare(); // a sentence where it cannot be recorded
  void recordWhenIdle();
  void recordNext();
  void record(Paint paint);
  void recordTrajectory();
  QImage turnedPicture();
  void written(const QString& problem);
  void end(const QString& problem, MessageKind kind);

  ViewerDocument& m_document;
  ViewerGrid& m_grid;
  ViewerTrajectoryBar* m_trajectory = nullptr;
  ViewerMaskEditor* m_editor = nullptr;
  MovieOptions m_options;
  std::shared_ptr<FilmWriter> m_writer;
  QThreadPool m_pool;
  int m_frame = 0, m_count = 0, m_positionBefore = 0;
  std::vector<GridStill> m_slices; // Sweep
  SteadyMask m_mask;
  VolumeScene::Camera m_camera; // Turntable: of its first picture
  int m_film = 0;               // which: what an earlier one had begun may still arrive
  bool m_isRecording = false;
};

// name: of what is filmed, for the file's; trajectorySteps: recorded steps of the sample that is shown; 0 offers no film of them.
std::optional<MovieOptions> askForMovie(QWidget* parent, const QString& name, int trajectorySteps);

} // namespace voxlab
