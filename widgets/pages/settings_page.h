// SPDX-License-Identifier: GPL-3.0-or-later
// The one place for settings.
#pragma once
#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace voxlab {

enum class PathKind : int;

struct SettingsValues {
  QString runsFolder, workerPath;
  QString theme; // "system", "light", "dark"
  bool operator==(const SettingsValues&) const = default;
};

class SettingsPage : public QWidget {
  Q_OBJECT
public:
  explicit SettingsPage(QWidget* parent = nullptr);
  void setValues(const SettingsValues& values);
  SettingsValues values() const;
  void setWorkerState(const QString& words); // what was found there: version, or why it cannot be used

signals:
  void changed(const voxlab::SettingsValues& values);

private:
  QLineEdit* addPath(QGridLayout* grid, int row, const QString& title, const QString& help, PathKind kind);
  QLineEdit* m_runs;
  QLineEdit* m_worker;
  QLabel* m_workerState;
  QComboBox* m_theme;
};

} // namespace voxlab
