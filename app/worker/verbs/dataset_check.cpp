// SPDX-License-Identifier: Apache-2.0
// voxlab-worker dataset check IMAGES [MASKS]: every file, pair, label and geometry looked at before the night begins.
#include "app/worker/log.h"
#include "app/worker/registry.h"
#include "app/worker/training_data.h"
#include "app/worker/verbs.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include <cstdio>

namespace voxlab {
namespace {
void printText(const DatasetIndex& index, const PreflightReport& report) {
  std::size_t widest = 7;
  for (const DatasetCase& c : index.cases)
    widest = std::max(widest, c.subject.size());
  const auto column = static_cast<int>(widest);
  std::printf("%-*s  %-40s  %s\n", column, "subject", "images", "mask");
  for (const DatasetCase& c : index.cases) {
    std::string images;
    for (const Path& image : c.files.images)
      images += (images.empty() ? "" : " ") + image.filename().string();
    std::printf("%-*s  %-40s  %s\n", column, c.subject.c_str(), images.c_str(), c.files.mask.filename().c_str());
  }
  std::printf("\n");
  for (const Finding& f : report.findings)
    std::printf("%s: %s\n", severityName(f.severity), inWords(f).c_str());
  std::printf("%s subjects, %s files: %s errors, %s warnings.\n", formatCount(static_cast<std::int64_t>(report.cases)).c_str(),
              formatCount(static_cast<std::int64_t>(report.files)).c_str(),
              formatCount(static_cast<std::int64_t>(report.count(Severity::Error))).c_str(),
              formatCount(static_cast<std::int64_t>(report.count(Severity::Warning))).c_str());
}

Json toJson(const DatasetIndex& index, const PreflightReport& report) {
  Json json = voxlab::toJson(report);
  json["modalities"] = index.modalities;
  json["subjects"] = Json::array();
  for (const DatasetCase& c : index.cases) {
    Json images = Json::array();
    for (const Path& image : c.files.images)
      images.push_back(image.string());
    json["subjects"].push_back({{"subject", c.subject}, {"images", images}, {"mask", c.files.mask.string()}});
  }
  return json;
}
} // namespace

ExitCode checkDataset(const DatasetCheckOptions& options) {
  const Catalog known = catalog();
  JobSpec spec("train");
  for (const std::string& assignment : options.assignments)
    valueOrThrow(spec.applyAssignment(assignment, known));
  spec.fillDefaults(known);
  const NetworkSpec network = valueOrThrow(networkSpecFrom(spec));
  const DatasetIndex index = valueOrThrow(trainingIndex(spec, network, options.images, options.masks));
  PreflightOptions looking = trainingPreflight(spec, network);
  looking.progress = [](std::size_t done, std::size_t total) {
    log::debug(std::to_string(done) + " of " + std::to_string(total) + " files");
  };
  const PreflightReport report = valueOrThrow(preflight(index, looking));
  if (options.format == OutputFormat::JsonDocument)
    std::printf("%s\n", toJson(index, report).dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  else
    printText(index, report);
  return report.passed() ? ExitCode::Finished : ExitCode::Data;
}

} // namespace voxlab
