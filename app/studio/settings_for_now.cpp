// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/settings_for_now.h"
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>

namespace voxlab {

SettingsForNow::SettingsForNow() {
  const QString own = QSettings().fileName(); // FOLDER/organisation/application.conf
  m_own = QFileInfo(QFileInfo(own).absolutePath()).absolutePath();
  if (!m_folder.isValid())
    return;
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
  const QString copy = QSettings().fileName();
  QDir().mkpath(QFileInfo(copy).absolutePath());
  QFile::copy(own, copy);
}

SettingsForNow::~SettingsForNow() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_own); }

} // namespace voxlab
