// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/comparison_model.h"
#include "core/base/csv.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/models/comparison_arrangement.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr double kScaledFrom = 1e6; // counts: "6 260", but "86.1 G"
constexpr qsizetype kWidestHeading = 26; // letters; longer titles go on in the next line

// "Time a volume at\n128 × 128 × 128\n(steps × step time)": words of a size or in brackets stay together.
QString inLines(const QString& title) {
  QString lines, line;
  QStringList pieces;
  for (const QString& word : title.split(QLatin1Char(' '))) {
    const QString last = pieces.isEmpty() ? QString() : pieces.last();
    const bool sticks = word.size() == 1 || last.endsWith(QStringLiteral("×")) || last.count(QLatin1Char('(')) > last.count(QLatin1Char(')'));
    if (sticks && !pieces.isEmpty())
      pieces.last() += QLatin1Char(' ') + word;
    else
      pieces << word;
  }
  for (const QString& piece : pieces) {
    if (!line.isEmpty() && line.size() + 1 + piece.size() > kWidestHeading) {
      lines += line + QLatin1Char('\n');
      line.clear();
    }
    line += (line.isEmpty() ? QString() : QStringLiteral(" ")) + piece;
  }
  return lines + line;
}
} // namespace

QString measureText(double value, const std::string& unit) {
  if (unit == "B")
    return text(formatBytes(value));
  if (unit == "ms" && value >= 10000)
    return text(formatDuration(value / 1000));
  if (unit == "ms" || unit == "%" || unit == "dB" || unit == "°C")
    return text(formatSignificant(value)) + QChar(0xa0) + text(unit);
  if (unit.empty() && std::abs(value) >= kScaledFrom)
    return text(formatQuantity(value, ""));
  return text(unit.empty() ? formatSignificant(value) : formatQuantity(value, unit));
}

void ComparisonModel::setComparison(const RunComparison& comparison) {
  beginResetModel();
  m_comparison = comparison;
  dressRows();
  m_best = m_comparison.runs.empty() ? std::nullopt : fastestSide(m_comparison);
  endResetModel();
}

void ComparisonModel::setDress(const ComparisonDress& dress) {
  beginResetModel();
  m_dress = dress;
  dressRows();
  endResetModel();
}

// Two rows that are called the same are told apart by their runs.
void ComparisonModel::dressRows() {
  const std::vector<ComparedRun>& sides = m_comparison.runs;
  std::vector<std::string> called;
  for (std::size_t n = 0; n < sides.size(); ++n)
    called.push_back(givenTo(m_dress.names, sides, n));
  m_rows.clear();
  for (std::size_t n = 0; n < sides.size(); ++n) {
    const bool twin = !called[n].empty() && std::count(called.begin(), called.end(), called[n]) > 1;
    const QString name = text(called[n].empty() ? sides[n].name : twin ? called[n] + " · " + sides[n].source : called[n]);
    m_rows.push_back({name, text(givenTo(m_dress.notes, sides, n)), isAmong(m_dress.pinned, sides, n)});
  }
}

void ComparisonModel::clear() { setComparison({}); }

void ComparisonModel::setShow(Show show) {
  if (m_show == show)
    return;
  m_show = show;
  if (rowCount() > 0)
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int ComparisonModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_comparison.runs.size()); }
int ComparisonModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || m_comparison.runs.empty() ? 0 : static_cast<int>(m_comparison.measures.size()) + 1;
}

QString ComparisonModel::nameOf(int row) const { return m_rows[static_cast<std::size_t>(row)].name; }

QString ComparisonModel::baselineNameOf(int row) const {
  const auto& own = m_comparison.baselines[static_cast<std::size_t>(row)];
  return own ? nameOf(static_cast<int>(*own)) : QString();
}

bool ComparisonModel::hasOwnBaselines() const { return !ownBaselineSentence().isEmpty(); }

QString ComparisonModel::ownBaselineSentence() const {
  std::vector<std::string> names;
  for (int row = 0; row < rowCount(); ++row)
    names.push_back(nameOf(row).toStdString());
  return text(ownBaselineWords(m_comparison, names));
}

bool ComparisonModel::isPinned(int row) const { return m_rows[static_cast<std::size_t>(row)].pinned; }

