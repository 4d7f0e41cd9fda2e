// SPDX-License-Identifier: GPL-3.0-or-later
// The compare page with the runs that come with the program, and with volumes of equal seeds.
#include "core/base/files.h"
#include "core/imaging/volume_io.h"
#include "core/protocol/quality_result.h"
#include "tests/support/paths.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "widgets/models/comparison_model.h"
#include "widgets/pages/compare_charts.h"
#include "widgets/pages/compare_counters.h"
#include "widgets/pages/compare_heat_table.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/compare_planning.h"
#include "widgets/pages/compare_triptych.h"
#include "widgets/plots/bar_plot.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/stacked_bar_plot.h"
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableWidget>
#include <QWheelEvent>
#include <gtest/gtest.h>
#include <set>

using namespace voxlab;

namespace {
namespace fs = std::filesystem;

CompareCandidate candidateOf(const fs::path& run, const QString& kind) {
  const QString id = QString::fromStdString(run.filename().string());
  return {id, QString::fromStdString(run.string()), id, kind, "finished"};
}

QList<CompareCandidate> examples() {
  QList<CompareCandidate> list;
  for (const auto& entry : fs::directory_iterator(sourceFolder() / "resources" / "examples"))
    if (entry.is_directory() && !entry.path().filename().string().starts_with("training"))
      list << candidateOf(entry.path(), entry.path().filename().string().starts_with("benchmark") ? "bench" : "profile");
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return list;
}

class CompareExamples : public testing::Test {
protected:
  void SetUp() override {
    page.resize(1100, 800);
    page.show();
    QElapsedTimer clock;
    clock.start();
    page.setCandidates(examples());
    ASSERT_SOON(page.model()->rowCount() > 0);
    RecordProperty("shown_ms", static_cast<int>(clock.elapsed())); // the benchmarks: every mode and the fastest
    ASSERT_SOON(page.isReady());
    RecordProperty("complete_ms", static_cast<int>(clock.elapsed())); // with what the profiles explain
  }
  int rowOf(const QString& mode) const {
    for (int row = 0; row < page.model()->rowCount(); ++row)
      if (page.model()->nameOf(row) == mode)
        return row;
    return -1;
  }
  QString pathTo(const char* name) const { return QString::fromStdString((m_folder / name).string()); }
  TemporaryFolder m_folder;
  ComparePage page;
};
} // namespace

TEST_F(CompareExamples, ShowThePapersModesAndTheFastest) {
  for (const char* mode : {"baseline", "opt2", "opt12"})
    EXPECT_GE(rowOf(mode), 0) << mode;
  int tf32 = 0, fastest = 0;
  for (int row = 0; row < page.model()->rowCount(); ++row) {
    tf32 += page.model()->side(row).mode == "opt1" ? 1 : 0;
    fastest += page.model()->isBest(row) ? 1 : 0;
    EXPECT_EQ(page.model()->side(row).workload, "128 × 128 × 128") << "one size at a time";
  }
  EXPECT_GE(tf32, 1);
  EXPECT_EQ(fastest, 1);
  EXPECT_TRUE(page.headline()->text().startsWith("fused_")) << page.headline()->text().toStdString();
  EXPECT_TRUE(page.sentences()->text().contains("opt2 takes 1.11 times as long as baseline")) << page.sentences()->text().toStdString();
  EXPECT_TRUE(page.sentences()->text().contains("+116 ms layout copies"));
}

TEST_F(CompareExamples, BarsBeginWithWhatMostModesHave) {
  for (const int part : {0, 1}) {
    page.findChild<QTabBar*>()->setCurrentIndex(part);
    EXPECT_EQ(page.charts()->measureBox()->currentText(), QStringLiteral("Time a step")) << part;
  }
  QComboBox* box = page.charts()->measureBox();
  const int recorded = box->findData(QStringLiteral("wall_ms"));
  ASSERT_GE(recorded, 0);
  box->setCurrentIndex(recorded);
  emit box->activated(recorded);
  page.findChild<QTabBar*>()->setCurrentIndex(0);
  EXPECT_EQ(box->currentData(), QStringLiteral("wall_ms")) << "chosen by the user";
}

