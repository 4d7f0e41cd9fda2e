// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_labels_panel.h"
#include "core/base/files.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_dialogs.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_label_model.h"
#include <QColorDialog>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <utility>

namespace voxlab {
namespace {
// Knows where in a row the colour stands.
class LabelDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QRect swatch(const QTreeView& view, const QModelIndex& index) const {
    QStyleOptionViewItem option;
    option.initFrom(&view);
    option.widget = &view;
    option.rect = view.visualRect(index);
    const int edge = view.style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, &view);
    option.decorationSize = view.iconSize().isValid() ? view.iconSize() : QSize(edge, edge);
    initStyleOption(&option, index);
    return view.style()->subElementRect(QStyle::SE_ItemViewItemDecoration, &option, &view);
  }
};

constexpr const char* kTables = "Label tables (*.txt *.label *.json *.tsv *.lut);;All files (*)";
} // namespace

ViewerLabelsPanel::ViewerLabelsPanel(ViewerDocument& document, QWidget* parent) : QWidget(parent), m_document(document) {
  m_model = new ViewerLabelModel(document, this);
  m_proxy = new QSortFilterProxyModel(this);
  m_proxy->setSourceModel(m_model);
  m_proxy->setSortRole(Qt::UserRole);
  m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_filter = new QLineEdit(this);
  m_filter->setPlaceholderText(tr("Filter labels"));
  m_filter->setClearButtonEnabled(true);
  m_filter->setAccessibleName(tr("Filter labels"));
  connect(m_filter, &QLineEdit::textChanged, m_proxy, &QSortFilterProxyModel::setFilterFixedString);
  connect(m_filter, &QLineEdit::textChanged, this, &ViewerLabelsPanel::explainEmptiness);
  m_nothing = makeWrappedLabel({}, "help", this);
  m_nothing->hide();

  auto* menu = new QMenu(this);
  menu->addAction(tr("Show all"), this, [this] { m_model->showAll(ViewerLabelModel::Show::All); });
  menu->addAction(tr("Hide all"), this, [this] { m_model->showAll(ViewerLabelModel::Show::None); });
  menu->addSeparator();
  for (const auto& preset : labelPresets())
    menu->addAction(tr("Names: %1").arg(QString::fromUtf8(preset.title.data())), this,
                    [this, key = QString::fromUtf8(preset.key.data())] { applyPreset(key); });
  menu->addAction(tr("Names from a file…"), this, &ViewerLabelsPanel::chooseFile);
  menu->addAction(tr("Save names and colours…"), this, &ViewerLabelsPanel::saveFile);
  QToolButton* more = makeToolButton(QStringLiteral("more"), tr("Show, hide, name labels"), this);
  more->setMenu(menu);
  more->setPopupMode(QToolButton::InstantPopup);

  m_list = new QTreeView(this);
  m_list->setModel(m_proxy);
  m_list->setRootIsDecorated(false);
  m_list->setItemDelegate(new LabelDelegate(m_list));
  m_list->setUniformRowHeights(true);
  m_list->setSortingEnabled(true);
  m_list->sortByColumn(ViewerLabelModel::Value, Qt::AscendingOrder);
  m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
  m_list->setAccessibleName(tr("Labels"));
  m_list->setTextElideMode(Qt::ElideMiddle); // atlases tell left from right at the end of a name
  m_list->header()->setStretchLastSection(false);
  m_list->header()->setSectionResizeMode(ViewerLabelModel::Name, QHeaderView::Stretch);
  m_list->header()->setMinimumSectionSize(24);
  for (const int column : {ViewerLabelModel::Value, ViewerLabelModel::Volume})
    m_list->header()->setSectionResizeMode(column, QHeaderView::Fixed);
  connect(m_model, &QAbstractItemModel::modelReset, this, &ViewerLabelsPanel::takeLayer);
  fitNumbers();
  m_list->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(m_list, &QTreeView::customContextMenuRequested, this, [this](const QPoint& at) {
    const QModelIndex index = m_list->indexAt(at);
    if (!index.isValid())
      return;
    QMenu row(this);
    row.addAction(tr("Go to its middle"), this, [this, index] {
      emit centreRequested(m_model->labelAt(m_proxy->mapToSource(index).row())->value);
    });
    row.addAction(tr("Colour…"), this, [this, index] { chooseColour(index); });
    row.addAction(tr("Rename"), this, [this, index] { m_list->edit(index.siblingAtColumn(ViewerLabelModel::Name)); });
    row.exec(m_list->viewport()->mapToGlobal(at));
  });
  connect(m_list, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
    if (isOnSwatch(index))
      chooseColour(index);
    else if (const Label* label = m_model->labelAt(m_proxy->mapToSource(index).row()))
      emit centreRequested(label->value);
  });

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(kSpaceSmall);
  auto* top = new QHBoxLayout;
  top->setSpacing(kSpaceSmall);
  top->addWidget(m_filter);
  top->addWidget(more);
  layout->addLayout(top);
  layout->addWidget(m_nothing);
  layout->addWidget(m_list);
}