void ComparisonModel::togglePinned(int row) {
  const auto n = static_cast<std::size_t>(row);
  if (isPinned(row))
    std::erase_if(m_dress.pinned, [&](const std::string& key) { return speaksOf(key, m_comparison.runs, n); });
  else
    m_dress.pinned.push_back(keyOf(row));
  dressRows();
  emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1)); // an older key may have meant several
  emit dressed();
}

// Where an older key would still speak of the side, an empty text says that nothing is meant.
void ComparisonModel::give(std::map<std::string, std::string>& table, int row, const QString& words) {
  table.erase(keyOf(row));
  if (!words.isEmpty() || !givenTo(table, m_comparison.runs, static_cast<std::size_t>(row)).empty())
    table[keyOf(row)] = words.toStdString();
  dressRows();
  emit dataChanged(index(0, 0), index(rowCount() - 1, 0)); // names are told apart
  emit dressed();
}

void ComparisonModel::setNote(int row, const QString& note) { give(m_dress.notes, row, note.trimmed()); }

RunDifference ComparisonModel::named(RunDifference difference) const {
  const QString beginning = text(speedWords(difference.baseline, difference.baseline_ms, difference.other, difference.other_ms));
  const QString rest = text(difference.sentence).mid(beginning.size());
  for (std::string* name : {&difference.baseline, &difference.other})
    for (int row = 0; row < rowCount(); ++row)
      if (side(row).name == *name) {
        *name = nameOf(row).toStdString();
        break;
      }
  difference.sentence = speedWords(difference.baseline, difference.baseline_ms, difference.other, difference.other_ms) + rest.toStdString();
  return difference;
}

QString ComparisonModel::tableText() const {
  std::string out = csvLine({"mode", "device", "size", "note", "measure", "unit", "value", "lower quartile", "upper quartile", "count", "normalised", "normalised to"});
  const auto number = [](double value) { return QString::number(value, 'g', 9).toStdString(); };
  for (int row = 0; row < rowCount(); ++row)
    for (const NormalisedMeasure& m : m_comparison.measures) {
      const auto& value = m.values[static_cast<std::size_t>(row)];
      const auto& normalised = m.normalised[static_cast<std::size_t>(row)];
      if (value)
        out += csvLine({nameOf(row).toStdString(), side(row).device, side(row).workload, noteOf(row).toStdString(), m.title, m.unit, number(value->median), number(value->lowerQuartile),
                        number(value->upperQuartile), std::to_string(value->count), normalised ? number(*normalised) : "", normalised ? baselineNameOf(row).toStdString() : ""});
    }
  return text(out);
}

QVariant ComparisonModel::cell(int row, int column) const {
  const NormalisedMeasure& m = measure(column);
  const auto& value = m.values[static_cast<std::size_t>(row)];
  const auto& normalised = m.normalised[static_cast<std::size_t>(row)];
  if (!value)
    return text(std::string(kUnknown));
  if (m_show == Show::Absolute || !normalised)
    return measureText(value->median, m.unit);
  return text(formatSignificant(*normalised)) + QStringLiteral(" ×");
}

QString ComparisonModel::hint(int row, int column) const {
  const NormalisedMeasure& m = measure(column);
  const auto& value = m.values[static_cast<std::size_t>(row)];
  if (!value)
    return tr("%1: not measured for %2").arg(text(m.title), nameOf(row));
  QString words = QStringLiteral("%1: %2").arg(text(m.title), measureText(value->median, m.unit));
  if (value->lowerQuartile != value->upperQuartile)
    words += tr(" (%1 to %2)").arg(measureText(value->lowerQuartile, m.unit), measureText(value->upperQuartile, m.unit));
  if (const auto& normalised = m.normalised[static_cast<std::size_t>(row)])
    words += tr("\n%1 × %2").arg(text(formatSignificant(*normalised)), baselineNameOf(row));
  if (m.direction != Direction::Unknown)
    words += m.direction == Direction::LowerIsBetter ? tr("; lower is better") : tr("; higher is better");
  return words;
}

