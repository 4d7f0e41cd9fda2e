// SPDX-License-Identifier: Apache-2.0
// Who and what a volume file is, told from its name: "BraTS_00001_t1ce.nii.gz" is the t1ce image of BraTS_00001,
// "mask_case_07.nii" the mask of case_07, "case_07/seg.nii.gz" too.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace voxlab {

enum class FileRole { Unknown, Image, Mask };

struct SubjectKey {
  std::string subject;  // as written in the name
  std::string modality; // "t1", "t1ce", "t2", "flair", …, one spelling each; empty when the name does not say
  FileRole role = FileRole::Unknown; // Unknown when the name does not say
  // Equal for files of one subject: lower case.
  std::string key() const;
};

// `root` is the folder that was searched: names of folders below it stand in when a file is called after its role alone.
SubjectKey subjectKeyOf(const std::filesystem::path& file, const std::filesystem::path& root);
// One spelling for what is the same: "T1w" → "t1", "t1gd" → "t1ce", "t2f" → "flair"; other words in lower case.
std::string normalisedModality(std::string_view word);

} // namespace voxlab
