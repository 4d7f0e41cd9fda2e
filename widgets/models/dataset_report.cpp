// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/dataset_report.h"
#include <algorithm>

namespace voxlab {
namespace {
QString text(const Json& object, const char* key) { return QString::fromStdString(jsonGet<std::string>(object, key).value_or("")); }

FindingKind kindOf(const QString& severity) {
  return severity == QLatin1String("warning") ? FindingKind::Warning : severity == QLatin1String("note") ? FindingKind::Note : FindingKind::Error;
}

const Json& member(const Json& object, const char* key) {
  static const Json none;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() ? *found : none;
}
} // namespace

int DatasetReport::count(FindingKind kind) const {
  return static_cast<int>(std::count_if(findings.begin(), findings.end(), [kind](const DatasetFinding& finding) { return finding.kind == kind; }));
}

DatasetReport datasetReportFrom(const Json& json) {
  DatasetReport report;
  const Json& subjects = member(json, "subjects");
  report.pairs = subjects.is_array() ? static_cast<std::int64_t>(subjects.size()) : jsonGet<std::int64_t>(json, "cases").value_or(0);
  if (subjects.is_array() && !subjects.empty()) {
    const Json& images = member(subjects.front(), "images");
    if (images.is_array() && !images.empty() && images.front().is_string())
      report.firstImage = QString::fromStdString(images.front().get<std::string>());
    report.firstMask = text(subjects.front(), "mask");
  }
  if (const Json& modalities = member(json, "modalities"); modalities.is_array())
    for (const Json& modality : modalities)
      if (modality.is_string())
        report.modalities << QString::fromStdString(modality.get<std::string>());
  if (const Json& findings = member(json, "findings"); findings.is_array())
    for (const Json& finding : findings)
      report.findings.push_back({kindOf(text(finding, "severity")), text(finding, "subject"), text(finding, "message")});
  std::stable_sort(report.findings.begin(), report.findings.end(), [](const DatasetFinding& a, const DatasetFinding& b) { return a.kind < b.kind; });
  return report;
}

} // namespace voxlab
