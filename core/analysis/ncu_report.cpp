// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/ncu_report.h"
#include "core/base/csv.h"
#include "core/base/text.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace voxlab {
namespace {
constexpr double kLongest_s = 1e6; // of a launch
// The details page names some metrics in words. These are the raw names of the same values.
struct DetailName {
  std::string_view section, words, metric;
};
constexpr DetailName kDetailNames[] = {
    {"GPU Speed Of Light Throughput", "Duration", "gpu__time_duration.sum"},
    {"GPU Speed Of Light Throughput", "Elapsed Cycles", "sm__cycles_elapsed.max"},
    {"GPU Speed Of Light Throughput", "SM Active Cycles", "sm__cycles_active.avg"},
    {"GPU Speed Of Light Throughput", "Compute (SM) Throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"GPU Speed Of Light Throughput", "Memory Throughput", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"GPU Speed Of Light Throughput", "DRAM Throughput", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Memory Workload Analysis", "Memory Throughput", "dram__bytes.sum.per_second"},
    {"Memory Workload Analysis", "L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct"},
    {"Memory Workload Analysis", "L2 Hit Rate", "lts__t_sector_hit_rate.pct"},
    {"Compute Workload Analysis", "Executed Ipc Active", "sm__inst_executed.avg.per_cycle_active"},
    {"Instruction Statistics", "Executed Instructions", "smsp__inst_executed.sum"},
    {"Launch Statistics", "Registers Per Thread", "launch__registers_per_thread"},
    {"Launch Statistics", "Waves Per SM", "launch__waves_per_multiprocessor"},
    {"Occupancy", "Block Limit Barriers", "launch__occupancy_limit_barriers"},
    {"Occupancy", "Block Limit SM", "launch__occupancy_limit_blocks"},
    {"Occupancy", "Block Limit Registers", "launch__occupancy_limit_registers"},
    {"Occupancy", "Block Limit Shared Mem", "launch__occupancy_limit_shared_mem"},
    {"Occupancy", "Block Limit Warps", "launch__occupancy_limit_warps"},
    {"Occupancy", "Theoretical Occupancy", "sm__maximum_warps_per_active_cycle_pct"},
    {"Occupancy", "Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
};

std::string detailMetric(const std::string& section, const std::string& words) {
  for (const auto& row : kDetailNames)
    if (row.section == section && row.words == words)
      return std::string(row.metric);
  return section == "Command line profiler metrics" ? words : section + "/" + words;
}

void threeNumbers(const std::string& text, std::uint32_t (&out)[3]) { // "(128, 1, 1)"
  std::size_t at = 0;
  for (const auto& part : split(text, ',')) {
    const auto digits = part.find_first_of("0123456789");
    if (at < 3 && digits != std::string::npos)
      std::from_chars(part.data() + digits, part.data() + part.size(), out[at++]);
  }
}

// The details page rounds: 5.82 us. What the raw page says of the same metric stands in its place, whichever is read first.
enum class Precision { Rounded, Full };

void store(NcuLaunch& launch, NameId metric, double value, Precision precision) {
  const auto it = std::lower_bound(launch.values.begin(), launch.values.end(), metric,
                                   [](const auto& pair, NameId id) { return pair.first < id; });
  if (it == launch.values.end() || it->first != metric)
    launch.values.insert(it, {metric, value});
  else if (precision == Precision::Full)
    it->second = value;
}

class PageReader {
public:
  PageReader(NcuReport& report, ByteSource& source) : m_report(report), m_name(source.name()), m_csv(source) {
    for (std::size_t i = 0; i < report.launches.size(); ++i)
      m_known.emplace(report.launches[i].id, i);
  }

  Status read() {
    std::vector<std::string> row;
    const auto found = skipToHeader(row);
    if (!found)
      return fail(found.error());
    m_header = row;
    for (std::size_t i = 0; i < m_header.size(); ++i)
      m_columns.emplace(m_header[i], i);
    if (!*found && !m_toolError.empty())
      return fail(ExitCode::Data, m_name + " holds no counters: " + m_toolError);
    if (!*found || !has("Kernel Name"))
      return fail(ExitCode::Data, m_name + " is not an Nsight Compute CSV page: it has no header line with ID and Kernel Name.");
    const bool details = has("Metric Name");
    if (!details)
      if (const auto units = readUnits(); !units)
        return units;
    for (;;) {
      const auto more = m_csv.next(row);
      if (!more)
        return fail(more.error());
      if (!*more)
        break;
      if (row[0].starts_with("==")) // the tool's log goes on after the table
        continue;
      if (const auto status = details ? detailsRow(row) : rawRow(row); !status)
        return status;
    }
    if (m_rows == 0)
      return fail(ExitCode::Data, m_name + " has a header, but no kernel: nothing was collected, or the file was cut off.");
    return {};
  }

private:
  // Remembers what the tool's log says before: there may be nothing else.
  Result<bool> skipToHeader(std::vector<std::string>& row) {
    constexpr std::string_view kError = "==ERROR== ";
    for (;;) {
      const auto found = m_csv.skipToLineStarting({"\"ID\",", "ID,", kError});
      if (!found || !*found)
        return found;
      if (const auto read = m_csv.next(row); !read)
        return fail(read.error());
      if (!row[0].starts_with(kError))
        return true;
      if (row[0].find("ERR_NVGPUCTRPERM") != std::string::npos)
        m_toolError = "the driver did not permit Nsight Compute to read them (ERR_NVGPUCTRPERM). Run it as root, or let everyone read them: the option "
                      "NVreg_RestrictProfilingToAdminUsers=0 of the kernel module nvidia.";
      else if (m_toolError.empty())
        m_toolError = "Nsight Compute failed and says \"" + row[0].substr(kError.size(), 200) + "\".";
    }
  }

  bool has(const std::string& column) const { return m_columns.contains(column); }
  std::string cell(const std::vector<std::string>& row, const std::string& column) const {
    const auto it = m_columns.find(column);
    return it == m_columns.end() || it->second >= row.size() ? "" : row[it->second];
  }
  tl::unexpected<Error> broken(const std::string& what) const {
    return fail(ExitCode::Data, m_name + ", line " + std::to_string(m_csv.line()) + ": " + what);
  }

  Status readUnits() {
    std::vector<std::string> row;
    const auto units = m_csv.next(row);
    if (!units)
      return fail(units.error());
    if (*units && row.size() != m_header.size())
      return broken("the line of units has " + std::to_string(row.size()) + " fields, the header " +
                    std::to_string(m_header.size()) + ".");
    for (std::size_t i = 0; i < m_header.size(); ++i) {
      const bool isMetric = m_header[i].find("__") != std::string::npos || m_header[i].find('.') != std::string::npos;
      m_metrics.push_back(isMetric ? m_report.metrics.intern(m_header[i]) : 0);
      m_factors.push_back(i < row.size() ? ncuUnitFactor(row[i]) : 1);
      // A count has units of many names; a time has not, and every figure is weighted by it.
      if (i < row.size() && m_header[i].find("__time_duration") != std::string::npos && m_factors.back() == 1 && row[i] != "s" && row[i] != "second")
        return broken("the unit \"" + row[i].substr(0, 40) + "\" of " + m_header[i] + " is no unit of time.");
    }
    return {};
  }

  Result<NcuLaunch*> launch(const std::vector<std::string>& row) {
    const auto id = ncuNumber(cell(row, "ID"));
    if (!id || std::abs(*id) > 1e15)
      return broken("\"" + row[0].substr(0, 40) + "\" is no launch id; the row is broken.");
    const std::string kernel = cell(row, "Kernel Name");
    const auto [it, added] = m_known.emplace(static_cast<std::int64_t>(*id), m_report.launches.size());
    if (added) {
      NcuLaunch fresh;
      fresh.id = it->first;
      fresh.kernel = kernel;
      fresh.computeCapability = cell(row, "CC");
      fresh.device = static_cast<int>(ncuNumber(cell(row, "Device")).value_or(0));
      threeNumbers(cell(row, "Grid Size"), fresh.grid);
      threeNumbers(cell(row, "Block Size"), fresh.block);
      m_report.launches.push_back(std::move(fresh));
    } else if (m_report.launches[it->second].kernel != kernel) {
      return fail(ExitCode::Data, m_name + ", line " + std::to_string(m_csv.line()) + ": launch " +
                                             std::to_string(it->first) +
                                             " is another kernel than before; the file is damaged, or two are of different reports.");
    }
    return &m_report.launches[it->second];
  }

  Status rawRow(const std::vector<std::string>& row) {
    if (row.size() != m_header.size())
      return broken("it has " + std::to_string(row.size()) + " of " + std::to_string(m_header.size()) +
                    " fields; the file may have been cut off.");
    const auto target = launch(row);
    if (!target)
      return fail(target.error());
    ++m_rows;
    if (m_report.deviceName.empty())
      m_report.deviceName = cell(row, "device__attribute_display_name");
    for (std::size_t i = 0; i < row.size(); ++i)
      if (m_metrics[i] != 0)
        if (const auto value = ncuNumber(row[i])) {
          if (m_header[i].find("__time_duration") != std::string::npos && !(*value >= 0 && *value * m_factors[i] < kLongest_s))
            return broken("a launch cannot last " + row[i].substr(0, 40) + "; the file is damaged.");
          store(**target, m_metrics[i], *value * m_factors[i], Precision::Full);
        }
    return {};
  }

  Status detailsRow(const std::vector<std::string>& row) {
    if (row.size() + 5 < m_header.size() || row.size() > m_header.size()) // the columns of rules may be left out
      return broken("it has " + std::to_string(row.size()) + " of " + std::to_string(m_header.size()) +
                    " fields; the file may have been cut off.");
    const auto target = launch(row);
    if (!target)
      return fail(target.error());
    ++m_rows;
    const std::string section = cell(row, "Section Name"), words = cell(row, "Metric Name"), rule = cell(row, "Rule Name");
    if (!words.empty())
      if (const auto value = ncuNumber(cell(row, "Metric Value")))
        store(**target, m_report.metrics.intern(detailMetric(section, words)), *value * ncuUnitFactor(cell(row, "Metric Unit")), Precision::Rounded);
    if (!rule.empty())
      (*target)->rules.push_back({section, rule, cell(row, "Rule Type"), cell(row, "Rule Description"),
                                  cell(row, "Estimated Speedup Type"), ncuNumber(cell(row, "Estimated Speedup"))});
    return {};
  }

  NcuReport& m_report;
  std::string m_name, m_toolError;
  CsvReader m_csv;
  std::vector<std::string> m_header;
  std::map<std::string, std::size_t> m_columns;
  std::map<std::int64_t, std::size_t> m_known; // launches by id
  std::vector<NameId> m_metrics;
  std::vector<double> m_factors;
  std::size_t m_rows = 0;
};
} // namespace

std::optional<double> ncuNumber(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != ',')
      digits += c;
  double value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || result.ec != std::errc() || result.ptr != digits.data() + digits.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

double ncuUnitFactor(std::string_view unit) {
  const auto slash = unit.find('/');
  const std::string_view per = slash == std::string_view::npos ? std::string_view() : unit.substr(slash + 1);
  if (unit.starts_with("%"))
    return 1;
  const std::string_view what = unit.substr(0, slash);
  struct Factor {
    std::string_view name;
    double factor;
  };
  static constexpr Factor kFactors[] = {{"Kbyte", 1e3},    {"Mbyte", 1e6}, {"Gbyte", 1e9},    {"Tbyte", 1e12}, {"ns", 1e-9},
                                        {"nsecond", 1e-9}, {"us", 1e-6},   {"usecond", 1e-6}, {"ms", 1e-3},    {"msecond", 1e-3},
                                        {"Khz", 1e3},      {"Mhz", 1e6},   {"Ghz", 1e9}};
  double factor = 1;
  for (const auto& row : kFactors) {
    if (row.name == what)
      factor *= row.factor;
    if (row.name == per) // "cycle/nsecond", "byte/us"
      factor /= row.factor;
  }
  return factor;
}

std::optional<double> NcuReport::value(const NcuLaunch& launch, std::string_view metric) const {
  const auto id = metrics.find(metric);
  if (!id)
    return std::nullopt;
  const auto it = std::lower_bound(launch.values.begin(), launch.values.end(), *id,
                                   [](const auto& pair, NameId wanted) { return pair.first < wanted; });
  return it == launch.values.end() || it->first != *id ? std::nullopt : std::optional(it->second);
}

const NcuLaunch* NcuReport::find(std::int64_t id) const {
  const auto it = std::find_if(launches.begin(), launches.end(), [id](const NcuLaunch& launch) { return launch.id == id; });
  return it == launches.end() ? nullptr : &*it;
}

Status addNcuPage(NcuReport& report, ByteSource& source) {
  NcuReport grown = report;
  if (const auto status = PageReader(grown, source).read(); !status)
    return status;
  report = std::move(grown);
  return {};
}

Result<NcuReport> readNcuReport(const std::vector<std::filesystem::path>& pages) {
  NcuReport report;
  for (const auto& page : pages) {
    auto source = openByteSource(page);
    if (!source)
      return fail(source.error());
    if (const auto status = addNcuPage(report, **source); !status)
      return fail(status.error());
  }
  if (report.launches.empty())
    return fail(ExitCode::Data, "No Nsight Compute page was given.");
  return report;
}

} // namespace voxlab
