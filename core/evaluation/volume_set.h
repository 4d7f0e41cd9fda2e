// SPDX-License-Identifier: Apache-2.0
// The volumes that are evaluated, brought to one grid, and whose they are.
#pragma once
#include "core/evaluation/bootstrap.h"
#include "core/imaging/resample.h"
#include <functional>
#include <map>

namespace voxlab {

enum class IntensityScaling {
  Unknown,
  Percentiles, // 0.5 and 99.5 percentile of each volume to −1 and 1, cut off beyond: the recipe "volume" of training
  AsStored,
};

struct EvaluatedFile {
  std::filesystem::path file;
  std::string caseKey;  // whose image it is, copies told apart: "colin27_aug03"
  std::string subject;  // copies taken together: "colin27"
  std::optional<std::uint64_t> seed; // of a synthetic volume, from its NAME.json
  std::filesystem::path mask;        // that it was drawn for, where NAME.json says so
  Json info = Json::object();        // NAME.json
};

// "colin27_aug03" → "colin27"; "case_7_flip_seed12" → "case_7"; "sub-01_ses-02" → "sub-01".
std::string withoutCopyNumber(std::string_view caseKey);

// The volumes of a run (its newest samples), of a folder with its subfolders, or one file; masks and recorded trajectories are left
// out. `modality`: only these, by the words in file names; empty: all, which must then be of one kind. Fails with Data.
Result<std::vector<EvaluatedFile>> evaluatedFiles(const std::filesystem::path& source, const std::string& modality);

// Which volumes these are, wherever their folder is moved: volumeSetOf() a sampling run whose samples they are, else "files" with a digest of their
// names and sizes. Empty for no files.
std::string setIdOf(const std::filesystem::path& source, const std::vector<EvaluatedFile>& files);

struct VolumeSet {
  GridSize size{};
  std::vector<EvaluatedFile> files;
  std::vector<std::vector<float>> voxels; // one a file; finite
  std::vector<std::string> notes = {};    // voxels that were no numbers, time points that were left out
  Groups groups() const;                  // by subject, in order of names
  std::int64_t subjects() const { return static_cast<std::int64_t>(groups().size()); }
};

struct LoadOrder {
  GridSize size{}; // zeros: that of the first volume, turned to RAS
  IntensityScaling scaling = IntensityScaling::Percentiles;
  std::function<bool()> goOn; // asked after each volume; false: stop
};
// Turned to the closest RAS axes, intensities scaled, brought to size over the same field of view by a triangle filter. Fails with
// Data, OutOfMemory when the set would take more than half of `memory_bytes`, Stopped.
Result<VolumeSet> loadVolumes(std::vector<EvaluatedFile> files, const LoadOrder& order, std::uint64_t memory_bytes);

// A label volume on the grid of the set, nearest neighbour. Fails with Data.
Result<std::vector<float>> loadLabels(const std::filesystem::path& file, const GridSize& size);

// For each file of `first` the file of `second` of the same case, that with the same seed where both have seeds; nullopt: none.
std::vector<std::optional<std::size_t>> pairedBy(const std::vector<EvaluatedFile>& first, const std::vector<EvaluatedFile>& second);
// Masks by case, from names and from what the synthetic volumes say; `folder` may be empty.
Result<std::map<std::string, std::filesystem::path>> masksByCase(const std::filesystem::path& folder, const std::vector<EvaluatedFile>& files);

} // namespace voxlab
