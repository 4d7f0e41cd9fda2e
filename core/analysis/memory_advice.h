// SPDX-License-Identifier: Apache-2.0
// What would make a job fit onto a GPU, in the user's words.
#pragma once
#include "core/analysis/memory_estimate.h"

namespace voxlab {

struct MemoryRequest {
  NetworkSpec network;
  std::array<std::int64_t, 3> size{128, 128, 128}; // (D, H, W)
  std::int64_t batch = 1;
  ModeSwitches mode;
  JobMemory job = JobMemory::Training;
};

// One change, or several, and what the job would need then.
struct MemoryOption {
  std::string words; // "BF16", "checkpoint levels 0–1", "a volume of 96×96×96"
  MemoryRequest request;
  double device_bytes = 0;
};

struct MemoryAdvice {
  double needed_bytes = 0; // on the device
  bool fits = false;
  std::vector<MemoryOption> options; // that fit, the least change first; empty when it fits as it is
  std::string sentence; // "The GPU has 24 GB; this needs about 31 GB. Use BF16 (17 GB) or checkpoint levels 0–1 (19 GB)."
};

std::string memoryWords(double bytes); // "9.8 GB", "31 GB"

// Fails like planNetwork.
Result<MemoryAdvice> memoryAdvice(const MemoryRequest& request, double deviceMemory_bytes);

} // namespace voxlab
