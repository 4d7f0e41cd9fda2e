// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/imaging/dataset_index.h"
#include "core/imaging/subject_key.h"
#include "tests/support/parity.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

using namespace voxlab;
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
std::string subjectOf(const char* name) { return subjectKeyOf(fs::path("/data") / name, "/data").subject; }
void touch(const fs::path& file) { ASSERT_TRUE(writeFileAtomically(file, "x")); }

std::vector<std::string> subjects(const DatasetIndex& index) {
  std::vector<std::string> names;
  for (const auto& entry : index.cases)
    names.push_back(entry.subject);
  return names;
}
std::string text(const DatasetIndex& index, Severity severity) {
  std::string all;
  for (const auto& finding : index.findings)
    if (finding.severity == severity)
      all += finding.subject + ": " + finding.message + "\n";
  return all;
}
} // namespace

TEST(SubjectKey, RolesAndModalitiesAreStrippedFromNames) {
  EXPECT_EQ(subjectOf("BraTS_00001_t1ce.nii.gz"), "BraTS_00001");
  EXPECT_EQ(subjectOf("BraTS-GLI-00000-000-t2f.nii.gz"), "BraTS-GLI-00000-000");
  EXPECT_EQ(subjectOf("sub-01_ses-2_desc-brain_mask.nii.gz"), "sub-01_ses-2");
  EXPECT_EQ(subjectOf("sub-01_ses-2_T1w.nii.gz"), "sub-01_ses-2");
  EXPECT_EQ(subjectOf("mask_case_07.mgz"), "case_07");
  EXPECT_EQ(subjectOf("case_07.T1.nrrd"), "case_07");
  EXPECT_EQ(subjectOf("case_07/seg.nii.gz"), "case_07");
  EXPECT_EQ(subjectOf("sub-03/anat/T1w.nii.gz"), "sub-03");
  EXPECT_EQ(subjectOf("masks/sub-03/mask.nii"), "sub-03");
  EXPECT_EQ(subjectOf("mask.nii.gz"), "mask");
  EXPECT_EQ(subjectOf("IXI012-HH-1211-T1.nii.gz"), "IXI012-HH-1211");
  EXPECT_EQ(subjectOf("t1_weighted_7.nii"), "weighted_7");
}

TEST(SubjectKey, WhatStandsLastDecidesTheRole) {
  const auto key = subjectKeyOf("/d/case_1_t1_seg.nii.gz", "/d");
  EXPECT_EQ(key.role, FileRole::Mask);
  EXPECT_EQ(key.subject, "case_1");
  EXPECT_EQ(subjectKeyOf("/d/Case_1_T1GD.nii", "/d").modality, "t1ce");
  EXPECT_EQ(subjectKeyOf("/d/Case_1_T1GD.nii", "/d").key(), "case_1");
  EXPECT_EQ(normalisedModality("T2F"), "flair");
  EXPECT_EQ(normalisedModality("QSM"), "qsm");
}

TEST(DatasetIndex, TwoFoldersPairedByNameWithWhatIsLeftOverNamed) {
  TemporaryFolder folder;
  for (const char* name : {"images/a_t1.nii.gz", "images/b_t1.nii.gz", "images/c_t1.nii.gz", "masks/A_mask.nii.gz", "masks/sub/b_seg.nii", "masks/d_seg.nii"})
    touch(folder / name);
  touch(folder / "images/.hidden.nii");
  touch(folder / "images/readme.txt");
  touch(folder / "images/half.nii.tmp-12");
  const auto index = indexDataset(folder / "images", folder / "masks", {});
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_THAT(subjects(*index), ElementsAre("a", "b"));
  EXPECT_EQ(index->cases[1].files.mask, folder / "masks/sub/b_seg.nii");
  EXPECT_THAT(text(*index, Severity::Warning), HasSubstr("c: The image has no mask"));
  EXPECT_THAT(text(*index, Severity::Warning), HasSubstr("d: The mask has no image"));
}

TEST(DatasetIndex, ADuplicateIsAnError) {
  TemporaryFolder folder;
  for (const char* name : {"i/a.nii.gz", "i/a.mgz", "i/b.nii", "m/a.nii", "m/b_seg.nii", "m/b_mask.nii"})
    touch(folder / name);
  const auto index = indexDataset(folder / "i", folder / "m/", {});
  ASSERT_TRUE(index);
  EXPECT_TRUE(index->cases.empty());
  EXPECT_THAT(text(*index, Severity::Error), HasSubstr("a: There is more than one image"));
  EXPECT_THAT(text(*index, Severity::Error), HasSubstr("b: There is more than one mask"));
}

