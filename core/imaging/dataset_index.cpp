// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/dataset_index.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/imaging/importers.h"
#include "core/imaging/published.h"
#include "core/imaging/subject_key.h"
#include <algorithm>
#include <map>
#include <set>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
constexpr int kDeepest = 12;
constexpr std::size_t kMostFiles = 500'000;

struct Candidate {
  fs::path file;
  SubjectKey key;
};

struct Subject {
  std::string name; // as written
  std::vector<Candidate> images, masks;
};

bool isSecondHalf(const fs::path& file) {
  fs::path header = file;
  if (header.extension() == ".gz")
    header.replace_extension();
  std::error_code ec;
  return header.extension() == ".img" && fs::exists(header.replace_extension(".hdr"), ec);
}

fs::path tidy(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path(); // no slash at the end
}

bool isWithin(const fs::path& file, const fs::path& folder) {
  const auto relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// Links to folders are followed, each folder is looked into once.
class FolderSearch {
public:
  explicit FolderSearch(const std::stop_token& cancel) : m_cancel(cancel) {}
  std::vector<fs::path> found;

  Status look(const fs::path& folder, int depth) {
    std::error_code ec;
    const fs::path real = fs::canonical(folder, ec);
    fs::directory_iterator it(folder, ec);
    if (ec)
      return depth > 0 ? Status{} : fail(ExitCode::Data, "Could not read the folder " + folder.string() + ": " + ec.message() + ".");
    if (!m_seen.insert(real).second)
      return {};
    for (const fs::directory_iterator end; it != end && !ec; it.increment(ec)) {
      if (m_cancel.stop_requested())
        return fail(ExitCode::Stopped, "Looking through " + folder.string() + " was cancelled.");
      const std::string name = it->path().filename().string();
      std::error_code ignored;
      if (name.starts_with('.') || isTemporary(it->path()))
        continue;
      if (it->is_directory(ignored) && depth < kDeepest) {
        if (auto status = look(it->path(), depth + 1); !status)
          return status;
      } else if (it->is_regular_file(ignored) && isNamedLikeVolume(it->path()) && !name.ends_with(".dcm") && !isSecondHalf(it->path())) {
        found.push_back(it->path());
      }
      if (found.size() > kMostFiles)
        return fail(ExitCode::Data, folder.string() + " holds more than " + formatCount(kMostFiles) + " volumes; name a folder closer to the data.");
    }
    return {};
  }

private:
  std::stop_token m_cancel;
  std::set<fs::path> m_seen;
};

class Indexer {
public:
  Indexer(const fs::path& images, const fs::path& masks, const IndexOptions& options)
      : m_images(tidy(images)), m_masks(tidy(masks)), m_options(options), m_oneTree(masks.empty() || m_images == m_masks) {}

  Result<DatasetIndex> run() {
    for (auto& modality : m_options.modalities)
      modality = normalisedModality(modality);
    if (auto status = collect(); !status)
      return fail(status.error());
    for (auto& [key, subject] : m_subjects)
      addCase(subject);
    std::sort(m_index.cases.begin(), m_index.cases.end(), [](const auto& a, const auto& b) { return a.subject < b.subject; });
    m_index.modalities = m_options.modalities;
    if (m_index.cases.empty())
      note(Severity::Error, m_images, "", "No subject is complete, so there is nothing to train on.");
    return std::move(m_index);
  }

private:
  bool wantsMasks() const { return m_options.masks != MaskUse::Ignored; }
  void note(Severity severity, const fs::path& file, const std::string& subject, const std::string& message) {
    m_index.findings.push_back({severity, file, subject, message});
  }

  // --- files → candidates → subjects ---------------------------------------------------------------------------------
  Status collect() {
    std::vector<Candidate> images, masks;
    auto found = volumeFilesBelow(m_images, m_options.cancel);
    if (!found)
      return fail(found.error());
    for (const auto& file : *found) {
      const Candidate candidate{file, subjectKeyOf(file, m_images)};
      const bool mask = candidate.key.role == FileRole::Mask;
      if (m_oneTree)
        (mask ? masks : images).push_back(candidate);
      else if (!isWithin(m_masks, m_images) || !isWithin(file, m_masks))
        images.push_back(candidate);
    }
    if (!m_oneTree && wantsMasks()) {
      found = volumeFilesBelow(m_masks, m_options.cancel);
      if (!found)
        return fail(found.error());
      for (const auto& file : *found)
        if (!isWithin(m_images, m_masks) || !isWithin(file, m_images))
          masks.push_back({file, subjectKeyOf(file, m_masks)});
    }
    recogniseChannelNumbers(images, masks);
    pairTheOnlyTwo(images, masks);
    for (auto& candidate : images)
      subject(candidate).images.push_back(candidate);
    if (wantsMasks())
      for (auto& candidate : masks)
        subject(candidate).masks.push_back(candidate);
    if (!m_oneTree)
      dropMasksAmongImages();
    return {};
  }

  Subject& subject(const Candidate& candidate) {
    Subject& out = m_subjects[candidate.key.key()];
    if (out.name.empty())
      out.name = candidate.key.subject;
    return out;
  }

  // nnU-Net: case_0000.nii.gz, case_0001.nii.gz are channels of case when there is a mask called case.
  void recogniseChannelNumbers(std::vector<Candidate>& images, const std::vector<Candidate>& masks) const {
    std::set<std::string> maskKeys;
    for (const auto& mask : masks)
      maskKeys.insert(mask.key.key());
    for (auto& image : images) {
      const std::string& name = image.key.subject;
      if (name.size() < 6 || maskKeys.contains(image.key.key()) || name[name.size() - 5] != '_')
        continue;
      const std::string number = name.substr(name.size() - 4);
      SubjectKey shorter = image.key;
      shorter.subject = name.substr(0, name.size() - 5);
      if (std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c); }) && maskKeys.contains(shorter.key())) {
        shorter.modality = number;
        image.key = shorter;
      }
    }
  }

  // One image, one mask, named differently: there is no doubt about what is meant.
  void pairTheOnlyTwo(const std::vector<Candidate>& images, std::vector<Candidate>& masks) {
    if (images.size() != 1 || masks.size() != 1 || images[0].key.key() == masks[0].key.key())
      return;
    note(Severity::Note, masks[0].file, images[0].key.subject,
         masks[0].file.filename().string() + " was taken as the mask of " + images[0].file.filename().string() +
             ", although their names differ: there is only one of each.");
    masks[0].key.subject = images[0].key.subject;
  }

  // A folder of images that holds segmentations too, with another folder named for the masks.
  void dropMasksAmongImages() {
    for (auto& [key, subject] : m_subjects) {
      const auto isMask = [](const Candidate& c) { return c.key.role == FileRole::Mask; };
      if (std::all_of(subject.images.begin(), subject.images.end(), isMask))
        continue;
      std::erase_if(subject.images, isMask);
    }
  }

  // --- subjects → cases ----------------------------------------------------------------------------------------------
  void addCase(Subject& subject) {
    if (subject.images.empty()) {
      for (const auto& mask : subject.masks)
        note(Severity::Warning, mask.file, subject.name, "The mask has no image and is left out.");
      return;
    }
    DatasetCase entry{subject.name, {}};
    if (wantsMasks() && !takeMask(subject, entry))
      return;
    if (!takeImages(subject, entry))
      return;
    m_index.cases.push_back(std::move(entry));
  }

  bool takeMask(const Subject& subject, DatasetCase& entry) {
    if (subject.masks.empty()) {
      for (const auto& image : subject.images)
        note(Severity::Warning, image.file, subject.name, "The image has no mask and is left out.");
      return false;
    }
    if (subject.masks.size() > 1) {
      note(Severity::Error, subject.masks[1].file, subject.name, "There is more than one mask of this subject: " + names(subject.masks) + ".");
      return false;
    }
    entry.files.mask = subject.masks.front().file;
    return true;
  }

  bool takeImages(const Subject& subject, DatasetCase& entry) {
    std::map<std::string, fs::path> byModality;
    for (const auto& image : subject.images)
      if (!byModality.emplace(image.key.modality, image.file).second) {
        note(Severity::Error, image.file, subject.name, "There is more than one image of this subject and kind: " + names(subject.images) + ".");
        return false;
      }
    const auto channels = static_cast<std::size_t>(m_options.imageChannels);
    if (m_options.modalities.empty() && byModality.size() == 1 && channels == 1) {
      entry.files.images.push_back(byModality.begin()->second);
      return true;
    }
    if (m_options.modalities.empty() && !guessModalities(byModality, channels)) {
      note(Severity::Error, subject.images.front().file, subject.name,
           "The network takes " + std::to_string(channels) + " image" + (channels == 1 ? "" : "s") + " a subject, and here are " +
               std::to_string(byModality.size()) + " (" + names(subject.images) + "); name the modalities that are meant.");
      return false;
    }
    if (m_options.modalities.size() != channels) {
      note(Severity::Error, {}, subject.name, "The number of modalities named does not equal the network's " + std::to_string(channels) + " image channels.");
      return false;
    }
    for (const auto& modality : m_options.modalities) {
      const auto it = byModality.find(modality);
      if (it == byModality.end()) {
        note(Severity::Warning, subject.images.front().file, subject.name, "The subject has no " + modality + " image and is left out.");
        return false;
      }
      entry.files.images.push_back(it->second);
    }
    return true;
  }

  // The published order for BraTS; otherwise by name, if every subject has as many as the network takes.
  bool guessModalities(const std::map<std::string, fs::path>& byModality, std::size_t channels) {
    if (byModality.size() < channels || channels < 2)
      return false;
    std::vector<std::string> guess;
    if (channels == kBratsModalities.size() && std::all_of(kBratsModalities.begin(), kBratsModalities.end(), [&](const char* m) { return byModality.contains(m); }))
      guess.assign(kBratsModalities.begin(), kBratsModalities.end());
    else if (byModality.size() == channels && !byModality.contains(""))
      for (const auto& [modality, file] : byModality)
        guess.push_back(modality);
    else
      return false;
    m_options.modalities = guess;
    std::string order;
    for (const auto& modality : guess)
      order += (order.empty() ? "" : ", ") + modality;
    note(Severity::Note, {}, "", "Image channels, in this order: " + order + ".");
    return true;
  }

  static std::string names(const std::vector<Candidate>& candidates) {
    std::string out;
    for (std::size_t n = 0; n < candidates.size() && n < 6; ++n)
      out += (n == 0 ? "" : ", ") + candidates[n].file.filename().string();
    return candidates.size() > 6 ? out + ", …" : out;
  }

  fs::path m_images, m_masks;
  IndexOptions m_options;
  bool m_oneTree;
  std::map<std::string, Subject> m_subjects;
  DatasetIndex m_index;
};
} // namespace