TEST_F(CompareExamples, EveryModeIsThereOnceUntilAllRunsAreAskedFor) {
  const fs::path again = m_folder / "again"; // the same modes, measured by a second run
  fs::copy(sourceFolder() / "resources/examples/benchmark_modes_128", again, fs::copy_options::recursive);
  auto record = readJsonFile(again / "run.json");
  ASSERT_TRUE(record);
  (*record)["id"] = "again";
  ASSERT_TRUE(writeJsonFile(again / "run.json", *record));
  page.setCandidates(examples() << candidateOf(again, "bench"));
  ASSERT_SOON(page.isReady());
  std::set<std::string> modes;
  const int once = page.model()->rowCount();
  for (int row = 0; row < once; ++row)
    EXPECT_TRUE(modes.insert(page.model()->side(row).mode).second) << page.model()->side(row).name;
  QComboBox* box = page.repeatsBox();
  ASSERT_FALSE(box->isHidden());
  box->setCurrentIndex(1);
  emit box->activated(1);
  EXPECT_GT(page.model()->rowCount(), once);
  box->setCurrentIndex(0);
  emit box->activated(0);
  EXPECT_EQ(page.model()->rowCount(), once);
}

TEST_F(CompareExamples, TheOtherSizeIsAChoiceAway) {
  ASSERT_GE(page.workloadBox()->count(), 3); // two sizes and all of them
  const int small = page.workloadBox()->findData("64 × 64 × 64");
  ASSERT_GE(small, 0);
  page.workloadBox()->setCurrentIndex(small);
  emit page.workloadBox()->activated(small);
  ASSERT_GT(page.model()->rowCount(), 2);
  EXPECT_EQ(page.model()->side(0).workload, "64 × 64 × 64");
  EXPECT_EQ(page.saved().workload, "64 × 64 × 64");
}

TEST_F(CompareExamples, TheWallClockStaysBesideTheName) {
  QTableView* frozen = page.table()->frozen();
  EXPECT_TRUE(frozen->isVisible());
  EXPECT_EQ(frozen->model()->headerData(1, Qt::Horizontal).toString(), QStringLiteral("Time a step ↓"));
  page.table()->setHiddenMeasures({"duration_ms", "energy_j"});
  EXPECT_FALSE(page.table()->isColumnHidden(1)) << "it cannot be hidden";
  page.table()->setHiddenMeasures({});
}

TEST_F(CompareExamples, CountersShowMixStallsAndOneRoofline) {
  EXPECT_TRUE(page.counters()->instructions()->showsData());
  EXPECT_TRUE(page.counters()->stalls()->showsData());
  ASSERT_TRUE(page.counters()->roofline()->showsData());
  std::set<QString> modes;
  for (const ScatterPlot::Point& point : page.counters()->roofline()->points())
    modes.insert(point.colour);
  EXPECT_GE(modes.size(), 4u);
  ASSERT_TRUE(page.counters()->stalls()->exportTo(pathTo("stalls.csv")));
  EXPECT_NE(readTextFile(m_folder / "stalls.csv")->find("Long scoreboard"), std::string::npos);
}

TEST_F(CompareExamples, EveryFigureIsWrittenInEveryFormat) {
  PlotWidget* figures[] = {page.charts()->bars(), page.charts()->categories(), page.counters()->instructions(), page.counters()->stalls(), page.counters()->roofline(), page.planning()->chart()};
  for (PlotWidget* figure : figures)
    for (const char* suffix : {"svg", "png", "csv", "json", "pdf"}) {
      const QString file = pathTo("figure.") + suffix;
      ASSERT_TRUE(figure->exportTo(file)) << figure->exportName().toStdString() << suffix;
      EXPECT_GT(QFileInfo(file).size(), 20) << figure->exportName().toStdString() << suffix;
    }
  ASSERT_TRUE(page.table()->exportTo(pathTo("table.csv")));
  ASSERT_TRUE(page.table()->exportTo(pathTo("table.json")));
  const auto table = readJsonFile(m_folder / "table.json");
  ASSERT_TRUE(table);
  EXPECT_GT(table->size(), 50u);
  EXPECT_TRUE(table->front().contains("normalised"));
}

