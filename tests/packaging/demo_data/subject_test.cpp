// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/volume_io.h"
#include "packaging/demo_data/subject.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {

constexpr Vec3 kCentre{12, -20, 30}; // of the phantom, in mm

// A ball of brain (radius 60 mm, 100) in a skull (70 mm, dark) in a scalp (80 mm, 180), with a bright spot on the right, on a
// grid whose first axis runs from right to left and whose others are exchanged.
Volume phantom(bool brainOnly) {
  Volume volume;
  volume.header.grid.size = {64, 60, 62};
  volume.header.grid.affine = {{{-3, 0, 0, kCentre[0] + 95}, {0, 0, 3, kCentre[1] - 92}, {0, 3, 0, kCentre[2] - 90}, {0, 0, 0, 1}}};
  volume.voxels.resize(static_cast<std::size_t>(volume.grid().voxelCount()));
  std::size_t n = 0;
  for (int k = 0; k < 62; ++k)
    for (int j = 0; j < 60; ++j)
      for (int i = 0; i < 64; ++i, ++n) {
        const Vec3 p = applyAffine(volume.grid().affine, {double(i), double(j), double(k)});
        const double r = std::hypot(p[0] - kCentre[0], p[1] - kCentre[1], p[2] - kCentre[2]);
        const bool spot = std::hypot(p[0] - kCentre[0] - 30, p[1] - kCentre[1], p[2] - kCentre[2]) < 12;
        const float brain = r < 60 ? (spot ? 170.f : 100.f) : 0.f;
        volume.voxels[n] = brainOnly ? float(brain > 0) : r < 60 ? brain : r < 70 ? 4.f : r < 80 ? 180.f : 1.f;
      }
  return volume;
}

class DemoSubject : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_TRUE(writeNifti(folder / "t1.nii.gz", phantom(false)));
    ASSERT_TRUE(writeNifti(folder / "brain.nii.gz", phantom(true), VoxelType::UInt8));
  }
  Subject read() { return readSubject({"ball", folder / "t1.nii.gz", folder / "brain.nii.gz"}).value(); }
  TemporaryFolder folder;
};

double volumeOf(const Pair& pair, std::initializer_list<int> labels) { // mm³
  const auto has = [&](float v) { return std::find(labels.begin(), labels.end(), static_cast<int>(v)) != labels.end(); };
  const double step = pair.mask.grid().affine[0][0];
  return static_cast<double>(std::count_if(pair.mask.voxels.begin(), pair.mask.voxels.end(), has)) * step * step * step;
}
double ball(double radius) {
  return 4.0 / 3 * M_PI * radius * radius * radius;
}

float valueAt(const Volume& volume, const Vec3& point) { // of the nearest voxel
  const Vec3 index = applyAffine(inverse(volume.grid().affine).value(), point);
  const auto n =
      std::llround(index[0]) + volume.grid().size[0] * (std::llround(index[1]) + volume.grid().size[1] * std::llround(index[2]));
  return volume.voxels[static_cast<std::size_t>(n)];
}

} // namespace

TEST_F(DemoSubject, UnvariedPairLiesWhereTheHeadLay) {
  const Pair pair = drawPair(read(), {}, 64, 240);
  const auto& grid = pair.image.grid();
  EXPECT_EQ(axisCodes(grid.affine), "RAS");
  EXPECT_TRUE(sameGrid(grid, pair.mask.grid()));
  EXPECT_DOUBLE_EQ(spacingOf(grid.affine)[0], 3.75);
  EXPECT_NEAR(volumeOf(pair, {2}), ball(60), 0.03 * ball(60));
  EXPECT_NEAR(volumeOf(pair, {1, 2}), ball(80), 0.04 * ball(80));
  // The same millimetres show the same thing; the spot is on the right. A thousand is the head's 99.5th percentile, 180.
  EXPECT_NEAR(valueAt(pair.image, {kCentre[0] + 30, kCentre[1], kCentre[2]}), 1000 * 170 / 180., 5);
  EXPECT_NEAR(valueAt(pair.image, {kCentre[0] - 30, kCentre[1], kCentre[2]}), 1000 * 100 / 180., 5);
  EXPECT_EQ(valueAt(pair.mask, kCentre), 2);
  EXPECT_EQ(valueAt(pair.mask, {kCentre[0], kCentre[1] + 75, kCentre[2]}), 1);
  EXPECT_EQ(valueAt(pair.mask, {kCentre[0], kCentre[1] + 110, kCentre[2]}), 0);
}

