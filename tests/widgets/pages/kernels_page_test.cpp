// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/kernels_page.h"
#include "core/base/files.h"
#include "core/protocol/run_directory.h"
#include "tests/support/paths.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "widgets/pages/fact_line.h"
#include "widgets/pages/kernel_details.h"
#include "widgets/pages/kernel_table_view.h"
#include "widgets/plots/category_bar.h"
#include "widgets/plots/icicle_view.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/timeline_view.h"
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <gtest/gtest.h>

namespace voxlab {
namespace {
QString recordedFile(const char* name) { return QString::fromStdString((testData() / "profiles" / name).string()); }

class KernelsPageTest : public testing::Test {
protected:
  KernelsPageTest() {
    page.resize(1300, 860);
    page.show();
  }
  void open(const char* name) {
    page.openFile(recordedFile(name));
    EXPECT_TRUE(page.isLoading()) << "nothing is read in the GUI thread";
    EXPECT_SOON(!page.isLoading());
  }
  KernelTableModel* table() { return page.findChild<KernelTableView*>()->table(); }
  double shownTime_ms() {
    double sum = 0;
    for (int row = 0; row < table()->rowCount(); ++row)
      sum += table()->rowOf(table()->index(row, 0))->total_ms;
    return sum;
  }
  KernelsPage page;
};

TEST_F(KernelsPageTest, ShowsATraceInEveryView) {
  open("trace_opt1_128.json.gz");
  ASSERT_TRUE(page.view());
  EXPECT_GT(table()->rowCount(), 20);
  EXPECT_TRUE(page.findChild<CategoryBar*>()->showsData());
  EXPECT_TRUE(page.findChild<TimelineView*>()->showsData());
  EXPECT_GT(page.findChild<ScatterPlot*>()->points().size(), 5u);
  page.grab();
}

TEST_F(KernelsPageTest, WhatAnEmptyPageSaysIsReadWhole) {
  const auto labels = page.findChildren<QLabel*>();
  int wrapped = 0;
  for (const QLabel* label : labels)
    if (label->isVisible() && label->wordWrap()) {
      ++wrapped;
      EXPECT_GE(label->height(), label->heightForWidth(label->width())) << label->text().toStdString();
    }
  EXPECT_GE(wrapped, 2);
}

TEST_F(KernelsPageTest, TheRunIsAClickAwayFromAFileThatWasOpenedByItself) {
  const TemporaryFolder folder;
  const auto run = folder / "run";
  std::filesystem::create_directories(run / "profiles");
  std::filesystem::copy_file(recordedFile("trace_baseline_128.json.gz").toStdString(), run / "profiles" / "01_train.json.gz");
  page.setRun(QString::fromStdString(run.string()), QStringLiteral("A run"));
  EXPECT_SOON(!page.isLoading());
  const double ofRun = shownTime_ms();
  open("trace_opt1_128.json.gz");
  EXPECT_NE(shownTime_ms(), ofRun);
  auto* back = page.findChild<QPushButton*>(QStringLiteral("backToRun"));
  ASSERT_TRUE(back);
  ASSERT_TRUE(back->isVisible());
  back->click();
  EXPECT_SOON(!page.isLoading());
  EXPECT_EQ(shownTime_ms(), ofRun);
  EXPECT_TRUE(page.file().isEmpty());
  EXPECT_FALSE(back->isVisible());
}

TEST_F(KernelsPageTest, ARunThatIsChosenBehindAFileIsOffered) {
  const TemporaryFolder folder;
  open("trace_opt1_128.json.gz");
  auto* back = page.findChild<QPushButton*>(QStringLiteral("backToRun"));
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->isVisible()) << "there is no run";
  page.offerRun(QString::fromStdString((folder / "run").string()), QStringLiteral("A run"));
  EXPECT_TRUE(back->isVisible());
  EXPECT_FALSE(page.file().isEmpty()) << "the file stays";
}

TEST_F(KernelsPageTest, OneSelectionFiltersEveryView) {
  open("trace_opt1_128.json.gz");
  const double all = shownTime_ms();
  QSignalSpy shown(&page, &KernelsPage::viewShown);
  const auto& step = page.profile()->trace.steps[1];
  page.selection().setStep(2, step.start_ns, step.end_ns);
  EXPECT_SOON(!page.isLoading());
  EXPECT_NEAR(shownTime_ms(), all / 2, all * 0.01);
  page.selection().chooseCategory(KernelCategory::LayoutConversion);
  EXPECT_SOON(!page.isLoading());
  for (int row = 0; row < table()->rowCount(); ++row)
    EXPECT_EQ(table()->rowOf(table()->index(row, 0))->category, KernelCategory::LayoutConversion);
  for (const auto& point : page.findChild<ScatterPlot*>()->points())
    EXPECT_EQ(point.colour, QStringLiteral("layout_conversion")) << "no convolution is judged by the conversions before it alone";
  page.selection().clear();
  EXPECT_SOON(!page.isLoading());
  EXPECT_NEAR(shownTime_ms(), all, 1e-6);
  page.findChild<QLineEdit*>()->setText(QStringLiteral("wgrad"));
  EXPECT_SOON(!page.isLoading());
  EXPECT_GT(table()->rowCount(), 0);
  EXPECT_LT(shownTime_ms(), all);
  page.selection().goBack();
  EXPECT_SOON(!page.isLoading());
  EXPECT_TRUE(page.findChild<QLineEdit*>()->text().isEmpty());
}

TEST_F(KernelsPageTest, ARangeWithinAStepIsShownAsItIs) {
  open("trace_opt1_128.json.gz");
  const auto& step = page.profile()->trace.steps[0];
  page.selection().setTime({{step.start_ns + 40200000, step.start_ns + 93600000}});
  EXPECT_SOON(!page.isLoading());
  EXPECT_LT(shownTime_ms(), 53.4) << "kernels at the edges are cut";
  EXPECT_GT(shownTime_ms(), 53.4 * 0.9);
  EXPECT_TRUE(page.view()->hasIdle);
  QString facts;
  for (const FactLine* line : page.findChildren<FactLine*>())
    if (line->facts().contains(QLatin1String("NVIDIA H200")))
      facts = line->facts().join(QLatin1Char(' '));
  EXPECT_TRUE(facts.contains(QLatin1String("in the range"))) << facts.toStdString();
  EXPECT_FALSE(facts.contains(QLatin1String("step"))) << facts.toStdString();
  EXPECT_EQ(table()->headerData(KernelTableModel::Total, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("In range (ms)"));
  page.selection().setWords(QStringLiteral("no kernel is called so"));
  EXPECT_SOON(!page.isLoading());
  EXPECT_EQ(table()->rowCount(), 0);
  page.grab();
}

TEST_F(KernelsPageTest, KeepsTheChosenKernelWhenTheViewChanges) {
  open("trace_opt1_128.json.gz");
  const QString name = QString::fromStdString(table()->rowOf(table()->index(3, 0))->key);
  page.chooseKernel(name);
  auto* view = page.findChild<KernelTableView*>();
  EXPECT_EQ(table()->rowOf(view->currentIndex())->key, name.toStdString());
  EXPECT_TRUE(page.findChild<KernelDetails*>()->clipboardText().contains(name));
  page.selection().setWords(QString::fromStdString(table()->rowOf(table()->index(3, 0))->title));
  EXPECT_SOON(!page.isLoading());
  ASSERT_TRUE(table()->rowOf(view->currentIndex()));
  EXPECT_EQ(table()->rowOf(view->currentIndex())->key, name.toStdString());
  page.setGrouping(KernelGrouping::Category);
  EXPECT_SOON(!page.isLoading());
  EXPECT_TRUE(table()->isGroup(table()->index(0, 0)));
}

TEST_F(KernelsPageTest, CountersAloneAreAProfileToo) {
  open("ncu_raw_opt1_128.csv.gz");
  ASSERT_TRUE(page.view()) << page.problem().toStdString();
  EXPECT_TRUE(page.profile()->isOfCounters);
  EXPECT_EQ(table()->headerData(KernelTableModel::Total, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("Time (ms)")) << "no step is known";
  page.showTab(QStringLiteral("counters"));
  page.chooseKernel(QString::fromStdString(table()->rowOf(table()->index(0, 0))->key));
  EXPECT_FALSE(page.findChild<KernelDetails*>()->clipboardText().isEmpty());
  page.grab();
}

TEST_F(KernelsPageTest, ReadsARunWhenInSightAndSaysWhenThereIsNothing) {
  const TemporaryFolder folder;
  page.setRun(QString::fromStdString(folder.path().string()), QStringLiteral("a run"));
  EXPECT_SOON(!page.isLoading());
  EXPECT_FALSE(page.profile());
  EXPECT_TRUE(page.problem().isEmpty()) << "a run without a profile is no failure";
  std::filesystem::create_directories(RunDirectory(folder.path()).profiles());
  std::filesystem::copy(testData() / "profiles" / "trace_opt1_128.json.gz", RunDirectory(folder.path()).profiles() / "trace.json.gz");
  page.hide();
  page.setRun(QString::fromStdString(folder.path().string()), QStringLiteral("a run"));
  EXPECT_FALSE(page.isLoading()) << "not before somebody looks";
  page.show();
  EXPECT_SOON(page.view() != nullptr);
}

TEST_F(KernelsPageTest, SaysInWordsWhatIsWrongWithAFileAndCanBeCancelled) {
  const TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder / "broken.json", "{\"traceEvents\": [{\"ph\":"));
  QSignalSpy failed(&page, &KernelsPage::loadFailed);
  page.openFile(QString::fromStdString((folder / "broken.json").string()));
  EXPECT_SOON(!page.isLoading());
  ASSERT_EQ(failed.count(), 1);
  EXPECT_TRUE(page.problem().contains(QStringLiteral("broken.json")));
  page.openFile(recordedFile("trace_baseline_128.json.gz"));
  page.openFile(recordedFile("trace_opt1_128.json.gz"));
  EXPECT_SOON(page.view() != nullptr);
  EXPECT_EQ(page.profile()->source.title, "trace_opt1_128.json.gz") << "the newest request wins";
  page.openFile(recordedFile("trace_baseline_128.json.gz"));
  page.clear();
  EXPECT_FALSE(page.isLoading());
  EXPECT_FALSE(page.profile());
}

TEST_F(KernelsPageTest, ExportsTableAndReport) {
  const TemporaryFolder folder;
  open("trace_opt1_128.json.gz");
  const auto file = [&](const char* name) { return QString::fromStdString((folder / name).string()); };
  QSignalSpy written(&page, &KernelsPage::reportWritten);
  const auto wait = [&] {
    EXPECT_TRUE(page.isWriting()) << "nothing is written in the GUI thread";
    EXPECT_TRUE(written.count() == 1 || written.wait(60000));
    return written.takeFirst()[1].toString();
  };
  page.exportTable(file("table.csv"));
  EXPECT_EQ(wait(), QString());
  page.exportTable(file("table.json"));
  EXPECT_EQ(wait(), QString());
  EXPECT_EQ(static_cast<int>(readJsonFile(folder / "table.json").value().size()), table()->rowCount());
  page.exportTable(file("table.csv/below_a_file.csv"));
  EXPECT_FALSE(wait().isEmpty());
  page.exportReport(file("report.json"));
  page.exportTable(file("second.csv"));
  ASSERT_EQ(written.count(), 1) << "one at a time, and the one that is under way goes on";
  EXPECT_FALSE(written.takeFirst()[1].toString().isEmpty());
  EXPECT_EQ(wait(), QString());
  EXPECT_FALSE(std::filesystem::exists(folder / "second.csv"));
  EXPECT_NEAR(readJsonFile(folder / "report.json").value()["kernel_ms_per_step"].get<double>(), 226.68, 0.23);
}

TEST_F(KernelsPageTest, NumbersOfTheTimeLineAreWrittenBesideTheWindowAndCanBeGivenUp) {
  const TemporaryFolder folder;
  open("trace_opt1_128.json.gz");
  const auto file = [&](const char* name) { return QString::fromStdString((folder / name).string()); };
  auto* timeline = page.findChild<TimelineView*>();
  QSignalSpy written(&page, &KernelsPage::reportWritten);
  ASSERT_TRUE(timeline->save(file("all.csv")));
  EXPECT_TRUE(page.isWriting());
  page.openFile(recordedFile("trace_baseline_128.json.gz"));
  EXPECT_SOON(written.count() == 1);
  EXPECT_EQ(written[0][1].toString(), QString()) << "another profile does not end it";
  const std::string csv = readTextFile(folder / "all.csv").value();
  EXPECT_GT(std::count(csv.begin(), csv.end(), '\n'), 1000);
  EXPECT_SOON(!page.isLoading());
  ASSERT_TRUE(timeline->save(file("half.csv")));
  page.cancelWriting();
  EXPECT_FALSE(page.isWriting());
  ASSERT_TRUE(timeline->save(file("after.csv")));
  EXPECT_SOON(written.count() == 2);
  EXPECT_EQ(written[1][0].toString(), file("after.csv")) << "of what was given up, nothing is said";
  ASSERT_TRUE(timeline->save(file("picture.svg")));
  EXPECT_FALSE(page.isWriting());
}

TEST_F(KernelsPageTest, WhatHasNoModuleIsASelection) {
  const TemporaryFolder folder;
  const auto kernel = [](int number, int launched, const char* inside) {
    return QStringLiteral(R"({"ph":"X","cat":"user_annotation","name":"%3","pid":1,"tid":1,"ts":%1,"dur":8,"args":{}},)"
                          R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%1,"dur":2,"args":{"correlation":%2}},)"
                          R"({"ph":"X","cat":"kernel","name":"kernel%2","pid":0,"tid":7,"ts":%4,"dur":100,"args":{"device":0,"stream":7,"correlation":%2}})")
        .arg(launched).arg(number).arg(QLatin1String(inside)).arg(1000 + 200 * number);
  };
  const QString events = QStringLiteral("{\"traceEvents\":[") + kernel(1, 10, "input_blocks.0") + QLatin1Char(',') + kernel(2, 30, "forward") + QStringLiteral("]}");
  ASSERT_TRUE(writeFileAtomically(folder / "trace.json", events.toStdString()));
  page.openFile(QString::fromStdString((folder / "trace.json").string()));
  EXPECT_SOON(!page.isLoading());
  ASSERT_TRUE(page.view()) << page.problem().toStdString();
  ASSERT_EQ(table()->rowCount(), 2);
  auto* icicle = page.findChild<IcicleView*>();
  page.showTab(QStringLiteral("modules"));
  icicle->grab();
  ASSERT_FALSE(icicle->restArea().isEmpty());
  QTest::mouseClick(icicle, Qt::LeftButton, {}, icicle->restArea().center().toPoint());
  EXPECT_SOON(!page.isLoading());
  ASSERT_EQ(table()->rowCount(), 1);
  EXPECT_EQ(table()->rowOf(table()->index(0, 0))->key, "kernel2");
  icicle->grab();
  EXPECT_FALSE(icicle->restArea().isEmpty()) << "the alternatives stay in sight";
  QTest::mouseClick(icicle, Qt::LeftButton, {}, icicle->restArea().center().toPoint());
  EXPECT_SOON(!page.isLoading());
  EXPECT_EQ(table()->rowCount(), 2);
}

} // namespace
} // namespace voxlab
