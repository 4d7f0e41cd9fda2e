// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/dataset_report.h"
#include <QObject>
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
QString text(const Json& object, const char* key) { return QString::fromStdString(jsonGet<std::string>(object, key).value_or("")); }

QString gridOf(const Json& pair) {
  const auto size = pair.find("size"), spacing = pair.find("spacing_mm");
  if (size == pair.end() || !size->is_array() || size->size() != 3)
    return {};
  const auto joined = [](const Json& list, int digits) {
    QStringList parts;
    for (const Json& value : list)
      parts << (value.is_number() ? QString::number(value.get<double>(), 'g', digits) : QStringLiteral("?"));
    return parts.join(QStringLiteral("×"));
  };
  QString words = joined(*size, 6);
  if (spacing != pair.end() && spacing->is_array() && spacing->size() == 3)
    words += QObject::tr(" at %1 mm").arg(joined(*spacing, 3));
  return words;
}

void takePairs(const Json& pairs, DatasetReport& report) {
  report.pairs = static_cast<std::int64_t>(pairs.size());
  for (const Json& pair : pairs) {
    if (!pair.is_object())
      continue;
    if (report.firstImage.isEmpty()) {
      const auto images = pair.find("images");
      report.firstImage = images != pair.end() && images->is_array() && !images->empty() && images->front().is_string()
                              ? QString::fromStdString(images->front().get<std::string>())
                              : text(pair, "image");
      report.firstMask = text(pair, "mask");
      report.gridWords = gridOf(pair);
    } else if (gridOf(pair) != report.gridWords) {
      report.gridWords.clear();
      return;
    }
  }
}
} // namespace

int DatasetReport::errorCount() const {
  return static_cast<int>(std::count_if(findings.begin(), findings.end(), [](const DatasetFinding& f) { return f.isError; }));
}

int DatasetReport::warningCount() const { return static_cast<int>(findings.size()) - errorCount(); }

DatasetReport datasetReportFrom(const Json& json) {
  DatasetReport report;
  if (const auto pairs = json.find("pairs"); json.is_object() && pairs != json.end() && pairs->is_array())
    takePairs(*pairs, report);
  else
    report.pairs = jsonGet<std::int64_t>(json, "pairs").value_or(0);
  if (const auto findings = json.find("findings"); json.is_object() && findings != json.end() && findings->is_array())
    for (const Json& finding : *findings) {
      const QString severity = text(finding, "severity");
      report.findings.push_back({severity != QLatin1String("warning") && severity != QLatin1String("note"), text(finding, "subject"), text(finding, "message")});
    }
  if (const auto labels = json.find("labels"); json.is_object() && labels != json.end() && labels->is_array())
    for (const Json& label : *labels) {
      const std::optional<std::int64_t> value = label.is_number_integer() ? std::optional(label.get<std::int64_t>()) : jsonGet<std::int64_t>(label, "value");
      if (value)
        report.labels.push_back(*value);
    }
  return report;
}

} // namespace voxlab
