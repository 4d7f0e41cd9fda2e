// SPDX-License-Identifier: GPL-3.0-or-later
// What the studio remembers. One place; the settings page shows all of it but the window's layout.
#pragma once
#include <QByteArray>
#include <QSettings>
#include <QString>

namespace voxlab {

enum class ThemeChoice { System, Light, Dark };

class Settings {
public:
  Settings();                                // the user's file, as QSettings() finds it
  explicit Settings(const QString& iniFile); // for tests

  QString runsFolder() const;  // VOXLAB_RUNS, else as chosen, else ~/voxlab-runs (~/voxlab may be the checkout)
  void setRunsFolder(const QString& folder);
  QString workerPath() const;  // empty: looked for beside the studio
  void setWorkerPath(const QString& path);
  ThemeChoice theme() const;
  void setTheme(ThemeChoice choice);
  QString resourcesFolder() const; // VOXLAB_RESOURCES, as chosen, installed beside the program, or the source tree's; may be empty
  QString demoFolder() const;      // images/ and masks/ of the demo: VOXLAB_DEMO, else ~/.local/share/voxlab/demo
  QString examplesFolder() const;  // runs that come with the program; empty when there are none
  QString cacheFile(const QString& name) const;

  QByteArray windowLayout(const QString& part) const;
  void setWindowLayout(const QString& part, const QByteArray& state);

private:
  QSettings m_settings;
};

} // namespace voxlab
