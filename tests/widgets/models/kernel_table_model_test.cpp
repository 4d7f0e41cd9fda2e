// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/kernel_table_model.h"
#include "core/analysis/profile_view.h"
#include "core/base/csv.h"
#include "tests/support/paths.h"
#include "widgets/models/priority_model.h"
#include <QAbstractItemModelTester>
#include <gtest/gtest.h>

using namespace voxlab;
using M = KernelTableModel;

namespace {
const Profile& recordedProfile() {
  static const auto profile = loadProfile(profileSourceOf(testData() / "profiles" / "trace_opt1_128.json.gz")).value();
  return *profile;
}

std::shared_ptr<const ProfileView> view(KernelGrouping grouping) {
  ProfileQuery query;
  query.grouping = grouping;
  return viewOf(recordedProfile(), query);
}
} // namespace

TEST(KernelTableModel, SortsByEveryColumnAndKeepsIndices) {
  KernelTableModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setView(view(KernelGrouping::Kernel));
  ASSERT_GT(model.rowCount(), 20);
  EXPECT_EQ(model.rowCount(model.index(0, 0)), 0) << "kernels have nothing under them";
  const QPersistentModelIndex third(model.index(2, 0));
  const QString key = model.keyOf(third);
  for (int column = 0; column < M::ColumnCount; ++column)
    for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
      model.sort(column, order);
      EXPECT_EQ(model.keyOf(third), key);
      for (int row = 1; row < model.rowCount(); ++row) {
        QVariant a = model.index(row - 1, column).data(M::SortRole), b = model.index(row, column).data(M::SortRole);
        if (order == Qt::DescendingOrder)
          std::swap(a, b);
        if (!a.isValid() || !b.isValid())
          EXPECT_FALSE(a.isValid() && !b.isValid()) << "unknown before known, column " << column;
        else if (a.typeId() == QMetaType::QString)
          EXPECT_LE(a.toString().compare(b.toString(), Qt::CaseInsensitive), 0);
        else
          EXPECT_LE(a.toDouble(), b.toDouble());
      }
    }
  EXPECT_EQ(model.find(key), third);
}

TEST(KernelTableModel, GroupsHaveTheirKernelsUnderThem) {
  KernelTableModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setView(view(KernelGrouping::Category));
  model.sort(M::Total, Qt::DescendingOrder);
  const QModelIndex group = model.index(0, 0);
  EXPECT_TRUE(model.isGroup(group));
  ASSERT_GT(model.rowCount(group), 0);
  double sum = 0;
  for (int row = 0; row < model.rowCount(group); ++row) {
    const QModelIndex kernel = model.index(row, 0, group);
    EXPECT_FALSE(model.isGroup(kernel));
    EXPECT_EQ(kernel.parent(), group);
    EXPECT_EQ(model.find(model.keyOf(kernel)), kernel);
    sum += model.rowOf(kernel)->total_ms;
  }
  EXPECT_NEAR(sum, model.rowOf(group)->total_ms, 1e-6);
  const std::string name = model.rowOf(model.index(0, 0, group))->key;
  EXPECT_TRUE(model.findKernel(QString::fromStdString(name)).isValid());
  EXPECT_FALSE(model.findKernel(QStringLiteral("no such kernel")).isValid());
  EXPECT_EQ(model.headerData(M::Name, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Category"));
  model.setView(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(KernelTableModel, TellsLaunchesOfOneKernelApart) {
  KernelTableModel model;
  model.setView(view(KernelGrouping::Launch));
  std::set<QString> keys;
  for (int row = 0; row < model.rowCount(); ++row)
    keys.insert(model.keyOf(model.index(row, 0)));
  EXPECT_EQ(static_cast<int>(keys.size()), model.rowCount());
}

TEST(KernelTableModel, ExportsWhatItShowsUnrounded) {
  KernelTableModel model;
  model.setView(view(KernelGrouping::Category));
  const std::string text = model.rows().csv().toStdString();
  auto source = byteSourceFromText(text, "the table");
  CsvReader reader(*source);
  std::vector<std::string> row;
  int lines = 0;
  double groups_ms = 0, kernels_ms = 0, aStep_ms = 0;
  while (reader.next(row).value()) {
    ASSERT_EQ(row.size(), static_cast<std::size_t>(M::ColumnCount) + 3);
    if (lines > 0 && row[0].empty())
      aStep_ms += std::stod(row[1 + M::ColumnCount]);
    if (lines++ > 0)
      (row[0].empty() ? groups_ms : kernels_ms) += std::stod(row[1 + M::Total]);
  }
  EXPECT_NEAR(groups_ms - 2 * recordedProfile().breakdown.mean.copy_ms, 2 * 226.68, 0.46) << "two steps of kernels";
  EXPECT_NEAR(groups_ms, kernels_ms, 1e-3);
  EXPECT_NEAR(aStep_ms, groups_ms / 2, 1e-3);
  const Json json = model.rows().json();
  EXPECT_EQ(static_cast<int>(json.size()), model.rowCount());
  EXPECT_EQ(json[0]["kernels"].size(), static_cast<std::size_t>(model.rowCount(model.index(0, 0))));
  const QStringList copied = model.tabbed({model.index(0, 0)}, {M::Name, M::Total, M::Calls}).split(QLatin1Char('\n'));
  ASSERT_EQ(copied.size(), 3);
  EXPECT_EQ(copied[0], QStringLiteral("Category\tA step (ms)\tCalls"));
  EXPECT_NEAR(copied[1].section(QLatin1Char('\t'), 1, 1).toDouble(), model.rowOf(model.index(0, 0))->total_ms / 2, 1e-6) << "what the heading says, of two steps";
}

TEST(PriorityModel, ListsWhatSavesSomethingAndThenTheRestWithItsReason) {
  PriorityModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setView(view(KernelGrouping::Kernel));
  ASSERT_GT(model.rowCount({}), 3);
  for (int row = 1; row < model.rowCount({}); ++row) {
    const PriorityItem& item = model.item(row);
    EXPECT_GE(model.item(row - 1).score(), item.score());
    EXPECT_GE(item.share, 0.0005) << "worth a line";
    EXPECT_FALSE(model.index(row).data(PriorityModel::ReasonRole).toString().isEmpty()) << item.key;
    EXPECT_EQ(model.index(row).data(PriorityModel::FiguresRole).toString().startsWith(QStringLiteral("no gain is estimated")), item.score() <= 0);
  }
  EXPECT_EQ(model.csv().count(QLatin1Char('\n')), model.rowCount({}) + 1);
  EXPECT_TRUE(model.clipboardText(0).contains(QString::fromStdString(model.item(0).reason)));
}