TEST_F(CompareExamples, CostsAreUnknownUntilAPriceIsTyped) {
  QTableWidget* table = page.planning()->table();
  ASSERT_GT(table->rowCount(), 4);
  EXPECT_EQ(table->item(0, 5)->text(), QStringLiteral("–"));
  EXPECT_NE(table->item(0, 4)->text(), QStringLiteral("–")) << "energy was measured";
  QDoubleSpinBox* price = page.planning()->findChild<QDoubleSpinBox*>();
  ASSERT_TRUE(price);
  EXPECT_EQ(price->text(), QStringLiteral("unknown"));
  price->setValue(4);
  EXPECT_NE(table->item(0, 5)->text(), QStringLiteral("–"));
  EXPECT_EQ(page.saved().prices.at("NVIDIA H200"), 4);
  const DeploymentPlan plan = page.planning()->plan();
  EXPECT_EQ(plan.samplingSteps, 50);
  ASSERT_TRUE(page.planning()->exportTo(pathTo("use.json")));
  EXPECT_TRUE(readJsonFile(m_folder / "use.json")->front().at("cost").is_number());
}

TEST_F(CompareExamples, NamesNotesOrderAndPricesAreThereTomorrow) {
  page.setRunsFolder(QString::fromStdString(m_folder.path().string()));
  const int row = rowOf("opt2");
  page.model()->setData(page.model()->index(row, 0), "Channels last", Qt::EditRole);
  page.model()->setNote(row, "driver 580");
  page.model()->togglePinned(row);
  emit page.table()->moveRequested(row, -1);
  EXPECT_EQ(rowOf("Channels last"), row - 1);
  page.table()->setHiddenMeasures({"launches"});
  emit page.table()->hiddenChanged();
  ASSERT_TRUE(page.saveAs("For the talk"));

  ComparePage tomorrow;
  tomorrow.resize(1100, 800);
  tomorrow.show();
  tomorrow.setRunsFolder(QString::fromStdString(m_folder.path().string()));
  ASSERT_TRUE(tomorrow.openSaved("For the talk"));
  tomorrow.setCandidates(examples());
  ASSERT_SOON(tomorrow.isReady() && tomorrow.model()->rowCount() > 0);
  EXPECT_EQ(tomorrow.model()->nameOf(row - 1), "Channels last");
  EXPECT_EQ(tomorrow.model()->noteOf(row - 1), "driver 580");
  EXPECT_TRUE(tomorrow.model()->isPinned(row - 1));
  EXPECT_EQ(tomorrow.table()->hiddenMeasures(), QStringList{"launches"});
  EXPECT_FALSE(tomorrow.openSaved("never kept"));
}

namespace {
class CompareVolumes : public testing::Test {
protected:
  void SetUp() override {
    addSamples("s_baseline", "baseline", 0);
    addSamples("s_bf16", "bf16", 0.25F);
    addQuality("q_baseline", "baseline", 0.9);
    addQuality("q_bf16", "bf16", 0.8);
    page.resize(1100, 800);
    page.show();
    page.setCandidates({candidateOf(m_folder / "s_baseline", "sample"), candidateOf(m_folder / "s_bf16", "sample"), candidateOf(m_folder / "q_baseline", "quality"), candidateOf(m_folder / "q_bf16", "quality")});
    ASSERT_SOON(page.isReady() && page.model()->rowCount() == 2);
  }
  fs::path makeRun(const char* name, const char* kind, const char* mode, const std::string& events) {
    const fs::path run = m_folder / name;
    EXPECT_TRUE(writeJsonFile(run / "run.json", {{"schema", "1.0"}, {"id", name}, {"kind", kind}, {"mode", mode}, {"created", "2026-01-31T14:25:30.000Z"}}));
    EXPECT_TRUE(writeFileAtomically(run / "events.jsonl", "{\"type\":\"hello\",\"time_s\":0,\"major\":1,\"minor\":0,\"start\":1,\"resume_step\":0,\"wall_time\":\"2026-01-31T14:25:30.000Z\"}\n" + events));
    return run;
  }
  void addSamples(const char* name, const char* mode, float more, int seed = 4) {
    const fs::path run = makeRun(name, "sample", mode,
                                 "{\"type\":\"sample\",\"time_s\":1,\"path\":\"samples/head.nii.gz\",\"seed\":" + std::to_string(seed) + ",\"mask\":\"/data/head.nii.gz\",\"sampler\":\"ddim\",\"sampler_steps\":50,\"duration_ms\":800}\n");
    Volume volume;
    volume.header.grid.size = {8, 8, 8};
    volume.voxels.resize(512);
    for (std::size_t i = 0; i < 512; ++i)
      volume.voxels[i] = static_cast<float>(i % 8) + (i % 8 > 3 ? more : 0);
    fs::create_directories(run / "samples");
    ASSERT_TRUE(writeNifti(run / "samples/head.nii.gz", volume));
  }
  void addQuality(const char* name, const char* mode, double ssim, double copies = 0) {
    const fs::path run = makeRun(name, "quality", "", "");
    QualityResult result;
    result.of = {{"mode", mode}, {"sampler", "ddim"}, {"steps", 50}};
    QualityMeasure m;
    m.name = "ssim";
    m.title = "3D SSIM";
    m.direction = "higher";
    m.value = ssim;
    m.count = 8;
    m.recipe = "window 11³";
    result.measures.push_back(m);
    m.name = "nearest_training_share";
    m.title = "Share of likely copies";
    m.direction = "lower";
    m.value = copies;
    if (copies > 0)
      result.measures.push_back(m);
    ASSERT_TRUE(writeJsonFile(run / "quality.json", toJson(result)));
  }
  TemporaryFolder m_folder;
  ComparePage page;
};
} // namespace

