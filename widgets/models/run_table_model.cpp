// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_table_model.h"
#include "core/base/text.h"
#include "widgets/models/run_words.h"
#include <algorithm>

namespace voxlab {
namespace {
bool comesFirst(const RunRow& a, const RunRow& b) {
  const bool liveA = a.outcome == RunOutcome::Running, liveB = b.outcome == RunOutcome::Running;
  if (liveA != liveB)
    return liveA;
  if (a.created != b.created)
    return a.created > b.created;
  return a.id > b.id;
}

QString progressText(const RunRow& row) {
  QStringList parts;
  if (row.totalSteps && *row.totalSteps > 0)
    parts << QObject::tr("step %1 / %2").arg(QString::fromStdString(formatCount(row.step)), QString::fromStdString(formatCount(*row.totalSteps)));
  if (row.fraction)
    parts << QObject::tr("%1 %").arg(static_cast<int>(*row.fraction * 100));
  return parts.join(QStringLiteral(" · "));
}
} // namespace

QString statusText(const RunRow& row) {
  if (row.outcome == RunOutcome::Running) {
    QStringList parts;
    if (row.phase != RunPhase::Running && row.phase != RunPhase::Unknown)
      parts << phaseWord(row.phase);
    if (const QString progress = progressText(row); !progress.isEmpty())
      parts << progress;
    return parts.isEmpty() ? outcomeWord(row.outcome) : parts.join(QStringLiteral(" · "));
  }
  const QString word = outcomeWord(row.outcome);
  if ((row.outcome == RunOutcome::Failed || row.outcome == RunOutcome::Lost) && !row.message.isEmpty())
    return QObject::tr("%1: %2").arg(word, row.message);
  if (row.outcome == RunOutcome::Stopped && row.totalSteps)
    return QObject::tr("%1 at %2").arg(word, progressText(row));
  return row.totalSteps && row.outcome == RunOutcome::Finished
             ? QObject::tr("%1 · %2 steps").arg(word, QString::fromStdString(formatCount(*row.totalSteps)))
             : word;
}

int RunTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount())
    return {};
  const RunRow& row = m_rows[static_cast<std::size_t>(index.row())];
  switch (role) {
  case Qt::DisplayRole: return row.title;
  case Qt::ToolTipRole: return QStringLiteral("%1\n%2\n%3").arg(row.title, statusText(row), row.path);
  case Qt::AccessibleTextRole: return QStringLiteral("%1 %2, %3").arg(kindTitle(row.kind), row.title, statusText(row));
  case IdRole: return row.id;
  case PathRole: return row.path;
  case KindRole: return QString::fromStdString(row.kind);
  case ModeRole: return row.mode;
  case OutcomeRole: return static_cast<int>(row.outcome);
  case FractionRole: return row.fraction ? QVariant(*row.fraction) : QVariant();
  case StatusRole: return statusText(row);
  case AgeRole: return ageWord(row.created, QDateTime::currentDateTimeUtc());
  case SearchRole:
    return QStringList{row.title, kindTitle(row.kind), QString::fromStdString(row.kind), row.mode, outcomeWord(row.outcome), row.id}.join(QLatin1Char(' '));
  case RowRole: return QVariant::fromValue(row);
  default: return {};
  }
}

void RunTableModel::setRows(std::vector<RunRow> rows) {
  std::sort(rows.begin(), rows.end(), comesFirst);
  const auto isThere = [&](const QString& id) {
    return std::any_of(rows.begin(), rows.end(), [&](const RunRow& row) { return row.id == id; });
  };
  for (int i = rowCount() - 1; i >= 0; --i)
    if (!isThere(m_rows[static_cast<std::size_t>(i)].id)) {
      beginRemoveRows({}, i, i);
      m_rows.erase(m_rows.begin() + i);
      endRemoveRows();
    }
  for (int target = 0; target < static_cast<int>(rows.size()); ++target) {
    RunRow& wanted = rows[static_cast<std::size_t>(target)];
    const auto at = std::find_if(m_rows.begin() + std::min(target, rowCount()), m_rows.end(), [&](const RunRow& row) { return row.id == wanted.id; });
    if (at == m_rows.end()) {
      beginInsertRows({}, target, target);
      m_rows.insert(m_rows.begin() + target, std::move(wanted));
      endInsertRows();
      continue;
    }
    const int from = static_cast<int>(at - m_rows.begin());
    if (from != target) {
      beginMoveRows({}, from, from, {}, target);
      std::rotate(m_rows.begin() + target, at, at + 1);
      endMoveRows();
    }
    RunRow& present = m_rows[static_cast<std::size_t>(target)];
    if (!(present == wanted)) {
      present = std::move(wanted);
      emit dataChanged(index(target), index(target));
    }
  }
}

const RunRow* RunTableModel::find(const QString& id) const {
  const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&](const RunRow& row) { return row.id == id; });
  return at == m_rows.end() ? nullptr : &*at;
}

QModelIndex RunTableModel::indexOf(const QString& id) const {
  const RunRow* row = find(id);
  return row ? index(static_cast<int>(row - m_rows.data())) : QModelIndex();
}

void RunFilter::setWords(const QString& text) {
  m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

bool RunFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QString searched = sourceModel()->index(row, 0, parent).data(RunTableModel::SearchRole).toString();
  return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) { return searched.contains(word, Qt::CaseInsensitive); });
}

} // namespace voxlab
