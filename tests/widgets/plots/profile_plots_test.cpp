// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include "widgets/plots/category_bar.h"
#include "widgets/plots/icicle_view.h"
#include "widgets/plots/timeline_view.h"
#include <QApplication>
#include <QImage>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cstdlib>
#include <ctime>
#include <gtest/gtest.h>
#include <iostream>

using namespace voxlab;

namespace {
std::shared_ptr<const Profile> recordedProfile() {
  static const auto profile = loadProfile(profileSourceOf(testData() / "profiles" / "trace_opt1_128.json.gz")).value();
  return profile;
}

QString pathIn(const TemporaryFolder& folder, const char* name) { return QString::fromStdString((folder / name).string()); }

void expectExports(PlotWidget& plot, const TemporaryFolder& folder) {
  for (const char* name : {"plot.svg", "plot.pdf", "plot.png", "plot.csv"})
    ASSERT_TRUE(plot.exportTo(pathIn(folder, name))) << name;
  EXPECT_NE(readTextFile(folder / "plot.svg").value().find("<svg"), std::string::npos);
  EXPECT_FALSE(QImage(pathIn(folder, "plot.png")).isNull());
  EXPECT_FALSE(plot.exportTo(QStringLiteral("/dev/null/folder/plot.svg")));
}

// The recorded steps again and again.
std::shared_ptr<const Profile> repeatedProfile(std::size_t events) {
  const Trace& once = recordedProfile()->trace;
  Trace trace = once;
  const std::int64_t length_ns = recordedProfile()->timeline.end_ns() + 1'000'000;
  trace.gpu.reserve(events + once.gpu.size());
  for (std::int64_t repetition = 1; trace.gpu.size() < events; ++repetition) {
    for (GpuEvent event : once.gpu) {
      event.start_ns += repetition * length_ns;
      event.step += static_cast<std::uint32_t>(static_cast<std::size_t>(repetition) * once.steps.size());
      trace.gpu.push_back(event);
    }
    for (TraceStep step : once.steps) {
      step.start_ns += repetition * length_ns;
      step.end_ns += repetition * length_ns;
      trace.steps.push_back(step);
    }
  }
  return std::make_shared<const Profile>(std::move(trace), NcuReport(), ProfileSource());
}

double threadTime_ms() { // of this thread: what others do on the machine does not count
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

void wheel(QWidget& widget, const QPointF& at, int turned) {
  QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, turned}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&widget, &event);
}
} // namespace

