// SPDX-License-Identifier: Apache-2.0
// Hardware counters by Nsight Compute, which runs a program of its own and writes CSV pages.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace voxlab {

// The program `ncu`: VOXLAB_NCU, PATH, then where CUDA and Nsight Compute are usually installed. Fails with Data and a sentence that
// says what is used instead.
Result<std::filesystem::path> findNcu();

struct NcuOrder {
  std::vector<std::string> command;   // the program to watch; it opens collection itself (cuProfilerStart, cuProfilerStop)
  std::filesystem::path pages;        // NAME: NAME.raw.csv.gz, NAME.details.csv.gz and NAME.ncu-rep are made
  std::size_t expectedLaunches = 0;   // for progress
};
struct NcuHooks {
  std::function<void(double)> progress; // 0…1
  std::function<bool()> stop;           // true: give up
};
// Collects what core/analysis/counters.h asks for, with sections for the rules' advice; leaves the clocks alone. Fails with Data and
// a sentence: counters forbidden (ERR_NVGPUCTRPERM), nothing collected, or what Nsight Compute said; with Stopped on request.
Status collectCounters(const std::filesystem::path& ncu, const NcuOrder& order, const NcuHooks& hooks);

// What is said when counters cannot be had.
inline constexpr const char* kInsteadOfCounters = " Estimates from shapes take the place of counters.";

} // namespace voxlab
