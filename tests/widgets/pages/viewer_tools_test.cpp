// SPDX-License-Identifier: GPL-3.0-or-later
// Contact sheet, film and statistics.
#include "core/base/files.h"
#include "core/imaging/volume_io.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/slice_picture.h"
#include "widgets/pages/viewer_compare_bar.h"
#include "widgets/pages/viewer_compare_panel.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_mask_editor.h"
#include "widgets/pages/viewer_movie.h"
#include "widgets/pages/viewer_sheet.h"
#include "widgets/pages/viewer_statistics.h"
#include "widgets/pages/viewer_volume_panel.h"
#include "widgets/pages/viewer_volume_view.h"
#include "widgets/pages/viewer_slice_view.h"
#include "widgets/plots/joint_histogram_plot.h"
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QtEndian>
#include <gmock/gmock.h>

namespace voxlab {
namespace {

constexpr int kPatience_ms = 30000;

TEST(Sheet, StandsSeedsInRowsAndStepsInColumns) {
  const TemporaryFolder folder;
  QList<ViewerSample> samples;
  for (const int step : {100, 200, 300})
    for (const int seed : {1, 2}) {
      const auto file = folder.path() / ("step_" + std::to_string(step)) / ("seed" + std::to_string(seed) + ".nii");
      std::filesystem::create_directories(file.parent_path());
      ASSERT_TRUE(writeNifti(file, *volumeOf(gridOf("RAS", {16, 16, 16}, {4, 4, 4}), headAt)));
      samples << ViewerSample{QString::fromStdString(file.string()), QStringLiteral("%1 · %2").arg(step).arg(seed), QString::number(step)};
    }
  samples << ViewerSample{QString::fromStdString((folder.path() / "missing.nii").string()), QStringLiteral("gone"), QStringLiteral("300")};
  ViewerSheet sheet;
  sheet.resize(520, 500);
  sheet.show();
  QSignalSpy loaded(&sheet, &ViewerSheet::loaded);
  sheet.setSamples(QStringLiteral("a run"), samples);
  while (loaded.count() < 7)
    ASSERT_TRUE(loaded.wait(kPatience_ms));
  EXPECT_EQ(sheet.loadedCount(), 6);
  EXPECT_EQ(sheet.rowCount(), 3) << "two seeds, and the file that is missing";
  EXPECT_EQ(sheet.columnCount(), 3);
  ASSERT_SOON(sheet.isPainted());
  const QImage middle = sheet.picture();
  EXPECT_GT(middle.width(), 3 * 160);
  const auto brightness = [](const QImage& picture, QRect box) {
    qint64 sum = 0;
    for (int y = box.top(); y < box.bottom(); ++y)
      for (int x = box.left(); x < box.right(); ++x)
        sum += qGray(picture.pixel(x, y));
    return sum / std::max(1, box.width() * box.height());
  };
  const QRect firstCell(4, 26, 160, 160), lastCell(4 + 2 * 164, 26 + 186, 160, 160);
  EXPECT_GT(brightness(middle, firstCell), 20);
  EXPECT_GT(brightness(middle, lastCell), 20);
  for (auto* slider : sheet.findChildren<QSlider*>())
    if (slider->accessibleName() == QStringLiteral("Which slice"))
      for (const int place : {40, 20, 5, 0}) // faster than they are painted
        slider->setValue(place);
  EXPECT_FALSE(sheet.isPainted()) << "beside the window";
  ASSERT_SOON(sheet.isPainted());
  EXPECT_LT(brightness(sheet.picture(), firstCell), 5) << "below the head";
  EXPECT_LT(brightness(sheet.picture(), lastCell), 5);
  QSignalSpy saved(&sheet, &ViewerSheet::saved);
  for (const int scale : {1, 3, 0}) {
    const QString path = QString::fromStdString((folder.path() / (scale > 0 ? "sheet.png" : "nowhere/sheet.png")).string());
    sheet.save(path, std::max(1, scale));
    ASSERT_SOON(saved.count() == 1);
    EXPECT_EQ(saved.takeFirst().at(1).toBool(), scale > 0);
    EXPECT_EQ(QImage(path).size(), sheet.picture().size() * scale);
  }
}

// Of twelve slices.
struct SmallSweep {
  SmallSweep() {
    document.replaceAll(headVolume(gridOf("RAS", {16, 16, 12}, {4, 4, 4})));
    options.kind = MovieOptions::Kind::Sweep;
    options.pixels = {96, 80};
  }