// Another label map comes with an empty filter.
void ViewerLabelsPanel::takeLayer() {
  const int layer = m_document.labelLayer();
  const QString key = layer < 0 ? QString() : QString::fromStdString(m_document.source(layer).path.string() + '\n' + m_document.source(layer).title);
  if (std::exchange(m_filtered, key) != key)
    m_filter->clear();
  fitNumbers();
  explainEmptiness();
}

void ViewerLabelsPanel::explainEmptiness() {
  const bool isEmpty = m_proxy->rowCount() == 0;
  const bool isFiltered = isEmpty && m_model->rowCount() > 0;
  m_nothing->setVisible(isEmpty);
  m_nothing->setText(isFiltered ? tr("No label matches “%1”.").arg(m_filter->text()) : tr("There is no label in this volume: every voxel is background."));
}

bool ViewerLabelsPanel::isOnSwatch(const QModelIndex& proxyIndex) const {
  return proxyIndex.column() == ViewerLabelModel::Name &&
         static_cast<const LabelDelegate*>(m_list->itemDelegate())->swatch(*m_list, proxyIndex).contains(m_list->viewport()->mapFromGlobal(QCursor::pos()));
}

// The numbers stand whole; the names get the rest.
void ViewerLabelsPanel::fitNumbers() {
  constexpr int kArrow_px = 14; // of the column that sorts
  for (const int column : {ViewerLabelModel::Value, ViewerLabelModel::Volume}) {
    int widest = m_list->header()->fontMetrics().horizontalAdvance(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) + kArrow_px;
    for (int row = 0; row < m_model->rowCount(); ++row)
      widest = std::max(widest, m_list->fontMetrics().horizontalAdvance(m_model->index(row, column).data().toString()));
    m_list->header()->resizeSection(column, widest + 2 * kSpace);
  }
}

bool ViewerLabelsPanel::applyPreset(const QString& key) {
  const auto preset = labelPreset(key.toStdString());
  const int layer = m_document.labelLayer();
  if (!preset || layer < 0)
    return false;
  ViewerVolume volume = m_document.source(layer);
  std::vector<std::int64_t> values;
  for (const auto& [value, count] : volume.counts)
    values.push_back(value);
  const LabelTable table = tableFor(values, *preset);
  m_document.editLayer(layer, [&](SliceLayer& each) { each.labels = table; });
  emit m_document.layersChanged();
  return true;
}

bool ViewerLabelsPanel::applyFile(const QString& path) {
  const int layer = m_document.labelLayer();
  const auto table = readLabelTable(path.toStdString());
  if (!table)
    emit failed(QString::fromStdString(table.error().message));
  if (!table || layer < 0)
    return false;
  std::vector<std::int64_t> values;
  for (const auto& [value, count] : m_document.source(layer).counts)
    values.push_back(value);
  m_document.editLayer(layer, [&](SliceLayer& each) { each.labels = tableFor(values, *table); });
  emit m_document.layersChanged();
  return true;
}

void ViewerLabelsPanel::choose(std::int64_t value) {
  m_filter->clear();
  for (int row = 0; row < m_model->rowCount(); ++row)
    if (m_model->labelAt(row)->value == value) {
      const QModelIndex index = m_proxy->mapFromSource(m_model->index(row, ViewerLabelModel::Name));
      m_list->setCurrentIndex(index);
      m_list->scrollTo(index, QAbstractItemView::PositionAtCenter);
    }
}

void ViewerLabelsPanel::chooseFile() {
  const int layer = m_document.labelLayer();
  const auto map = layer < 0 ? std::filesystem::path() : m_document.source(layer).path;
  const QString folder = map.empty() ? QString() : QString::fromStdString(map.parent_path().string());
  const QString path = QFileDialog::getOpenFileName(this, tr("Label names"), folder, tr(kTables));
  if (!path.isEmpty())
    applyFile(path);
}

void ViewerLabelsPanel::saveFile() {
  const int layer = m_document.labelLayer();
  if (layer < 0)
    return;
  const LabelTable table = m_document.layer(layer).labels; // of the layer that is asked about
  const QString path = askForFile(this, tr("Save label names"), QStringLiteral("labels.json"),
                                  tr("Voxlab label table (*.json);;ITK-SNAP label file (*.label *.txt)"));
  if (path.isEmpty())
    return;
  const auto status = writeFileAtomically(path.toStdString(), path.endsWith(QLatin1String(".json")) ? labelTableToJson(table) : labelTableToItkSnap(table));
  if (!status)
    emit failed(QString::fromStdString(status.error().message));
}

void ViewerLabelsPanel::chooseColour(const QModelIndex& proxyIndex) {
  const int row = m_proxy->mapToSource(proxyIndex).row();
  const Label* label = m_model->labelAt(row);
  if (!label)
    return;
  const std::int64_t value = label->value;
  const QColor colour = QColorDialog::getColor(QColor(label->colour[0], label->colour[1], label->colour[2]), this,
                                               tr("Colour of %1").arg(QString::fromStdString(label->name)));
  if (const Label* asked = m_model->labelAt(row); colour.isValid() && asked && asked->value == value)
    m_model->setColour(row, {static_cast<std::uint8_t>(colour.red()), static_cast<std::uint8_t>(colour.green()), static_cast<std::uint8_t>(colour.blue())});
}

} // namespace voxlab
