// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "tests/support/temporary_folder.h"
#include "widgets/plots/bar_plot.h"
#include "widgets/plots/series_plot.h"
#include "widgets/plots/stacked_plot.h"
#include <QImage>
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Series ramp(std::size_t count) {
  Series series;
  for (std::size_t i = 1; i <= count; ++i)
    series.append(static_cast<double>(i), static_cast<double>(i));
  return series;
}

QString pathIn(const TemporaryFolder& folder, const char* name) { return QString::fromStdString((folder / name).string()); }
} // namespace

TEST(SeriesPlot, AsksForNoMorePointsThanItCanShow) {
  SeriesPlot plot;
  plot.resize(400, 200);
  std::size_t asked = 0;
  plot.addLine(QStringLiteral("loss"), QStringLiteral("loss"), LineWeight::Strong, [&](double, double, std::size_t points) {
    asked = points;
    return ramp(1000000).thinned(points);
  });
  plot.refresh();
  EXPECT_TRUE(plot.showsData());
  EXPECT_GT(asked, 0u);
  EXPECT_LE(asked, 1000u);
}

TEST(SeriesPlot, SaysSomethingWhileThereIsNothingToDraw) {
  SeriesPlot plot;
  Series series;
  plot.addLine(QStringLiteral("loss"), QStringLiteral("loss"), LineWeight::Strong, [&](double, double, std::size_t) { return series; });
  plot.refresh();
  EXPECT_FALSE(plot.showsData());
  series.append(1, 0.5);
  plot.refresh();
  EXPECT_TRUE(plot.showsData());
}

TEST(SeriesPlot, ExportsPicturesAndNumbers) {
  const TemporaryFolder folder;
  SeriesPlot plot;
  plot.resize(400, 200);
  plot.setAxisTitles(QStringLiteral("Step"), QStringLiteral("Loss"));
  Series series = ramp(3);
  series.append(4, std::nullopt);
  plot.addLine(QStringLiteral("raw"), QStringLiteral("loss"), LineWeight::Thin, [&](double, double, std::size_t) { return series; });
  plot.refresh();
  for (const char* name : {"plot.svg", "plot.pdf", "plot.png", "plot.csv"})
    ASSERT_TRUE(plot.exportTo(pathIn(folder, name))) << name;
  EXPECT_EQ(readTextFile(folder / "plot.csv").value(), "line,Step,value\nraw,1,1\nraw,2,2\nraw,3,3\nraw,4,\n");
  EXPECT_NE(readTextFile(folder / "plot.svg").value().find("<svg"), std::string::npos);
  EXPECT_EQ(readTextFile(folder / "plot.pdf").value().substr(0, 5), "%PDF-");
  EXPECT_FALSE(QImage(pathIn(folder, "plot.png")).isNull());
}

TEST(SeriesPlot, PicturesAreOnWhiteInTheDarkThemeToo) {
  const TemporaryFolder folder;
  QWidget window;
  window.setPalette(paletteOf(themeColours(ThemeKind::Dark)));
  SeriesPlot plot(&window);
  plot.resize(480, 270);
  plot.addLine(QStringLiteral("raw"), QStringLiteral("loss"), LineWeight::Thin, [](double, double, std::size_t) { return ramp(3); });
  plot.refresh();
  const QPalette shown = plot.palette();
  ASSERT_TRUE(plot.exportTo(pathIn(folder, "plot.png")));
  EXPECT_EQ(QImage(pathIn(folder, "plot.png")).pixelColor(2, 2), themeColours(ThemeKind::Light).surface);
  EXPECT_EQ(plot.palette(), shown) << "the window stays as it is";
  EXPECT_FALSE(plot.testAttribute(Qt::WA_SetPalette)) << "and follows the theme as before";
}

TEST(SeriesPlot, RefusesOtherFormatsAndForbiddenPlacesInWords) {
  SeriesPlot plot;
  const auto wrong = plot.exportTo(QStringLiteral("/tmp/plot.docx"));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ExitCode::Usage);
  for (const char* name : {"plot.svg", "plot.pdf", "plot.png", "plot.csv"}) {
    const auto nowhere = plot.exportTo(QStringLiteral("/dev/null/folder/") + QLatin1String(name));
    ASSERT_FALSE(nowhere) << name;
    EXPECT_EQ(nowhere.error().code, ExitCode::Data);
  }
}

TEST(StackedPlot, AveragesNeighboursAndKeepsGaps) {
  Series series;
  for (int i = 0; i < 4; ++i)
    series.append(i, i);
  series.append(6, std::nullopt);
  const auto means = columnMeans(series, 0, 8, 4); // [0,2) [2,4) [4,6) [6,8]
  ASSERT_EQ(means.size(), 4u);
  EXPECT_DOUBLE_EQ(means[0], 0.5);
  EXPECT_DOUBLE_EQ(means[1], 2.5);
  EXPECT_TRUE(std::isnan(means[2]));
  EXPECT_TRUE(std::isnan(means[3]));
}

TEST(StackedPlot, LeavesUnknownPartsOut) {
  const TemporaryFolder folder;
  StackedPlot plot;
  plot.setAxisTitles(QStringLiteral("Step"), QStringLiteral("Time (ms)"));
  const Series known = ramp(2);
  Series unknown;
  unknown.append(1, std::nullopt);
  plot.setParts({{QStringLiteral("Compute"), QStringLiteral("compute"), &known}, {QStringLiteral("Data"), QStringLiteral("data"), &unknown}});
  EXPECT_TRUE(plot.showsData());
  ASSERT_TRUE(plot.exportTo(pathIn(folder, "split.csv")));
  EXPECT_EQ(readTextFile(folder / "split.csv").value().substr(0, 13), "Step,Compute\n");
  plot.setParts({{QStringLiteral("Data"), QStringLiteral("data"), &unknown}});
  EXPECT_FALSE(plot.showsData());
}

TEST(BarPlot, DrawsWhatIsKnownAndExportsTheRestAsEmpty) {
  const TemporaryFolder folder;
  BarPlot plot;
  plot.setBars({QStringLiteral("baseline"), QStringLiteral("opt1")}, {{QStringLiteral("train"), QStringLiteral("train"), {{1218.0, 3.0}, {}}}});
  EXPECT_TRUE(plot.showsData());
  ASSERT_TRUE(plot.exportTo(pathIn(folder, "bars.csv")));
  EXPECT_EQ(readTextFile(folder / "bars.csv").value(), "name,group,value,spread\nbaseline,train,1218,3\nopt1,train,,\n");
  plot.setBars({}, {});
  EXPECT_FALSE(plot.showsData());
}