  ViewerDocument document;
  ViewerGrid grid{document};
  ViewerMovie movie{document, grid};
  QSignalSpy finished{&movie, &ViewerMovie::finished}, progressed{&movie, &ViewerMovie::progressed};
  MovieOptions options;
};

TEST(Movie, SweepsThroughAllSlices) {
  const TemporaryFolder folder;
  SmallSweep sweep;
  auto& [document, grid, movie, finished, progressed, options] = sweep;
  const int before = document.sliceNumber(SliceAxis::Axial).number;
  options.path = QString::fromStdString((folder.path() / "film").string());
  movie.start(options);
  ASSERT_TRUE(finished.wait(kPatience_ms));
  EXPECT_EQ(finished[0][0].toString(), QString());
  EXPECT_EQ(finished[0][1].toInt(), 12);
  EXPECT_EQ(QDir(options.path).entryList({QStringLiteral("frame_*.png")}).size(), 12);
  EXPECT_EQ(QImage(options.path + QStringLiteral("/frame_0007.png")).size(), QSize(96, 80));
  EXPECT_EQ(document.sliceNumber(SliceAxis::Axial).number, before);
}

// It is the user's window still: what is scrolled, opened or painted there does not get into the film.
TEST(Movie, ASweepShowsWhatWasThereWhenItWasBegun) {
  const TemporaryFolder folder;
  ViewerDocument document;
  ViewerGrid grid(document);
  const Grid where = gridOf("RAS", {16, 16, 12}, {4, 4, 4});
  document.replaceAll(headVolume(where));
  ViewerMaskEditor editor(document);
  editor.setRadius(14);
  editor.ballAtCrosshair();
  const int before = document.sliceNumber(SliceAxis::Axial).number;
  std::vector<QImage> expected;
  for (int number = 1; number <= 12; ++number) {
    document.setSliceNumber(SliceAxis::Axial, number);
    expected.push_back(grid.sliceView(SliceAxis::Axial).capture({96, 80}, 1, ViewerSliceView::Decoration::Full));
  }
  document.setSliceNumber(SliceAxis::Axial, before);
  ViewerMovie movie(document, grid);
  movie.setEditor(&editor);
  QSignalSpy finished(&movie, &ViewerMovie::finished), moved(&document, &ViewerDocument::cursorChanged);
  MovieOptions options;
  options.kind = MovieOptions::Kind::Sweep;
  options.pixels = {96, 80};
  options.path = QString::fromStdString((folder.path() / "film").string());
  QObject::connect(&movie, &ViewerMovie::progressed, &document, [&](int frames) {
    if (frames == 2) {
      EXPECT_EQ(moved.count(), 0) << "the window's cross-hair stays where it is";
      editor.history().undo();
      document.step(SliceAxis::Axial, 3);
    } else if (frames == 5)
      document.replaceAll(labelVolume());
  });
  movie.start(options);
  editor.ballAtCrosshair(); // before the first picture
  ASSERT_SOON(finished.count() == 1);
  ASSERT_EQ(finished[0][0].toString(), QString());
  for (int number = 1; number <= 12; ++number)
    EXPECT_EQ(QImage(options.path + QStringLiteral("/frame_%1.png").arg(number, 4, 10, QLatin1Char('0'))).convertToFormat(QImage::Format_RGB32), expected[static_cast<std::size_t>(number - 1)]) << number;
}

TEST(Movie, ACancelledFilmsPicturesDoNotGetIntoTheNext) {
  const TemporaryFolder folder;
  SmallSweep sweep;
  auto& [document, grid, movie, finished, progressed, options] = sweep;
  options.path = QString::fromStdString((folder.path() / "first.png").string());
  movie.start(options);
  ASSERT_SOON(progressed.count() == 1);
  movie.cancel();
  options.path = QString::fromStdString((folder.path() / "second").string());
  progressed.clear();
  movie.start(options);
  ASSERT_SOON(finished.count() == 2);
  EXPECT_EQ(finished[1][0].toString(), QString());
  EXPECT_EQ(progressed.count(), 12);
  EXPECT_EQ(QDir(options.path).entryList({QStringLiteral("frame_*.png")}).size(), 12);
}

// Types and contents of a PNG file's chunks; lengths are checked on the way.
QList<QPair<QByteArray, QByteArray>> chunksIn(const QByteArray& png) {
  QList<QPair<QByteArray, QByteArray>> chunks;
  for (qsizetype at = 8; at + 12 <= png.size();) {
    const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(png.constData() + at));
    chunks << qMakePair(png.mid(at + 4, 4), png.mid(at + 8, length));
    at += 12 + length;
  }
  return chunks;
}

TEST(Movie, OneFileHoldsTheWholeFilm) {
  const TemporaryFolder folder;
  SmallSweep sweep;
  auto& [document, grid, movie, finished, progressed, options] = sweep;
  options.path = QString::fromStdString((folder.path() / "new" / "film.png").string());
  options.framesPerSecond = 10;
  movie.start(options);
  ASSERT_TRUE(finished.wait(kPatience_ms));
  ASSERT_EQ(finished[0][0].toString(), QString());
  EXPECT_EQ(QImage(options.path).size(), QSize(96, 80)) << "programs that know no animation show the first picture";
  QFile file(options.path);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  quint32 sequence = 0, controls = 0, later = 0;
  const auto chunks = chunksIn(file.readAll());
  EXPECT_EQ(chunks.last().first, "IEND");
  for (const auto& [type, data] : chunks) {
    if (type == "acTL") {
      EXPECT_EQ(qFromBigEndian<quint32>(data.constData()), 12u);
    } else if (type == "fcTL" || type == "fdAT") {
      EXPECT_EQ(qFromBigEndian<quint32>(data.constData()), sequence++);
      (type == "fcTL" ? controls : later) += 1;
    }
    if (type == "fcTL") {
      EXPECT_EQ(qFromBigEndian<quint16>(data.constData() + 20), 100) << "ms a picture";
    }
  }
  EXPECT_EQ(controls, 12u);
  EXPECT_GE(later, 11u);
}

TEST(Movie, ACancelledFilmLeavesNoFile) {
  const TemporaryFolder folder;
  SmallSweep sweep;
  auto& [document, grid, movie, finished, progressed, options] = sweep;
  options.path = QString::fromStdString((folder.path() / "film.png").string());
  movie.start(options);
  ASSERT_TRUE(progressed.wait(kPatience_ms));
  movie.cancel();
  ASSERT_EQ(finished.count(), 1);
  EXPECT_TRUE(finished[0][0].toString().contains(QStringLiteral("cancelled")));
  EXPECT_FALSE(QFile::exists(options.path));
}

TEST(Movie, SaysWhatIsMissing) {
  ViewerDocument document;
  ViewerGrid grid(document);
  ViewerMovie movie(document, grid);
  QSignalSpy finished(&movie, &ViewerMovie::finished);
  movie.start({});
  ASSERT_EQ(finished.count(), 1);
  EXPECT_FALSE(finished[0][0].toString().isEmpty());
}

TEST(Movie, ATurntableLeavesTheCameraToTheUser) {
  const TemporaryFolder folder;
  ViewerDocument document;
  ViewerGrid grid(document);
  if (!grid.volumeView().isAvailable())
    GTEST_SKIP() << "needs a display with OpenGL";
  document.replaceAll(headVolume(gridOf("RAS", {16, 16, 12}, {4, 4, 4})));
  grid.resize(300, 300);
  grid.show();
  QSignalSpy still(&grid.volumeView(), &ViewerVolumeView::stillDrawn);
  ASSERT_SOON(still.count() > 0);
  MovieOptions options;
  options.frames = 12;
  options.pixels = {64, 64};
  const auto record = [&](const char* name, const std::function<void(int)>& meanwhile) {
    options.path = QString::fromStdString((folder.path() / name).string());
    ViewerMovie movie(document, grid);
    QSignalSpy finished(&movie, &ViewerMovie::finished);
    QObject::connect(&movie, &ViewerMovie::progressed, &grid, meanwhile);
    movie.start(options);
    EXPECT_SOON(finished.count() == 1);
    EXPECT_EQ(finished.value(0).value(0).toString(), QString());
    QList<QImage> pictures;
    for (const QString& file : QDir(options.path).entryList({QStringLiteral("frame_*.png")}, QDir::Files, QDir::Name))
      pictures << QImage(QDir(options.path).filePath(file));
    return pictures;
  };
  auto& scene = grid.volumeView().scene();
  const Vec3d before = scene.camera().position;
  const QList<QImage> alone = record("alone", [](int) {});
  EXPECT_EQ(alone.size(), 12);
  EXPECT_NE(alone.value(3), alone.value(0));
  EXPECT_EQ(scene.camera().position, before);
  const QList<QImage> disturbed = record("disturbed", [&](int frames) {
    if (frames == 4)
      scene.lookFrom(LookFrom::Superior);
  });
  EXPECT_EQ(disturbed, alone);
  scene.lookFrom(LookFrom::Superior);
  const Vec3d above = scene.camera().position;
  record("again", [](int) {});
  EXPECT_EQ(scene.camera().position, above) << "where the user put it";
}

TEST(Movie, ATurntableThatGoesOutOfSightIsASentenceAndLeavesNothing) {
  const TemporaryFolder folder;
  ViewerDocument document;
  ViewerGrid grid(document);
  if (!grid.volumeView().isAvailable())
    GTEST_SKIP() << "needs a display with OpenGL";
  document.replaceAll(headVolume(gridOf("RAS", {16, 16, 12}, {4, 4, 4})));
  grid.resize(300, 300);
  grid.show();
  QSignalSpy still(&grid.volumeView(), &ViewerVolumeView::stillDrawn);
  ASSERT_SOON(still.count() > 0);
  ViewerMovie movie(document, grid);
  QSignalSpy finished(&movie, &ViewerMovie::finished), progressed(&movie, &ViewerMovie::progressed);
  QObject::connect(&movie, &ViewerMovie::progressed, &grid, &QWidget::hide); // after the first picture
  MovieOptions options;
  options.frames = 12;
  options.pixels = {64, 64};
  options.path = QString::fromStdString((folder.path() / "film.png").string());
  movie.start(options);
  ASSERT_SOON(finished.count() == 1);
  EXPECT_EQ(progressed.count(), 1);
  EXPECT_TRUE(finished[0][0].toString().contains(QStringLiteral("in sight")));
  EXPECT_FALSE(QFile::exists(options.path));
}

TEST(VolumePanel, OwnPresetsAreKept) {
  const TemporaryFolder folder;
  const QString presets = QString::fromStdString((folder.path() / "new" / "presets").string());
  ViewerDocument document;
  ViewerVolumeView view(document);
  ViewerVolumePanel panel(document, view);
  panel.setPresetFolder(presets);
  Transfer own = panel.transfer();
  own.opacity = {{0, 0}, {0.4, 0}, {0.6, 0.9}, {1, 1}};
  panel.applyTransfer(own);
  QSignalSpy saved(&panel, &ViewerVolumePanel::presetSaved), failed(&panel, &ViewerVolumePanel::failed);
  panel.savePreset(QStringLiteral("My skull / 2"));
  ASSERT_SOON(saved.count() == 1);
  ViewerVolumePanel next(document, view); // the program was opened again
  next.setPresetFolder(presets);
  ASSERT_TRUE(next.presetTitles().contains(QStringLiteral("My skull / 2")));
  next.choosePreset(QStringLiteral("My skull / 2"));
  EXPECT_EQ(next.transfer().opacity, own.opacity);
  EXPECT_FALSE(next.deletePreset(0)) << "the program's own";
  EXPECT_TRUE(next.deletePreset(next.presetIndex()));
  EXPECT_FALSE(next.presetTitles().contains(QStringLiteral("My skull / 2")));
  EXPECT_TRUE(QDir(presets).isEmpty());
  EXPECT_EQ(next.transfer().opacity, own.opacity) << "what is seen stays";
  panel.setPresetFolder(QStringLiteral("/proc/nowhere"));
  panel.savePreset(QStringLiteral("other"));
  ASSERT_SOON(failed.count() == 1);
}

TEST(Statistics, AreMeasuredOnTheFirstGrid) {
  const auto first = volumeOf(gridOf("RAS", {48, 48, 48}), headAt);
  const auto shifted = volumeOf(gridOf("RAS", {48, 48, 48}), [](Vec3d p) { return headAt(p) + 5; });
  const auto same = measureDifference({first, first, nullptr});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->difference.mae, 0);
  EXPECT_FALSE(same->difference.psnr_db);
  EXPECT_NEAR(*same->ssim, 1, 1e-6);
  const auto moved = measureDifference({first, shifted, nullptr});
  ASSERT_TRUE(moved);
  EXPECT_NEAR(moved->difference.mae, 5, 1e-4);
  EXPECT_NEAR(moved->difference.bias, 5, 1e-4);
  EXPECT_NEAR(*moved->difference.psnr_db, 20 * std::log10(160.0 / 5), 0.01);
  EXPECT_FALSE(moved->isResampled);
  const auto turnedRound = measureDifference({first, volumeOf(gridOf("LPI", {48, 48, 48}), headAt), nullptr});
  ASSERT_TRUE(turnedRound);
  EXPECT_TRUE(turnedRound->isResampled);
  EXPECT_NEAR(turnedRound->difference.mae, 0, 1e-3) << "the same head, stored the other way round";
}

