// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare_page.h"
#include "core/base/files.h"
#include "core/protocol/run_bundle.h"
#include "tests/support/paths.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "widgets/models/comparison_model.h"
#include "widgets/pages/compare_charts.h"
#include "widgets/pages/compare_differences.h"
#include "widgets/pages/compare_heat_table.h"
#include "widgets/plots/bar_plot.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/stacked_bar_plot.h"
#include <QApplication>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTimer>
#include <QTreeWidget>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
namespace fs = std::filesystem;

class ComparePageTest : public testing::Test {
protected:
  // A benchmark from an old bundle, and the recorded profiles of two modes on an H200.
  void SetUp() override {
    ASSERT_TRUE(unpackRuns(testData() / "bundles/version_1_0.voxrun", m_folder / "runs"));
    for (const char* mode : {"baseline", "opt1"}) {
      const fs::path run = m_folder / "runs" / (std::string("profile_") + mode);
      ASSERT_TRUE(writeJsonFile(run / "run.json", {{"schema", "1.0"}, {"id", run.filename().string()}, {"kind", "profile"}, {"mode", mode}, {"created", "2026-01-31T14:25:30.000Z"}}));
      fs::create_directories(run / "profiles");
      fs::copy_file(testData() / ("profiles/trace_" + std::string(mode) + "_128.json.gz"), run / "profiles/trace.json.gz");
    }
    page.resize(1100, 800);
    page.show();
  }
  CompareCandidate candidate(const QString& id, const QString& kind) const {
    return {id, QString::fromStdString((m_folder / "runs" / id.toStdString()).string()), id, kind, "finished"};
  }
  void load(const QList<CompareCandidate>& candidates) {
    page.setCandidates(candidates);
    ASSERT_SOON(page.isReady());
  }
  QList<CompareCandidate> profiles() const { return {candidate("profile_baseline", "profile"), candidate("profile_opt1", "profile")}; }

  TemporaryFolder m_folder;
  ComparePage page;
};
} // namespace

TEST_F(ComparePageTest, SaysWhyAModeIsFaster) {
  load(profiles());
  ASSERT_EQ(page.model()->rowCount(), 2);
  EXPECT_TRUE(page.sentences()->text().contains("opt1 is"));
  EXPECT_TRUE(page.sentences()->text().contains("as fast as baseline"));
  EXPECT_TRUE(page.charts()->categories()->showsData());
  EXPECT_TRUE(page.charts()->bars()->showsData());
  EXPECT_FALSE(page.charts()->front()->showsData());
  ASSERT_GT(page.differences()->tree()->topLevelItemCount(), 3);
  EXPECT_GT(page.differences()->tree()->topLevelItem(0)->childCount(), 0);
}

TEST_F(ComparePageTest, ABenchmarkIsNormalisedToItsBaseline) {
  load({candidate("2026-01-31_modes", "bench")});
  ASSERT_EQ(page.model()->rowCount(), 3);
  EXPECT_EQ(page.model()->index(0, 0).data(ComparisonModel::BaselineRole), true);
  EXPECT_EQ(page.model()->index(0, 1).data(), QStringLiteral("1.00 ×"));
  EXPECT_EQ(page.model()->index(0, 1).data(ComparisonModel::GainRole).toDouble(), 0);
  const int faster = 2; // bf16
  EXPECT_GT(page.model()->index(faster, 1).data(ComparisonModel::GainRole).toDouble(), 0.5);
  page.model()->setShow(ComparisonModel::Show::Absolute);
  EXPECT_TRUE(page.model()->index(0, 1).data().toString().contains("ms"));
}

TEST_F(ComparePageTest, NamesAreTheUsersAndStay) {
  load(profiles());
  ASSERT_TRUE(page.model()->setData(page.model()->index(1, 0), "TF32 everywhere", Qt::EditRole));
  EXPECT_EQ(page.model()->nameOf(1), "TF32 everywhere");
  QList<CompareCandidate> again = profiles();
  again.first().state = "stopped"; // read anew
  load(again);
  EXPECT_EQ(page.model()->nameOf(1), "TF32 everywhere");
  page.model()->setData(page.model()->index(1, 0), "", Qt::EditRole);
  EXPECT_EQ(page.model()->nameOf(1), "opt1");
}

TEST_F(ComparePageTest, SentencesHaveTheUsersNames) {
  load(profiles());
  const QString before = page.sentences()->text();
  page.model()->setData(page.model()->index(1, 0), "TF32 everywhere", Qt::EditRole);
  page.model()->setData(page.model()->index(0, 0), "FP32", Qt::EditRole);
  const auto named = [](QString words) { return words.replace("opt1 is", "TF32 everywhere is").replace("as baseline", "as FP32").toStdString(); };
  EXPECT_EQ(page.sentences()->text().toStdString(), named(before)) << "the rest stays as it was";
  EXPECT_TRUE(page.sentences()->text().startsWith("TF32 everywhere is")) << page.sentences()->text().toStdString();
  EXPECT_TRUE(page.differences()->sentence()->text().startsWith("TF32 everywhere is"));
  EXPECT_EQ(page.differences()->tree()->headerItem()->text(1), "FP32 (ms)");
  EXPECT_TRUE(page.headline()->text().contains("TF32 everywhere") && page.headline()->text().contains("FP32"));
  page.differences()->choose("opt1"); // as recorded
  page.model()->setData(page.model()->index(1, 0), "", Qt::EditRole);
  page.model()->setData(page.model()->index(0, 0), "", Qt::EditRole);
  EXPECT_EQ(page.sentences()->text(), before);
}

