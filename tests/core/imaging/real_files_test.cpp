// SPDX-License-Identifier: Apache-2.0
// Real MRI that packages install: what nibabel reads from it at five places is frozen in real.json. Where a file is missing its
// test is skipped; the small files of formats_test.cpp stand in.
#include "core/imaging/geometry.h"
#include "core/imaging/volume_io.h"
#include "tests/core/imaging/processing.h"
#include "tests/support/real_files.h"
#include <chrono>
#include <gtest/gtest.h>
#include <sys/resource.h>

using namespace voxlab;
using namespace voxlab::tests;

namespace {
class RealFiles : public testing::TestWithParam<Json> {};

std::int64_t peakMemoryBytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}
} // namespace

TEST_P(RealFiles, ValuesAndPlacesEqualNibabels) {
  const std::string name = GetParam().at("file");
  const auto file = findRealFile(name);
  if (!file)
    GTEST_SKIP() << name << " was not found (" << GetParam().at("package").get<std::string>() << ")";
  const auto volume = readVolume(*file);
  ASSERT_TRUE(volume) << volume.error().message;
  const auto size = GetParam().at("size").get<std::array<std::int64_t, 3>>();
  EXPECT_EQ(volume->grid().size, size);
  EXPECT_EQ(volume->header.timePoints, GetParam().at("time_points").get<std::int64_t>());
  EXPECT_TRUE(sameAxes(axisCodes(volume->grid().affine), GetParam())) << axisCodes(volume->grid().affine);
  const auto toIndex = inverse(volume->grid().affine);
  ASSERT_TRUE(toIndex);
  for (const auto& place : GetParam().at("places")) {
    auto index = place.at("index").get<std::vector<std::int64_t>>();
    index.resize(4);
    const Vec3 found = applyAffine(*toIndex, place.at("world").get<Vec3>());
    for (std::size_t a = 0; a < 3; ++a)
      EXPECT_NEAR(found[a], static_cast<double>(index[a]), 1e-3);
    const auto at = static_cast<std::size_t>(index[0] + size[0] * (index[1] + size[1] * (index[2] + size[2] * index[3])));
    EXPECT_FLOAT_EQ(volume->voxels[at], place.at("value").get<float>());
  }
}

INSTANTIATE_TEST_SUITE_P(Packages, RealFiles, testing::ValuesIn(realFileFacts()),
                         [](const testing::TestParamInfo<Json>& entry) { return realFileTestName(entry.param); });

TEST(RealFilesDamaged, EachIsASentenceThatNamesTheFile) {
  auto files = emptyRealFiles();
  if (const auto truncated = findRealFile("MR_truncated.dcm"))
    files.push_back(*truncated);
  if (files.empty())
    GTEST_SKIP() << "neither python3-nipype's empty files nor pydicom's truncated one were found; packaging/real_files.sh fetches them";
  for (const auto& file : files) {
    const auto volume = readVolume(file);
    ASSERT_FALSE(volume) << file;
    EXPECT_EQ(volume.error().code, ExitCode::Data);
    EXPECT_NE(volume.error().message.find(file.filename().string()), std::string::npos) << volume.error().message;
  }
}

// 35 million voxels: within 2 s on an idle machine, in less than twice their size beside what the program had before.
TEST(RealFilesLarge, OpensQuicklyAndInLittleMemory) {
  const auto file = findRealFile("ch2better.nii.gz");
  if (!file)
    GTEST_SKIP() << "ch2better.nii.gz was not found (Debian mricron-data)";
  const std::int64_t before = peakMemoryBytes();
  const auto start = std::chrono::steady_clock::now();
  const auto volume = readVolume(*file);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ASSERT_TRUE(volume);
  RecordProperty("seconds", std::to_string(took.count()));
  EXPECT_LT(took.count(), 10) << "the limit leaves room for a busy machine";
  EXPECT_LT(peakMemoryBytes() - before, static_cast<std::int64_t>(2 * sizeof(float) * volume->voxels.size()) + (64 << 20));
}
