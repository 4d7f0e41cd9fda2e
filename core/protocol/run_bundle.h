// SPDX-License-Identifier: Apache-2.0
// Run folders in one file to hand on: NAME.voxrun, a zip with voxrun.json first and a folder for each run. No absolute paths and no
// names of machines or people unless asked for.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace voxlab {

struct PackOptions {
  bool withCheckpoints = false; // weights are large
  bool withNames = false;       // absolute paths, host names, worker.log and Nsight reports as they are
};

struct PackedRuns {
  std::vector<std::string> leftOut; // what stayed behind and how to take it along, a sentence each; empty: all went in
};

// Locks, requests and half-written files stay behind; what else does stands in left_out.json of the packed run (core/protocol/left_out.h).
// Absolute paths become "…/NAME". Written beside and renamed. Fails with Data on what is no run, on two runs of one name, and when the
// file cannot be written.
Result<PackedRuns> packRuns(const std::vector<std::filesystem::path>& runs, const std::filesystem::path& bundle, const PackOptions& options = {});

struct UnpackLimits {
  std::uint64_t bytes = 64ull << 30; // of all files together
  std::uint64_t files = 200000;
  std::uint64_t ratio = 1000; // how many times its size in the bundle a file may have, once it is larger than 64 MiB
};

struct UnpackedRuns {
  std::vector<std::filesystem::path> runs;
  std::vector<std::string> alreadyThere; // ids that were left as they are; their folders stand in `runs`, too
  std::map<std::string, std::string> renamed; // ids of which another run had the name, as those of another machine's experiment do: NAME_2
};

// Makes a folder in `runs` for every run of the bundle; a run is there already where one of its name was made with its id at its time. Everything is checked before anything is written: names that lead out of the
// folder, links, encrypted files, doubled names, more than the limits, a newer major version. Fails with Data, and then nothing is
// left behind.
Result<UnpackedRuns> unpackRuns(const std::filesystem::path& bundle, const std::filesystem::path& runs, const UnpackLimits& limits = {});

} // namespace voxlab
