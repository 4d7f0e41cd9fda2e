// SPDX-License-Identifier: GPL-3.0-or-later
// While it lives, settings are read as the user has them and written elsewhere: a picture from the command line leaves no trace among recent
// files, ranges and layouts.
#pragma once
#include <QString>
#include <QTemporaryDir>

namespace voxlab {

class SettingsForNow {
public:
  SettingsForNow();
  ~SettingsForNow();
  SettingsForNow(const SettingsForNow&) = delete;
  SettingsForNow& operator=(const SettingsForNow&) = delete;

private:
  QTemporaryDir m_folder;
  QString m_own; // the folder of the user's settings
};

} // namespace voxlab
