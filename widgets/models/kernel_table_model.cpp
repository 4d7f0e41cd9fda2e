// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/kernel_table_model.h"
#include "core/analysis/profile_view.h"
#include "core/base/csv.h"
#include "core/base/milliseconds.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace voxlab {
namespace {
struct ColumnInfo {
  const char* name;  // in exports
  const char* title; // in the heading
  const char* help;
};
constexpr ColumnInfo kColumns[] = {
    {"name", QT_TRANSLATE_NOOP("KernelTable", "Kernel"), QT_TRANSLATE_NOOP("KernelTable", "Family, arithmetic and tile of the kernel; its full name is in the details")},
    {"total_ms", QT_TRANSLATE_NOOP("KernelTable", "A step (ms)"), QT_TRANSLATE_NOOP("KernelTable", "GPU time of all calls in a step; on average over the steps of the selection")},
    {"share_of_gpu_time", QT_TRANSLATE_NOOP("KernelTable", "Share"), QT_TRANSLATE_NOOP("KernelTable", "Of the GPU time of the selection")},
    {"calls", QT_TRANSLATE_NOOP("KernelTable", "Calls"), QT_TRANSLATE_NOOP("KernelTable", "Launches in a step; on average over the steps of the selection")},
    {"mean_ms", QT_TRANSLATE_NOOP("KernelTable", "Mean (ms)"), QT_TRANSLATE_NOOP("KernelTable", "Mean duration of a call")},
    {"minimum_ms", QT_TRANSLATE_NOOP("KernelTable", "Min (ms)"), QT_TRANSLATE_NOOP("KernelTable", "Shortest call")},
    {"maximum_ms", QT_TRANSLATE_NOOP("KernelTable", "Max (ms)"), QT_TRANSLATE_NOOP("KernelTable", "Longest call")},
    {"category", QT_TRANSLATE_NOOP("KernelTable", "Category"), QT_TRANSLATE_NOOP("KernelTable", "What most of its time belongs to")},
    {"operator", QT_TRANSLATE_NOOP("KernelTable", "Operator"), QT_TRANSLATE_NOOP("KernelTable", "Operator that caused most of its time")},
    {"module", QT_TRANSLATE_NOOP("KernelTable", "Module"), QT_TRANSLATE_NOOP("KernelTable", "Module of the network that most of its time was for")},
    {"arithmetic", QT_TRANSLATE_NOOP("KernelTable", "Arithmetic"), QT_TRANSLATE_NOOP("KernelTable", "What it multiplies in, told by its name")},
    {"grid", QT_TRANSLATE_NOOP("KernelTable", "Grid"), QT_TRANSLATE_NOOP("KernelTable", "Blocks, when all calls are launched alike")},
    {"block", QT_TRANSLATE_NOOP("KernelTable", "Block"), QT_TRANSLATE_NOOP("KernelTable", "Threads a block, when all calls are launched alike")},
    {"registers", QT_TRANSLATE_NOOP("KernelTable", "Registers"), QT_TRANSLATE_NOOP("KernelTable", "A thread")},
    {"shared_memory_bytes", QT_TRANSLATE_NOOP("KernelTable", "Shared mem."), QT_TRANSLATE_NOOP("KernelTable", "A block")},
    {"achieved_occupancy_percent", QT_TRANSLATE_NOOP("KernelTable", "Occupancy"), QT_TRANSLATE_NOOP("KernelTable", "Achieved, by hardware counters: warps at work, of those that a multiprocessor could hold")},
    {"estimated_occupancy_percent", QT_TRANSLATE_NOOP("KernelTable", "Occ., estimate"), QT_TRANSLATE_NOOP("KernelTable", "Achieved occupancy as the tracer estimates it from the launch's size; counters measure it. Empty: not known")},
    {"full_name", QT_TRANSLATE_NOOP("KernelTable", "Full name"), QT_TRANSLATE_NOOP("KernelTable", "As the profiler wrote it")},
};
static_assert(std::size(kColumns) == KernelTableModel::ColumnCount);


std::uint64_t volume(const std::uint32_t (&sides)[3]) { return std::uint64_t{sides[0]} * sides[1] * sides[2]; }

QString callsText(double calls) { return text(calls == std::floor(calls) ? formatCount(static_cast<std::int64_t>(calls)) : formatSignificant(calls)); }

QString shown(const KernelRow& row, int column, double steps) {
  using M = KernelTableModel;
  const auto ms = [](double value) { return text(formatMilliseconds(value)); };
  switch (column) {
  case M::Name: return row.title.empty() ? QCoreApplication::translate("KernelTable", "(none recorded)") : text(row.title);
  case M::Total: return ms(row.total_ms / steps);
  case M::Share: return QStringLiteral("%1 %").arg(row.share * 100, 0, 'f', row.share < 0.0995 ? 1 : 0);
  case M::Calls: return callsText(static_cast<double>(row.calls) / steps);
  case M::Mean: return ms(row.mean_ms());
  case M::Minimum: return ms(row.minimum_ms);
  case M::Maximum: return ms(row.maximum_ms);
  case M::Category: return text(categoryTitle(row.category));
  case M::Operator: return text(row.operatorName);
  case M::Module: return text(row.module);
  case M::Arithmetic: return row.arithmetic == KernelArithmetic::Unknown ? QString() : text(arithmeticName(row.arithmetic));
  case M::GridSize: return row.shape ? shapeText(row.shape->grid) : QString();
  case M::BlockSize: return row.shape ? shapeText(row.shape->block) : QString();
  case M::Registers: return row.shape && row.shape->registersPerThread ? QString::number(row.shape->registersPerThread) : QString();
  case M::SharedMemory: return row.shape ? text(formatBytes(row.shape->sharedMemoryBytes)) : QString();
  case M::AchievedOccupancy: return row.achievedOccupancy_percent ? QStringLiteral("%1 %").arg(*row.achievedOccupancy_percent, 0, 'f', 0) : QString();
  case M::EstimatedOccupancy: return row.shape && row.shape->occupancy_percent >= 0 ? QStringLiteral("%1 %").arg(static_cast<double>(row.shape->occupancy_percent), 0, 'f', 0) : QString();
  case M::FullName: return text(row.key);
  default: return {};
  }
}

bool isNumber(int column) {
  return (column >= KernelTableModel::Total && column <= KernelTableModel::Maximum) ||
         (column >= KernelTableModel::GridSize && column <= KernelTableModel::EstimatedOccupancy);
}

bool less(const QVariant& a, const QVariant& b) {
  if (!a.isValid() || !b.isValid())
    return b.isValid(); // unknown before everything
  if (a.typeId() == QMetaType::QString)
    return a.toString().compare(b.toString(), Qt::CaseInsensitive) < 0;
  return a.toDouble() < b.toDouble();
}

QString exported(const KernelRow& row, int column) {
  if (column == KernelTableModel::GridSize || column == KernelTableModel::BlockSize)
    return row.shape ? shapeText(column == KernelTableModel::GridSize ? row.shape->grid : row.shape->block).replace(QStringLiteral(" × "), QStringLiteral("x")) : QString();
  if (column == KernelTableModel::Category)
    return text(categoryName(row.category));
  const QVariant value = kernelValue(row, column);
  return value.typeId() == QMetaType::Double ? QString::number(value.toDouble(), 'g', 9) : value.toString();
}

// As the table shows it.
QString exportedAStep(const KernelRow& row, int column, double steps) {
  if (column == KernelTableModel::Total)
    return QString::number(row.total_ms / steps, 'g', 9);
  return column == KernelTableModel::Calls ? QString::number(static_cast<double>(row.calls) / steps, 'g', 9) : exported(row, column);
}

Json exportedJson(const KernelRow& row, double steps) {
  Json object = Json::object();
  for (int column = 0; column < KernelTableModel::ColumnCount; ++column) {
    const std::string name = kColumns[column].name;
    const QVariant value = kernelValue(row, column);
    if (!value.isValid())
      object[name] = nullptr;
    else if (column == KernelTableModel::Category)
      object[name] = categoryName(row.category);
    else if (column == KernelTableModel::GridSize || column == KernelTableModel::BlockSize)
      object[name] = column == KernelTableModel::GridSize ? std::vector<std::uint32_t>(std::begin(row.shape->grid), std::end(row.shape->grid))
                                                          : std::vector<std::uint32_t>(std::begin(row.shape->block), std::end(row.shape->block));
    else if (value.typeId() == QMetaType::Double)
      object[name] = value.toDouble();
    else if (value.typeId() == QMetaType::ULongLong)
      object[name] = value.toULongLong();
    else
      object[name] = value.toString().toStdString();
  }
  object["ms_per_step"] = row.total_ms / steps;
  object["calls_per_step"] = static_cast<double>(row.calls) / steps;
  return object;
}
} // namespace

