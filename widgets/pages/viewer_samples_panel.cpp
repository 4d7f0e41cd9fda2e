// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_samples_panel.h"
#include "widgets/pages/page_parts.h"
#include <QCoreApplication>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace voxlab {
namespace {
constexpr int kPathRole = Qt::UserRole, kGroupRole = Qt::UserRole + 1, kTitleRole = Qt::UserRole + 2, kNewRole = Qt::UserRole + 3, kOthersRole = Qt::UserRole + 4,
              kLeftOutRole = Qt::UserRole + 5;

ViewerSample sampleOf(const QListWidgetItem& item) {
  return {item.data(kPathRole).toString(), item.data(kTitleRole).toString(), item.data(kGroupRole).toString(), item.data(kOthersRole).toStringList(), item.data(kLeftOutRole).toBool()};
}
bool isOffered(const QListWidgetItem& item) { return item.flags().testFlag(Qt::ItemIsEnabled); }
} // namespace

bool ViewerSample::isHere() const {
  const QStringList files = paths();
  return std::all_of(files.begin(), files.end(), [](const QString& file) { return QFileInfo::exists(file); });
}

QString absentVolumesText(int leftOut, int missing, int all) {
  const auto say = [all](const QString& some, const QString& every, int count) { return count == all ? every.arg(all) : some.arg(count).arg(all); };
  const auto text = [](const char* source) { return QCoreApplication::translate("AbsentVolumes", source); };
  QStringList sentences;
  if (leftOut > 0)
    sentences << say(text("Left out of the shipped run: %1 of %2 volumes."), text("Left out of the shipped run: all volumes (%1)."), leftOut);
  if (missing > 0)
    sentences << say(text("Missing: %1 of %2 volumes; their files were deleted or moved."), text("Missing: all volumes (%1); their files were deleted or moved."), missing);
  return sentences.join(QLatin1Char(' '));
}

ViewerSamplesPanel::ViewerSamplesPanel(QWidget* parent) : QWidget(parent) {
  QLabel* heading = makeLabel(tr("Samples"), "heading", this);
  m_run = makeWrappedLabel({}, "caption", this);
  m_leftOutWords = makeWrappedLabel({}, "help", this);
  for (QLabel* words : {m_run, m_leftOutWords}) { // a long name must not widen the panel
    words->setMinimumWidth(1);
    words->hide();
  }
  m_empty = makeWrappedLabel(tr("Volumes that the selected run generates are listed here as they arrive."), "help", this);
  m_list = new QListWidget(this);
  m_list->setAccessibleName(tr("Samples of the run"));
  m_list->setTextElideMode(Qt::ElideMiddle);
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_list->hide();
  m_sheet = makeButton(tr("Contact sheet"), nullptr, QStringLiteral("volumes"), this);
  m_sheet->setToolTip(tr("One slice of every sample, in the order of the steps"));
  m_sheet->hide();
  m_compare = makeButton({}, nullptr, QStringLiteral("viewer-compare"), this);
  m_compare->setToolTip(tr("The chosen samples side by side (Shift+G)"));
  m_compare->hide();
  connect(m_sheet, &QPushButton::clicked, this, &ViewerSamplesPanel::sheetRequested);
  connect(m_compare, &QPushButton::clicked, this, &ViewerSamplesPanel::compareChosen);
  connect(m_list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) {
    if (!(QGuiApplication::keyboardModifiers() & (Qt::ControlModifier | Qt::ShiftModifier))) // which choose several
      open(item);
  });
  connect(m_list, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
    if (!compareChosen())
      open(item);
  });
  connect(m_list, &QListWidget::itemSelectionChanged, this, [this] {
    const int chosen = static_cast<int>(m_list->selectedItems().size());
    m_compare->setVisible(chosen > 1);
    m_compare->setText(tr("Compare %n sample(s)", nullptr, chosen));
  });
  connect(m_list, &QListWidget::customContextMenuRequested, this, [this](const QPoint& at) {
    if (QListWidgetItem* item = m_list->itemAt(at); item && isOffered(*item)) {
      QMenu menu(this);
      menu.addAction(tr("Open"), this, [this, item] { open(item); });
      if (const int chosen = static_cast<int>(m_list->selectedItems().size()); chosen > 1)
        menu.addAction(tr("Compare %n sample(s)", nullptr, chosen), this, &ViewerSamplesPanel::compareChosen);
      menu.addAction(tr("Add on top, to compare"), this, [this, item] { emit addRequested(item->data(kPathRole).toString()); });
      menu.exec(m_list->viewport()->mapToGlobal(at));
    }
  });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kSpace);
  layout->addWidget(heading);
  layout->addWidget(m_run);
  layout->addWidget(m_leftOutWords);
  layout->addWidget(m_empty);
  layout->addWidget(m_list, 1);
  layout->addWidget(m_compare, 0, Qt::AlignLeft);
  layout->addWidget(m_sheet, 0, Qt::AlignLeft);
  layout->addStretch();
}