TEST_F(CompareVolumes, EqualSeedsStandSideBySideWithTheirDifference) {
  const TriptychView* view = page.triptych()->view();
  ASSERT_EQ(view->triples().size(), 1u);
  const TriptychView::Triple& triple = view->triples().front();
  EXPECT_TRUE(triple.problem.isEmpty()) << triple.problem.toStdString();
  EXPECT_NEAR(triple.slices.statistics.mae, 0.125, 1e-6); // a quarter in half of the voxels
  EXPECT_NEAR(triple.slices.statistics.bias, 0.125, 1e-6);
  EXPECT_EQ(triple.slices.dataRange, 7) << "the baseline's, largest minus smallest";
  EXPECT_NEAR(triple.slices.statistics.psnr_db.value(), 20 * std::log10(7 / std::sqrt(0.03125)), 1e-6);
  QSignalSpy asked(&page, &ComparePage::differenceRequested);
  QTest::mouseClick(page.triptych()->view(), Qt::LeftButton, {}, {40, 40});
  ASSERT_EQ(asked.size(), 1);
  EXPECT_TRUE(asked[0][0].toString().contains("s_baseline"));
  EXPECT_TRUE(asked[0][1].toString().contains("s_bf16"));
  for (const char* suffix : {"svg", "png", "csv", "json"})
    EXPECT_TRUE(page.triptych()->view()->exportTo(QString::fromStdString((m_folder / "t.").string()) + suffix)) << suffix;
  EXPECT_NE(readTextFile(m_folder / "t.csv")->find("0.125"), std::string::npos);
}

TEST_F(CompareVolumes, AClickOpensAVolumeAndTwoPointsTheirDifference) {
  ScatterPlot* front = page.charts()->front();
  ASSERT_EQ(front->points().size(), 2u);
  for (const char* mode : {"baseline", "bf16"})
    EXPECT_EQ(page.charts()->frontLegend()->text().count(QStringLiteral("</span>&nbsp;%1").arg(mode)), 1) << mode;
  QSignalSpy opened(&page, &ComparePage::volumeRequested), compared(&page, &ComparePage::differenceRequested);
  emit front->pointClicked(0, Qt::NoModifier);
  EXPECT_EQ(opened.size(), 1);
  emit front->pointClicked(1, Qt::ControlModifier);
  ASSERT_EQ(compared.size(), 1);
  EXPECT_EQ(front->selected().size(), 2u);
  emit front->pointClicked(1, Qt::ControlModifier); // begins anew
  EXPECT_EQ(front->selected(), std::vector<int>{1});
  EXPECT_EQ(compared.size(), 1);
  emit front->pointClicked(0, Qt::ControlModifier); // the other way round
  ASSERT_EQ(compared.size(), 2);
  for (const auto& pair : compared) {
    EXPECT_TRUE(pair[0].toString().contains("s_baseline")) << "the baseline is what is subtracted, whichever was clicked first";
    EXPECT_TRUE(pair[1].toString().contains("s_bf16"));
  }
}

