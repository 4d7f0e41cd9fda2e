// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a folder's DICOM series to open.
#pragma once
#include "core/imaging/dicom_folder.h"
#include <QDialog>

class QTreeWidget;

namespace voxlab {

class ViewerSeriesDialog : public QDialog {
  Q_OBJECT
public:
  ViewerSeriesDialog(const QString& folder, const std::vector<DicomSeries>& series, QWidget* parent = nullptr);
  // As they stand in the list, the first on top; never empty once the dialog is accepted.
  std::vector<DicomSeries> chosen() const;

private:
  std::vector<DicomSeries> m_series;
  QTreeWidget* m_list;
};

} // namespace voxlab
