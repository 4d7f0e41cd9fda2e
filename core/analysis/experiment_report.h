// SPDX-License-Identifier: Apache-2.0
// A comparison of runs as a document to hand on: summary, training, sampling, quality against speed, environment, method, how to
// run it again.
#pragma once
#include "core/analysis/comparison_set.h"
#include "core/analysis/deployment.h"
#include "core/analysis/report_figures.h"

namespace voxlab {

struct ExperimentReportOptions {
  std::string title = "Comparison of modes";
  std::string baseline;          // see baselineAmong()
  DeviceScope scope = DeviceScope::Across;
  DeploymentPlan deployment;     // what is foretold, and what an hour of the devices costs
  std::string currency = "€";
  std::vector<FigurePicture> pictures; // slices of equal-seed samples
};

// Tells names and notes of a set that is dressed (comparison_dress.h). Fails with Data when nothing can be compared, with Usage when the baseline names nothing.
Result<ReportDocument> experimentReport(const ComparisonSet& set, const ExperimentReportOptions& options = ExperimentReportOptions());

// Points by time and one measure of quality: those that no other beats in both come first on the front.
struct QualityFront {
  std::string measure, title;
  bool higherIsBetter = false;
  struct Entry {
    std::size_t point = 0; // into the set's points
    double time_ms = 0, value = 0;
    bool onFront = false;
    bool joined = false; // time and quality come from different sizes
  };
  std::vector<Entry> entries; // by time
};
// nullopt where fewer than one point has both. Time is at full size where a benchmark gives it for every point, else as drawn.
std::optional<QualityFront> qualityFront(const std::vector<VolumePoint>& points, const std::string& measure);
// Measures of quality that the points have, in order of first appearance: name and title.
std::vector<std::pair<std::string, std::string>> qualityMeasures(const std::vector<VolumePoint>& points);

} // namespace voxlab