// A volume of bf16 that no other was drawn beside: no difference, and the note about the values stays.
TEST_F(CompareVolumes, ADifferenceThatCannotBeShownLeavesTheNoteAboutTheValues) {
  addQuality("q_fp16", "fp16", 0.7);
  addSamples("s_fp16", "fp16", 0.5F, 5);
  page.setCandidates({candidateOf(m_folder / "s_baseline", "sample"), candidateOf(m_folder / "s_bf16", "sample"), candidateOf(m_folder / "s_fp16", "sample"), candidateOf(m_folder / "q_baseline", "quality"),
                      candidateOf(m_folder / "q_bf16", "quality"), candidateOf(m_folder / "q_fp16", "quality")});
  ScatterPlot* front = page.charts()->front();
  ASSERT_SOON(page.isReady() && front->points().size() == 3u);
  const auto pointOf = [&](const QString& mode) {
    const auto& points = front->points();
    return static_cast<int>(std::find_if(points.begin(), points.end(), [&](const ScatterPlot::Point& each) { return each.colour == mode; }) - points.begin());
  };
  const QString note = page.charts()->frontWords()->text();
  ASSERT_TRUE(note.contains("Time and quality of the same volumes")) << note.toStdString();
  emit front->pointClicked(pointOf("baseline"), Qt::NoModifier);
  emit front->pointClicked(pointOf("fp16"), Qt::ControlModifier);
  EXPECT_TRUE(page.charts()->frontWords()->text().contains("no volume of the same seed"));
  EXPECT_TRUE(page.charts()->frontWords()->text().endsWith(note)) << page.charts()->frontWords()->text().toStdString();
  emit front->pointClicked(pointOf("baseline"), Qt::NoModifier);
  emit front->pointClicked(pointOf("bf16"), Qt::ControlModifier);
  EXPECT_EQ(page.charts()->frontWords()->text(), note);
}

TEST_F(CompareVolumes, CopiesOfTheTrainingSetAreToldBesideTheValues) {
  EXPECT_FALSE(page.charts()->frontWords()->text().contains("Memorisation"));
  addQuality("q_copies", "bf16", 0.8, 1.0);
  page.setCandidates({candidateOf(m_folder / "s_baseline", "sample"), candidateOf(m_folder / "s_bf16", "sample"), candidateOf(m_folder / "q_baseline", "quality"), candidateOf(m_folder / "q_copies", "quality")});
  ASSERT_SOON(page.isReady() && page.charts()->frontWords()->text().startsWith("Memorisation: in 1 of 1 set 100 % of the volumes are likely copies"));
  EXPECT_TRUE(page.charts()->frontWords()->text().contains("Time and quality of the same volumes"));
}

TEST_F(CompareVolumes, APartThatWasAskedForComesToTheFrontWhenItIsRead) {
  ComparePage later;
  later.resize(1100, 800);
  later.show();
  later.bringToFront("volumes");
  later.setCandidates({});
  ASSERT_SOON(later.isReady());
  QList<CompareCandidate> runs{candidateOf(m_folder / "s_baseline", "sample"), candidateOf(m_folder / "s_bf16", "sample")};
  for (const CompareCandidate& example : examples())
    if (example.kind == QLatin1String("bench")) // which are read first
      runs << example;
  later.setCandidates(runs);
  ASSERT_SOON(later.isReady() && later.model()->rowCount() > 0);
  EXPECT_EQ(later.findChild<QTabBar*>()->currentIndex(), 2);
}

// Whoever asks for a part that these runs have nothing of is told so, until they go elsewhere.
TEST_F(CompareVolumes, APartThatIsNotThereIsSaidToBeMissing) {
  EXPECT_TRUE(page.lack()->isHidden());
  page.bringToFront("sampling");
  EXPECT_TRUE(page.lack()->isVisible());
  EXPECT_EQ(page.lack()->text().toStdString(), "None of these runs timed or profiled sampling steps. What they have is shown instead: volumes.");
  EXPECT_EQ(page.findChild<QTabBar*>()->tabToolTip(1).toStdString(), "None of these runs timed or profiled sampling steps.");
  page.bringToFront("volumes");
  EXPECT_TRUE(page.lack()->isHidden());
  page.bringToFront("why");
  EXPECT_TRUE(page.lack()->text().startsWith("Nothing here says why")) << page.lack()->text().toStdString();

  ComparePage steps;
  steps.resize(1100, 800);
  steps.show();
  steps.bringToFront("volumes"); // before anything is read, as by --page compare/volumes
  QList<CompareCandidate> runs;
  for (const CompareCandidate& example : examples())
    if (example.kind == QLatin1String("bench"))
      runs << example;
  steps.setCandidates(runs);
  ASSERT_SOON(steps.isReady());
  EXPECT_EQ(steps.lack()->text().toStdString(), "None of these runs drew volumes or judged their quality. What they have is shown instead: the sampling step.");
  steps.findChild<QTabBar*>()->setCurrentIndex(0); // the user goes where they want
  EXPECT_TRUE(steps.lack()->isHidden());
  for (const char* name : {"equal-seeds", "why", "in-use", "charts", "counters"}) {
    const QString place = name;
    steps.bringToFront(place);
    EXPECT_EQ(steps.lack()->isVisible(), place == "equal-seeds" || place == "why") << place.toStdString();
  }
}

