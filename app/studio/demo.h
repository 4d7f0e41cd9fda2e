// SPDX-License-Identifier: GPL-3.0-or-later
// The demo: a small network is trained on real MRI for some steps, draws a volume, and the volume is shown.
#pragma once
#include "core/protocol/job_spec.h"
#include <QObject>
#include <QString>

namespace voxlab {

class MainWindow;
class Settings;

// The demo's job: the preset "demo", the data of the demo folder, the starter weights if there are any. Fails with Data when
// the demo's data have not been made yet, saying how to.
Result<JobSpec> demoSpec(const Catalog& catalog, const Settings& settings);

class Demo : public QObject {
  Q_OBJECT
public:
  Demo(MainWindow& window, const Settings& settings);

  void start();                          // now, or as soon as the worker has said what it can do
  bool isOver() const { return m_isOver; } // the volume is shown, or it came to nothing
  QString problem() const { return m_problem; }

private:
  void launch();
  void followUp();
  void giveUp(const QString& message);

  MainWindow& m_window;
  const Settings& m_settings;
  QString m_runId, m_problem;
  bool m_waiting = false, m_launched = false, m_isOver = false;
};

} // namespace voxlab
