// SPDX-License-Identifier: GPL-3.0-or-later
// Widget tests: under an X server where there is one, off-screen otherwise. Settings go to a folder of their own.
#include "rendering/qt/vtk_view.h"
#include "tests/support/temporary_folder.h"
#include <QApplication>
#include <QSurfaceFormat>
#include <QSettings>
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  const voxlab::TemporaryFolder settings;
  QSettings::setDefaultFormat(QSettings::IniFormat);
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, QString::fromStdString(settings.path().string()));
  QCoreApplication::setOrganizationName(QStringLiteral("voxlab-test"));
  QCoreApplication::setApplicationName(QStringLiteral("voxlab-test"));
  QSurfaceFormat::setDefaultFormat(voxlab::VtkView::defaultFormat());
  const QApplication application(argc, argv);
  return RUN_ALL_TESTS();
}
