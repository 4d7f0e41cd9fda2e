// SPDX-License-Identifier: Apache-2.0
// Several run folders as one comparison: benchmarks, profiles, samples and quality results of the same modes brought together,
// whichever machine they come from.
#pragma once
#include "core/analysis/comparison.h"
#include "core/protocol/quality_result.h"
#include <filesystem>
#include <stop_token>

namespace voxlab {

struct ComparisonInput {
  std::string id, title, kind, mode, device, created;
  std::filesystem::path folder;
  Json environment = Json::object(); // newest line
  Json spec = Json::object();
};

// A volume that was drawn. Equal seeds and masks had equal noise, whatever the mode.
struct DrawnVolume {
  std::filesystem::path file;
  std::optional<std::int64_t> seed;
  std::string mask; // its file's name; empty: unknown
};

// A set of volumes made in one way: with a network, a mode, a sampler, its steps and its fresh noise on a device.
struct VolumePoint {
  std::string mode, sampler, device;
  std::int64_t steps = 0;
  std::optional<double> eta;                 // where it is not the job's default (job_parameters.h); ddpm has none
  std::string size;                          // of the volumes that were drawn: "64 × 64 × 64"
  std::vector<double> volume_ms;             // as drawn
  std::optional<double> step_ms;             // a sampling step by a benchmark of the same mode on the same device …
  std::string stepSize;                      // … at this size
  std::vector<QualityMeasure> quality;
  std::vector<DrawnVolume> samples;
  std::filesystem::path checkpoint;           // as far as the runs tell: a path, or its name
  std::string weights;                        // "ema", "last"
  std::string source, title, set;             // id and title of the run that drew them, else of that which judged them; name of their folder
  std::vector<std::filesystem::path> runs;    // that drew them
  std::vector<std::string> setIds;            // of the volumes (volumeSetOf); of old results none, where no run here drew them
  std::string realId;                         // of the real volumes; empty: an old result, or none
  std::filesystem::path judged, real;         // the folder that the quality speaks of, and the real volumes that it was held against
  bool judgedApart = false;                   // a quality run of the comparison names one of `runs`
  std::string label;                          // what else it takes to tell it from others of its way (nameVolumes)
  std::string called, note;                   // by whoever reads the comparison; empty: nothing (comparison_dress.h)
  std::string sampling() const;               // "ddim 50", "ddim 50, η 0"
  std::string recordedName() const;           // "fused_tf32 · ddim 50", "fused_tf32 · ddim 50 · step_00000012"
  std::string name() const { return called.empty() ? recordedName() : called; }
  // What a point's place on the speed axis is: the drawn volume's time where quality was measured on it, and a sentence that says so.
  std::optional<double> timeAtFullSize_ms() const; // step_ms × steps
};

struct ComparisonSet {
  std::vector<ComparisonInput> inputs;
  std::vector<ComparedRun> training, sampling; // a side a mode and device; names are unique
  std::vector<VolumePoint> points;
  std::vector<std::string> notes; // runs that could not be used, modes that could not be measured
  bool empty() const { return training.empty() && sampling.empty() && points.empty(); }
};

// Runs that cannot be read become notes. Measures of two sets of volumes, or against two sets of real ones, never meet in one point.
// Sides of one mode and device are joined where they measured different things. Sorted, whatever the order of the runs: inputs by age, points by sampler, steps, η, mode and set, sides by mode: baseline, opt1, opt2, opt12, the others by name.
ComparisonSet gatherComparison(const std::vector<std::filesystem::path>& runs, const std::stop_token& cancel = {});

// Sizes that sides worked on, each once, in order; empty ones are left out.
std::vector<std::string> workloadsOf(const std::vector<ComparedRun>& sides);
// Names that tell these sides apart and no more: what they are called, else the mode, then size, device and run where several have the same.
void nameSides(std::vector<ComparedRun>& sides);

// The same sides as measures of volumes: time, and every quality measure.
std::vector<ComparedRun> volumeSides(const std::vector<VolumePoint>& points);

// Which side stands for the baseline: named by a mode, a side's name, a run's id or title; empty: the mode baseline, else the
// first. nullopt when it names nothing among them.
std::optional<std::string> baselineAmong(const std::vector<ComparedRun>& sides, const ComparisonSet& set, const std::string& wanted);

} // namespace voxlab
