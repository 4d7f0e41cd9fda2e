// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_series_dialog.h"
#include "core/base/text.h"
#include "widgets/pages/page_parts.h"
#include <QDialogButtonBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr QSize kSize(720, 360);
const QString kUnknownText = QString::fromUtf8(kUnknown.data());

QString spacingText(const DicomSeries& series) {
  if (series.spacing_mm[0] <= 0 || series.spacing_mm[1] <= 0)
    return kUnknownText;
  QString text = QStringLiteral("%1 × %2").arg(series.spacing_mm[0], 0, 'g', 3).arg(series.spacing_mm[1], 0, 'g', 3);
  if (series.spacing_mm[2] > 0)
    text += QStringLiteral(" × %1").arg(series.spacing_mm[2], 0, 'g', 3);
  return text + QStringLiteral(" mm");
}

QStringList rowOf(const DicomSeries& series) {
  const QString description = QString::fromStdString(series.description).trimmed(), modality = QString::fromStdString(series.modality);
  const QString date = QString::fromStdString(series.date);
  return {series.number > 0 ? QString::number(series.number) : kUnknownText,
          description.isEmpty() ? ViewerSeriesDialog::tr("(no description)") : description,
          modality.isEmpty() ? kUnknownText : modality,
          QString::number(series.images),
          QStringLiteral("%1 × %2").arg(series.columns).arg(series.rows),
          spacingText(series),
          date.isEmpty() ? kUnknownText : date};
}
} // namespace

ViewerSeriesDialog::ViewerSeriesDialog(const QString& folder, const std::vector<DicomSeries>& series, QWidget* parent) : QDialog(parent), m_series(series) {
  setWindowTitle(tr("DICOM series"));
  m_list = new QTreeWidget(this);
  m_list->setAccessibleName(tr("Series of the folder"));
  m_list->setRootIsDecorated(false);
  m_list->setUniformRowHeights(true);
  m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_list->setHeaderLabels({tr("No."), tr("Description"), tr("Kind"), tr("Images"), tr("Size"), tr("Voxel"), tr("Date")});
  for (const DicomSeries& each : series)
    new QTreeWidgetItem(m_list, rowOf(each));
  m_list->header()->setStretchLastSection(false);
  for (int column = 0; column < m_list->columnCount(); ++column)
    m_list->header()->setSectionResizeMode(column, column == 1 ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
  if (m_list->topLevelItemCount() > 0)
    m_list->setCurrentItem(m_list->topLevelItem(0));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel, this);
  QPushButton* open = buttons->button(QDialogButtonBox::Open);
  open->setDefault(true);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_list, &QTreeWidget::itemActivated, this, &QDialog::accept);
  connect(m_list, &QTreeWidget::itemSelectionChanged, this, [this, open] { open->setEnabled(!m_list->selectedItems().isEmpty()); });
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(kSpace);
  layout->addWidget(makeWrappedLabel(tr("%1 holds %n series. Of several that are chosen the first replaces what is open, and the others are laid over it.", nullptr,
                                        static_cast<int>(series.size()))
                                         .arg(QDir(folder).dirName()),
                                     nullptr, this));
  layout->addWidget(m_list, 1);
  layout->addWidget(buttons);
  resize(kSize);
}

std::vector<DicomSeries> ViewerSeriesDialog::chosen() const {
  std::vector<DicomSeries> chosen;
  for (int row = 0; row < m_list->topLevelItemCount(); ++row)
    if (m_list->topLevelItem(row)->isSelected())
      chosen.push_back(m_series[static_cast<std::size_t>(row)]);
  return chosen;
}

} // namespace voxlab