QString shapeText(const std::uint32_t (&sides)[3]) { return QStringLiteral("%1 × %2 × %3").arg(sides[0]).arg(sides[1]).arg(sides[2]); }

QString kernelColumnName(int column) { return QString::fromLatin1(kColumns[column].name); }

QString kernelColumnTitle(int column) { return QCoreApplication::translate("KernelTable", kColumns[column].title); }

QVariant kernelValue(const KernelRow& row, int column) {
  using M = KernelTableModel;
  switch (column) {
  case M::Name: return text(row.title);
  case M::Total: return row.total_ms;
  case M::Share: return row.share;
  case M::Calls: return QVariant::fromValue<qulonglong>(row.calls);
  case M::Mean: return row.mean_ms();
  case M::Minimum: return row.minimum_ms;
  case M::Maximum: return row.maximum_ms;
  case M::Category: return text(categoryTitle(row.category));
  case M::Operator: return text(row.operatorName);
  case M::Module: return text(row.module);
  case M::Arithmetic: return row.arithmetic == KernelArithmetic::Unknown ? QVariant() : text(arithmeticName(row.arithmetic));
  case M::GridSize: return row.shape ? QVariant::fromValue<qulonglong>(volume(row.shape->grid)) : QVariant();
  case M::BlockSize: return row.shape ? QVariant::fromValue<qulonglong>(volume(row.shape->block)) : QVariant();
  case M::Registers: return row.shape && row.shape->registersPerThread ? QVariant::fromValue<qulonglong>(row.shape->registersPerThread) : QVariant();
  case M::SharedMemory: return row.shape ? QVariant::fromValue<qulonglong>(row.shape->sharedMemoryBytes) : QVariant();
  case M::AchievedOccupancy: return row.achievedOccupancy_percent ? QVariant(*row.achievedOccupancy_percent) : QVariant();
  case M::EstimatedOccupancy: return row.shape && row.shape->occupancy_percent >= 0 ? QVariant(static_cast<double>(row.shape->occupancy_percent)) : QVariant();
  case M::FullName: return text(row.key);
  default: return {};
  }
}