// Titles are read whole: longer ones in several lines, each column as wide as its widest line.
TEST_F(CompareVolumes, HeadingsOfTheTableAreReadWhole) {
  const QHeaderView* header = page.table()->horizontalHeader();
  for (int column = 0; column < page.model()->columnCount(); ++column) {
    const QString title = page.model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    EXPECT_GE(page.table()->columnWidth(column), QFontMetrics(header->font()).size(0, title).width()) << title.toStdString();
    EXPECT_GE(header->height(), QFontMetrics(header->font()).size(0, title).height()) << title.toStdString();
  }
}

TEST_F(CompareVolumes, TrainingComesFirstAlsoWhereVolumesWereReadBefore) {
  ASSERT_EQ(page.findChild<QTabBar*>()->currentIndex(), 2) << "there is nothing else yet";
  QList<CompareCandidate> runs{candidateOf(m_folder / "s_baseline", "sample")};
  for (const CompareCandidate& example : examples())
    if (example.kind == QLatin1String("bench"))
      runs << example;
  page.setCandidates(runs);
  ASSERT_SOON(page.isReady());
  EXPECT_EQ(page.findChild<QTabBar*>()->currentIndex(), 0);
}

TEST_F(CompareVolumes, APointWithoutAVolumeSaysSo) {
  std::filesystem::remove(m_folder / "s_bf16/samples/head.nii.gz");
  page.chooseRuns({"s_bf16", "q_bf16"});
  ASSERT_SOON(page.isReady() && page.charts()->front()->points().size() == 1u);
  QSignalSpy opened(&page, &ComparePage::volumeRequested), said(&page, &ComparePage::message);
  emit page.charts()->front()->pointClicked(0, Qt::NoModifier);
  EXPECT_EQ(opened.size(), 0);
  ASSERT_EQ(said.size(), 1);
  EXPECT_TRUE(said[0][0].toString().contains("bf16 · ddim 50"));
}

// A wheel over the table is the page's, unless it is turned sideways.
TEST_F(CompareExamples, TheWheelOverTheTableScrollsThePage) {
  for (QWidget* over : {page.table()->viewport(), page.table()->frozen()->viewport()}) {
    QScrollBar* sideways = page.table()->horizontalScrollBar();
    ASSERT_GT(sideways->maximum(), 0);
    sideways->setValue(0);
    const auto turn = [over](Qt::KeyboardModifiers modifiers) {
      QWheelEvent event(QPointF(20, 20), over->mapToGlobal(QPointF(20, 20)), {}, {0, -120}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
      QApplication::sendEvent(over, &event);
      return event.isAccepted();
    };
    QScrollArea* around = nullptr;
    for (QWidget* parent = page.table()->parentWidget(); parent && !around; parent = parent->parentWidget())
      around = qobject_cast<QScrollArea*>(parent);
    ASSERT_TRUE(around);
    QScrollBar* down = around->verticalScrollBar();
    ASSERT_SOON(down->maximum() > 100);
    down->setValue(0);
    turn(Qt::NoModifier);
    EXPECT_EQ(sideways->value(), 0);
    EXPECT_EQ(page.table()->verticalScrollBar()->maximum(), 0);
    EXPECT_GT(down->value(), 0);
    EXPECT_TRUE(turn(Qt::ShiftModifier));
    EXPECT_GT(sideways->value(), 0);
  }
}

// A window of 1024 × 700 leaves the page some 630 pixels.
TEST_F(CompareExamples, NothingIsCutInASmallWindow) {
  EXPECT_LE(page.minimumSizeHint().width(), 620) << "also while there is room for words";
  page.resize(620, 560);
  QApplication::sendPostedEvents();
  const QScrollArea* scroll = page.findChild<QScrollArea*>();
  ASSERT_TRUE(scroll);
  EXPECT_LE(scroll->widget()->minimumSizeHint().width(), scroll->viewport()->width());
  for (const QWidget* card : scroll->widget()->findChildren<QFrame*>(QString(), Qt::FindDirectChildrenOnly))
    EXPECT_TRUE(!card->isVisible() || card->geometry().right() <= scroll->viewport()->width());
}
