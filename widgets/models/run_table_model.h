// SPDX-License-Identifier: GPL-3.0-or-later
// The list of runs: live ones first, then by date, newest first.
#pragma once
#include "core/analysis/run_state.h"
#include <QAbstractListModel>
#include <QDateTime>
#include <QSortFilterProxyModel>
#include <QString>
#include <vector>

namespace voxlab {

struct RunRow {
  QString id, path;
  QString title; // "colin27 64³"
  std::string kind;
  QString mode, target;
  RunOutcome outcome = RunOutcome::Unknown;
  RunPhase phase = RunPhase::Unknown;
  std::int64_t step = 0;
  std::optional<std::int64_t> totalSteps;
  std::optional<double> fraction, timeLeft_s;
  QString message; // why it ended, when that needs saying
  QDateTime created;
  bool operator==(const RunRow&) const = default;
};

class RunTableModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role { IdRole = Qt::UserRole + 1, PathRole, KindRole, ModeRole, OutcomeRole, FractionRole, StatusRole, AgeRole, SearchRole, RowRole };

  using QAbstractListModel::QAbstractListModel;
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

  // Rows that stay keep their index objects, so selections and scroll position survive.
  void setRows(std::vector<RunRow> rows);
  const RunRow* find(const QString& id) const; // nullptr if there is none
  QModelIndex indexOf(const QString& id) const;

private:
  std::vector<RunRow> m_rows;
};

// "step 12 400 / 20 000 · 62 %", "lost: the worker died", "finished".
QString statusText(const RunRow& row);

// Shows the rows in which every typed word occurs: in title, kind, mode, state or folder name.
class RunFilter : public QSortFilterProxyModel {
  Q_OBJECT
public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setWords(const QString& text);

protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
  QStringList m_words;
};

} // namespace voxlab

Q_DECLARE_METATYPE(voxlab::RunRow)