KernelTableModel::KernelTableModel(QObject* parent) : QAbstractItemModel(parent) {}

void KernelTableModel::setView(std::shared_ptr<const ProfileView> view) {
  beginResetModel();
  m_view = std::move(view);
  m_groups.clear();
  for (std::size_t i = 0; m_view && i < m_view->groups.size(); ++i) {
    std::vector<std::size_t> kernels(m_view->groups[i].kernels.size());
    std::iota(kernels.begin(), kernels.end(), 0);
    m_groups.push_back({i, std::move(kernels)});
  }
  sortNow();
  endResetModel();
}

void KernelTableModel::setPer(Per per) {
  m_per = per;
  emit headerDataChanged(Qt::Horizontal, Total, Calls);
}

KernelGrouping KernelTableModel::grouping() const { return m_view ? m_view->query.grouping : KernelGrouping::Unknown; }

const KernelRow& KernelTableModel::groupRow(std::size_t position) const { return m_view->groups[m_groups[position].source].row; }

const KernelRow& KernelTableModel::kernelRow(std::size_t group, std::size_t position) const {
  return m_view->groups[m_groups[group].source].kernels[m_groups[group].kernels[position]];
}

// The internal id is 0 for a group, and the group's position + 1 for a kernel under it.
QModelIndex KernelTableModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent))
    return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

