// SPDX-License-Identifier: Apache-2.0
// Which files of one or two folders belong together: images and masks are paired by subject, told from their names.
#pragma once
#include "core/imaging/preprocess.h"

namespace voxlab {

enum class Severity { Unknown, Note, Warning, Error };

struct Finding {
  Severity severity = Severity::Unknown;
  std::filesystem::path file; // may be empty
  std::string subject;        // may be empty
  std::string message;        // a sentence
};
const char* severityName(Severity severity); // "error", "warning", "note"
Json toJson(const Finding& finding);
std::string inWords(const Finding& finding); // "case_1, masks/case_1.nii.gz: It has no voxel of label 2."

struct DatasetCase {
  std::string subject;
  CaseFiles files;
};

struct DatasetIndex {
  std::vector<DatasetCase> cases; // sorted by subject
  std::vector<std::string> modalities; // in channel order, where names tell them
  std::vector<Finding> findings;  // unmatched, duplicate, incomplete
};

enum class MaskUse { Unknown, Required, Ignored };

struct IndexOptions {
  int imageChannels = 1;
  // Which modality goes to which channel ("t1", "t1ce", "t2", "flair"); empty: found out, if the names leave no doubt.
  std::vector<std::string> modalities;
  MaskUse masks = MaskUse::Required;
  std::stop_token cancel;
};

// Both may be a folder, searched with its subfolders, or a single file. An empty `masks`, or the same folder twice, means one
// tree in which names tell masks from images. Fails with Data when a folder cannot be read or holds no volume, with Stopped.
Result<DatasetIndex> indexDataset(const std::filesystem::path& images, const std::filesystem::path& masks, const IndexOptions& options);

// Volume files below a folder, sorted; hidden and unfinished ones and the .img halves of pairs are left out.
Result<std::vector<std::filesystem::path>> volumeFilesBelow(const std::filesystem::path& folder, const std::stop_token& cancel = {});

} // namespace voxlab
