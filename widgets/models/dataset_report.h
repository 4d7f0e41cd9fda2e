// SPDX-License-Identifier: GPL-3.0-or-later
// What `voxlab-worker dataset check … --format json` found, as the dataset card shows it.
#pragma once
#include "core/base/json.h"
#include <QString>
#include <QStringList>
#include <vector>

namespace voxlab {

struct DatasetFinding {
  bool isError = true;
  QString subject, message;
};

struct DatasetReport {
  std::int64_t pairs = 0;
  std::vector<DatasetFinding> findings;
  QString firstImage, firstMask; // of the first pair, for the picture
  QString gridWords;             // "64×64×64 at 2.8×3.4×2.8 mm"; empty when they differ
  std::vector<std::int64_t> labels;
  QString failure; // the check itself could not be done; empty when it could

  int errorCount() const;
  int warningCount() const;
};

// Members that are missing stay empty: the report is shown as far as it goes.
DatasetReport datasetReportFrom(const Json& json);

} // namespace voxlab