QString ViewerSamplesPanel::run() const { return m_run->text(); }
int ViewerSamplesPanel::count() const { return m_list->count(); }

QList<ViewerSample> ViewerSamplesPanel::samples() const {
  QList<ViewerSample> result;
  for (int row = m_list->count() - 1; row >= 0; --row)
    if (isOffered(*m_list->item(row)))
      result << sampleOf(*m_list->item(row));
  return result;
}

void ViewerSamplesPanel::setSamples(const QString& run, const QList<ViewerSample>& samples) {
  m_run->setText(run);
  m_run->setVisible(!run.isEmpty());
  m_list->clear();
  m_unseen = m_leftOut = m_missing = 0;
  for (const auto& sample : samples)
    insert(sample, false);
  showCounts();
  emit unseenChanged(0);
}

void ViewerSamplesPanel::addSample(const ViewerSample& sample) {
  insert(sample, true);
  showCounts();
  if (isOffered(*m_list->item(0)))
    emit unseenChanged(++m_unseen);
}

void ViewerSamplesPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (m_leftOut + m_missing > 0)
    lookAgain();
}

void ViewerSamplesPanel::lookAgain() {
  for (int row = 0; row < m_list->count(); ++row)
    if (QListWidgetItem* item = m_list->item(row); !isOffered(*item)) {
      dress(item);
      if (isOffered(*item))
        count(*item, -1);
    }
  showCounts();
}

void ViewerSamplesPanel::showCounts() {
  const int all = m_list->count();
  m_empty->setVisible(all == 0);
  m_list->setVisible(all > 0);
  m_sheet->setVisible(all - m_leftOut - m_missing > 1);
  m_leftOutWords->setVisible(m_leftOut + m_missing > 0);
  m_leftOutWords->setText(absentVolumesText(m_leftOut, m_missing, all));
  emit samplesChanged();
}

void ViewerSamplesPanel::count(const QListWidgetItem& item, int by) { (item.data(kLeftOutRole).toBool() ? m_leftOut : m_missing) += by; }

void ViewerSamplesPanel::insert(const ViewerSample& sample, bool isNew) {
  auto* item = new QListWidgetItem;
  item->setData(kPathRole, sample.path);
  item->setData(kTitleRole, sample.title);
  item->setData(kGroupRole, sample.group);
  item->setData(kNewRole, isNew);
  item->setData(kOthersRole, sample.others);
  item->setData(kLeftOutRole, sample.isLeftOut);
  item->setSizeHint({0, fontMetrics().height() + 10});
  dress(item);
  if (!isOffered(*item))
    count(*item, 1);
  m_list->insertItem(0, item);
}

void ViewerSamplesPanel::dress(QListWidgetItem* item) {
  const ViewerSample sample = sampleOf(*item);
  const bool isHere = sample.isHere();
  item->setFlags(isHere ? Qt::ItemIsSelectable | Qt::ItemIsEnabled : Qt::NoItemFlags);
  if (!isHere) {
    item->setText((sample.isLeftOut ? tr("%1 · left out") : tr("%1 · missing")).arg(sample.title));
    item->setToolTip((sample.isLeftOut ? tr("%1\nThis volume was left out of the shipped run.") : tr("%1\nThere is no such file any more: it was deleted or moved.")).arg(sample.path));
    return;
  }
  item->setText(item->data(kNewRole).toBool() ? QStringLiteral("● ") + sample.title : sample.title);
  item->setToolTip(sample.others.isEmpty() ? tr("%1\nCtrl+click and Shift+click choose several, to be compared").arg(sample.path) : tr("%1\nbeside\n%2").arg(sample.path, sample.others.join(QLatin1Char('\n'))));
}

void ViewerSamplesPanel::open(QListWidgetItem* item) {
  if (!isOffered(*item))
    return;
  if (item->data(kNewRole).toBool()) {
    item->setData(kNewRole, false);
    item->setText(item->data(kTitleRole).toString());
    emit unseenChanged(m_unseen = std::max(0, m_unseen - 1));
  }
  const ViewerSample sample = sampleOf(*item);
  if (sample.others.isEmpty())
    emit openRequested(sample.path);
  else
    emit compareRequested(sample.paths());
}

QStringList ViewerSamplesPanel::chosenPaths() const {
  QStringList paths;
  for (int row = m_list->count() - 1; row >= 0; --row)
    if (m_list->item(row)->isSelected())
      paths << sampleOf(*m_list->item(row)).paths();
  paths.removeDuplicates();
  return paths;
}

bool ViewerSamplesPanel::compareChosen() {
  if (m_list->selectedItems().size() < 2)
    return false;
  emit compareRequested(chosenPaths());
  return true;
}

} // namespace voxlab
