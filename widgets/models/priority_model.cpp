// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/priority_model.h"
#include "core/analysis/profile_view.h"
#include "core/base/csv.h"
#include "core/base/milliseconds.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"

namespace voxlab {
namespace {
constexpr double kLeastShare = 0.0005; // a twentieth of a per cent of the step is not worth a line

constexpr qsizetype kMostReason = 220; // characters in the list; all of it stands in the tip and in copies

// Whole sentences as far as they fit, at least the first.
QString beginningOf(const QString& reason) {
  if (reason.size() <= kMostReason)
    return reason;
  const qsizetype end = std::max(reason.lastIndexOf(QStringLiteral(". "), kMostReason), reason.indexOf(QStringLiteral(". ")));
  return end < 0 ? reason.left(kMostReason) + QStringLiteral("…") : reason.left(end + 1) + QStringLiteral(" …");
}

QString wrapped(const QString& sentences) { // tips break no lines of plain text
  QString out;
  qsizetype line = 0;
  for (const QString& word : sentences.split(QLatin1Char(' '))) {
    out += line == 0 ? word : line + word.size() > 90 ? QLatin1Char('\n') + word : QLatin1Char(' ') + word;
    line = line + word.size() > 90 ? word.size() : line + word.size() + 1;
  }
  return out;
}

QString percent(double fraction) { return text(formatSignificant(100 * fraction, 2)) + QStringLiteral(" %"); }
} // namespace

void PriorityModel::setView(std::shared_ptr<const ProfileView> view) {
  beginResetModel();
  m_view = std::move(view);
  m_rows.clear();
  const std::size_t count = m_view && gainful(m_view->priorities) > 0 ? m_view->priorities.size() : 0;
  for (std::size_t i = 0; i < count; ++i)
    if (m_view->priorities[i].share >= kLeastShare)
      m_rows.push_back(i);
  endResetModel();
}

int PriorityModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

const PriorityItem& PriorityModel::item(int row) const { return m_view->priorities[m_rows[static_cast<std::size_t>(row)]]; }

QString PriorityModel::figures(const PriorityItem& it) const {
  if (it.score() <= 0)
    return (m_view->isOfSteps ? tr("no gain is estimated (%1 ms a step, %2)") : tr("no gain is estimated (%1 ms, %2)")).arg(text(formatMilliseconds(it.time_ms)), percent(it.share));
  return (m_view->isOfSteps ? tr("%1 ms a step to gain (%2 × %3)") : tr("%1 ms to gain (%2 × %3)")).arg(text(formatMilliseconds(it.saved_ms())), percent(it.share), percent(it.saving));
}

QString PriorityModel::tip(const PriorityItem& it) const {
  const QString whole = m_view->isOfSteps ? tr("the step's time") : tr("the collected time");
  const QString sentence = it.score() > 0 ? tr("%1 of %2 are spent here, of which %3 could go: priority %4.").arg(percent(it.share), whole, percent(it.saving), text(formatSignificant(it.score(), 2)))
                                          : tr("%1 of %2 are spent here; no gain is estimated.").arg(percent(it.share), whole);
  return QStringList{sentence, wrapped(text(it.reason)), text(it.key.substr(0, 200))}.join(QStringLiteral("\n\n"));
}

QVariant PriorityModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount())
    return {};
  const PriorityItem& it = item(index.row());
  switch (role) {
  case Qt::DisplayRole:
  case TitleRole: return text(it.title);
  case FiguresRole: return figures(it);
  case ReasonRole: return beginningOf(text(it.reason));
  case ScoreRole: return it.score();
  case BestScoreRole: return item(0).score();
  case ColourRole: return text(categoryName(it.category));
  case KeyRole: return text(it.key);
  case EstimateRole: return it.source == PrioritySource::Analytic && it.score() > 0;
  case Qt::ToolTipRole: return tip(it);
  default: return {};
  }
}

QString PriorityModel::csv() const {
  std::string out = csvLine({"rank", "kernel", "category", "operator", "launches", "time_ms", m_view && !m_view->isOfSteps ? "share_of_collected_time" : "share_of_step", "saving", "score", "source", "reason", "full_name"});
  const auto number = [](double value) { return QString::number(value, 'g', 9).toStdString(); };
  for (int row = 0; row < rowCount(); ++row) {
    const PriorityItem& it = item(row);
    out += csvLine({std::to_string(row + 1), it.title, std::string(categoryName(it.category)), it.operatorName, std::to_string(it.launches), number(it.time_ms), number(it.share), number(it.saving),
                    number(it.score()), it.score() <= 0 ? "" : it.source == PrioritySource::Counters ? "counters" : "estimate", it.reason, it.key});
  }
  return text(out);
}

QString PriorityModel::clipboardText(int row) const {
  const QModelIndex at = index(row);
  return at.data(TitleRole).toString() + QLatin1Char('\n') + at.data(FiguresRole).toString() + QLatin1Char('\n') + text(item(row).reason);
}

} // namespace voxlab