TEST(CompareBar, CountsInsideTheLabelsOrEverywhere) {
  ViewerDocument document;
  ViewerCompareBar bar(document);
  document.replaceAll(headVolume());
  document.addOnTop(headVolume());
  bar.start(CompareMode::Difference);
  EXPECT_FALSE(bar.measuresInsideLabels()) << "there are none";
  document.addOnTop(labelVolume());
  EXPECT_TRUE(bar.measuresInsideLabels());
  QSignalSpy compared(&bar, &ViewerCompareBar::compared);
  for (auto* box : bar.findChildren<QCheckBox*>())
    if (box->text() == QStringLiteral("Inside the labels"))
      box->click();
  EXPECT_EQ(compared.count(), 1);
  EXPECT_FALSE(bar.measuresInsideLabels());
}

TEST(Statistics, AreThoseOfTheTriptych) {
  const auto grid = gridOf("RAS", {48, 48, 48});
  const auto baseline = volumeOf(grid, headAt), other = volumeOf(grid, [](Vec3d p) { return headAt(p) * 1.25f + (p.x > 0 ? 3.0f : 0.0f); });
  const auto viewer = measureDifference({baseline, other, nullptr});
  const auto triptych = sliceDifference(*baseline, *other);
  ASSERT_TRUE(viewer && triptych);
  EXPECT_EQ(viewer->dataRange, 160) << "the reference's, not the other's 203";
  EXPECT_EQ(triptych->dataRange, viewer->dataRange);
  EXPECT_EQ(triptych->reach, viewer->reach);
  EXPECT_DOUBLE_EQ(triptych->statistics.psnr_db.value(), viewer->difference.psnr_db.value());
  EXPECT_NEAR(viewer->difference.psnr_db.value(), 20 * std::log10(160 / viewer->difference.rmse), 1e-9);
  EXPECT_TRUE(shortText(*viewer).contains(QStringLiteral(" dB (R 160)"))) << shortText(*viewer).toStdString();
  EXPECT_TRUE(longText(*viewer).contains(QStringLiteral("data range of the first volume")));
}

