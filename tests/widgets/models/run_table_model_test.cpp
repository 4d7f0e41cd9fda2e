// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_table_model.h"
#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
RunRow row(const char* id, int minute, RunOutcome outcome = RunOutcome::Finished) {
  RunRow r;
  r.id = QString::fromLatin1(id);
  r.title = QStringLiteral("Train colin27");
  r.kind = "train";
  r.mode = QStringLiteral("opt12");
  r.outcome = outcome;
  r.created = QDateTime(QDate(2026, 1, 31), QTime(12, minute), Qt::UTC);
  return r;
}

QStringList ids(const QAbstractItemModel& model) {
  QStringList out;
  for (int i = 0; i < model.rowCount(); ++i)
    out << model.index(i, 0).data(RunTableModel::IdRole).toString();
  return out;
}
} // namespace

TEST(RunTableModel, LiveRunsFirstThenNewest) {
  RunTableModel model;
  model.setRows({row("old", 1), row("new", 3), row("live", 2, RunOutcome::Running)});
  EXPECT_EQ(ids(model), (QStringList{"live", "new", "old"}));
}

TEST(RunTableModel, ChangesKeepSelectionsAndObeyTheModelProtocol) {
  RunTableModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setRows({row("a", 1), row("b", 2), row("c", 3)});
  QItemSelectionModel selection(&model);
  selection.select(model.indexOf(QStringLiteral("b")), QItemSelectionModel::Select);
  model.setRows({row("a", 1, RunOutcome::Running), row("b", 2), row("d", 4)}); // c went, d came, a rose
  EXPECT_EQ(ids(model), (QStringList{"a", "d", "b"}));
  ASSERT_EQ(selection.selectedIndexes().size(), 1);
  EXPECT_EQ(selection.selectedIndexes().first().data(RunTableModel::IdRole).toString(), QStringLiteral("b"));
  model.setRows({});
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(RunTableModel, FindsByEveryTypedWord) {
  RunTableModel model;
  RunRow failed = row("x", 1, RunOutcome::Failed);
  failed.title = QStringLiteral("Sample masks");
  model.setRows({failed, row("y", 2)});
  RunFilter filter;
  filter.setSourceModel(&model);
  filter.setWords(QStringLiteral("COLIN opt"));
  EXPECT_EQ(ids(filter), QStringList{"y"});
  filter.setWords(QStringLiteral("failed"));
  EXPECT_EQ(ids(filter), QStringList{"x"});
  filter.setWords(QStringLiteral("colin failed"));
  EXPECT_EQ(filter.rowCount(), 0);
  filter.setWords({});
  EXPECT_EQ(filter.rowCount(), 2);
}

TEST(StatusText, SaysHowFarAndWhy) {
  RunRow r = row("a", 1, RunOutcome::Running);
  r.phase = RunPhase::Running;
  r.step = 12400;
  r.totalSteps = 20000;
  r.fraction = 0.62;
  EXPECT_EQ(statusText(r), QStringLiteral("step 12\u202f400 / 20\u202f000 · 62 %"));
  r.phase = RunPhase::Paused;
  EXPECT_EQ(statusText(r), QStringLiteral("paused · step 12\u202f400 / 20\u202f000 · 62 %"));
  r.outcome = RunOutcome::Lost;
  r.message = QStringLiteral("host restarted");
  EXPECT_EQ(statusText(r), QStringLiteral("lost: host restarted"));
  r = row("b", 1, RunOutcome::Waiting);
  EXPECT_EQ(statusText(r), QStringLiteral("waiting"));
}
