// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the viewer is, in wall time: first picture, scrolling and memory of a 301 × 370 × 316 volume, 3D pictures a second of a
// 128³ one while it turns in 512 × 512 pixels; how long the window does not answer while pictures and films are made. A phantom stands in where no file is named.
//   voxlab-viewer-benchmark [FILE]
#include "core/base/large_blocks.h"
#include "core/imaging/volume_io.h"
#include "rendering/qt/vtk_view.h"
#include "tests/rendering/phantoms.h"
#include "tests/support/process_memory.h"
#include "tests/support/temporary_folder.h"
#include "widgets/pages/viewer_dialogs.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_movie.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_sheet.h"
#include "widgets/pages/viewer_slice_view.h"
#include "widgets/pages/viewer_volume_view.h"
#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QSlider>
#include <QSurfaceFormat>
#include <QTest>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>

using namespace voxlab;

namespace {
constexpr int kPatience_ms = 120'000;

double memory_mb(ProcessMemory which) { return static_cast<double>(processMemory_bytes(which)) / 1048576; }

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

bool open(ViewerPage& page, const QString& path) {
  QSignalSpy finished(&page, &ViewerPage::loadFinished);
  page.openFile(path);
  return (finished.count() > 0 || finished.wait(kPatience_ms)) && page.problem().isEmpty();
}

void measureLarge(ViewerPage& page, const QString& path) {
  QElapsedTimer timer;
  timer.start();
  if (!open(page, path)) {
    std::fprintf(stderr, "%s\n", qUtf8Printable(page.problem()));
    std::exit(1);
  }
  for (auto* view : page.grid().shownSliceViews())
    view->repaint();
  const auto& size = page.document().source(0).volume->grid().size;
  std::printf("volume                      %lld x %lld x %lld\n", static_cast<long long>(size[0]), static_cast<long long>(size[1]), static_cast<long long>(size[2]));
  std::printf("first picture               %.2f s\n", static_cast<double>(timer.elapsed()) / 1000);
  for (const SliceAxis axis : {SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal}) {
    constexpr int kSlices = 60;
    timer.start();
    for (int i = 0; i < kSlices; ++i) { // all views that show the cross-hair are drawn, as they are for a user
      page.document().step(axis, i < kSlices / 2 ? 1 : -1);
      for (auto* view : page.grid().shownSliceViews())
        view->repaint();
    }
    std::printf("scrolling, %-16s %.0f pictures/s\n", qPrintable(page.grid().sliceView(axis).accessibleName()), kSlices * 1000.0 / static_cast<double>(timer.elapsed()));
  }
  std::printf("memory                      %.0f MB resident, %.0f MB at most\n", memory_mb(ProcessMemory::Resident), memory_mb(ProcessMemory::Peak));
}

double ownTime_ms() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// The longest turn of the event loop until `isDone`, in this thread's own time: other programs' load is not counted.
double longestTurn_ms(const std::function<bool()>& isDone) {
  double longest_ms = 0;
  QElapsedTimer all;
  all.start();
  while (!isDone() && all.elapsed() < kPatience_ms) {
    const double start_ms = ownTime_ms();
    QCoreApplication::processEvents(QEventLoop::AllEvents);
    longest_ms = std::max(longest_ms, ownTime_ms() - start_ms);
  }
  return longest_ms;
}

void trigger(ViewerPage& page, const char* text) {
  for (QAction* action : page.commands())
    if (action->text() == QLatin1String(text))
      action->trigger();
}

// Of the large volume with a mask that is painted on, without the 3D view, whose drawing is VTK's.
void measureAnswering(ViewerPage& page, const TemporaryFolder& folder) {
  page.grid().setMainView(0);
  page.grid().setViewLayout(ViewLayout::Single);
  trigger(page, "A ball of the label at the cross-hair");
  if (!QTest::qWaitFor([&] { return page.document().layerCount() > 1; }, kPatience_ms))
    return;
  QSignalSpy told(&page, &ViewerPage::statusMessage), saved(&page, &ViewerPage::screenshotFinished);
  longestTurn_ms([&, turns = 0]() mutable { return ++turns > 200; }); // what opening left to do
  told.clear();
  trigger(page, "Copy the picture");
  std::printf("window busy, copying        %.1f ms at most\n", longestTurn_ms([&] { return told.count() > 0; }));
  page.saveScreenshot(QString::fromStdString((folder / "picture.png").string()), 4);
  std::printf("window busy, saving 4x      %.1f ms at most\n", longestTurn_ms([&] { return saved.count() > 0; }));
  MovieOptions film;
  film.kind = MovieOptions::Kind::Sweep;
  film.path = QString::fromStdString((folder / "film.png").string());
  told.clear();
  page.recordMovie(film);
  std::printf("window busy, sweep film     %.1f ms at most\n", longestTurn_ms([&] { return told.count() > 0; }));
}

// A contact sheet of 96 cells, whose slice is dragged.
void measureSheet(const TemporaryFolder& folder) {
  constexpr int kSeeds = 8, kSteps = 12;
  QList<ViewerSample> samples;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const auto file = folder / ("seed" + std::to_string(seed) + ".nii");
    if (!writeNifti(file, *volumeOf(gridOf("RAS", {128, 128, 128}, {1.5, 1.5, 1.5}), [](Vec3d p) { return headAt(p * 0.5); })))
      return;
    for (int step = 0; step < kSteps; ++step)
      samples << ViewerSample{QString::fromStdString(file.string()), QString::number(seed), QString::number(step)};
  }
  ViewerSheet sheet;
  sheet.resize(1400, 860);
  sheet.show();
  sheet.setSamples({}, samples);
  const double reading_ms = longestTurn_ms([&] { return sheet.loadedCount() == samples.size() && sheet.isPainted(); });
  auto* slice = sheet.findChild<QSlider*>(QStringLiteral("slice"));
  double dragging_ms = 0;
  for (int place = 20; slice && place < 80; place += 4) {
    slice->setValue(place);
    int turns = 0;
    dragging_ms = std::max(dragging_ms, longestTurn_ms([&] { return ++turns > 20; }));
  }
  dragging_ms = std::max(dragging_ms, longestTurn_ms([&] { return sheet.isPainted(); }));
  const double start_ms = ownTime_ms();
  sheet.picture();
  std::printf("window busy, contact sheet  %.1f ms at most while read, %.1f while dragged, %.1f when copied\n", reading_ms, dragging_ms, ownTime_ms() - start_ms);
}

