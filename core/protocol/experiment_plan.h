// SPDX-License-Identifier: Apache-2.0
// An experiment: modes × samplers × steps × devices as a list of jobs. Speed is measured on the full-size network, quality on volumes that
// a trained checkpoint draws at its own size, at equal seeds in every mode.
#pragma once
#include "core/protocol/job_spec.h"
#include <filesystem>

namespace voxlab {

struct PlannedSampling {
  std::string sampler;    // ddpm, ddim, dpm_solver
  int steps = 0;          // 0: all diffusion steps
  std::optional<double> eta; // nullopt: the job's default
};
// "ddim:50" or "ddim:50:0" (the last is η). Fails with Usage on other text; whether there is such a sampler is not looked at.
Result<PlannedSampling> plannedSamplingFrom(const std::string& text);

struct ExperimentPlan {
  std::vector<std::string> modes{"baseline", "opt1", "opt2", "opt12", "bf16", "fused_tf32", "fused_bf16"};
  std::vector<PlannedSampling> samplings{{"dpm_solver", 20, {}}, {"ddim", 50, {}}, {"ddpm", 250, {}}};
  std::vector<std::string> devices{"auto"};
  std::vector<std::int64_t> size{128, 128, 128}; // of the benchmark and the profiles
  int benchmarkSteps = 9, profileSteps = 1;      // 0: none
  std::filesystem::path checkpoint, masks;       // without a checkpoint nothing is drawn
  std::filesystem::path real, training;          // volumes to measure against; without real ones only equal seeds are compared
  bool equalSeeds = true; // PSNR and SSIM of each mode's volumes to what Baseline drew from the same seeds, where it is among several modes
  std::int64_t volumesPerMask = 1;
  std::int64_t seed = 0;
};

struct PlannedJob {
  std::string name;  // of its run folder: "sample_ddim_50_opt1"
  std::string title; // in words
  JobSpec spec;      // defaults are not filled in
  std::string after; // name of the job whose results it reads; empty: none
  std::string reference; // name of the job whose volumes it compares them with (quality.reference), which may have failed; empty: none
  std::string part;  // jobs of one part follow each other: "speed", "ddim_50", "profiles"
};

// The jobs in the order in which they tell most when time runs out: the benchmark, which takes the modes in turn, then volumes and
// their quality, samplers of few steps first and Baseline before what is compared with it, then profiles. Names are unique; a device is named where there are several. `runs` is the folder
// in which the jobs' folders will lie. Fails with Usage where a mode, sampling or device comes twice and where nothing is to be done.
Result<std::vector<PlannedJob>> plannedJobs(const ExperimentPlan& plan, const std::filesystem::path& runs);

} // namespace voxlab