TEST(DatasetIndex, OneTreeOfBratsCasesInPublishedOrder) {
  TemporaryFolder folder;
  for (const char* name : {"BraTS_1", "BraTS_2"})
    for (const char* part : {"_flair", "_seg", "_t1", "_t1ce", "_t2"})
      if (std::string(name) + part != "BraTS_2_t2")
        touch(folder / name / (std::string(name) + part + ".nii.gz"));
  IndexOptions options;
  options.imageChannels = 4;
  const auto index = indexDataset(folder.path(), {}, options);
  ASSERT_TRUE(index);
  ASSERT_THAT(subjects(*index), ElementsAre("BraTS_1"));
  EXPECT_THAT(index->modalities, ElementsAre("t1", "t1ce", "t2", "flair"));
  EXPECT_EQ(index->cases[0].files.images[3].filename(), "BraTS_1_flair.nii.gz");
  EXPECT_THAT(text(*index, Severity::Warning), HasSubstr("BraTS_2: The subject has no t2"));

  options.imageChannels = 1; // which one?
  EXPECT_THAT(text(*indexDataset(folder.path(), {}, options), Severity::Error), HasSubstr("name the modalities"));
  options.modalities = {"FLAIR"};
  EXPECT_THAT(subjects(*indexDataset(folder.path(), folder.path(), options)), ElementsAre("BraTS_1", "BraTS_2"));
}

TEST(DatasetIndex, MasksInAFolderBelowTheImages) {
  TemporaryFolder folder;
  for (const char* name : {"1.nii", "2.nii", "masks/1.nii", "masks/2.nii"})
    touch(folder / name);
  const auto index = indexDataset(folder.path(), folder / "masks", {});
  ASSERT_TRUE(index);
  EXPECT_THAT(subjects(*index), ElementsAre("1", "2"));
  EXPECT_EQ(index->cases[0].files.images, std::vector{folder / "1.nii"});
}

TEST(DatasetIndex, FoldersSayWhatIsAMaskWhereNamesDoNot) {
  TemporaryFolder folder;
  for (const char* name : {"image/case_1.nii", "mask/case_1.nii", "imagesTr/case_2.nii", "labelsTr/case_2.nii"})
    touch(folder / name);
  const auto index = indexDataset(folder.path(), {}, {});
  ASSERT_TRUE(index);
  ASSERT_THAT(subjects(*index), ElementsAre("case_1", "case_2"));
  EXPECT_EQ(index->cases[0].files.mask, folder / "mask/case_1.nii");
}

TEST(DatasetIndex, ChannelNumbersOfNnUnet) {
  TemporaryFolder folder;
  for (const char* name : {"imagesTr/la_003_0000.nii.gz", "imagesTr/la_003_0001.nii.gz", "labelsTr/la_003.nii.gz"})
    touch(folder / name);
  IndexOptions options;
  options.imageChannels = 2;
  const auto index = indexDataset(folder / "imagesTr", folder / "labelsTr", options);
  ASSERT_TRUE(index);
  ASSERT_THAT(subjects(*index), ElementsAre("la_003"));
  EXPECT_EQ(index->cases[0].files.images[1].filename(), "la_003_0001.nii.gz");
}

TEST(DatasetIndex, TheOnlyTwoFilesBelongTogether) {
  TemporaryFolder folder;
  touch(folder / "i/ch2.nii.gz");
  touch(folder / "m/aal.nii.gz");
  const auto index = indexDataset(folder / "i", folder / "m", {});
  ASSERT_TRUE(index);
  EXPECT_THAT(subjects(*index), ElementsAre("ch2"));
  EXPECT_THAT(text(*index, Severity::Note), HasSubstr("only one of each"));
  const auto files = indexDataset(folder / "i/ch2.nii.gz", folder / "m/aal.nii.gz", {});
  ASSERT_TRUE(files);
  EXPECT_EQ(files->cases.size(), 1u);
}

TEST(DatasetIndex, WithoutMasksEveryImageIsACase) {
  TemporaryFolder folder;
  touch(folder / "a.nii");
  touch(folder / "b.nii");
  IndexOptions options;
  options.masks = MaskUse::Ignored;
  EXPECT_THAT(subjects(*indexDataset(folder.path(), {}, options)), ElementsAre("a", "b"));
}

TEST(DatasetIndex, LinksThatGoRoundAreFollowedOnce) {
  TemporaryFolder folder;
  touch(folder / "a.nii");
  fs::create_directory_symlink(folder.path(), folder / "loop");
  EXPECT_EQ(volumeFilesBelow(folder.path())->size(), 1u);
}

TEST(DatasetIndex, EmptyAndMissingFoldersGiveSentences) {
  TemporaryFolder folder;
  EXPECT_EQ(indexDataset(folder / "none", {}, {}).error().code, ExitCode::Data);
  EXPECT_THAT(indexDataset(folder.path(), {}, {}).error().message, HasSubstr("There is no volume"));
  std::stop_source stop;
  stop.request_stop();
  touch(folder / "a.nii");
  IndexOptions options;
  options.cancel = stop.get_token();
  EXPECT_EQ(indexDataset(folder.path(), {}, options).error().code, ExitCode::Stopped);
}