TEST(CompareBar, ADifferenceSaysWhatIsSubtractedFromWhat) {
  ViewerDocument document;
  ViewerCompareBar bar(document);
  const auto grid = gridOf("RAS", {64, 64, 48});
  ViewerVolume baseline = headVolume(grid), other = prepared(volumeOf(grid, [](Vec3d p) { return headAt(p) + (p.x > 0 ? 2.0f : -2.0f); }), "head");
  baseline.origin = "baseline, ddpm 250";
  other.origin = "fused_bf16, ddpm 250";
  document.replaceAll(baseline);
  EXPECT_EQ(document.heading(), QStringLiteral("head · baseline, ddpm 250"));
  document.addOnTop(other);
  EXPECT_EQ(document.layer(1).title, "head · fused_bf16, ddpm 250");
  bar.start(CompareMode::Difference);
  const auto box = [&](const char* name) {
    for (const auto* each : bar.findChildren<QComboBox*>())
      if (each->accessibleName().startsWith(QLatin1String(name)))
        return each->currentText();
    return QString();
  };
  EXPECT_EQ(box("The reference, which is subtracted"), QStringLiteral("baseline, ddpm 250 · head"));
  EXPECT_EQ(box("The volume that the reference"), QStringLiteral("fused_bf16, ddpm 250 · head"));
  EXPECT_EQ(document.differenceText(), QStringLiteral("fused_bf16, ddpm 250 − baseline, ddpm 250"));
  EXPECT_EQ(document.heading(), QStringLiteral("head · fused_bf16, ddpm 250 − baseline, ddpm 250"));
  const auto measured = measureDifference({baseline.volume, other.volume, nullptr});
  ASSERT_TRUE(measured);
  EXPECT_FALSE(document.comparison().isReachMeasured);
  bar.decideReach(measured->reach);
  EXPECT_TRUE(document.comparison().isReachMeasured);
  EXPECT_EQ(document.comparison().differenceReach, 2) << "fitted to the difference";

  ViewerSliceView view(document, SliceAxis::Axial);
  const QRectF colours = view.colourBar(QSizeF(500, 400));
  ASSERT_FALSE(colours.isEmpty());
  const QImage picture = view.capture({500, 400}, 1, ViewerSliceView::Decoration::Full);
  const int row = static_cast<int>(colours.center().y());
  const QColor less = picture.pixelColor(static_cast<int>(colours.left()) + 2, row), equal = picture.pixelColor(static_cast<int>(colours.center().x()), row),
               more = picture.pixelColor(static_cast<int>(colours.right()) - 3, row);
  EXPECT_GT(less.blue(), less.red() + 50);
  EXPECT_GT(more.red(), more.blue() + 50);
  EXPECT_GT(std::min({equal.red(), equal.green(), equal.blue()}), 220);
  EXPECT_TRUE(view.colourBar(QSizeF(120, 120)).isEmpty()) << "no room";
  bar.start(CompareMode::Blend);
  EXPECT_TRUE(view.colourBar(QSizeF(500, 400)).isEmpty());
}

