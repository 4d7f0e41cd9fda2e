// SPDX-License-Identifier: GPL-3.0-or-later
// Above the pages: what they show. Of a run: which it is, how far it has come, and what can be asked of it. The buttons tell the truth: a request
// that the worker has not acknowledged yet shows as "pausing…".
#pragma once
#include "core/analysis/run_state.h"
#include <QFrame>
#include <QSet>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace voxlab {

class ElidedLabel;

constexpr int kProfiledSteps = 3; // of a running training, when it is asked to record its next steps

struct RunHeading {
  QString id, title, subtitle; // subtitle: the specification in words
  QString kind;
  RunOutcome outcome = RunOutcome::Unknown;
  RunPhase phase = RunPhase::Unknown;
  std::int64_t step = 0;
  std::optional<std::int64_t> totalSteps;
  std::optional<double> fraction, timeLeft_s, runTime_s;
  std::optional<double> loss, volumesPerSecond; // the newest, loss smoothed
  QString message;             // of the end, or why it is lost
  QSet<QString> pending;       // commands not acknowledged yet: "pause", "stop", …
  bool canResumeFromCheckpoint = false;
  bool readOnly = false;       // recorded elsewhere
  // Other jobs refuse it.
  bool takesProfileRequest() const { return outcome == RunOutcome::Running && !readOnly && kind == QLatin1String("train"); }
  bool isRun() const { return !id.isEmpty(); } // else title and subtitle name something else, and there is nothing to ask for
};

class RunHeader : public QFrame {
  Q_OBJECT
public:
  explicit RunHeader(QWidget* parent = nullptr);
  void setHeading(const RunHeading& heading);
  const RunHeading& heading() const { return m_heading; }
  QPushButton* pauseButton() const { return m_pause; }
  QPushButton* stopButton() const { return m_stop; }
  QPushButton* sampleButton() const { return m_sample; }
  QPushButton* checkpointButton() const { return m_checkpoint; }
  QPushButton* profileButton() const { return m_profile; }

signals:
  void requested(const QString& command); // "pause", "resume", "stop", "sample_now", "checkpoint_now"
  void profileRequested();                // of a running training: its next steps
  void restartRequested();                // go on from the last checkpoint
  void logRequested();

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void showButtons();
  void showProgress();
  bool isPending(const char* command) const { return m_heading.pending.contains(QLatin1String(command)); }

  RunHeading m_heading;
  QLabel* m_glyph;
  ElidedLabel* m_title;
  ElidedLabel* m_subtitle;
  QLabel* m_progressText;
  QProgressBar* m_progress;
  QFrame* m_banner;
  QLabel* m_bannerText;
  QPushButton* m_showLog;
  QPushButton* m_pause;
  QPushButton* m_stop;
  QPushButton* m_sample;
  QPushButton* m_checkpoint;
  QPushButton* m_profile;
  QPushButton* m_restart;
};

} // namespace voxlab
