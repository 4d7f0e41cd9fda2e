// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/subject_key.h"
#include "core/imaging/importers.h"
#include <algorithm>
#include <array>
#include <optional>

namespace voxlab {
namespace {
constexpr std::string_view kSeparators = "_-. ";

struct Word {
  std::string_view spelling, modality;
  FileRole role;
};
constexpr FileRole kI = FileRole::Image, kM = FileRole::Mask;
// Words that say what a file is rather than whose.
constexpr std::array<Word, 56> kWords{{
    {"t1", "t1", kI},       {"t1w", "t1", kI},      {"t1n", "t1", kI},     {"mprage", "t1", kI},   {"t1ce", "t1ce", kI},  {"t1c", "t1ce", kI},
    {"t1gd", "t1ce", kI},   {"t1post", "t1ce", kI}, {"t2", "t2", kI},      {"t2w", "t2", kI},      {"flair", "flair", kI}, {"t2f", "flair", kI},
    {"t2flair", "flair", kI}, {"pd", "pd", kI},     {"pdw", "pd", kI},     {"dwi", "dwi", kI},     {"adc", "adc", kI},    {"swi", "swi", kI},
    {"bold", "bold", kI},   {"mra", "mra", kI},     {"ct", "ct", kI},      {"mr", "", kI},         {"mri", "", kI},       {"image", "", kI},
    {"images", "", kI},     {"img", "", kI},        {"imgs", "", kI},      {"volume", "", kI},     {"vol", "", kI},       {"scan", "", kI},
    {"anat", "", kI},       {"brain", "", kI},      {"bet", "", kI},       {"orig", "", kI},       {"norm", "", kI},      {"imagestr", "", kI},
    {"seg", "", kM},        {"segs", "", kM},       {"dseg", "", kM},      {"segmentation", "", kM}, {"mask", "", kM},    {"masks", "", kM},
    {"label", "", kM},      {"labels", "", kM},     {"lbl", "", kM},       {"roi", "", kM},        {"gt", "", kM},        {"aseg", "", kM},
    {"parc", "", kM},       {"brainmask", "", kM},  {"tissue", "", kM},    {"tumor", "", kM},      {"tumour", "", kM},    {"lesion", "", kM},
    {"annotation", "", kM}, {"labelstr", "", kM},
}};
// BIDS entities that describe a derivative, not a subject.
constexpr std::array<std::string_view, 6> kDescriptions{"desc-", "space-", "res-", "label-", "den-", "rec-"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

const Word* find(std::string_view text) {
  const std::string word = lower(text);
  const auto it = std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) { return w.spelling == word; });
  return it == kWords.end() ? nullptr : &*it;
}

void take(const Word& word, SubjectKey& key) {
  // What stands last in a name says most: "case_t1_seg" is a mask.
  if (key.role == FileRole::Unknown)
    key.role = word.role;
  if (key.modality.empty())
    key.modality = word.modality;
}

bool stripDescription(std::string_view& name) {
  const auto at = name.find_last_of("_ ");
  if (at == std::string_view::npos || at == 0)
    return false;
  const std::string part = lower(name.substr(at + 1));
  if (std::none_of(kDescriptions.begin(), kDescriptions.end(), [&](std::string_view d) { return part.starts_with(d); }))
    return false;
  name = name.substr(0, at);
  return true;
}

bool stripLast(std::string_view& name, SubjectKey& key) {
  const auto at = name.find_last_of(kSeparators);
  const Word* word = find(at == std::string_view::npos ? name : name.substr(at + 1));
  if (!word)
    return false;
  take(*word, key);
  name = at == std::string_view::npos ? std::string_view{} : name.substr(0, at);
  return true;
}

bool stripFirst(std::string_view& name, SubjectKey& key) {
  const auto at = name.find_first_of(kSeparators);
  if (at == std::string_view::npos)
    return false;
  const Word* word = find(name.substr(0, at));
  if (!word)
    return false;
  take(*word, key);
  name = name.substr(at + 1);
  return true;
}

// The closest folder above the file, below the root, that is not itself called "masks", "anat" or the like.
std::string folderName(const std::filesystem::path& file, const std::filesystem::path& root) {
  const auto relative = file.lexically_relative(root).parent_path();
  for (auto folder = relative; !folder.empty(); folder = folder.parent_path())
    if (const auto name = folder.filename().string(); !name.empty() && name != "." && name != ".." && !find(name))
      return name;
  return {};
}
// "images/…/case_07.nii.gz", "labelsTr/case_07.nii.gz": the folder says what the name does not.
FileRole roleOfFolders(const std::filesystem::path& file, const std::filesystem::path& root) {
  for (auto folder = file.lexically_relative(root).parent_path(); !folder.empty(); folder = folder.parent_path())
    if (const Word* word = find(folder.filename().string()))
      return word->role;
  return FileRole::Unknown;
}
} // namespace

std::string SubjectKey::key() const { return lower(subject); }

SubjectKey subjectKeyOf(const std::filesystem::path& file, const std::filesystem::path& root) {
  const std::string stem = volumeStem(file);
  SubjectKey key;
  std::string_view name = stem;
  while (!name.empty() && (stripDescription(name) || stripLast(name, key))) {
  }
  while (!name.empty() && stripFirst(name, key)) {
  }
  key.subject = std::string(name);
  if (key.subject.empty())
    key.subject = folderName(file, root);
  if (key.subject.empty())
    key.subject = stem;
  if (key.role == FileRole::Unknown)
    key.role = roleOfFolders(file, root);
  return key;
}

std::string normalisedModality(std::string_view word) {
  const Word* known = find(word);
  return known && !known->modality.empty() ? std::string(known->modality) : lower(word);
}

} // namespace voxlab