TEST(Statistics, UnlikeScalesAreSaid) {
  const auto grid = gridOf("RAS", {48, 48, 48});
  const auto first = volumeOf(grid, headAt);
  const auto scaled = [&](float factor) {
    return measureDifference({first, volumeOf(grid, [factor](Vec3d p) { return headAt(p) * factor; }), nullptr});
  };
  const auto alike = scaled(1.2f), unlike = scaled(0.01f), twice = scaled(2.5f);
  ASSERT_TRUE(alike && unlike && twice);
  EXPECT_FALSE(haveUnlikeScales(*alike));
  EXPECT_EQ(scalesText(*alike, QStringLiteral("real"), QStringLiteral("synthetic")), QString());
  EXPECT_TRUE(haveUnlikeScales(*unlike));
  EXPECT_TRUE(haveUnlikeScales(*twice));
  const std::string text = scalesText(*unlike, QStringLiteral("real"), QStringLiteral("synthetic")).toStdString();
  EXPECT_THAT(text, testing::AllOf(testing::HasSubstr("different scales"), testing::HasSubstr("most of real"), testing::HasSubstr("most of synthetic"), testing::HasSubstr("less than half")));
}

TEST(ComparePanel, ShowsTheJointHistogramByName) {
  const TemporaryFolder folder;
  const auto grid = gridOf("RAS", {48, 48, 48});
  const auto measured = measureDifference({volumeOf(grid, headAt), volumeOf(grid, [](Vec3d p) { return headAt(p) * 0.02f; }), nullptr});
  ASSERT_TRUE(measured);
  ViewerComparePanel panel;
  panel.resize(320, 700);
  panel.show();
  panel.setVolumes(QStringLiteral("real"), {QStringLiteral("synthetic")});
  EXPECT_FALSE(panel.joint().showsData());
  EXPECT_EQ(panel.words(), QStringLiteral("measuring…"));
  panel.setStatistics(0, *measured);
  ASSERT_TRUE(panel.joint().showsData());
  QString shown;
  for (const auto* label : panel.findChildren<QLabel*>())
    if (label->isVisible())
      shown += label->text() + QLatin1Char('\n');
  EXPECT_TRUE(shown.contains(QStringLiteral("MAE"))) << shown.toStdString();
  EXPECT_TRUE(shown.contains(QStringLiteral("different scales")));
  const auto file = folder.path() / "joint.csv";
  ASSERT_TRUE(panel.joint().exportTo(QString::fromStdString(file.string())));
  const std::string table = readTextFile(file).value();
  EXPECT_THAT(table, testing::StartsWith("real,synthetic,voxels\n"));
  std::int64_t sum = 0;
  for (const QString& row : QString::fromStdString(table).split(QLatin1Char('\n'), Qt::SkipEmptyParts).mid(1))
    sum += row.section(QLatin1Char(','), 2).toLongLong();
  EXPECT_EQ(sum, 48 * 48 * 48) << "every voxel once";
  for (const char* name : {"joint.png", "joint.svg", "joint.pdf"})
    EXPECT_TRUE(panel.joint().exportTo(QString::fromStdString((folder.path() / name).string())));
  panel.setVolumes(QStringLiteral("real"), {QStringLiteral("far away")});
  panel.setProblem(0, QStringLiteral("They lie apart."));
  EXPECT_FALSE(panel.joint().showsData());
  EXPECT_EQ(panel.words(), QStringLiteral("not comparable"));
  EXPECT_EQ(panel.sentence(), QStringLiteral("They lie apart."));
}

TEST(Statistics, KeepToTheMask) {
  const auto grid = gridOf("RAS", {48, 48, 48});
  const auto first = volumeOf(grid, headAt), mask = volumeOf(grid, [](Vec3d p) { return p.x > 0 ? 1.0f : 0.0f; }),
             second = volumeOf(grid, [](Vec3d p) { return headAt(p) + (p.x > 0 ? 2.0f : 90.0f); });
  const auto inside = measureDifference({first, second, mask});
  ASSERT_TRUE(inside);
  EXPECT_TRUE(inside->isMasked);
  EXPECT_NEAR(inside->difference.mae, 2, 1e-4);
  EXPECT_EQ(inside->difference.voxels, 48u * 48 * 24);
}

TEST(Statistics, FarApartIsASentence) {
  auto far = gridOf("RAS", {16, 16, 16});
  far.affine[0][3] += 1000;
  const auto result = measureDifference({volumeOf(gridOf("RAS", {16, 16, 16}), headAt), volumeOf(far, headAt), nullptr});
  ASSERT_FALSE(result);
  EXPECT_FALSE(result.error().message.empty());
}

} // namespace
} // namespace voxlab