QString ComparisonModel::sideHint(int row) const {
  QStringList lines{text(side(row).name), text(side(row).device)};
  if (!side(row).workload.empty())
    lines << text(side(row).workload);
  if (!side(row).source.empty())
    lines << tr("from %1").arg(text(side(row).source));
  if (!noteOf(row).isEmpty())
    lines << noteOf(row);
  lines.removeAll(QString());
  return lines.join(QLatin1Char('\n'));
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount())
    return {};
  const int row = index.row(), column = index.column();
  switch (role) {
  case PinnedRole: return isPinned(row);
  case BaselineRole: return m_comparison.baselines[static_cast<std::size_t>(row)] == static_cast<std::size_t>(row);
  case NameRole: return text(side(row).name);
  case BestRole: return isBest(row);
  case NoteRole: return noteOf(row);
  default: break;
  }
  if (column == 0)
    return role == Qt::DisplayRole || role == Qt::EditRole ? QVariant(nameOf(row))
           : role == Qt::ToolTipRole                       ? QVariant(sideHint(row))
                                                           : QVariant();
  const auto& normalised = measure(column).normalised[static_cast<std::size_t>(row)];
  switch (role) {
  case Qt::DisplayRole: return cell(row, column);
  case Qt::ToolTipRole: return hint(row, column);
  case Qt::TextAlignmentRole: return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  case NormalisedRole: return normalised ? QVariant(*normalised) : QVariant();
  case GainRole: {
    const Direction direction = measure(column).direction;
    if (!normalised || *normalised <= 0 || direction == Direction::Unknown)
      return {};
    const double gain = std::log2(*normalised);
    return direction == Direction::HigherIsBetter ? gain : -gain;
  }
  default: return {};
  }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section >= columnCount())
    return {};
  if (section == 0)
    return role == Qt::DisplayRole ? QVariant(tr("Mode")) : role == Qt::TextAlignmentRole ? QVariant(static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter)) : QVariant();
  const NormalisedMeasure& m = measure(section);
  if (role == Qt::DisplayRole)
    return inLines(text(m.title) + (m.direction == Direction::LowerIsBetter ? QStringLiteral(" ↓") : m.direction == Direction::HigherIsBetter ? QStringLiteral(" ↑") : QString()));
  if (role == Qt::ToolTipRole)
    return m.direction == Direction::LowerIsBetter    ? tr("%1: lower is better").arg(text(m.title))
           : m.direction == Direction::HigherIsBetter ? tr("%1: higher is better").arg(text(m.title))
                                                      : text(m.title);
  return {};
}

bool ComparisonModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != 0 || !index.isValid())
    return false;
  const QString name = value.toString().trimmed();
  give(m_dress.names, index.row(), name == text(side(index.row()).name) ? QString() : name);
  return true;
}

Qt::ItemFlags ComparisonModel::flags(const QModelIndex& index) const {
  return QAbstractTableModel::flags(index) | (index.column() == 0 ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

ComparisonFilter::ComparisonFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortCaseSensitivity(Qt::CaseInsensitive);
  QSortFilterProxyModel::sort(0); // without a column, a proxy leaves rows where they are, pinned or not
}

void ComparisonFilter::sort(int column, Qt::SortOrder order) {
  m_asTheyCome = column < 0;
  QSortFilterProxyModel::sort(std::max(0, column), m_asTheyCome ? Qt::AscendingOrder : order);
  invalidate(); // the same column may have another meaning now
}

void ComparisonFilter::setWords(const QString& words) {
  m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

bool ComparisonFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex index = sourceModel()->index(row, 0, parent);
  if (index.data(ComparisonModel::BaselineRole).toBool() || index.data(ComparisonModel::PinnedRole).toBool())
    return true;
  const QString name = index.data().toString();
  return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive); });
}

bool ComparisonFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const bool pinnedLeft = left.data(ComparisonModel::PinnedRole).toBool(), pinnedRight = right.data(ComparisonModel::PinnedRole).toBool();
  if (pinnedLeft != pinnedRight)
    return (sortOrder() == Qt::AscendingOrder) == pinnedLeft; // first, whichever way the rest is sorted
  if (m_asTheyCome)
    return left.row() < right.row();
  const QVariant a = left.data(ComparisonModel::NormalisedRole), b = right.data(ComparisonModel::NormalisedRole);
  if (left.column() == 0 || (!a.isValid() && !b.isValid()))
    return QString::localeAwareCompare(left.data().toString(), right.data().toString()) < 0;
  return a.isValid() && (!b.isValid() || a.toDouble() < b.toDouble());
}

} // namespace voxlab
