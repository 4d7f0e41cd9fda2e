// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/settings.h"
#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace voxlab {

Settings::Settings() = default;
Settings::Settings(const QString& iniFile) : m_settings(iniFile, QSettings::IniFormat) {}

QString Settings::runsFolder() const {
  const QString given = qEnvironmentVariable("VOXLAB_RUNS");
  return given.isEmpty() ? m_settings.value(QStringLiteral("runs"), QDir::homePath() + QStringLiteral("/voxlab-runs")).toString() : given;
}

void Settings::setRunsFolder(const QString& folder) { m_settings.setValue(QStringLiteral("runs"), folder); }

QString Settings::workerPath() const { return m_settings.value(QStringLiteral("worker")).toString(); }
void Settings::setWorkerPath(const QString& path) { m_settings.setValue(QStringLiteral("worker"), path); }

ThemeChoice Settings::theme() const {
  const QString name = m_settings.value(QStringLiteral("theme")).toString();
  return name == QLatin1String("light") ? ThemeChoice::Light : name == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

void Settings::setTheme(ThemeChoice choice) {
  m_settings.setValue(QStringLiteral("theme"), choice == ThemeChoice::Light  ? QStringLiteral("light")
                                               : choice == ThemeChoice::Dark ? QStringLiteral("dark")
                                                                             : QStringLiteral("system"));
}

QString Settings::resourcesFolder() const {
  const QString program = QCoreApplication::applicationDirPath();
  for (const QString& folder : {qEnvironmentVariable("VOXLAB_RESOURCES"), m_settings.value(QStringLiteral("resources")).toString(),
                                program + QStringLiteral("/../share/voxlab"), program + QStringLiteral("/../../resources")})
    if (!folder.isEmpty() && QFileInfo(folder).isDir())
      return QDir::cleanPath(folder);
  return {};
}

QString Settings::demoFolder() const {
  const QString given = qEnvironmentVariable("VOXLAB_DEMO");
  if (!given.isEmpty())
    return given;
  return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/voxlab/demo");
}

QString Settings::examplesFolder() const {
  const QString folder = resourcesFolder() + QStringLiteral("/examples");
  return QFileInfo(folder).isDir() ? folder : QString();
}

QString Settings::cacheFile(const QString& name) const {
  return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/voxlab/") + name;
}

QByteArray Settings::windowLayout(const QString& part) const { return m_settings.value(QStringLiteral("window/") + part).toByteArray(); }
void Settings::setWindowLayout(const QString& part, const QByteArray& state) { m_settings.setValue(QStringLiteral("window/") + part, state); }

} // namespace voxlab