QModelIndex KernelTableModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || child.internalId() == 0)
    return {};
  return createIndex(static_cast<int>(child.internalId()) - 1, 0, quintptr{0});
}

int KernelTableModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid())
    return static_cast<int>(m_groups.size());
  if (parent.internalId() != 0 || parent.column() != 0)
    return 0;
  return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].kernels.size());
}

const KernelRow* KernelTableModel::rowOf(const QModelIndex& index) const {
  if (!index.isValid() || !m_view)
    return nullptr;
  const auto row = static_cast<std::size_t>(index.row());
  return index.internalId() == 0 ? &groupRow(row) : &kernelRow(index.internalId() - 1, row);
}

bool KernelTableModel::isGroup(const QModelIndex& index) const {
  return index.isValid() && index.internalId() == 0 && grouping() != KernelGrouping::Kernel && grouping() != KernelGrouping::Launch;
}

QString KernelTableModel::keyOf(const QModelIndex& index) const {
  const KernelRow* row = rowOf(index);
  if (!row)
    return {};
  QString key = text(row->key);
  if (grouping() == KernelGrouping::Launch && row->shape)
    key += QLatin1Char('\n') + shapeText(row->shape->grid) + QLatin1Char('\n') + shapeText(row->shape->block);
  return index.parent().isValid() ? text(rowOf(index.parent())->key) + QLatin1Char('\t') + key : key;
}

QModelIndex KernelTableModel::find(const QString& key) const {
  for (int group = 0; group < rowCount(); ++group) {
    const QModelIndex at = index(group, 0);
    if (keyOf(at) == key)
      return at;
    if (key.startsWith(keyOf(at) + QLatin1Char('\t')))
      for (int kernel = 0; kernel < rowCount(at); ++kernel)
        if (keyOf(index(kernel, 0, at)) == key)
          return index(kernel, 0, at);
  }
  return {};
}

QModelIndex KernelTableModel::findKernel(const QString& fullName) const {
  const std::string name = fullName.toStdString();
  for (int group = 0; group < rowCount(); ++group) {
    const QModelIndex at = index(group, 0);
    if (!isGroup(at) && rowOf(at)->key == name)
      return at;
    for (int kernel = 0; kernel < rowCount(at); ++kernel)
      if (rowOf(index(kernel, 0, at))->key == name)
        return index(kernel, 0, at);
  }
  return {};
}