TEST(TimelineWindow, KeepsWhatIsUnderTheCursorAndStaysInside) {
  TimelineWindow window;
  window.setExtent(1000, 1'000'001'000);
  window.setWidth(1000);
  EXPECT_TRUE(window.showsAll());
  const std::int64_t under = window.timeAt(250);
  for (int i = 0; i < 10; ++i)
    window.zoom(0.7, 250);
  EXPECT_NEAR(static_cast<double>(window.timeAt(250)), static_cast<double>(under), static_cast<double>(window.length_ns()) / 500);
  for (int i = 0; i < 200; ++i)
    window.zoom(0.5, 900);
  EXPECT_EQ(window.length_ns(), TimelineWindow::kShortest);
  window.move(-1e9);
  EXPECT_EQ(window.first_ns(), 1000);
  window.move(1e12);
  EXPECT_EQ(window.last_ns(), 1'000'001'000);
  window.zoom(1e12, 3);
  EXPECT_TRUE(window.showsAll());
  window.show(-50, 2'000'000'000'000);
  EXPECT_TRUE(window.showsAll());
}

TEST(TimelineWindow, TicksAreRoundAndTellApart) {
  TimelineWindow window;
  window.setExtent(12345, 12345 + 480'000'000); // 480 ms
  window.setWidth(900);
  for (const double share : {1.0, 0.1, 0.001, 0.00001}) {
    window.show(12345 + 100'000'000, 12345 + 100'000'000 + static_cast<std::int64_t>(380e6 * share));
    const auto ticks = window.ticks(90);
    ASSERT_GE(ticks.size(), 2u) << share;
    ASSERT_LE(ticks.size(), 11u) << share;
    for (std::size_t i = 1; i < ticks.size(); ++i) {
      EXPECT_NE(ticks[i].text, ticks[i - 1].text);
      EXPECT_GE(window.x(ticks[i].time_ns) - window.x(ticks[i - 1].time_ns), 89.0);
    }
  }
  window.showAll();
  EXPECT_EQ(window.ticks(90).front().text, QStringLiteral("0 ms"));
}

TEST(TimelineView, WheelZoomsDraggingSelectsClickingFindsTheEvent) {
  TimelineView view;
  view.resize(900, 200);
  view.setProfile(recordedProfile());
  view.show();
  view.grab();
  EXPECT_TRUE(view.window().showsAll());
  QSignalSpy ranges(&view, &TimelineView::timeRangeChosen), events(&view, &TimelineView::eventClicked), steps(&view, &TimelineView::stepClicked);
  QTest::mousePress(&view, Qt::LeftButton, {}, {400, 70});
  QTest::mouseMove(&view, {500, 70});
  QTest::mouseMove(&view, {600, 70});
  QTest::mouseRelease(&view, Qt::LeftButton, {}, {600, 70});
  ASSERT_EQ(ranges.count(), 1);
  const auto range = ranges[0][0].value<TimelineView::TimeRange>();
  ASSERT_TRUE(range);
  EXPECT_EQ(range->first, view.window().timeAt(400 - 112));
  EXPECT_EQ(range->second, view.window().timeAt(600 - 112));
  QTest::mouseClick(&view, Qt::LeftButton, {}, {300, 30});
  ASSERT_EQ(steps.count(), 1);
  EXPECT_EQ(steps[0][0].toInt(), 0);
  for (int i = 0; i < 40; ++i)
    wheel(view, {500, 70}, 120);
  EXPECT_LT(view.window().length_ns(), recordedProfile()->timeline.end_ns() / 100);
  view.grab();
  for (int x = 120; x < 890; x += 10)
    QTest::mouseClick(&view, Qt::LeftButton, {}, {x, 70});
  ASSERT_GT(events.count(), 0);
  const auto clicked = events[0][0].toUInt();
  EXPECT_LT(clicked, recordedProfile()->trace.gpu.size());
  QTest::keyClick(&view, Qt::Key_R);
  EXPECT_TRUE(view.window().showsAll());
  view.showRange(range->first, range->second);
  EXPECT_EQ(view.window().first_ns(), range->first);
}

TEST(TimelineView, DrawsTheSelectionOverTheRestAndExports) {
  const TemporaryFolder folder;
  TimelineView view;
  view.resize(900, 200);
  EXPECT_FALSE(view.showsData());
  view.grab();
  view.setProfile(recordedProfile());
  const QImage everything = view.grab().toImage();
  ProfileQuery query;
  query.filter.categories = {KernelCategory::Elementwise};
  view.setSelected(viewOf(*recordedProfile(), query));
  EXPECT_NE(view.grab().toImage(), everything);
  view.setTimeRange({{0, 1000000}});
  view.setMarked(3);
  view.grab();
  const std::int64_t first = recordedProfile()->trace.gpu.front().start_ns;
  view.showRange(first, first + 3'000'000);
  expectExports(view, folder);
  const std::string table = readTextFile(folder / "plot.csv").value();
  EXPECT_GT(std::count(table.begin(), table.end(), '\n'), 5);
  EXPECT_LT(std::count(table.begin(), table.end(), '\n'), 3000) << "what is in sight";
  view.setProfile(nullptr);
  EXPECT_FALSE(view.showsData());
  view.grab();
}

// With VOXLAB_LARGE_TESTS it is three million events.
TEST(TimelineView, NoFrameOfAZoomTakesATenthOfASecond) {
  const std::size_t count = std::getenv("VOXLAB_LARGE_TESTS") ? 3'000'000 : 200'000;
  const auto profile = repeatedProfile(count);
  ASSERT_GE(profile->trace.gpu.size(), count);
  ProfileQuery query;
  query.filter.categories = {KernelCategory::Elementwise, KernelCategory::ConvolutionForward};
  TimelineView view;
  view.resize(1600, 260);
  view.setProfile(profile);
  view.setSelected(viewOf(*profile, query));
  view.show();
  view.grab();
  double slowest_ms = 0, sum_ms = 0;
  int frames = 0;
  const auto frame = [&] {
    const double start = threadTime_ms();
    view.grab();
    const double took = threadTime_ms() - start;
    slowest_ms = std::max(slowest_ms, took);
    sum_ms += took;
    ++frames;
  };
  for (int i = 0; i < 90; ++i) {
    wheel(view, {900, 100}, 120);
    frame();
  }
  for (int i = 0; i < 20; ++i) {
    QTest::keyClick(&view, Qt::Key_Right);
    frame();
  }
  for (int i = 0; i < 90; ++i) {
    wheel(view, {300, 100}, -120);
    frame();
  }
  std::cout << profile->trace.gpu.size() << " events: " << sum_ms / frames << " ms a frame, the slowest " << slowest_ms << " ms\n";
  EXPECT_TRUE(view.window().showsAll());
  EXPECT_LT(slowest_ms, 100);
}

TEST(CategoryBar, ClickingACategoryTellsWhichAndIdleIsNone) {
  const TemporaryFolder folder;
  CategoryBar bar;
  bar.resize(1000, 84);
  StepBreakdown parts;
  parts.category_ms[static_cast<std::size_t>(KernelCategory::Copy)] = 40;
  parts.category_ms[static_cast<std::size_t>(KernelCategory::ConvolutionForward)] = 40;
  parts.idle_ms[static_cast<std::size_t>(IdleCause::Host)] = 20;
  bar.setParts(parts);
  bar.show();
  bar.grab();
  QSignalSpy clicked(&bar, &CategoryBar::categoryClicked);
  QTest::mouseClick(&bar, Qt::LeftButton, {}, {200, 14});
  QTest::mouseClick(&bar, Qt::LeftButton, Qt::ControlModifier, {600, 14});
  QTest::mouseClick(&bar, Qt::LeftButton, {}, {950, 14});
  ASSERT_EQ(clicked.count(), 2);
  EXPECT_EQ(clicked[0][0].value<KernelCategory>(), KernelCategory::ConvolutionForward);
  EXPECT_FALSE(clicked[0][1].toBool());
  EXPECT_EQ(clicked[1][0].value<KernelCategory>(), KernelCategory::Copy);
  EXPECT_TRUE(clicked[1][1].toBool());
  bar.setChosen({KernelCategory::Copy});
  expectExports(bar, folder);
  EXPECT_EQ(readTextFile(folder / "plot.csv").value(), "category,ms_per_step\nconvolution_forward,40\ncopy,40\nidle_host,20\n");
  bar.setParts({});
  EXPECT_FALSE(bar.showsData());
  bar.grab();
}

TEST(IcicleView, ClickingSelectsAndDoubleClickingZooms) {
  const TemporaryFolder folder;
  IcicleView icicle;
  icicle.resize(800, 200);
  EXPECT_FALSE(icicle.showsData());
  icicle.grab();
  const auto node = [](const char* name, const char* path, double ms, std::vector<ModuleNode> children = {}) {
    return ModuleNode{name, path, ms, children.empty() ? ms : 0, 1, KernelCategory::Copy, std::move(children)};
  };
  icicle.setTree(node("", "", 100, {node("a", "a", 75, {node("0", "a.0", 25), node("1", "a.1", 50)}), node("b", "b", 25)}), QStringLiteral("Network"));
  icicle.show();
  icicle.grab();
  QSignalSpy clicked(&icicle, &IcicleView::moduleClicked);
  QTest::mouseClick(&icicle, Qt::LeftButton, {}, {100, 35});
  QTest::mouseClick(&icicle, Qt::LeftButton, {}, {300, 60});
  QTest::mouseClick(&icicle, Qt::LeftButton, {}, {700, 35});
  QTest::mouseClick(&icicle, Qt::LeftButton, {}, {700, 60});
  QTest::mouseClick(&icicle, Qt::LeftButton, {}, {700, 10});
  QStringList paths;
  for (const auto& click : clicked)
    paths << click[0].toString();
  EXPECT_EQ(paths, (QStringList{QStringLiteral("a"), QStringLiteral("a.1"), QStringLiteral("b"), QString()}));
  QTest::mouseDClick(&icicle, Qt::LeftButton, {}, {100, 35});
  EXPECT_EQ(icicle.zoomedPath(), QStringLiteral("a"));
  icicle.grab();
  QTest::mouseClick(&icicle, Qt::LeftButton, {}, {790, 60});
  EXPECT_EQ(clicked.last()[0].toString(), QStringLiteral("a.1")) << "now the zoomed module fills the width";
  QTest::mouseClick(&icicle, Qt::LeftButton, {}, {790, 10});
  EXPECT_TRUE(icicle.zoomedPath().isEmpty());
  icicle.setChosen(QStringLiteral("a"));
  icicle.zoomTo(QStringLiteral("no.such.module"));
  expectExports(icicle, folder);
  EXPECT_EQ(readTextFile(folder / "plot.csv").value().substr(0, 47), "module,total_ms_per_step,self_ms_per_step,kerne");
}

TEST(IcicleView, WhatBelongsToNoModuleIsClickedAsTheModulesAre) {
  IcicleView icicle;
  icicle.resize(800, 200);
  icicle.setTree({"", "", 100, 40, 3, KernelCategory::Copy, {{"a", "a", 60, 60, 1, KernelCategory::Copy, {}}}}, QStringLiteral("Network"));
  icicle.show();
  const QImage before = icicle.grab().toImage();
  ASSERT_FALSE(icicle.restArea().isEmpty());
  QSignalSpy rest(&icicle, &IcicleView::restClicked), modules(&icicle, &IcicleView::moduleClicked);
  QTest::mouseMove(&icicle, icicle.restArea().center().toPoint());
  QTest::mouseClick(&icicle, Qt::LeftButton, {}, icicle.restArea().center().toPoint());
  EXPECT_EQ(rest.count(), 1);
  EXPECT_EQ(modules.count(), 0);
  icicle.setRestChosen();
  EXPECT_NE(icicle.grab().toImage().pixel(100, 35), before.pixel(100, 35)) << "the modules stand back";
  icicle.setChosen({});
  EXPECT_EQ(icicle.grab().toImage().pixel(100, 35), before.pixel(100, 35));
}

// What is written is what was in sight then, though the view has gone; it ends where it is told to, and leaves no file then.
TEST(TimelineView, NumbersAreWrittenWithoutTheView) {
  const TemporaryFolder folder;
  auto view = std::make_unique<TimelineView>();
  view->setProfile(recordedProfile());
  TableSource numbers;
  view->setNumbersWriter([&](const QString&, TableSource source) { numbers = std::move(source); });
  ASSERT_TRUE(view->save(pathIn(folder, "plot.csv")));
  ASSERT_TRUE(numbers);
  EXPECT_FALSE(std::filesystem::exists(folder / "plot.csv")) << "the writer writes";
  view.reset();
  double last = -1;
  ASSERT_TRUE(writeTable(numbers, pathIn(folder, "plot.csv"), [&](double share) { last = share; }));
  EXPECT_GT(last, 0);
  const std::string csv = readTextFile(folder / "plot.csv").value();
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), recordedProfile()->trace.gpu.size() + 1);
  ASSERT_TRUE(writeTable(numbers, pathIn(folder, "plot.json")));
  EXPECT_EQ(readJsonFile(folder / "plot.json").value(), parseJson(csvAsJson(QString::fromStdString(csv)).toStdString(), "the table").value());
  EXPECT_EQ(csvFrom(numbers, recordedProfile()->trace.gpu.size()).value().toStdString(), csv);
  EXPECT_FALSE(csvFrom(numbers, 10));
  std::stop_source stop;
  const auto stopped = writeTable(numbers, pathIn(folder, "half.csv"), [&](double) { stop.request_stop(); }, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ExitCode::Stopped);
  EXPECT_FALSE(std::filesystem::exists(folder / "half.csv"));
  EXPECT_FALSE(writeTable(numbers, QStringLiteral("/dev/null/folder/plot.csv")));
  EXPECT_EQ(writeTable(numbers, pathIn(folder, "plot.txt")).error().code, ExitCode::Usage);
  EXPECT_EQ(csvAsJson(QStringLiteral("a,b\n")), QStringLiteral("[]\n"));
}

