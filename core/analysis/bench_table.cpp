// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/bench_table.h"
#include <algorithm>

namespace voxlab {
namespace {
struct Field {
  std::string_view name; // in events and exports
  std::optional<double> BenchRow::*member;
};
constexpr Field kFields[] = {
    {"energy_j", &BenchRow::energy_j},
    {"power_w", &BenchRow::power_w},
    {"peak_allocated_bytes", &BenchRow::peakAllocated_bytes},
    {"peak_reserved_bytes", &BenchRow::peakReserved_bytes},
    {"gpu_memory_bytes", &BenchRow::deviceMemory_bytes},
    {"output_difference", &BenchRow::outputDifference},
    {"largest_output_difference", &BenchRow::outputDifferenceMaximum},
    {"loss", &BenchRow::loss},
    {"loss_difference", &BenchRow::lossDifference},
    {"kernel_ms", &BenchRow::kernel_ms},
    {"launches", &BenchRow::launches},
};

// A step's work, the same in every turn, and the rate that older runs told in its place: made of all steps up to there.
struct Work {
  std::string_view name, rateName;
  std::optional<double> BenchRow::*member;
  std::optional<Spread> BenchRates::*rate;
  double unit_ms; // 1000: a second; 100: per cent of a time
};
constexpr Work kWork[] = {
    {"volumes", "volumes_per_s", &BenchRow::volumes, &BenchRates::volumesPerSecond, 1000},
    {"flops", "flops_per_s", &BenchRow::flops, &BenchRates::flopsPerSecond, 1000},
    {"bound_ms", "bound_percent", &BenchRow::bound_ms, &BenchRates::bound_percent, 100},
};

struct Collected {
  BenchRow row;
  std::vector<double> wall_ms, device_ms;
  std::vector<std::vector<double>> fields = std::vector<std::vector<double>>(std::size(kFields));
};

Collected& entryFor(std::vector<Collected>& entries, const BenchRecord& record) {
  for (Collected& c : entries)
    if (c.row.mode == record.mode && c.row.what == record.what)
      return c;
  Collected fresh;
  fresh.row.mode = record.mode;
  fresh.row.what = record.what;
  entries.push_back(std::move(fresh));
  return entries.back();
}

void take(Collected& entry, const BenchRecord& record) {
  if (record.duration_ms)
    entry.wall_ms.push_back(*record.duration_ms);
  if (const auto device = jsonGet<double>(record.fields, "device_ms"))
    entry.device_ms.push_back(*device);
  for (std::size_t i = 0; i < std::size(kFields); ++i)
    if (const auto value = jsonGet<double>(record.fields, kFields[i].name))
      entry.fields[i].push_back(*value);
  const auto& timed_ms = entry.device_ms.empty() ? entry.wall_ms : entry.device_ms;
  for (const Work& work : kWork)
    if (const auto value = jsonGet<double>(record.fields, work.name))
      entry.row.*work.member = *value;
    else if (const auto rate = jsonGet<double>(record.fields, work.rateName); rate && !timed_ms.empty())
      entry.row.*work.member = *rate * spreadOf(timed_ms).median / work.unit_ms;
  if (const auto reason = jsonGet<std::string>(record.fields, "unavailable"))
    entry.row.unavailable = *reason;
}

bool isPeak(std::string_view field) {
  return field.ends_with("_bytes");
}

// Of several turns: the largest peak, and of others the median.
double combined(std::string_view field, const std::vector<double>& values) {
  return isPeak(field) ? *std::max_element(values.begin(), values.end()) : spreadOf(values).median;
}

Json spreadJson(const Spread& s) {
  return {{"count", s.count},     {"median", s.median},   {"lower_quartile", s.lowerQuartile}, {"upper_quartile", s.upperQuartile},
          {"minimum", s.minimum}, {"maximum", s.maximum}, {"mean", s.mean}};
}
} // namespace

std::optional<double> BenchRow::idle_percent() const {
  if (!kernel_ms || !measured() || wall_ms.median <= 0)
    return std::nullopt;
  return 100 * (1 - *kernel_ms / wall_ms.median);
}

BenchRates ratesOf(const BenchRow& row) {
  BenchRates rates;
  for (const Work& work : kWork)
    if (const auto& amount = row.*work.member; amount && row.wall_ms.minimum > 0)
      rates.*work.rate = rateOf(*amount * work.unit_ms, row.wall_ms);
  return rates;
}

std::vector<BenchRow> benchRows(const RunState& state) {
  std::vector<Collected> entries;
  for (const BenchRecord& record : state.bench())
    take(entryFor(entries, record), record);
  std::vector<BenchRow> rows;
  for (Collected& entry : entries) {
    entry.row.wall_ms = spreadOf(entry.wall_ms);
    entry.row.device_ms = spreadOf(entry.device_ms);
    for (std::size_t i = 0; i < std::size(kFields); ++i) {
      const auto& values = entry.fields[i];
      if (!values.empty())
        entry.row.*kFields[i].member = combined(kFields[i].name, values);
    }
    rows.push_back(std::move(entry.row));
  }
  return rows;
}

const BenchRow* findRow(const std::vector<BenchRow>& rows, std::string_view mode, std::string_view what) {
  const auto it = std::find_if(rows.begin(), rows.end(), [&](const BenchRow& r) { return r.mode == mode && r.what == what; });
  return it == rows.end() ? nullptr : &*it;
}

Json toJson(const BenchRow& row) {
  Json json{{"mode", row.mode}, {"what", row.what}};
  if (!row.unavailable.empty())
    json["unavailable"] = row.unavailable;
  if (row.wall_ms.count > 0)
    json["wall_ms"] = spreadJson(row.wall_ms);
  if (row.device_ms.count > 0)
    json["device_ms"] = spreadJson(row.device_ms);
  for (const Field& field : kFields)
    if (const auto& value = row.*field.member)
      json[std::string(field.name)] = *value;
  const BenchRates rates = ratesOf(row);
  for (const Work& work : kWork)
    if (const auto& rate = rates.*work.rate) {
      json[std::string(work.name)] = *(row.*work.member);
      json[std::string(work.rateName)] = rate->median;
    }
  if (const auto idle = row.idle_percent())
    json["idle_percent"] = *idle;
  return json;
}

} // namespace voxlab
