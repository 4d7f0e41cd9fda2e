// SPDX-License-Identifier: Apache-2.0
// Which files are evaluated, and whose they are.
#include "core/evaluation/volume_set.h"
#include "core/imaging/dataset_index.h"
#include "core/imaging/importers.h"
#include "core/imaging/subject_key.h"
#include "core/protocol/run_directory.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
constexpr std::array<std::string_view, 9> kCopyWords{"aug", "seed", "copy", "flip", "flipped", "rep", "var", "ses-", "run-"};

bool isCopyWord(std::string_view word) {
  return std::any_of(kCopyWords.begin(), kCopyWords.end(), [&](std::string_view known) {
    if (!word.starts_with(known))
      return false;
    const std::string_view rest = word.substr(known.size());
    return std::all_of(rest.begin(), rest.end(), [](char c) { return (c >= '0' && c <= '9') || c == '-'; });
  });
}

std::string withoutSeed(const std::string& key) {
  const auto at = key.rfind("_seed");
  const bool seeded = at != std::string::npos && at > 0 && key.find_first_not_of("0123456789", at + 5) == std::string::npos;
  return seeded ? key.substr(0, at) : key;
}

// A training run's newest samples, or all of a sampling run's.
fs::path samplesOf(const fs::path& run) {
  const fs::path samples = run / "samples";
  std::optional<fs::path> newest;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(samples, ec))
    if (entry.is_directory(ec) && entry.path().filename().string().starts_with("step_") && (!newest || *newest < entry.path()))
      newest = entry.path();
  return newest.value_or(samples);
}

// NAME.json beside NAME.nii.gz, or beside NAME_t1.nii.gz where several channels were drawn.
Json infoBeside(const fs::path& file) {
  std::string stem = volumeStem(file);
  for (int tries = 0; tries < 2; ++tries) {
    std::error_code ec;
    if (const fs::path info = file.parent_path() / (stem + ".json"); fs::exists(info, ec))
      if (const auto json = readJsonFile(info); json && json->is_object())
        return *json;
    const auto cut = stem.rfind('_');
    if (cut == std::string::npos)
      break;
    stem.resize(cut);
  }
  return Json::object();
}

bool drawnByWorker(const Json& info) {
  return info.contains("sampler");
}

EvaluatedFile described(const fs::path& file, Json info, const SubjectKey& key) {
  EvaluatedFile out;
  out.file = file;
  out.info = std::move(info);
  out.seed = jsonGet<std::uint64_t>(out.info, "seed");
  if (drawnByWorker(out.info)) {
    out.mask = jsonGet<std::string>(out.info, "mask").value_or("");
    // Without a mask each draw is a case of its own.
    out.caseKey = out.mask.empty() ? key.key() : subjectKeyOf(out.mask, out.mask.parent_path()).key();
    out.subject = out.mask.empty() ? out.caseKey : withoutCopyNumber(out.caseKey);
    return out;
  }
  out.caseKey = withoutSeed(key.key());
  out.subject = withoutCopyNumber(out.caseKey);
  return out;
}
} // namespace

std::string withoutCopyNumber(std::string_view key) {
  while (true) {
    const auto at = key.find_last_of("_ ");
    if (at == std::string_view::npos || at == 0 || !isCopyWord(key.substr(at + 1)))
      return std::string(key);
    key = key.substr(0, at);
  }
}

Result<std::vector<EvaluatedFile>> evaluatedFiles(const fs::path& source, const std::string& modality) {
  const fs::path root = RunDirectory::looksLikeRun(source) ? samplesOf(source) : source;
  std::error_code ec;
  if (!fs::exists(root, ec))
    return fail(ExitCode::Data, "There is nothing at " + root.string() + ": name a run that drew volumes, a folder of volumes, or one volume.");
  std::vector<fs::path> found;
  if (fs::is_directory(root, ec)) {
    auto below = volumeFilesBelow(root);
    if (!below)
      return fail(below.error());
    found = std::move(*below);
  } else {
    found = {root};
  }
  const std::string wanted = modality.empty() ? "" : normalisedModality(modality);
  std::vector<EvaluatedFile> files;
  std::set<std::string> modalities;
  for (const fs::path& file : found) {
    const bool trajectory = file.parent_path().filename().string().ends_with("_steps");
    const SubjectKey key = subjectKeyOf(file, fs::is_directory(root, ec) ? root : root.parent_path());
    if (trajectory || (!wanted.empty() && key.modality != wanted))
      continue;
    Json info = infoBeside(file);
    if (key.role == FileRole::Mask && !drawnByWorker(info)) // samples are called after their masks
      continue;
    modalities.insert(key.modality);
    files.push_back(described(file, std::move(info), key));
  }
  if (files.empty())
    return fail(ExitCode::Data, "There is no volume to evaluate in " + root.string() + (wanted.empty() ? ". A run has some once it has drawn samples; a folder, NIfTI, MGH, NRRD or MetaImage files."
                                                                                                  : " whose name says " + wanted + ". Name another quality.modality, or none for all."));
  modalities.erase("");
  if (modalities.size() > 1) {
    std::string names;
    for (const auto& name : modalities)
      names += (names.empty() ? "" : ", ") + name;
    return fail(ExitCode::Usage, root.string() + " holds several kinds of images (" + names + "): say which with quality.modality.");
  }
  return files;
}

std::vector<std::optional<std::size_t>> pairedBy(const std::vector<EvaluatedFile>& first, const std::vector<EvaluatedFile>& second) {
  std::vector<std::optional<std::size_t>> pairs;
  for (const EvaluatedFile& file : first) {
    std::optional<std::size_t> found;
    for (std::size_t n = 0; n < second.size(); ++n) {
      if (second[n].caseKey != file.caseKey)
        continue;
      const bool bothSeeded = file.seed && second[n].seed;
      if (bothSeeded && *file.seed != *second[n].seed)
        continue;
      found = n;
      break;
    }
    pairs.push_back(found);
  }
  return pairs;
}

Result<std::map<std::string, fs::path>> masksByCase(const fs::path& folder, const std::vector<EvaluatedFile>& files) {
  std::map<std::string, fs::path> masks;
  std::error_code ec;
  for (const EvaluatedFile& file : files)
    if (!file.mask.empty() && fs::exists(file.mask, ec))
      masks.emplace(file.caseKey, file.mask);
  if (folder.empty())
    return masks;
  const auto below = volumeFilesBelow(folder);
  if (!below)
    return fail(below.error());
  for (const fs::path& file : *below)
    masks[subjectKeyOf(file, folder).key()] = file;
  return masks;
}

std::string setIdOf(const fs::path& source, const std::vector<EvaluatedFile>& files) {
  if (files.empty())
    return {};
  const fs::path folder = source.has_filename() ? source : source.parent_path();
  const RunDirectory run(folder.filename() == "samples" ? folder.parent_path() : folder);
  if (RunDirectory::looksLikeRun(run.path()))
    if (const auto info = run.info(); info && info->kind == "sample") // a training run has other samples later
      return volumeSetOf(run.path());
  std::set<std::string> lines; // in one order
  for (const EvaluatedFile& file : files) {
    std::error_code ec;
    const auto size = fs::file_size(file.file, ec);
    lines.insert(file.file.filename().string() + " " + std::to_string(ec ? 0 : size) + "\n");
  }
  std::uint64_t digest = 14695981039346656037ull; // FNV-1a
  for (const std::string& line : lines)
    for (const char c : line)
      digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  char text[40];
  std::snprintf(text, sizeof text, "files %016llx", static_cast<unsigned long long>(digest));
  return text;
}

} // namespace voxlab