QVariant KernelTableModel::data(const QModelIndex& index, int role) const {
  const KernelRow* row = rowOf(index);
  if (!row)
    return {};
  const bool emptyForGroup = isGroup(index) && (index.column() == FullName || (index.column() == Operator && grouping() == KernelGrouping::Operator) ||
                                                (index.column() == Module && grouping() == KernelGrouping::Module));
  switch (role) {
  case Qt::DisplayRole: return emptyForGroup ? QString() : shown(*row, index.column(), m_view ? m_view->stepCount : 1);
  case Qt::ToolTipRole: return index.column() == Name || index.column() == FullName ? text(row->key) : shown(*row, index.column(), m_view ? m_view->stepCount : 1);
  case Qt::TextAlignmentRole: return static_cast<int>((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  case SortRole: return kernelValue(*row, index.column());
  case CopyRole: return exportedAStep(*row, index.column(), m_view ? m_view->stepCount : 1);
  case ColourRole: return text(categoryName(row->category));
  case ShareRole: return row->share;
  default: return {};
  }
}

QVariant KernelTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
    return {};
  if (role == Qt::DisplayRole && section == Name && m_view) {
    switch (grouping()) {
    case KernelGrouping::Family: return tr("Family");
    case KernelGrouping::Category: return tr("Category");
    case KernelGrouping::Operator: return tr("Operator");
    case KernelGrouping::Module: return tr("Module");
    case KernelGrouping::Phase: return tr("Phase");
    default: break;
    }
  }
  if (m_per == Per::Range && section == Total && role == Qt::DisplayRole)
    return tr("In range (ms)");
  if (m_per == Per::Range && (section == Total || section == Calls) && role == Qt::ToolTipRole)
    return section == Total ? tr("GPU time within the selected range") : tr("Launches that reach into the selected range");
  if (m_per == Per::Recording && section == Total && role == Qt::DisplayRole)
    return tr("Time (ms)");
  if (m_per == Per::Recording && (section == Total || section == Calls) && role == Qt::ToolTipRole)
    return section == Total ? tr("GPU time of all calls in the recording, in which no step is marked") : tr("Launches in the recording, in which no step is marked");
  if (role == Qt::DisplayRole)
    return kernelColumnTitle(section);
  if (role == Qt::ToolTipRole)
    return QCoreApplication::translate("KernelTable", kColumns[section].help);
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  return {};
}

void KernelTableModel::sortNow() {
  const auto before = [this](const KernelRow& a, const KernelRow& b) {
    const QVariant left = kernelValue(a, m_column), right = kernelValue(b, m_column);
    return m_order == Qt::AscendingOrder ? less(left, right) : less(right, left);
  };
  std::stable_sort(m_groups.begin(), m_groups.end(), [&](const Group& a, const Group& b) { return before(m_view->groups[a.source].row, m_view->groups[b.source].row); });
  for (Group& group : m_groups) {
    const auto& kernels = m_view->groups[group.source].kernels;
    std::stable_sort(group.kernels.begin(), group.kernels.end(), [&](std::size_t a, std::size_t b) { return before(kernels[a], kernels[b]); });
  }
}

void KernelTableModel::sort(int column, Qt::SortOrder order) {
  if (column < 0 || column >= ColumnCount)
    return;
  emit layoutAboutToBeChanged();
  const QModelIndexList old = persistentIndexList();
  QStringList keys;
  for (const QModelIndex& index : old)
    keys << keyOf(index);
  m_column = column;
  m_order = order;
  if (m_view)
    sortNow();
  QModelIndexList now;
  for (qsizetype i = 0; i < old.size(); ++i) {
    const QModelIndex found = find(keys[i]);
    now << (found.isValid() ? found.siblingAtColumn(old[i].column()) : QModelIndex());
  }
  changePersistentIndexList(old, now);
  emit layoutChanged();
}

QString KernelTableModel::Rows::csv() const {
  std::vector<std::string> fields{"group"};
  for (const auto& column : kColumns)
    fields.emplace_back(column.name);
  for (const char* aStep : {"ms_per_step", "calls_per_step"})
    fields.emplace_back(aStep);
  std::string out = csvLine(fields);
  const double steps = m_view ? m_view->stepCount : 1;
  const auto add = [&](const std::string& group, const KernelRow& row) {
    fields = {group};
    for (int column = 0; column < ColumnCount; ++column)
      fields.push_back(exported(row, column).toStdString());
    for (const int column : {Total, Calls})
      fields.push_back(exportedAStep(row, column, steps).toStdString());
    out += csvLine(fields);
  };
  for (const Group& group : m_groups) {
    const KernelGroup& from = m_view->groups[group.source];
    add("", from.row);
    for (const std::size_t kernel : group.kernels)
      add(from.row.key, from.kernels[kernel]);
  }
  return text(out);
}

Json KernelTableModel::Rows::json() const {
  Json rows = Json::array();
  const double steps = m_view ? m_view->stepCount : 1;
  for (const Group& group : m_groups) {
    const KernelGroup& from = m_view->groups[group.source];
    Json row = exportedJson(from.row, steps);
    for (const std::size_t kernel : group.kernels)
      row["kernels"].push_back(exportedJson(from.kernels[kernel], steps));
    rows.push_back(std::move(row));
  }
  return rows;
}

QString KernelTableModel::tabbed(const QModelIndexList& rows, const QList<int>& columns) const {
  QStringList line;
  for (const int column : columns)
    line << headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
  QString out = line.join(QLatin1Char('\t')) + QLatin1Char('\n');
  for (const QModelIndex& row : rows) {
    line.clear();
    for (const int column : columns)
      line << row.siblingAtColumn(column).data(CopyRole).toString();
    out += line.join(QLatin1Char('\t')) + QLatin1Char('\n');
  }
  return out;
}

} // namespace voxlab
