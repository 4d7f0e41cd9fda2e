// SPDX-License-Identifier: GPL-3.0-or-later
// The recorded way to a sample: found beside its file, scrubbed by the slider.
#include "widgets/pages/viewer_trajectory.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_movie.h"
#include <QImage>
#include <QSignalSpy>
#include <QSlider>

namespace voxlab {
namespace {

// A sample of two channels whose way was recorded at three steps, as the worker writes it.
class TrajectoryTest : public testing::Test {
protected:
  TrajectoryTest() {
    Json steps = Json::array();
    for (const int step : {2, 4, 6}) {
      Json files = Json::array();
      for (const char* channel : {"t1", "t2"}) {
        const std::string name = "head_steps/000" + std::to_string(step) + "_" + channel + ".nii.gz";
        write(name, static_cast<float>(step * 10 + (channel[1] - '0')));
        files.push_back(name);
      }
      steps.push_back({{"step", step}, {"timestep", 60 - step}, {"files", files}});
    }
    write("head_t1.nii.gz", 100);
    write("head_t2.nii.gz", 200);
    EXPECT_TRUE(writeJsonFile(folder / "head.json", {{"files", {"head_t1.nii.gz", "head_t2.nii.gz"}}, {"trajectory", steps}}));
  }
  void write(const std::string& name, float value) {
    std::filesystem::create_directories((folder / name).parent_path());
    EXPECT_TRUE(writeNifti(folder / name, *volumeOf(gridOf("LPS", {8, 8, 8}), [value](Vec3d p) { return p.x > 3 ? value : value / 2; })));
  }
  ViewerVolume opened(const char* name) { return readViewerVolume(folder / name, {}, {.kind = LayerKind::Image}).value(); }
  static float brightest(const ViewerDocument& document) {
    const auto& voxels = document.source(0).volume->voxels;
    return *std::max_element(voxels.begin(), voxels.end());
  }
  TemporaryFolder folder;
};

TEST_F(TrajectoryTest, IsFoundByTheFilesOwnChannel) {
  const auto steps = trajectoryOf(folder / "head_t2.nii.gz");
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[1].file, folder / "head_steps/0004_t2.nii.gz");
  EXPECT_EQ(steps[1].step, 4);
  EXPECT_EQ(steps[1].timestep, 56);
  EXPECT_TRUE(trajectoryOf(folder / "other_t2.nii.gz").empty());
  EXPECT_TRUE(trajectoryOf(folder / "head_t3.nii.gz").empty()) << "not a file of that sample";
  EXPECT_TRUE(writeFileAtomically(folder / "head.json", "{\"files\": 3"));
  EXPECT_TRUE(trajectoryOf(folder / "head_t2.nii.gz").empty());
}

TEST_F(TrajectoryTest, ASampleTellsHowItWasMade) {
  EXPECT_EQ(originOf(folder / "head_t1.nii.gz"), "") << "nothing is told";
  EXPECT_TRUE(writeJsonFile(folder / "head.json", {{"files", {"head_t1.nii.gz"}}, {"mode", "fused_bf16"}, {"sampler", "ddpm"}, {"steps", 250}}));
  EXPECT_EQ(originOf(folder / "head_t1.nii.gz"), "fused_bf16, ddpm 250");
  EXPECT_EQ(originOf(folder / "head_t2.nii.gz"), "") << "not a file of that sample";
  EXPECT_EQ(opened("head_t1.nii.gz").longTitle(), "head_t1 · fused_bf16, ddpm 250");
  EXPECT_EQ(opened("head_t2.nii.gz").longTitle(), "head_t2");
  EXPECT_TRUE(writeJsonFile(folder / "head.json", {{"files", {"head_t1.nii.gz"}}, {"mode", 3}, {"sampler", "ddim"}}));
  EXPECT_EQ(originOf(folder / "head_t1.nii.gz"), "ddim");
}

TEST_F(TrajectoryTest, TheSliderShowsTheStepsAndTheRangeStays) {
  ViewerDocument document;
  ViewerTrajectoryBar bar(document);
  EXPECT_TRUE(bar.isHidden());
  document.replaceAll(opened("head_t1.nii.gz"));
  EXPECT_FALSE(bar.isHidden());
  ASSERT_EQ(bar.positions(), 4);
  EXPECT_EQ(bar.position(), 3) << "the finished sample";
  document.editLayer(0, [](SliceLayer& layer) { layer.range = {5, 95}; });
  QSignalSpy shown(&bar, &ViewerTrajectoryBar::shown);
  for (const auto& [position, value] : {std::pair{0, 21.0f}, {2, 61.0f}, {1, 41.0f}, {0, 21.0f}, {3, 100.0f}}) {
    shown.clear();
    bar.setPosition(position);
    ASSERT_SOON(shown.count() == 1);
    EXPECT_EQ(brightest(document), value);
    EXPECT_EQ(document.layer(0).range, (DisplayRange{5, 95}));
  }
  document.replaceAll(headVolume());
  EXPECT_TRUE(bar.isHidden());
}

TEST_F(TrajectoryTest, IsRecordedAsAFilm) {
  ViewerDocument document;
  ViewerGrid grid(document);
  grid.resize(400, 300);
  ViewerTrajectoryBar bar(document);
  document.replaceAll(opened("head_t1.nii.gz"));
  document.editLayer(0, [](SliceLayer& layer) { layer.range = {0, 100}; });
  document.setAnnotations(Visibility::Hidden);
  ViewerMovie movie(document, grid);
  movie.setTrajectory(&bar);
  QSignalSpy finished(&movie, &ViewerMovie::finished);
  MovieOptions options;
  options.kind = MovieOptions::Kind::Trajectory;
  options.pixels = {200, 200};
  options.path = QString::fromStdString((folder / "film").string());
  movie.start(options);
  ASSERT_SOON(finished.count() == 1);
  EXPECT_TRUE(finished[0][0].toString().isEmpty()) << finished[0][0].toString().toStdString();
  EXPECT_EQ(finished[0][1].toInt(), 4) << "three steps and the sample";
  EXPECT_EQ(bar.position(), 3) << "as before";
  int before = -1; // each step is brighter than the one before it
  for (int frame = 1; frame <= 4; ++frame) {
    const QImage picture(options.path + QStringLiteral("/frame_%1.png").arg(frame, 4, 10, QLatin1Char('0')));
    ASSERT_EQ(picture.width(), 200);
    int brightest = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        brightest = std::max(brightest, qGray(picture.pixel(x, y)));
    EXPECT_GT(brightest, before);
    before = brightest;
  }
  document.replaceAll(headVolume());
  movie.start(options);
  ASSERT_EQ(finished.count(), 2);
  EXPECT_FALSE(finished[1][0].toString().isEmpty()) << "nothing to record is a sentence";
}

TEST_F(TrajectoryTest, AStepThatIsGoneIsASentenceAndTheOthersStay) {
  ViewerDocument document;
  ViewerTrajectoryBar bar(document);
  document.replaceAll(opened("head_t1.nii.gz"));
  std::filesystem::remove(folder / "head_steps/0004_t1.nii.gz");
  QSignalSpy failed(&bar, &ViewerTrajectoryBar::failed), shown(&bar, &ViewerTrajectoryBar::shown);
  bar.setPosition(1);
  ASSERT_SOON(failed.count() == 1);
  EXPECT_TRUE(failed[0][0].toString().contains(QStringLiteral("0004_t1")));
  bar.setPosition(2);
  EXPECT_SOON(shown.count() == 1);
}

} // namespace
} // namespace voxlab