const char* severityName(Severity severity) {
  switch (severity) {
  case Severity::Error: return "error";
  case Severity::Warning: return "warning";
  case Severity::Note: return "note";
  case Severity::Unknown: break;
  }
  return "unknown";
}

std::string inWords(const Finding& finding) {
  const fs::path file = finding.file.parent_path().filename() / finding.file.filename();
  std::string where = finding.subject;
  if (!file.empty() && finding.message.find(finding.file.string()) == std::string::npos)
    where += (where.empty() ? "" : ", ") + file.string();
  return (where.empty() ? "" : where + ": ") + finding.message;
}

Json toJson(const Finding& finding) {
  return {{"severity", severityName(finding.severity)}, {"file", finding.file.string()}, {"subject", finding.subject}, {"message", finding.message}};
}

Result<std::vector<fs::path>> volumeFilesBelow(const fs::path& folder, const std::stop_token& cancel) {
  std::error_code ec;
  if (fs::is_regular_file(folder, ec))
    return std::vector{folder};
  FolderSearch search(cancel);
  if (auto status = search.look(folder, 0); !status)
    return fail(status.error());
  if (search.found.empty())
    return fail(ExitCode::Data, "There is no volume (NIfTI, MGH, NRRD, MetaImage …) in " + folder.string() + " or its subfolders.");
  std::sort(search.found.begin(), search.found.end());
  return std::move(search.found);
}

Result<DatasetIndex> indexDataset(const fs::path& images, const fs::path& masks, const IndexOptions& options) {
  return Indexer(images, masks, options).run();
}

} // namespace voxlab
