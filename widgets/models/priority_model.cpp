// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/priority_model.h"
#include "core/analysis/profile_view.h"
#include "core/base/csv.h"
#include "core/base/milliseconds.h"
#include "core/base/text.h"
#include <algorithm>

namespace voxlab {
namespace {
constexpr double kLeastScore = 0.0005; // a twentieth of a per cent of the step is not worth a line

constexpr qsizetype kMostReason = 220; // characters in the list; all of it stands in the tip and in copies

// Whole sentences as far as they fit, at least the first.
QString beginningOf(const QString& text) {
  if (text.size() <= kMostReason)
    return text;
  const qsizetype end = std::max(text.lastIndexOf(QStringLiteral(". "), kMostReason), text.indexOf(QStringLiteral(". ")));
  return end < 0 ? text.left(kMostReason) + QStringLiteral("…") : text.left(end + 1) + QStringLiteral(" …");
}

QString wrapped(const QString& text) { // tips break no lines of plain text
  QString out;
  qsizetype line = 0;
  for (const QString& word : text.split(QLatin1Char(' '))) {
    out += line == 0 ? word : line + word.size() > 90 ? QLatin1Char('\n') + word : QLatin1Char(' ') + word;
    line = line + word.size() > 90 ? word.size() : line + word.size() + 1;
  }
  return out;
}

QString percent(double fraction) { return QString::fromStdString(formatSignificant(100 * fraction, 2)) + QStringLiteral(" %"); }
} // namespace

void PriorityModel::setView(std::shared_ptr<const ProfileView> view) {
  beginResetModel();
  m_view = std::move(view);
  m_count = 0;
  if (m_view)
    m_count = static_cast<int>(std::find_if(m_view->priorities.begin(), m_view->priorities.end(), [](const PriorityItem& item) { return item.score() < kLeastScore; }) - m_view->priorities.begin());
  endResetModel();
}

int PriorityModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_count; }

const PriorityItem& PriorityModel::item(int row) const { return m_view->priorities[static_cast<std::size_t>(row)]; }

QVariant PriorityModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= m_count)
    return {};
  const PriorityItem& it = item(index.row());
  switch (role) {
  case Qt::DisplayRole:
  case TitleRole: return QString::fromStdString(it.title);
  case FiguresRole:
    return (m_view->isOfSteps ? tr("%1 ms a step to gain (%2 × %3)") : tr("%1 ms to gain (%2 × %3)")).arg(QString::fromStdString(formatMilliseconds(it.saved_ms())), percent(it.share), percent(it.saving));
  case ReasonRole: return beginningOf(QString::fromStdString(it.reason));
  case ScoreRole: return it.score();
  case BestScoreRole: return item(0).score();
  case ColourRole: return QString::fromUtf8(categoryName(it.category).data());
  case KeyRole: return QString::fromStdString(it.key);
  case EstimateRole: return it.source == PrioritySource::Analytic;
  case Qt::ToolTipRole:
    return (m_view->isOfSteps ? tr("%1 of the step's time are spent here, of which %2 could go: priority %3.\n\n%4\n\n%5") : tr("%1 of the collected time are spent here, of which %2 could go: priority %3.\n\n%4\n\n%5"))
        .arg(percent(it.share), percent(it.saving), QString::fromStdString(formatSignificant(it.score(), 2)), wrapped(QString::fromStdString(it.reason)), QString::fromStdString(it.key.substr(0, 200)));
  default: return {};
  }
}

QString PriorityModel::csv() const {
  std::string out = csvLine({"rank", "kernel", "category", "operator", "launches", "time_ms", "share", "saving", "score", "source", "reason", "full_name"});
  const auto number = [](double value) { return QString::number(value, 'g', 9).toStdString(); };
  for (int row = 0; row < m_count; ++row) {
    const PriorityItem& it = item(row);
    out += csvLine({std::to_string(row + 1), it.title, std::string(categoryName(it.category)), it.operatorName, std::to_string(it.launches), number(it.time_ms), number(it.share), number(it.saving),
                    number(it.score()), it.source == PrioritySource::Counters ? "counters" : "estimate", it.reason, it.key});
  }
  return QString::fromStdString(out);
}

QString PriorityModel::text(int row) const {
  const QModelIndex at = index(row);
  return at.data(TitleRole).toString() + QLatin1Char('\n') + at.data(FiguresRole).toString() + QLatin1Char('\n') + QString::fromStdString(item(row).reason);
}

} // namespace voxlab
