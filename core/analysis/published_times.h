// SPDX-License-Identifier: Apache-2.0
// What the published Python program takes for the same steps, measured earlier: Voxlab cannot run it.
#pragma once
#include "core/protocol/job_spec.h"
#include <optional>
#include <string_view>
#include <vector>

namespace voxlab {

struct PublishedTime {
  std::string_view mode; // Voxlab's name of the mode
  double train_ms = 0, sample_ms = 0;
};

struct PublishedTimes {
  std::string_view device; // "NVIDIA H200"
  std::vector<PublishedTime> rows;
  std::optional<double> of(std::string_view mode, bool train) const;
};

// For the network, size and batch of the specification; nullptr where nothing was measured.
const PublishedTimes* publishedTimes(const JobSpec& spec);

} // namespace voxlab
