// SPDX-License-Identifier: GPL-3.0-or-later
// What the user made of a comparison: which runs, against what, names, notes, order, prices. Kept in files beside the runs, so that it
// is there again tomorrow, and goes where the runs go.
#pragma once
#include "core/analysis/comparison_dress.h"
#include "core/base/json.h"
#include <QString>
#include <QStringList>
#include <filesystem>
#include <map>

namespace voxlab {

struct SavedComparison {
  QStringList runs; // ids; empty: all
  QString baseline; // a mode or a side's name; empty: the usual one
  QString workload, device; // only sides of these; empty: all
  ComparisonDress dress;                // names, notes, order
  QStringList hiddenMeasures;           // names
  std::map<std::string, double> prices; // of a GPU-hour, by device; what is not there is unknown
  QString currency = QStringLiteral("€");
  qint64 trainingSteps = 100000;
  int samplingSteps = 50;
  bool operator==(const SavedComparison&) const = default;
};

Json toJson(const SavedComparison& saved);
// Fails with Data on a newer major version and on what is no comparison.
Result<SavedComparison> savedComparisonFrom(const Json& json);

// The comparisons of a folder of runs: <runs>/comparisons/NAME.json. A name is any text that a file can have as its name.
class ComparisonShelf {
public:
  static QString lastUsed(); // the name of what is taken up again at the next start
  explicit ComparisonShelf(std::filesystem::path runs) : m_folder(std::move(runs) / "comparisons") {}
  QStringList names() const; // by alphabet
  Result<SavedComparison> load(const QString& name) const;
  Status save(const QString& name, const SavedComparison& saved) const; // fails with Usage on a name that no file can have
  Status remove(const QString& name) const;

private:
  Result<std::filesystem::path> fileOf(const QString& name) const;
  std::filesystem::path m_folder;
};

} // namespace voxlab
