// SPDX-License-Identifier: GPL-3.0-or-later
// The compare page with several sessions, which measured Baseline each for itself: whatever the page shows is what its report tells.
#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "widgets/models/comparison_model.h"
#include "widgets/pages/compare_charts.h"
#include "widgets/pages/compare_page.h"
#include "widgets/plots/bar_plot.h"
#include <QComboBox>
#include <QLabel>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
namespace fs = std::filesystem;

class CompareSessions : public testing::Test {
protected:
  void SetUp() override {
    makeBenchmark("cool", {{"baseline", 1000}, {"opt1", 500}, {"bf16", 400}, {"fp16", 420}});
    makeBenchmark("warm", {{"baseline", 1200}, {"opt1", 700}, {"opt2", 1080}});
    page.resize(1100, 800);
    page.show();
    page.setCandidates(m_candidates);
    ASSERT_SOON(page.isReady());
  }
  void makeBenchmark(const std::string& name, const std::vector<std::pair<std::string, double>>& modes) {
    const fs::path run = m_folder / name;
    ASSERT_TRUE(writeJsonFile(run / "run.json", {{"schema", "1.0"}, {"id", name}, {"kind", "bench"}, {"created", "2026-01-31T14:25:30.000Z"}}));
    ASSERT_TRUE(writeJsonFile(run / "spec.json", {{"schema", "1.0"}, {"kind", "bench"}, {"data", {{"size", {128, 128, 128}}}}}));
    std::string events = R"({"type":"hello","time_s":0,"major":1,"minor":0,"start":1,"resume_step":0,"wall_time":"2026-01-31T14:25:30.000Z"})" "\n";
    for (const auto& [mode, step_ms] : modes)
      for (int repetition = -1; repetition <= 1; ++repetition)
        events += Json{{"type", "bench"}, {"time_s", 1}, {"mode", mode}, {"what", "train"}, {"repetition", repetition + 1}, {"duration_ms", step_ms + 10 * repetition}}.dump() + "\n";
    ASSERT_TRUE(writeFileAtomically(run / "events.jsonl", events));
    const QString id = QString::fromStdString(name);
    m_candidates << CompareCandidate{id, QString::fromStdString(run.string()), id, "bench", "finished"};
  }
  std::string written(const char* file, auto&& write) {
    const fs::path path = m_folder / file;
    EXPECT_TRUE(write(QString::fromStdString(path.string())));
    return readTextFile(path).value_or("");
  }
  int rowOf(const QString& name) const {
    for (int row = 0; row < page.model()->rowCount(); ++row)
      if (page.model()->nameOf(row) == name)
        return row;
    return -1;
  }

  TemporaryFolder m_folder;
  QList<CompareCandidate> m_candidates;
  ComparePage page;
};
} // namespace

TEST_F(CompareSessions, EachIsHeldAgainstItsOwnBaselineOnThePageAndInTheReport) {
  for (const int repeats : {0, 1}) {
    page.repeatsBox()->setCurrentIndex(repeats);
    emit page.repeatsBox()->activated(repeats);
    const int opt2 = rowOf("opt2"), warm = rowOf("baseline · warm");
    ASSERT_TRUE(opt2 >= 0 && warm >= 0) << repeats;
    EXPECT_DOUBLE_EQ(page.model()->index(opt2, 1).data(ComparisonModel::NormalisedRole).toDouble(), 0.9) << repeats;
    EXPECT_DOUBLE_EQ(page.model()->index(warm, 1).data(ComparisonModel::NormalisedRole).toDouble(), 1) << repeats;
    EXPECT_TRUE(page.model()->index(opt2, 1).data(Qt::ToolTipRole).toString().contains("0.900 × baseline · warm"));
    EXPECT_EQ(page.headline()->text().toStdString(), "bf16 is the fastest: 400\u00a0ms a step, 2.5 times as fast as baseline · cool");
    EXPECT_TRUE(page.sentences()->text().contains("opt2\u00a01.1\u00a0×")) << page.sentences()->text().toStdString();
    EXPECT_TRUE(page.sentences()->text().contains("of its own session")) << page.sentences()->text().toStdString();
    const std::string bars = written("bars.csv", [&](const QString& file) { return page.charts()->bars()->exportTo(file).has_value(); });
    EXPECT_NE(bars.find(",Time a step,0.9,"), std::string::npos) << bars;
    const auto report = parseJson(written("report.json", [&](const QString& file) { return page.exportTo(file).has_value(); }), "report.json");
    ASSERT_TRUE(report);
    const Json& training = (*report)["training"];
    for (std::size_t n = 0; n < training["runs"].size(); ++n)
      if (const int row = rowOf(QString::fromStdString(training["runs"][n]["name"].get<std::string>())); row >= 0) {
        EXPECT_EQ(training["measures"][0]["values"][n]["normalised"].get<double>(), page.model()->index(row, 1).data(ComparisonModel::NormalisedRole).toDouble()) << row;
      }
  }
}