TEST(IcicleView, NumbersAreNamedByTheWordBeforeThem) {
  const auto named = [](const char* name, const char* path) {
    ModuleNode node;
    node.name = name;
    node.path = path;
    return meaningOf(node).toStdString();
  };
  EXPECT_EQ(named("0", "downs.0"), "downs.0");
  EXPECT_EQ(named("0", "unet.output_blocks.8.0"), "output_blocks.8.0");
  EXPECT_EQ(named("conv", "output_blocks.7.1.conv"), "conv");
  EXPECT_EQ(named("1", "0.1"), "0.1") << "no word to be had";
  EXPECT_EQ(named("norm1", "blocks.2.norm1"), "norm1");
}

TEST(IcicleView, KernelsWithoutAModuleStandBesideTheModules) {
  ModuleNode root, module;
  module.name = module.path = "conv";
  module.total_ms = module.self_ms = 3;
  root.self_ms = 1;
  root.total_ms = 4;
  root.children = {module};
  IcicleView view;
  view.resize(400, 120);
  view.setTree(root, QStringLiteral("Network"));
  view.grab();
  EXPECT_NEAR(view.restArea().left(), 300, 1);
  EXPECT_NEAR(view.restArea().right(), 400, 1);
  root.self_ms = 0;
  root.total_ms = 3;
  view.setTree(root, QStringLiteral("Network"));
  view.grab();
  EXPECT_TRUE(view.restArea().isEmpty());
}

TEST(TimelineView, LanesWithoutRoomAreScrolledToAndExportedAll) {
  const TemporaryFolder folder;
  TimelineView view;
  view.resize(640, 110);
  view.setProfile(recordedProfile());
  view.show();
  view.grab();
  auto* bar = view.findChild<QScrollBar*>();
  ASSERT_TRUE(bar->isVisible());
  EXPECT_GT(bar->maximum(), 0);
  const QImage before = view.grab().toImage();
  wheel(view, {40, 60}, -120); // over the names
  EXPECT_GT(bar->value(), 0);
  EXPECT_TRUE(view.window().showsAll()) << "no zoom";
  EXPECT_NE(view.grab().toImage(), before);
  for (int pages = 0; pages <= bar->maximum() / bar->pageStep(); ++pages)
    QTest::keyClick(&view, Qt::Key_PageUp);
  EXPECT_EQ(bar->value(), 0);
  ASSERT_TRUE(view.exportTo(pathIn(folder, "all.png")));
  EXPECT_GT(QImage(pathIn(folder, "all.png")).height(), 2 * 110 + 2 * bar->maximum() - 4);
  view.resize(640, 600);
  view.grab();
  EXPECT_FALSE(bar->isVisible());
}
