// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_dialogs.h"
#include "widgets/pages/settings_writer.h"
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>

namespace voxlab {

namespace {
const QString kSavedInKey = QStringLiteral("viewer/saved_in");

QString lastFolder() {
  const QString kept = QSettings().value(kSavedInKey).toString();
  if (!kept.isEmpty() && QDir(kept).exists())
    return kept;
  const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
  return QDir(pictures).exists() ? pictures : QDir::homePath();
}

QString remembered(const QString& path, const QString& folder) {
  if (!path.isEmpty())
    changeSettings([&](QSettings& settings) { settings.setValue(kSavedInKey, folder); });
  return path;
}
} // namespace

QString askForFile(QWidget* parent, const QString& title, const QString& suggestedName, const QString& filter) {
  QString name = suggestedName;
  name.replace(QLatin1Char('/'), QLatin1Char('_'));
  const QString path = QFileDialog::getSaveFileName(parent, title, lastFolder() + QLatin1Char('/') + name, filter);
  return remembered(path, QFileInfo(path).absolutePath());
}

QString askForFolder(QWidget* parent, const QString& title) {
  const QString path = QFileDialog::getExistingDirectory(parent, title, lastFolder());
  return remembered(path, path);
}

std::optional<ScreenshotChoice> askForScreenshot(QWidget* parent, QSize onScreen, const QString& name, PictureChoices choices) {
  const auto text = [](const char* source) { return QCoreApplication::translate("Viewer", source); };
  QDialog dialog(parent);
  dialog.setWindowTitle(text("Save a picture"));
  auto* scale = new QComboBox(&dialog);
  for (int factor = 1; factor <= 4; ++factor)
    scale->addItem(QStringLiteral("%1×  (%2 × %3)").arg(factor).arg(onScreen.width() * factor).arg(onScreen.height() * factor), factor);
  scale->setCurrentIndex(1);
  auto* annotations = new QCheckBox(text("Letters, cross-hair and scale bar"), &dialog);
  annotations->setChecked(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, &dialog);
  auto* form = new QFormLayout(&dialog);
  form->addRow(text("Size"), scale);
  form->addRow(QString(), annotations);
  form->setRowVisible(annotations, choices == PictureChoices::SizeAndLetters);
  form->addRow(buttons);
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  if (dialog.exec() != QDialog::Accepted)
    return std::nullopt;
  QString path = askForFile(parent, text("Save a picture"), name + QStringLiteral(".png"), text("Pictures (*.png *.jpg *.tif)"));
  if (path.isEmpty())
    return std::nullopt;
  if (QFileInfo(path).suffix().isEmpty())
    path += QStringLiteral(".png");
  return ScreenshotChoice{path, scale->currentData().toInt(), annotations->isChecked()};
}

QStringList askForVolumes(QWidget* parent, const QStringList& recent) {
  return QFileDialog::getOpenFileNames(
      parent, QCoreApplication::translate("Viewer", "Open volumes"), recent.isEmpty() ? QString() : QFileInfo(recent.first()).absolutePath(),
      QCoreApplication::translate("Viewer", "Volumes (*.nii *.nii.gz *.mgh *.mgz *.nrrd *.nhdr *.mha *.mhd *.hdr *.img *.gipl *.dcm *.ima *.IMA IM[0-9_-]* I[0-9]* MR.*);;"
                                            "DICOM and all other files (*)"));
}

QString askForDicomFolder(QWidget* parent, const QStringList& recent) {
  const QFileInfo latest(recent.value(0));
  const QString from = recent.isEmpty() ? QString() : latest.absolutePath();
  return QFileDialog::getExistingDirectory(parent, QCoreApplication::translate("Viewer", "Open a folder with DICOM files"), from);
}

EditsFate askAboutEdits(QWidget* parent, const QStringList& masks) {
  const auto text = [](const char* words) { return QCoreApplication::translate("Viewer", words); };
  QMessageBox box(QMessageBox::Question, text("The mask is not saved"), text("What was painted on %1 is not saved. Save it?").arg(masks.join(QStringLiteral(", "))),
                  QMessageBox::Cancel, parent);
  QPushButton* save = box.addButton(text("Save…"), QMessageBox::AcceptRole);
  const QPushButton* lose = box.addButton(text("Lose the painting"), QMessageBox::DestructiveRole);
  box.setDefaultButton(save);
  box.exec();
  return box.clickedButton() == save ? EditsFate::Save : box.clickedButton() == lose ? EditsFate::Lose : EditsFate::Keep;
}

} // namespace voxlab
