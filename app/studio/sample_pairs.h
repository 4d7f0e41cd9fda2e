// SPDX-License-Identifier: GPL-3.0-or-later
// Which samples of several runs came from the same noise and the same mask, so that only what differs between the runs (the mode,
// say) can make them differ.
#pragma once
#include "core/analysis/run_state.h"
#include "widgets/pages/viewer_samples_panel.h"

namespace voxlab {

struct SampledRun {
  std::filesystem::path folder;
  std::vector<SampleRecord> samples; // paths relative to the folder
};

// Each of a run's with those of the runs after it, oldest first; the first run that has any comes first. Samples of the same step are
// preferred; where the runs share none, the newest of each seed and mask is taken. Where none is of all runs, those of the most.
QList<ViewerSample> alikeSamples(const std::vector<SampledRun>& runs);

} // namespace voxlab
