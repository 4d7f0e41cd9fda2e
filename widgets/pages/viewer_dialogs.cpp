// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_dialogs.h"
#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QPushButton>

namespace voxlab {

std::optional<ScreenshotChoice> askForScreenshot(QWidget* parent, QSize onScreen) {
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
  form->addRow(buttons);
  QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  if (dialog.exec() != QDialog::Accepted)
    return std::nullopt;
  QString path = QFileDialog::getSaveFileName(parent, text("Save a picture"), QStringLiteral("voxlab.png"), text("Pictures (*.png *.jpg *.tif)"));
  if (path.isEmpty())
    return std::nullopt;
  if (!path.contains(QLatin1Char('.')))
    path += QStringLiteral(".png");
  return ScreenshotChoice{path, scale->currentData().toInt(), annotations->isChecked()};
}

QStringList askForVolumes(QWidget* parent, const QStringList& recent) {
  return QFileDialog::getOpenFileNames(
      parent, QCoreApplication::translate("Viewer", "Open volumes"), recent.isEmpty() ? QString() : QFileInfo(recent.first()).absolutePath(),
      QCoreApplication::translate("Viewer", "Volumes (*.nii *.nii.gz *.mgh *.mgz *.nrrd *.nhdr *.mha *.mhd *.hdr *.img *.dcm);;All files (*)"));
}

} // namespace voxlab
