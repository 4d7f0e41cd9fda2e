// SPDX-License-Identifier: Apache-2.0
// Quality of volumes as a section of a report: against speed, and a table for each measure, in which the ways of making volumes stand
// under each other.
#pragma once
#include "core/analysis/comparison_set.h"
#include "core/analysis/report_document.h"

namespace voxlab {

// nullopt where no volume was measured.
std::optional<ReportSection> qualitySection(const std::vector<VolumePoint>& points);
// How many of the sets of volumes repeat what the network was trained on, and what that means for the other measures; empty where none
// does. To be told wherever those measures are shown.
std::string memorisationWords(const std::vector<VolumePoint>& points);

} // namespace voxlab
