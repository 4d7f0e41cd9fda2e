// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_label_model.h"
#include "core/base/text.h"
#include "widgets/pages/viewer_document.h"
#include <QColor>
#include <QLocale>

namespace voxlab {

ViewerLabelModel::ViewerLabelModel(ViewerDocument& document, QObject* parent) : QAbstractTableModel(parent), m_document(document) {
  connect(&document, &ViewerDocument::layersChanged, this, &ViewerLabelModel::reload);
  connect(&document, &ViewerDocument::activeLayerChanged, this, &ViewerLabelModel::reload);
}

void ViewerLabelModel::reload() {
  beginResetModel();
  m_layer = m_document.labelLayer();
  endResetModel();
}

int ViewerLabelModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || m_layer < 0 || m_layer >= m_document.layerCount())
    return 0;
  return static_cast<int>(m_document.layer(m_layer).labels.labels.size());
}

int ViewerLabelModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

const Label* ViewerLabelModel::labelAt(int row) const {
  return row >= 0 && row < rowCount() ? &m_document.layer(m_layer).labels.labels[static_cast<std::size_t>(row)] : nullptr;
}

QVariant ViewerLabelModel::data(const QModelIndex& index, int role) const {
  const Label* label = labelAt(index.row());
  if (!label)
    return {};
  const double volume_ml = labelVolume_ml(m_document.source(m_layer), label->value);
  const bool number = index.column() != Name;
  switch (role) {
  case Qt::DisplayRole:
    if (index.column() == Name)
      return QString::fromStdString(label->name);
    return index.column() == Value ? QString::number(label->value) : QString::fromStdString(formatSignificant(volume_ml));
  case Qt::EditRole:
    return index.column() == Name ? QVariant(QString::fromStdString(label->name)) : QVariant();
  case Qt::UserRole: // sorting
    return index.column() == Name ? QVariant(QString::fromStdString(label->name)) : index.column() == Value ? QVariant(static_cast<qlonglong>(label->value)) : QVariant(volume_ml);
  case Qt::DecorationRole:
    return number ? QVariant() : QVariant(QColor(label->colour[0], label->colour[1], label->colour[2]));
  case Qt::CheckStateRole:
    return number ? QVariant() : QVariant(label->visible ? Qt::Checked : Qt::Unchecked);
  case Qt::TextAlignmentRole:
    return number ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
  case Qt::ToolTipRole:
    return tr("%1 (value %2): %3 ml").arg(QString::fromStdString(label->name)).arg(label->value).arg(QString::fromStdString(formatSignificant(volume_ml)));
  default:
    return {};
  }
}

QVariant ViewerLabelModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal)
    return {};
  if (role == Qt::TextAlignmentRole && section != Name)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole)
    return {};
  return section == Name ? tr("Label") : section == Value ? tr("No.") : tr("ml");
}

Qt::ItemFlags ViewerLabelModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags common = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  return index.column() == Name ? common | Qt::ItemIsUserCheckable | Qt::ItemIsEditable : common;
}

bool ViewerLabelModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  const Label* old = labelAt(index.row());
  if (!old || index.column() != Name || (role != Qt::CheckStateRole && role != Qt::EditRole))
    return false;
  const auto key = old->value;
  m_document.editLayer(m_layer, [&](SliceLayer& layer) {
    Label* label = layer.labels.find(key);
    if (role == Qt::CheckStateRole)
      label->visible = value.toInt() == Qt::Checked;
    else if (!value.toString().trimmed().isEmpty())
      label->name = value.toString().trimmed().toStdString();
  });
  emit dataChanged(index, index);
  return true;
}

void ViewerLabelModel::setColour(int row, std::array<std::uint8_t, 3> colour) {
  const Label* old = labelAt(row);
  if (!old)
    return;
  const auto key = old->value;
  m_document.editLayer(m_layer, [&](SliceLayer& layer) { layer.labels.find(key)->colour = colour; });
  emit dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void ViewerLabelModel::showAll(Show show) {
  if (rowCount() == 0)
    return;
  m_document.editLayer(m_layer, [&](SliceLayer& layer) {
    for (auto& label : layer.labels.labels)
      label.visible = show == Show::All;
  });
  emit dataChanged(index(0, 0), index(rowCount() - 1, 0));
}

} // namespace voxlab
