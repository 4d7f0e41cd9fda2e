// SPDX-License-Identifier: GPL-3.0-or-later
// Saves the window as a picture as soon as a condition holds, and ends the program: for tests, manuals and machines without
// a display.
#pragma once
#include <QObject>
#include <QTimer>
#include <functional>

namespace voxlab {

class MainWindow;

class Screenshot : public QObject {
  Q_OBJECT
public:
  Screenshot(MainWindow& window, QString file, std::function<bool()> isReady);

private:
  void look();
  void save();
  MainWindow& m_window;
  QString m_file;
  std::function<bool()> m_isReady;
  QTimer m_timer;
  int m_readyFor = 0; // looks in a row: what was asked for has been painted too
};

} // namespace voxlab