// Turns the head as a drag does: each picture is drawn before the next move.
void measure3d(ViewerPage& page, const QString& path) {
  if (!VtkView::isPossible()) {
    std::printf("3D                          this display has no OpenGL\n");
    return;
  }
  open(page, path);
  page.grid().setMainView(3);
  page.grid().setViewLayout(ViewLayout::Single);
  ViewerVolumeView& view = page.grid().volumeView();
  bool fits = QTest::qWaitFor([&] { return view.width() > page.width() / 2; }, 1000);
  for (int i = 0; i < 4 && !(fits && view.size() == QSize(512, 512)); ++i) { // the layout needs its turns
    page.resize(page.size() + QSize(512, 512) - view.size());
    fits = QTest::qWaitFor([&] { return view.size() == QSize(512, 512); }, 100);
  }
  QSignalSpy rendered(view.vtkView(), &VtkView::rendered);
  std::vector<double> times_ms;
  QElapsedTimer timer;
  for (int i = 0; i < 90; ++i) {
    timer.start();
    rendered.clear();
    view.scene().rotate(4, 0);
    view.redrawMoving();
    if (rendered.isEmpty() && !rendered.wait(kPatience_ms))
      break;
    if (i >= 30) // the sampling has found its step by then
      times_ms.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
  }
  std::printf("3D, %d x %d, 128^3        %.0f pictures/s while moving, by %s\n", view.width(), view.height(), 1000 / median(times_ms), qPrintable(view.rendererText()));
  timer.start();
  QSignalSpy still(&view, &ViewerVolumeView::stillDrawn);
  if (still.wait(kPatience_ms))
    std::printf("3D, full picture            %.2f s after the last move, 0.3 s of which is waiting for rest\n", static_cast<double>(timer.elapsed()) / 1000);
}
} // namespace

int main(int argc, char** argv) {
  giveLargeBlocksBack(); // as the studio does
  const TemporaryFolder folder;
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
    qputenv(name, QByteArray::fromStdString((folder / name).string()));
  QSurfaceFormat::setDefaultFormat(VtkView::defaultFormat());
  QApplication application(argc, argv);
  QString large = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString();
  if (large.isEmpty()) {
    large = QString::fromStdString((folder / "large.nii.gz").string());
    const Grid grid = gridOf("RAS", {301, 370, 316}, {0.5, 0.5, 0.5});
    if (!writeNifti(large.toStdString(), *volumeOf(grid, [](Vec3d p) { return headAt(p * 0.6); }), VoxelType::UInt8))
      return 1;
  }
  const auto small = folder / "small.nii";
  if (!writeNifti(small, *volumeOf(gridOf("RAS", {128, 128, 128}, {1.5, 1.5, 1.5}), [](Vec3d p) { return headAt(p * 0.5); })))
    return 1;
  ViewerPage page;
  page.resize(1440, 900);
  page.show();
  if (!QTest::qWaitForWindowExposed(&page))
    return 1;
  measureLarge(page, large);
  measureAnswering(page, folder);
  measureSheet(folder);
  page.setAskBeforeLosing([](const QStringList&) { return EditsFate::Lose; });
  measure3d(page, QString::fromStdString(small.string()));
  return 0;
}
