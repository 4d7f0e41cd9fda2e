// SPDX-License-Identifier: Apache-2.0
// Damaged, lying and hostile files: each gives a sentence, none a crash, a hang or a great deal of memory.
#include "core/base/files.h"
#include "core/imaging/volume_io.h"
#include "tests/core/imaging/volumes.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/stat.h>
#include <zlib.h>

using namespace voxlab;
using namespace voxlab::tests;
namespace fs = std::filesystem;
using testing::HasSubstr;

namespace {
void expectSentence(const Error& error) {
  EXPECT_TRUE(error.code == ExitCode::Data || error.code == ExitCode::OutOfMemory) << error.message;
  EXPECT_GT(error.message.size(), 20u);
  EXPECT_TRUE(error.message.ends_with(".")) << error.message;
  EXPECT_EQ(error.message.find("..", error.message.size() - 2), std::string::npos) << error.message;
}

class Damaged : public testing::TestWithParam<const char*> {
protected:
  Damaged() : m_bytes(readTextFile(testData() / "imaging" / GetParam()).value()), m_file(m_folder / fs::path(GetParam()).filename()) {}

  Result<Volume> readAltered(const std::string& bytes) {
    overwrite(bytes);
    ReadOptions options;
    options.memoryLimitBytes = 64 << 20;
    (void)readVolumeHeader(m_file);
    return readVolume(m_file, options);
  }

  // Thousands of times: in place, since truncating a file makes some file systems flush it.
  void overwrite(const std::string& bytes) {
    std::error_code ec;
    if (fs::file_size(m_file, ec) != bytes.size())
      fs::remove(m_file, ec);
    const auto mode = std::ios::binary | std::ios::out;
    std::fstream(m_file, fs::exists(m_file) ? mode | std::ios::in : mode) << bytes;
  }

  TemporaryFolder m_folder;
  std::string m_bytes;
  fs::path m_file;
};
} // namespace

TEST_P(Damaged, TruncatedAnywhere) {
  const auto whole = readAltered(m_bytes);
  ASSERT_TRUE(whole);
  for (std::size_t part = 0; part < 100; ++part) {
    const auto volume = readAltered(m_bytes.substr(0, m_bytes.size() * part / 100));
    if (volume) // only what follows the voxels was cut off
      ASSERT_EQ(volume->voxels, whole->voxels) << "cut at " << part << " %";
    else
      expectSentence(volume.error());
  }
}

TEST_P(Damaged, FlippedBytes) {
  std::mt19937 random(20260131);
  for (int round = 0; round < 1500; ++round) {
    std::string bytes = m_bytes;
    // Mostly the header, where every byte means something.
    const std::size_t reach = round % 3 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 600);
    for (int n = 0; n <= round % 4; ++n)
      bytes[random() % reach] = static_cast<char>(random());
    if (const auto volume = readAltered(bytes); !volume)
      expectSentence(volume.error());
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Damaged,
                         testing::Values("nifti/type_i2.nii", "nifti/oblique.nii.gz", "nifti/version2_big_endian.nii", "nifti/members.nii.gz",
                                         "mgh/short.mgh", "mgh/oblique.mgz", "itk/raw.nrrd", "itk/oblique.nrrd", "itk/raw.mha", "itk/oblique.mha",
                                         "itk/volume.gipl", "dicom/series/0.dcm", "dicom/series/2.dcm", "dicom/enhanced.dcm"),
                         [](const testing::TestParamInfo<const char*>& file) {
                           std::string name = file.param;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c)))
                               c = '_';
                           return name;
                         });

