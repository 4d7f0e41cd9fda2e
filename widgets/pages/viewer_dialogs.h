// SPDX-License-Identifier: GPL-3.0-or-later
// The page's dialogs: which files to open, and where a screenshot goes, how large, with or without letters and lines.
#pragma once
#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

class QWidget;

namespace voxlab {

struct ScreenshotChoice {
  QString path;
  int scale = 1; // 1…4
  bool annotations = true;
};
std::optional<ScreenshotChoice> askForScreenshot(QWidget* parent, QSize onScreen);

// Starts in the folder of the latest file; empty when cancelled.
QStringList askForVolumes(QWidget* parent, const QStringList& recent);

} // namespace voxlab
