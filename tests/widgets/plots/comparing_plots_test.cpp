// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/breakdown.h"
#include "core/base/files.h"
#include "tests/support/temporary_folder.h"
#include "widgets/plots/bar_plot.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/stacked_bar_plot.h"
#include <QApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>
#include <set>

using namespace voxlab;

namespace {
QString pathIn(const TemporaryFolder& folder, const char* name) { return QString::fromStdString((folder / name).string()); }
QString words(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

ScatterPlot::Point at(double x, double y) {
  ScatterPlot::Point point;
  point.x = x;
  point.y = y;
  return point;
}
} // namespace

TEST(BarPlot, NormalisesValueAndSpreadToAGroup) {
  const std::vector<BarPlot::Group> groups{{QStringLiteral("baseline"), QStringLiteral("baseline"), {{200.0, 4.0}, {}, {0.0, {}}}},
                                           {QStringLiteral("opt1"), QStringLiteral("opt1"), {{50.0, 2.0}, {7.0, {}}, {1.0, {}}}}};
  const auto normal = BarPlot::normalised(groups, 0);
  EXPECT_DOUBLE_EQ(normal[0].bars[0].value.value(), 1);
  EXPECT_DOUBLE_EQ(normal[0].bars[0].spread.value(), 0.02);
  EXPECT_DOUBLE_EQ(normal[1].bars[0].value.value(), 0.25);
  EXPECT_DOUBLE_EQ(normal[1].bars[0].spread.value(), 0.01);
  EXPECT_FALSE(normal[1].bars[1].value) << "the baseline has no value there";
  EXPECT_FALSE(normal[1].bars[2].value) << "nothing is divided by zero";
}

TEST(StackedBarPlot, SaysWhichPartWasClicked) {
  const TemporaryFolder folder;
  StackedBarPlot plot;
  plot.resize(600, 200);
  plot.setAxisTitles(QStringLiteral("Time (ms)"), {});
  plot.setBars({QStringLiteral("step 1"), QStringLiteral("step 2")},
               {{QStringLiteral("Convolution"), QStringLiteral("convolution_forward"), {60.0, 50.0}},
                {QStringLiteral("Copy"), QStringLiteral("copy"), {0.0, std::nullopt}},
                {QStringLiteral("Idle"), QStringLiteral("idle_host"), {40.0, 50.0}}});
  plot.show();
  EXPECT_TRUE(plot.showsData());
  ASSERT_TRUE(plot.exportTo(pathIn(folder, "bars.csv")));
  EXPECT_EQ(readTextFile(folder / "bars.csv").value(), "name,part,value\nstep 1,Convolution,60\nstep 1,Copy,0\nstep 1,Idle,40\n"
                                                       "step 2,Convolution,50\nstep 2,Copy,\nstep 2,Idle,50\n");
  ASSERT_TRUE(plot.exportTo(pathIn(folder, "bars.svg")));
  QWidget* canvas = plot.findChild<QWidget*>();
  for (QWidget* child : plot.findChildren<QWidget*>())
    if (child->inherits("QCustomPlot"))
      canvas = child;
  QSignalSpy clicked(&plot, &StackedBarPlot::partClicked);
  std::set<std::pair<int, int>> seen;
  for (int x = 0; x < canvas->width(); x += 8)
    for (int y = 0; y < canvas->height(); y += 8)
      QTest::mouseClick(canvas, Qt::LeftButton, {}, {x, y});
  for (const auto& click : clicked)
    seen.insert({click[0].toInt(), click[1].toInt()});
  EXPECT_EQ(seen, (std::set<std::pair<int, int>>{{0, 0}, {0, 2}, {1, 0}, {1, 2}}));
  plot.setBars({}, {});
  EXPECT_FALSE(plot.showsData());
}

TEST(ScatterPlot, FindsTheFrontier) {
  // Time and quality: smaller and larger is better.
  const std::vector<ScatterPlot::Point> points{at(1, 10), at(2, 9), at(3, 20), at(4, 20), at(5, 30), at(1, 5)};
  EXPECT_EQ(ScatterPlot::frontier(points), (std::vector<std::size_t>{0, 2, 4}));
  EXPECT_EQ(ScatterPlot::frontier(points, ScatterPlot::Better::Larger, ScatterPlot::Better::Smaller), (std::vector<std::size_t>{5, 1, 3, 4}));
  EXPECT_TRUE(ScatterPlot::frontier({}).empty());
}

TEST(ScatterPlot, ExportsAndIsClicked) {
  const TemporaryFolder folder;
  ScatterPlot plot;
  plot.resize(500, 400);
  plot.setAxisTitles(QStringLiteral("Intensity (FLOP/B)"), QStringLiteral("FLOP/s"));
  plot.setScales(AxisScale::Logarithmic, AxisScale::Logarithmic);
  auto first = at(10, 1e12), second = at(100, 1e13);
  first.label = QStringLiteral("a,b");
  first.ySpread = 1e11;
  plot.setPoints({first, second, at(0, 5)}, {{QStringLiteral("BF16"), {{0.1, 4e11}, {200, 8e14}, {1e5, 8e14}}, false}}); // one has no place on the axes
  plot.show();
  for (const char* name : {"roof.svg", "roof.png", "roof.csv"})
    ASSERT_TRUE(plot.exportTo(pathIn(folder, name))) << name;
  EXPECT_EQ(readTextFile(folder / "roof.csv").value().substr(0, 85), "point,Intensity (FLOP/B),FLOP/s,x spread,y spread,weight\n\"a,b\",10,1e+12,,1e+11,0\n,100");
  QWidget* canvas = nullptr;
  for (QWidget* child : plot.findChildren<QWidget*>())
    if (child->inherits("QCustomPlot"))
      canvas = child;
  ASSERT_TRUE(canvas);
  QSignalSpy clicked(&plot, &ScatterPlot::pointClicked);
  for (int x = 0; x < canvas->width(); x += 4)
    for (int y = 0; y < canvas->height(); y += 4)
      QTest::mouseClick(canvas, Qt::LeftButton, {}, {x, y});
  std::set<int> seen;
  for (const auto& click : clicked)
    seen.insert(click[0].toInt());
  EXPECT_EQ(seen, (std::set<int>{0, 1}));
}

TEST(ScatterPlot, PointsAtOnePlaceAreChosenFromAMenu) {
  ScatterPlot plot;
  plot.resize(500, 400);
  auto under = at(10, 5), over = at(10, 5);
  under.label = QStringLiteral("fused_bf16");
  over.label = QStringLiteral("fused_bf16_graph");
  plot.setPoints({under, over, at(20, 7)});
  plot.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&plot));
  QWidget* canvas = nullptr;
  for (QWidget* child : plot.findChildren<QWidget*>())
    if (child->inherits("QCustomPlot"))
      canvas = child;
  ASSERT_TRUE(canvas);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !plot.namedPoints().empty(); }));
  QSignalSpy clicked(&plot, &ScatterPlot::pointClicked);
  for (const int wanted : {0, 1}) {
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::ControlModifier, plot.circle(0).center().toPoint());
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_TRUE(menu);
    ASSERT_EQ(menu->actions().size(), 2);
    EXPECT_EQ(clicked.size(), 0);
    for (QAction* action : menu->actions())
      if (action->text() == plot.points()[static_cast<std::size_t>(wanted)].label)
        action->trigger();
    menu->close();
    ASSERT_EQ(clicked.size(), 1);
    EXPECT_EQ(clicked[0][0].toInt(), wanted);
    EXPECT_EQ(clicked.takeFirst()[1].value<Qt::KeyboardModifiers>(), Qt::ControlModifier);
  }
  QTest::mouseClick(canvas, Qt::LeftButton, {}, plot.circle(2).center().toPoint());
  ASSERT_EQ(clicked.size(), 1) << "one alone needs no menu";
  EXPECT_EQ(clicked[0][0].toInt(), 2);
}

TEST(ThemeColours, GivesEveryCategoryAndIdleCauseAColourOfItsOwn) {
  for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
    std::set<QRgb> seen;
    int names = 0;
    for (int i = 1; i < static_cast<int>(KernelCategory::Count); ++i, ++names)
      seen.insert(namedColour(words(categoryName(static_cast<KernelCategory>(i))), kind).rgb());
    for (int i = 0; i < static_cast<int>(IdleCause::Count); ++i, ++names)
      seen.insert(namedColour(words(idleName(static_cast<IdleCause>(i))), kind).rgb());
    EXPECT_EQ(static_cast<int>(seen.size()), names);
  }
}