namespace {
class Hostile : public testing::Test {
protected:
  std::string base() { return readTextFile(testData() / "imaging/nifti/type_i2.nii").value(); }
  template <class T> static void put(std::string& bytes, std::size_t at, T value) { std::memcpy(bytes.data() + at, &value, sizeof value); }
  std::string messageFor(const std::string& bytes, const char* name = "x.nii") {
    EXPECT_TRUE(writeFileAtomically(m_folder / name, bytes));
    const auto volume = readVolume(m_folder / name);
    if (volume)
      return {};
    expectSentence(volume.error());
    return volume.error().message;
  }
  static std::string gzipped(const std::string& bytes) {
    std::string out(compressBound(bytes.size()) + 64, '\0');
    z_stream z{};
    deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    z.avail_in = static_cast<uInt>(bytes.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    deflate(&z, Z_FINISH);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
  }
  TemporaryFolder m_folder;
};
} // namespace

TEST_F(Hostile, SizesThatLie) {
  std::string bytes = base();
  for (std::size_t axis = 0; axis < 3; ++axis)
    put<std::int16_t>(bytes, 42 + 2 * axis, 32767);
  EXPECT_THAT(messageFor(bytes), HasSubstr("its header announces"));
  EXPECT_THAT(messageFor(gzipped(bytes), "x.nii.gz"), HasSubstr("its header announces"));
  put<std::int16_t>(bytes, 42, -5);
  EXPECT_THAT(messageFor(bytes), HasSubstr("the size -5"));
  bytes = base();
  put<std::int16_t>(bytes, 44, 0);
  EXPECT_THAT(messageFor(bytes), HasSubstr("the size 0"));
}

TEST_F(Hostile, CompressedFilesThatCouldBeSoLargeButAreNot) {
  // Deflate could expand this file to the announced size, so only reading tells; memory grows with what arrives.
  std::string bytes = base() + std::string(200'000, 'x');
  std::mt19937 random(1);
  for (std::size_t n = 1000; n < bytes.size(); ++n)
    bytes[n] = static_cast<char>(random());
  for (std::size_t axis = 0; axis < 3; ++axis)
    put<std::int16_t>(bytes, 42 + 2 * axis, 460);
  EXPECT_THAT(messageFor(gzipped(bytes), "x.nii.gz"), HasSubstr("it ends after"));
}

TEST_F(Hostile, NiftiTwoWithSizesBeyondAnyMachine) {
  std::string bytes = readTextFile(testData() / "imaging/nifti/version2_big_endian.nii").value();
  for (std::size_t n = 24; n < 48; ++n)
    bytes[n] = n % 8 == 0 ? '\x7f' : '\xff';
  EXPECT_THAT(messageFor(bytes), HasSubstr("impossible number of voxels"));
}

TEST_F(Hostile, OffsetsBeyondTheFile) {
  std::string bytes = base();
  for (const float offset : {1e30f, -4.0f, NAN, INFINITY}) {
    put(bytes, 108, offset);
    EXPECT_THAT(messageFor(bytes), HasSubstr("impossible place"));
  }
  put(bytes, 108, 1e6f);
  EXPECT_THAT(messageFor(bytes), HasSubstr("its header announces"));
}

TEST_F(Hostile, AffinesThatAreNone) {
  std::string bytes = base();
  put(bytes, 280, NAN);
  EXPECT_THAT(messageFor(bytes), HasSubstr("sform holds values that are not numbers"));
  bytes = base();
  for (std::size_t at = 280; at < 328; at += 4)
    put(bytes, at, 0.0f);
  ASSERT_TRUE(writeFileAtomically(m_folder / "zero.nii", bytes)); // common, and there is the spacing to fall back on
  EXPECT_THAT(readVolume(m_folder / "zero.nii").value().header.notes, testing::Contains(HasSubstr("into a plane")));
  bytes = readTextFile(testData() / "imaging/nifti/qform_only.nii").value();
  put(bytes, 256, NAN);
  EXPECT_THAT(messageFor(bytes), HasSubstr("qform holds values that are not numbers"));
}

TEST_F(Hostile, UnknownVoxelType) {
  std::string bytes = base();
  put<std::int16_t>(bytes, 70, 1536);
  EXPECT_THAT(messageFor(bytes), HasSubstr("voxel type (NIfTI code 1536)"));
}

TEST_F(Hostile, EmptyFilesOfEveryName) {
  for (const char* name : {"x.nii", "x.nii.gz", "x.mgz", "x.mgh", "x.nrrd", "x.nhdr", "x.mha", "x.mhd", "x.gipl", "x.dcm", "x.hdr", "x.img", "x"}) {
    EXPECT_THAT(messageFor("", name), HasSubstr("zero bytes")) << name;
    EXPECT_FALSE(messageFor("short", name).empty()) << name;
    EXPECT_FALSE(messageFor(std::string(5000, '\0'), name).empty()) << name;
  }
}

TEST_F(Hostile, WhatIsNoFileAtAll) {
  EXPECT_EQ(readVolume(m_folder / "none.nii").error().code, ExitCode::Data);
  EXPECT_THAT(readVolume(m_folder.path()).error().message, HasSubstr("no DICOM image in this folder"));
  ASSERT_EQ(mkfifo((m_folder / "pipe.nii").c_str(), 0600), 0);
  EXPECT_THAT(readVolume(m_folder / "pipe.nii").error().message, HasSubstr("not a regular file"));
}

TEST_F(Hostile, AnNrrdWithoutAxesSaysSo) {
  const std::string begin = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 2 2\nencoding: raw\n", voxels = "\n12345678";
  const auto notesOf = [&](const std::string& more) {
    EXPECT_TRUE(writeFileAtomically(m_folder / "x.nrrd", begin + more + voxels));
    const auto header = readVolumeHeader(m_folder / "x.nrrd");
    EXPECT_TRUE(header) << header.error().message;
    return header ? header->notes : std::vector<std::string>{};
  };
  EXPECT_THAT(notesOf(""), testing::Contains(HasSubstr("does not say how it is oriented")));
  EXPECT_THAT(notesOf("space: left-posterior-superior\nspace directions: (2,0,0) (0,2,0) (0,0,3)\n"), testing::Not(testing::Contains(HasSubstr("oriented"))));
}

TEST_F(Hostile, HeadersThatPointElsewhere) {
  const std::string nrrd = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 2 2 2\nencoding: raw\ndata file: ";
  EXPECT_THAT(messageFor(nrrd + "/dev/zero\n\n", "x.nhdr"), HasSubstr("no regular file"));
  EXPECT_THAT(messageFor(nrrd + "gone.raw\n\n", "x.nhdr"), HasSubstr("not there"));
  EXPECT_THAT(messageFor(nrrd + "%d%n%s.raw 1 2 1\n\n", "x.nhdr"), HasSubstr("numbered files"));
  const std::string meta = "ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\nElementType = MET_UCHAR\nElementDataFile = ";
  EXPECT_THAT(messageFor(meta + "/dev/zero\n", "x.mhd"), HasSubstr("no regular file"));
  EXPECT_THAT(messageFor(meta + "s%d.raw 1 2 1\n", "x.mhd"), HasSubstr("numbered files"));
  ASSERT_EQ(mkfifo((m_folder / "pipe.raw").c_str(), 0600), 0);
  EXPECT_THAT(messageFor(meta + "pipe.raw\n", "x.mhd"), HasSubstr("no regular file"));
}

// In this program's words, not in those of the library that reads them.
TEST_F(Hostile, BrokenNrrdsSayWhatFailedAndWhatToDo) {
  const std::string head = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 10 10 10\nencoding: gzip\n";
  std::string noise(1000, '\0');
  std::mt19937 random(5);
  for (char& each : noise)
    each = static_cast<char>(random());
  const std::string voxels = gzipped(noise);
  for (const std::string& bytes : {head, "NRRD0004\ntype: banana\ndimension: 3\nsizes: 10 10 10\nencoding: raw\n\n" + noise}) {
    const std::string said = messageFor(bytes, "x.nrrd");
    EXPECT_THAT(said, HasSubstr("x.nrrd"));
    EXPECT_THAT(said, HasSubstr("convert it to NIfTI"));
  }
  const std::string said = messageFor(head + "\n" + voxels.substr(0, voxels.size() / 2), "x.nrrd");
  EXPECT_THAT(said, HasSubstr("Fetch it again"));
  for (const char* foreign : {"itk", "ITK", "ReadImageInformation", "nrrdRead"})
    EXPECT_THAT(said, testing::Not(HasSubstr(foreign)));
}

TEST_F(Hostile, TextHeadersThatLie) {
  EXPECT_THAT(messageFor("NRRD0004\ntype: float\ndimension: 3\nsizes: 9999 9999 9999\nencoding: raw\nendian: little\n\nxxxx", "x.nrrd"), HasSubstr("cannot hold them"));
  EXPECT_THAT(messageFor("NRRD0004\ntype: float\ndimension: 3\nsizes: 9999 9999 9999\nencoding: ascii\n\n1 2 3", "x.nrrd"), HasSubstr("cannot hold them"));
  EXPECT_THAT(messageFor("ObjectType = Image\nNDims = 3\nDimSize = 9999 9999 9999\nElementType = MET_FLOAT\nElementDataFile = LOCAL\nxxxx", "x.mha"),
              HasSubstr("its header announces"));
  EXPECT_FALSE(messageFor("ObjectType = Image\nNDims = 3\nDimSize = -1 2 2\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nxxxxxxxxxxxxxxx", "x.mha").empty());
  EXPECT_FALSE(messageFor("ObjectType = Image\nNDims = 300000\nDimSize = 2 2 2\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nxxxxxxxx", "x.mha").empty());
}

TEST_F(Hostile, APairWithoutItsOtherHalf) {
  fs::copy_file(testData() / "imaging/nifti/pair.hdr", m_folder / "pair.hdr");
  EXPECT_THAT(readVolume(m_folder / "pair.hdr").error().message, HasSubstr(".img"));
  fs::copy_file(testData() / "imaging/nifti/pair.img", m_folder / "alone.img");
  EXPECT_EQ(readVolume(m_folder / "alone.img").error().code, ExitCode::Data);
}
