// SPDX-License-Identifier: Apache-2.0
// Hardware counters of single kernel launches, from Nsight Compute's CSV pages: `ncu --import … --csv --page raw` (a row a launch,
// a column a metric) and `--page details` (a row a metric or a rule). Both pages of one report are joined by launch.
#pragma once
#include "core/analysis/trace.h"
#include "core/base/byte_source.h"
#include <filesystem>

namespace voxlab {

struct NcuRule {
  std::string section, name;
  std::string type; // "OPT", "WRN", "INF"
  std::string description;
  std::string speedupType;               // "global": of the launch's duration; "local": of one unit's work; may be empty
  std::optional<double> speedup_percent; // estimated reduction
};

struct NcuLaunch {
  std::int64_t id = 0;
  std::string kernel;
  std::uint32_t grid[3]{}, block[3]{};
  int device = 0;
  std::string computeCapability;
  std::vector<std::pair<NameId, double>> values; // by metric, sorted
  std::vector<NcuRule> rules;
};

// Values are in base units: bytes, seconds, hertz; percentages stay percentages.
struct NcuReport {
  NameTable metrics;
  std::vector<NcuLaunch> launches; // in the order of the file
  std::string deviceName;
  std::vector<std::string> notes;

  std::optional<double> value(const NcuLaunch& launch, std::string_view metric) const; // nullopt: not collected, or "no data"
  const NcuLaunch* find(std::int64_t id) const;
};

// Adds a page to a report; the second page of the same report joins the first. Lines before the header and log lines are skipped.
// Fails with Data, naming file and line, on a file that is no such page, is cut off or has a broken row, and when the two pages are of
// different reports (another kernel with the same id). After a failure the report is as it was.
Status addNcuPage(NcuReport& report, ByteSource& source);
Result<NcuReport> readNcuReport(const std::vector<std::filesystem::path>& pages);

// "1,234.5" → 1234.5; nullopt for text, "no data" and "".
std::optional<double> ncuNumber(std::string_view text);
// What one of this unit is in base units: "Kbyte" 1000, "us" 1e-6, "Ghz" 1e9, "Tbyte/s" 1e12, "%" and counts 1.
double ncuUnitFactor(std::string_view unit);

} // namespace voxlab
