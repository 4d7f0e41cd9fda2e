// SPDX-License-Identifier: GPL-3.0-or-later
// Which samples of two runs came from the same noise and the same mask, so that only what differs between the runs (the mode,
// say) can make them differ.
#pragma once
#include "core/analysis/run_state.h"
#include "widgets/pages/viewer_samples_panel.h"

namespace voxlab {

struct SampledRun {
  std::filesystem::path folder;
  std::vector<SampleRecord> samples; // paths relative to the folder
};

// Oldest first. Samples of the same step are preferred; where the runs share none, the newest of each seed and mask is taken.
QList<ViewerSample> samplePairs(const SampledRun& first, const SampledRun& second);

} // namespace voxlab