TEST_F(DemoSubject, MirrorAndShiftMoveImageAndMaskTogether) {
  Variation variation;
  variation.mirror = Mirror::LeftRight;
  variation.shift_mm = {0, 7.5, 0};
  const Pair pair = drawPair(read(), variation, 64, 240);
  EXPECT_NEAR(valueAt(pair.image, {kCentre[0] - 30, kCentre[1] + 7.5, kCentre[2]}), 1000 * 170 / 180., 5);
  EXPECT_NEAR(valueAt(pair.image, {kCentre[0] + 30, kCentre[1] + 7.5, kCentre[2]}), 1000 * 100 / 180., 5);
  EXPECT_EQ(valueAt(pair.mask, {kCentre[0], kCentre[1] + 7.5 + 77, kCentre[2]}), 1);
  EXPECT_EQ(valueAt(pair.mask, {kCentre[0], kCentre[1] + 7.5 - 85, kCentre[2]}), 0);
}

TEST_F(DemoSubject, VariationsDifferStayHeadsAndComeOutTheSameAgain) {
  const Subject subject = read();
  std::vector<float> previous;
  for (int number = 1; number < 5; ++number) {
    const Pair pair = drawPair(subject, drawVariation(1, subject.name, number), 32, 240);
    EXPECT_NE(pair.image.voxels, previous);
    EXPECT_EQ(pair.image.voxels, drawPair(subject, drawVariation(1, subject.name, number), 32, 240).image.voxels);
    EXPECT_NEAR(volumeOf(pair, {1, 2}), ball(80), 0.3 * ball(80));
    previous = pair.image.voxels;
  }
  EXPECT_NE(drawVariation(1, "ball", 1).shift_mm, drawVariation(2, "ball", 1).shift_mm);
  EXPECT_NE(drawVariation(1, "ball", 1).shift_mm, drawVariation(1, "cube", 1).shift_mm);
}

TEST_F(DemoSubject, ImageWithoutABrainFileIsABrainWithoutItsHead) {
  const Subject subject = readSubject({"brain", folder / "brain.nii.gz", {}}).value();
  const Pair pair = drawPair(subject, {}, 64, 240);
  EXPECT_EQ(volumeOf(pair, {1}), 0);
  EXPECT_NEAR(volumeOf(pair, {2}), ball(60), 0.03 * ball(60));
}

TEST_F(DemoSubject, BadInputGivesSentences) {
  EXPECT_EQ(readSubject({"x", folder / "none.nii", {}}).error().code, ExitCode::Data);
  Volume flat = phantom(false);
  std::fill(flat.voxels.begin(), flat.voxels.end(), 0.f);
  ASSERT_TRUE(writeNifti(folder / "flat.nii", flat));
  EXPECT_NE(readSubject({"x", folder / "flat.nii", {}}).error().message.find("no head"), std::string::npos);
  flat.header.grid.affine[0][3] += 10;
  ASSERT_TRUE(writeNifti(folder / "moved.nii", flat));
  EXPECT_NE(readSubject({"x", folder / "t1.nii.gz", folder / "moved.nii"}).error().message.find("another grid"), std::string::npos);
  for (const char* text : {"", "name", "=a.nii", "name=", "a/b=c.nii"})
    EXPECT_EQ(parseSubject(text).error().code, ExitCode::Usage) << text;
  EXPECT_EQ(parseSubject("n=a.nii,b.nii").value().brain, "b.nii");
}

TEST_F(DemoSubject, ProgramMakesPairsAndRefusesToOverwrite) {
  const auto command = program("voxlab-demo-data").string() + " -s ball=" + (folder / "t1.nii.gz").string() + "," +
                       (folder / "brain.nii.gz").string() + " --size 16 --variants 2 -o " + (folder / "set").string() +
                       " >/dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  for (const char* part : {"images", "masks"})
    for (const char* name : {"ball_aug00.nii.gz", "ball_aug01.nii.gz"})
      EXPECT_TRUE(readVolume(folder / "set" / part / name)) << part << name;
  EXPECT_TRUE(std::filesystem::exists(folder / "set" / "dataset.json"));
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), static_cast<int>(ExitCode::Usage));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 3) << "nothing unfinished stays";
}
