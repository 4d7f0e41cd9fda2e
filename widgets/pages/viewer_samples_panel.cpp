// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_samples_panel.h"
#include "widgets/pages/page_parts.h"
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr int kPathRole = Qt::UserRole, kGroupRole = Qt::UserRole + 1, kTitleRole = Qt::UserRole + 2, kNewRole = Qt::UserRole + 3, kOtherRole = Qt::UserRole + 4;
}

ViewerSamplesPanel::ViewerSamplesPanel(QWidget* parent) : QWidget(parent) {
  m_heading = makeLabel(tr("Samples"), "heading", this);
  m_heading->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  m_empty = makeWrappedLabel(tr("Volumes that the selected run generates are listed here as they arrive."), "help", this);
  m_list = new QListWidget(this);
  m_list->setAccessibleName(tr("Samples of the run"));
  m_list->setTextElideMode(Qt::ElideMiddle);
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  m_list->hide();
  m_sheet = makeButton(tr("Contact sheet"), nullptr, QStringLiteral("volumes"), this);
  m_sheet->setToolTip(tr("One slice of every sample, in the order of the steps"));
  m_sheet->hide();
  connect(m_sheet, &QPushButton::clicked, this, &ViewerSamplesPanel::sheetRequested);
  connect(m_list, &QListWidget::itemClicked, this, &ViewerSamplesPanel::open);
  connect(m_list, &QListWidget::itemActivated, this, &ViewerSamplesPanel::open);
  connect(m_list, &QListWidget::customContextMenuRequested, this, [this](const QPoint& at) {
    if (QListWidgetItem* item = m_list->itemAt(at)) {
      QMenu menu(this);
      menu.addAction(tr("Open"), this, [this, item] { open(item); });
      menu.addAction(tr("Add on top, to compare"), this, [this, item] { emit addRequested(item->data(kPathRole).toString()); });
      menu.exec(m_list->viewport()->mapToGlobal(at));
    }
  });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kSpace);
  layout->addWidget(m_heading);
  layout->addWidget(m_empty);
  layout->addWidget(m_list, 1);
  layout->addWidget(m_sheet, 0, Qt::AlignLeft);
  layout->addStretch();
}

int ViewerSamplesPanel::count() const { return m_list->count(); }

QList<ViewerSample> ViewerSamplesPanel::samples() const {
  QList<ViewerSample> result;
  for (int row = m_list->count() - 1; row >= 0; --row) {
    const QListWidgetItem* item = m_list->item(row);
    result << ViewerSample{item->data(kPathRole).toString(), item->data(kTitleRole).toString(), item->data(kGroupRole).toString(), item->data(kOtherRole).toString()};
  }
  return result;
}

void ViewerSamplesPanel::setSamples(const QString& run, const QList<ViewerSample>& samples) {
  const QString heading = run.isEmpty() ? tr("Samples") : tr("Samples of %1").arg(run);
  constexpr int kHeading_px = 220;
  m_heading->setText(m_heading->fontMetrics().elidedText(heading, Qt::ElideMiddle, kHeading_px));
  m_heading->setToolTip(heading);
  m_list->clear();
  m_unseen = 0;
  for (const auto& sample : samples)
    insert(sample, false);
  m_empty->setVisible(samples.isEmpty());
  m_list->setVisible(!samples.isEmpty());
  m_sheet->setVisible(samples.size() > 1);
  emit unseenChanged(0);
}

void ViewerSamplesPanel::addSample(const ViewerSample& sample) {
  insert(sample, true);
  m_empty->hide();
  m_list->show();
  m_sheet->setVisible(m_list->count() > 1);
  emit unseenChanged(++m_unseen);
}

void ViewerSamplesPanel::insert(const ViewerSample& sample, bool isNew) {
  auto* item = new QListWidgetItem(isNew ? QStringLiteral("● ") + sample.title : sample.title);
  item->setData(kPathRole, sample.path);
  item->setData(kTitleRole, sample.title);
  item->setData(kGroupRole, sample.group);
  item->setData(kNewRole, isNew);
  item->setData(kOtherRole, sample.other);
  item->setToolTip(sample.other.isEmpty() ? sample.path : tr("%1\nbeside\n%2").arg(sample.path, sample.other));
  item->setSizeHint({0, fontMetrics().height() + 10});
  m_list->insertItem(0, item);
}

void ViewerSamplesPanel::open(QListWidgetItem* item) {
  if (item->data(kNewRole).toBool()) {
    item->setData(kNewRole, false);
    item->setText(item->data(kTitleRole).toString());
    emit unseenChanged(m_unseen = std::max(0, m_unseen - 1));
  }
  const QString path = item->data(kPathRole).toString(), other = item->data(kOtherRole).toString();
  if (other.isEmpty())
    emit openRequested(path);
  else
    emit compareRequested(path, other);
}

} // namespace voxlab
