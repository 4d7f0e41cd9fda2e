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
// `name`: what the picture shows, for the name that is suggested.
enum class PictureChoices { Size, SizeAndLetters };
std::optional<ScreenshotChoice> askForScreenshot(QWidget* parent, QSize onScreen, const QString& name, PictureChoices choices = PictureChoices::SizeAndLetters);

// Where something was saved last, at first among the user's pictures; and the question for a file there, remembered for the next.
QString askForFile(QWidget* parent, const QString& title, const QString& suggestedName, const QString& filter);
QString askForFolder(QWidget* parent, const QString& title);

// Starts in the folder of the latest file; empty when cancelled.
QStringList askForVolumes(QWidget* parent, const QStringList& recent);

QString askForDicomFolder(QWidget* parent, const QStringList& recent);

// What is to become of masks that were painted on and not saved. "Save" is what the return key does.
enum class EditsFate { Keep, Lose, Save };
EditsFate askAboutEdits(QWidget* parent, const QStringList& masks);

} // namespace voxlab
