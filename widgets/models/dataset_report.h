// SPDX-License-Identifier: GPL-3.0-or-later
// What `voxlab-worker dataset check … --format json` found, as the dataset card shows it.
#pragma once
#include "core/base/json.h"
#include <QString>
#include <QStringList>
#include <vector>

namespace voxlab {

enum class FindingKind { Error, Warning, Note };

struct DatasetFinding {
  FindingKind kind = FindingKind::Error;
  QString subject, message;
};

struct DatasetReport {
  std::int64_t pairs = 0;
  std::vector<DatasetFinding> findings;
  QString firstImage, firstMask; // of the first pair, for the picture
  QStringList modalities;        // in channel order, where the files' names tell them
  QString failure; // the check itself could not be done; empty when it could

  int count(FindingKind kind) const;
};

// Findings come worst first. Members that are missing stay empty: the report is shown as far as it goes.
DatasetReport datasetReportFrom(const Json& json);

} // namespace voxlab
