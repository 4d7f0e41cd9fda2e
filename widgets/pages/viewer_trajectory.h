// SPDX-License-Identifier: GPL-3.0-or-later
// The way from noise to a sample: the clean volumes that the network predicted at the sampler's steps (sample.record_every),
// scrubbed by a slider under the views.
#pragma once
#include "widgets/pages/newest_work.h"
#include "widgets/pages/viewer_volume.h"
#include <QCache>
#include <QTimer>
#include <QWidget>

class QLabel;
class QSlider;
class QToolButton;

namespace voxlab {

class ViewerDocument;

class ViewerTrajectoryBar : public QWidget {
  Q_OBJECT
public:
  // Shows itself while the document holds a sample with recorded steps.
  explicit ViewerTrajectoryBar(ViewerDocument& document, QWidget* parent = nullptr);
  void setPrepareOptions(const PrepareOptions& options);
  // The file of the sample that a volume is, or is a step of.
  std::filesystem::path sampleOf(const ViewerVolume& volume) const { return m_current && volume.volume == m_current ? m_final.path : volume.path; }
  int positions() const; // recorded steps and the sample itself; 0 without a trajectory
  int position() const;  // from 0
  void setPosition(int position);
  QString words() const; // of the position: "Denoising step 3 (t = 120)"
  void togglePlaying();
  void stopPlaying();

signals:
  void failed(const QString& sentence);
  void shown(int position); // its volume is in the views

private:
  void takeDocument();
  void sayWhose();
  void goTo(int position);
  void show(int position, const ViewerVolume& volume);
  void play();

  ViewerDocument& m_document;
  PrepareOptions m_options;
  ViewerVolume m_final;                             // the sample; its volume is null without a trajectory
  std::shared_ptr<const Volume> m_current;          // of the layer that this bar changes
  QCache<int, ViewerVolume> m_read;                 // cost in kB
  NewestWork m_reader;
  QTimer m_clock;
  QSlider* m_slider;
  QLabel* m_text;
  QString m_said; // of the step that is shown
  QToolButton* m_play;
};

} // namespace voxlab
