// SPDX-License-Identifier: Apache-2.0
#include "app/worker/comparison_document.h"
#include "app/worker/log.h"
#include "app/worker/slice_png.h"
#include "core/analysis/experiment_report.h"
#include "core/base/failure.h"
#include <charconv>
#include <cmath>

namespace voxlab {
namespace {
constexpr std::size_t kMostPictures = 24;

// The sample that most points have, by file name.
std::string commonSample(const std::vector<VolumePoint>& points) {
  std::map<std::string, std::size_t> counts;
  for (const VolumePoint& point : points)
    for (const DrawnVolume& sample : point.samples)
      ++counts[sample.file.filename().string()];
  std::string best;
  for (const auto& [name, count] : counts)
    if (best.empty() || count > counts[best])
      best = name;
  return best;
}

std::vector<FigurePicture> picturesOf(const std::vector<VolumePoint>& points) {
  const std::string wanted = commonSample(points);
  std::vector<FigurePicture> pictures;
  for (const VolumePoint& point : points)
    for (const auto& [file, seed, mask] : point.samples) {
      if (file.filename() != wanted || pictures.size() >= kMostPictures)
        continue;
      auto png = middleSlicePng(file);
      if (!png) {
        log::warning(png.error().message);
        continue;
      }
      pictures.push_back({point.name(), std::move(*png)});
      break;
    }
  return pictures;
}
} // namespace

DeploymentPlan deploymentPlan(const ForetellOptions& options) {
  DeploymentPlan plan{options.samplingSteps, options.trainingSteps, {}};
  for (const std::string& text : options.prices) {
    const auto sign = text.rfind('=');
    const std::string device = sign == std::string::npos ? "" : text.substr(0, sign), number = sign == std::string::npos ? text : text.substr(sign + 1);
    double price = -1;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), price);
    if (error != std::errc() || end != number.data() + number.size() || !(price >= 0) || !std::isfinite(price) || sign == 0)
      throw Failure(ExitCode::Usage, "\"" + text + "\" is no price: --price 3.50 is, for an hour of any device, or --price \"NVIDIA H200=3.50\".");
    if (!plan.prices.emplace(device, price).second)
      throw Failure(ExitCode::Usage, "Two prices were given for " + (device.empty() ? std::string("any device") : device) + ": give one.");
  }
  return plan;
}

ReportDocument comparisonDocument(const CompareOptions& options) {
  const DeploymentPlan plan = deploymentPlan(options.foretell);
  const ComparisonSet set = gatherComparison(options.runs);
  ExperimentReportOptions report;
  report.title = options.title.empty() ? report.title : options.title;
  report.baseline = options.baseline;
  report.deployment = plan;
  report.currency = options.foretell.currency;
  if (options.format == OutputFormat::HtmlPage)
    report.pictures = picturesOf(set.points);
  return valueOrThrow(experimentReport(set, report));
}

} // namespace voxlab
