// SPDX-License-Identifier: Apache-2.0
// Runs the tests in a QApplication that touches nothing of the user's: settings and caches lie in a temporary folder.
#include "tests/support/temporary_folder.h"
#include <QApplication>
#include <QSurfaceFormat>
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const voxlab::TemporaryFolder home;
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
    qputenv(name, QByteArray::fromStdString((home / name).string()));
  qunsetenv("DBUS_SESSION_BUS_ADDRESS"); // the desktop's theme must not matter
  if (qEnvironmentVariableIsEmpty("DISPLAY"))
    qputenv("QT_QPA_PLATFORM", "offscreen");
  QSurfaceFormat format; // as VTK's windows want it
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  QSurfaceFormat::setDefaultFormat(format);
  QApplication::setOrganizationName(QStringLiteral("voxlab-tests"));
  QApplication application(argc, argv);
  return RUN_ALL_TESTS();
}