TEST_F(ComparePageTest, FilteringKeepsTheBaselineAndWhatIsPinned) {
  load({candidate("2026-01-31_modes", "bench")});
  page.table()->setWords("bf16");
  EXPECT_EQ(page.table()->model()->rowCount(), 2);
  page.model()->togglePinned(1);
  page.table()->setWords("nothing like this");
  EXPECT_EQ(page.table()->model()->rowCount(), 2);
}

// The menu of a row, by a right click on a column; what it offers, and what `chosen` of it does.
TEST_F(ComparePageTest, ARightClickOnAnyColumnOpensTheMenu) {
  load({candidate("2026-01-31_modes", "bench")});
  const auto rightClick = [&](QWidget* at, const QPoint& place, const QString& chosen) {
    QStringList offered;
    QTimer::singleShot(0, &page, [&] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      for (QAction* action : menu ? menu->actions() : QList<QAction*>()) {
        offered << action->text();
        if (action->text() == chosen)
          action->trigger();
      }
      if (menu)
        menu->close();
    });
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, at->mapToGlobal(place));
    QApplication::sendEvent(at, &event);
    QApplication::processEvents();
    return offered;
  };
  QTableView* frozen = page.table()->frozen();
  for (int column = 0; column < 2; ++column) {
    const QStringList offered = rightClick(frozen->viewport(), frozen->visualRect(frozen->model()->index(1, column)).center(), {});
    EXPECT_TRUE(offered.contains("Pin to the top") && offered.contains("Rename…")) << column << offered.join("|").toStdString();
  }
  const QPoint measure = page.table()->visualRect(page.table()->model()->index(1, 2)).center();
  EXPECT_TRUE(rightClick(page.table()->viewport(), measure, {}).contains("Hide this measure"));
  rightClick(frozen->viewport(), frozen->visualRect(frozen->model()->index(1, 0)).center(), "Pin to the top");
  EXPECT_TRUE(page.model()->isPinned(1));
}

TEST_F(ComparePageTest, NothingIsReadBeforeAnybodyLooks) {
  page.hide();
  page.setCandidates(profiles());
  EXPECT_TRUE(page.isReady());
  EXPECT_EQ(page.model()->rowCount(), 0);
  page.show();
  ASSERT_SOON(page.isReady() && page.model()->rowCount() == 2);
}

TEST_F(ComparePageTest, OnlyChosenRunsAreCompared) {
  load(profiles() + QList<CompareCandidate>{candidate("2026-01-31_modes", "bench")});
  page.chooseRuns({"2026-01-31_modes"});
  ASSERT_SOON(page.isReady() && page.model()->rowCount() == 3);
  page.chooseRuns({});
  ASSERT_SOON(page.isReady() && page.model()->rowCount() == 0);
}

TEST_F(ComparePageTest, ReportsHaveTheUsersNamesNotesAndOrder) {
  load({candidate("2026-01-31_modes", "bench")});
  ASSERT_EQ(page.model()->nameOf(2), "bf16");
  page.model()->setData(page.model()->index(2, 0), "Half precision", Qt::EditRole);
  page.model()->setNote(2, "second night");
  page.model()->togglePinned(2);
  page.model()->setData(page.model()->index(0, 0), "FP32", Qt::EditRole);
  const auto written = [&](const char* name) {
    const fs::path file = m_folder / name;
    EXPECT_TRUE(page.exportTo(QString::fromStdString(file.string())));
    return readTextFile(file).value_or("");
  };
  const std::string html = written("report.html");
  for (const char* words : {"Half precision is", "as fast as FP32", "second night"})
    EXPECT_NE(html.find(words), std::string::npos) << words;
  const auto json = parseJson(written("report.json"), "report.json");
  ASSERT_TRUE(json);
  const Json& part = json->contains("training") ? (*json)["training"] : (*json)["sampling"];
  EXPECT_EQ(part["runs"][0]["name"], "Half precision") << "what is pinned comes first";
  EXPECT_EQ(part["baseline"], "FP32");
  EXPECT_NE(written("report.csv").find("Half precision"), std::string::npos);
}

TEST_F(ComparePageTest, TheReportIsWrittenInEveryFormat) {
  load(profiles());
  for (const char* suffix : {"html", "csv", "json", "txt", "md"}) {
    const fs::path file = m_folder / (std::string("report.") + suffix);
    ASSERT_TRUE(page.exportTo(QString::fromStdString(file.string()))) << suffix;
    EXPECT_NE(readTextFile(file)->find("opt1"), std::string::npos) << suffix;
  }
  EXPECT_EQ(page.exportTo(QString::fromStdString((m_folder / "report.xyz").string())).error().code, ExitCode::Usage);
}
