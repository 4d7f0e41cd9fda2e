// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/counters.h"
#include "core/base/text.h"
#include <algorithm>
#include <map>
#include <set>

namespace voxlab {
namespace {
using C = Counter;
constexpr auto kSum = CounterKind::Sum;
constexpr auto kRate = CounterKind::Rate;

constexpr CounterInfo kTable[] = {
    {C::Duration, kSum, "duration_s", "Duration", "s", "gpu__time_duration.sum"},
    {C::SmCycles, kSum, "sm_cycles", "SM cycles", "", "sm__cycles_elapsed.max"},
    {C::Instructions, kSum, "instructions", "Executed instructions", "", "smsp__inst_executed.sum"},
    {C::TensorInstructions, kSum, "tensor_instructions", "Tensor instructions", "", "smsp__inst_executed_pipe_tensor.sum"},
    {C::DramRead, kSum, "dram_read_bytes", "DRAM read", "B", "dram__bytes_read.sum"},
    {C::DramWritten, kSum, "dram_written_bytes", "DRAM written", "B", "dram__bytes_write.sum"},
    {C::InstructionsTensor, kSum, "thread_instructions_tensor", "Tensor thread instructions", "", ""},
    {C::InstructionsFp16, kSum, "thread_instructions_fp16", "FP16 thread instructions", "", "smsp__sass_thread_inst_executed_op_fp16_pred_on.sum"},
    {C::InstructionsFp32, kSum, "thread_instructions_fp32", "FP32 thread instructions", "", "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum"},
    {C::InstructionsFp64, kSum, "thread_instructions_fp64", "FP64 thread instructions", "", "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum"},
    {C::InstructionsInteger, kSum, "thread_instructions_integer", "Integer thread instructions", "",
     "smsp__sass_thread_inst_executed_op_integer_pred_on.sum"},
    {C::InstructionsMemory, kSum, "thread_instructions_memory", "Load and store thread instructions", "",
     "smsp__sass_thread_inst_executed_op_memory_pred_on.sum"},
    {C::InstructionsControl, kSum, "thread_instructions_control", "Control thread instructions", "",
     "smsp__sass_thread_inst_executed_op_control_pred_on.sum"},
    {C::InstructionsConversion, kSum, "thread_instructions_conversion", "Conversion thread instructions", "",
     "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum"},
    {C::SmThroughput, kRate, "sm_throughput_percent", "SM throughput", "%", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {C::MemoryThroughput, kRate, "memory_throughput_percent", "Memory throughput", "%",
     "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {C::DramThroughput, kRate, "dram_throughput_percent", "DRAM throughput", "%",
     "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {C::DramBandwidth, kRate, "dram_bandwidth_bytes_per_s", "DRAM bandwidth", "B/s", "dram__bytes.sum.per_second"},
    {C::L1Hit, kRate, "l1_hit_percent", "L1 hit rate", "%", "l1tex__t_sector_hit_rate.pct"},
    {C::L2Hit, kRate, "l2_hit_percent", "L2 hit rate", "%", "lts__t_sector_hit_rate.pct"},
    {C::AchievedOccupancy, kRate, "achieved_occupancy_percent", "Achieved occupancy", "%",
     "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {C::TheoreticalOccupancy, kRate, "theoretical_occupancy_percent", "Theoretical occupancy", "%",
     "sm__maximum_warps_per_active_cycle_pct"},
    {C::IssueActive, kRate, "issue_active_percent", "Issue slots busy", "%", "smsp__issue_active.avg.pct_of_peak_sustained_active"},
    {C::Ipc, kRate, "ipc", "Instructions per cycle", "", "sm__inst_executed.avg.per_cycle_active"},
    {C::TensorPipe, kRate, "tensor_pipe_percent", "Tensor pipe active", "%",
     "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active"},
    {C::FmaPipe, kRate, "fma_pipe_percent", "FMA pipe active", "%", "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active"},
    {C::AluPipe, kRate, "alu_pipe_percent", "ALU pipe active", "%", "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_active"},
    {C::LsuPipe, kRate, "lsu_pipe_percent", "LSU pipe active", "%", "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"},
    {C::ActiveThreads, kRate, "active_threads_per_warp", "Active threads a warp", "",
     "smsp__thread_inst_executed_per_inst_executed.ratio"},
};

struct StallName {
  std::string_view name, title;
};
constexpr StallName kStalls[] = {
    {"long_scoreboard", "Long scoreboard (global memory)"},
    {"short_scoreboard", "Short scoreboard (shared memory)"},
    {"math_pipe_throttle", "Math pipe throttle"},
    {"mio_throttle", "MIO throttle"},
    {"lg_throttle", "LG throttle (memory queue full)"},
    {"tex_throttle", "TEX throttle"},
    {"barrier", "Barrier"},
    {"membar", "Memory barrier"},
    {"branch_resolving", "Branch resolving"},
    {"wait", "Wait (fixed latency)"},
    {"not_selected", "Not selected"},
    {"no_instruction", "No instruction"},
    {"dispatch_stall", "Dispatch stall"},
    {"drain", "Drain"},
    {"gmma", "Tensor core (GMMA)"},
    {"imc_miss", "Constant cache miss"},
    {"sleeping", "Sleeping"},
    {"misc", "Other"},
};

void sortStalls(std::vector<StallReason>& stalls) {
  std::stable_sort(stalls.begin(), stalls.end(),
                   [](const StallReason& a, const StallReason& b) { return a.perIssue > b.perIssue; });
}

// Sums with their weights, until all launches are in.
class Accumulator {
public:
  // One launch that stands for `launches`, which take `time` together.
  void add(const NcuReport& report, const NcuLaunch& launch, double launches, double time) {
    for (const auto& row : kTable) {
      const auto value = counterValue(report, launch, row.counter);
      if (!value)
        continue;
      auto& total = m_totals[static_cast<std::size_t>(row.counter)];
      const double weight = row.kind == kSum ? launches : time;
      total.sum += *value * weight;
      total.weight += weight;
    }
    const double instructions = counterValue(report, launch, C::Instructions).value_or(0) * launches;
    for (const auto& stall : stallReasons(report, launch)) {
      auto& total = m_stalls[stall.name];
      total.first = stall.title;
      total.second.sum += stall.perIssue * instructions;
    }
    m_instructions += instructions;
  }

  void finish(CounterAggregate& out) {
    for (const auto& row : kTable) {
      const auto& total = m_totals[static_cast<std::size_t>(row.counter)];
      if (total.weight > 0)
        out.values[static_cast<std::size_t>(row.counter)] = row.kind == kSum ? total.sum : total.sum / total.weight;
    }
    for (const auto& [name, stall] : m_stalls)
      if (m_instructions > 0)
        out.stalls.push_back({name, stall.first, stall.second.sum / m_instructions});
    sortStalls(out.stalls);
  }

private:
  struct Total {
    double sum = 0, weight = 0;
  };
  std::array<Total, static_cast<std::size_t>(C::Count)> m_totals{};
  std::map<std::string_view, std::pair<std::string_view, Total>> m_stalls;
  double m_instructions = 0;
};

} // namespace

std::string CounterAggregate::coverageWords() const {
  if (!coverage)
    return "What share of a step they cover is unknown: no recording of one stands beside them.";
  return "They cover " + formatSignificant(100 * *coverage, 2) + " % of this kernel time" + (partial() ? ": the sums are partial." : ".");
}

std::span<const CounterInfo> counterTable() {
  return kTable;
}

const CounterInfo& counterInfo(Counter counter) {
  static constexpr CounterInfo kNone;
  const auto it =
      std::find_if(std::begin(kTable), std::end(kTable), [counter](const CounterInfo& row) { return row.counter == counter; });
  return it == std::end(kTable) ? kNone : *it;
}

namespace {
// Compilers set constants by HFMA2.MMA, a half-precision instruction that the tensor pipe runs: kernels without any matrix product have
// them by the million. Whether products were computed there is said by a metric of its own; reports of older tools lack it.
bool withoutProducts(const NcuReport& report, const NcuLaunch& launch) {
  return report.value(launch, "sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.avg.pct_of_peak_sustained_elapsed") == 0.0;
}
} // namespace

std::optional<double> counterValue(const NcuReport& report, const NcuLaunch& launch, Counter counter) {
  constexpr double kThreadsOfWarp = 32;
  const auto read = [&](Counter wanted) { return report.value(launch, counterInfo(wanted).metric); };
  switch (counter) {
  case C::TensorInstructions:
  case C::TensorPipe: {
    const auto value = read(counter);
    return value && withoutProducts(report, launch) ? 0.0 : value;
  }
  case C::InstructionsTensor: {
    const auto products = counterValue(report, launch, C::TensorInstructions);
    return products ? std::optional(kThreadsOfWarp * *products) : std::nullopt;
  }
  case C::InstructionsFp16: {
    const auto both = read(counter), tensorPipe = read(C::TensorInstructions); // FP16's count alone does not say what of it is the pipe's
    return both && tensorPipe ? std::optional(std::max(0.0, *both - kThreadsOfWarp * *tensorPipe)) : std::nullopt; // below zero: not all threads of a warp took part
  }
  default:
    return read(counter);
  }
}

std::vector<StallReason> stallReasons(const NcuReport& report, const NcuLaunch& launch) {
  std::vector<StallReason> stalls;
  for (const auto& stall : kStalls)
    if (const auto value =
            report.value(launch, "smsp__average_warps_issue_stalled_" + std::string(stall.name) + "_per_issue_active.ratio"))
      stalls.push_back({stall.name, stall.title, *value});
  sortStalls(stalls);
  return stalls;
}

std::string occupancyLimiter(const NcuReport& report, const NcuLaunch& launch) {
  static constexpr std::pair<std::string_view, std::string_view> kLimits[] = {{"registers", "registers"},
                                                                              {"shared_mem", "shared memory"},
                                                                              {"warps", "warps"},
                                                                              {"blocks", "blocks"},
                                                                              {"barriers", "barriers"}};
  std::string limiter;
  double least = 1e300;
  for (const auto& [name, words] : kLimits) {
    const auto limit = report.value(launch, "launch__occupancy_limit_" + std::string(name));
    if (limit && *limit < least) {
      least = *limit;
      limiter = words;
    }
  }
  return limiter;
}

CounterAggregate aggregateCounters(const NcuReport& report, std::span<const NcuLaunch* const> launches) {
  CounterAggregate out;
  Accumulator sums;
  for (const NcuLaunch* launch : launches)
    sums.add(report, *launch, 1, counterValue(report, *launch, C::Duration).value_or(0));
  sums.finish(out);
  out.launches = out.collected = launches.size();
  return out;
}

CounterAggregate aggregateCounters(const NcuReport& report) {
  std::vector<const NcuLaunch*> launches;
  for (const auto& launch : report.launches)
    launches.push_back(&launch);
  return aggregateCounters(report, launches);
}

std::vector<const NcuLaunch*> launchesOf(const NcuReport& report, std::string_view kernel) {
  std::vector<const NcuLaunch*> launches;
  const std::string key = kernelKey(kernel);
  for (const auto& launch : report.launches)
    if (launch.kernel == kernel || kernelKey(launch.kernel) == key)
      launches.push_back(&launch);
  return launches;
}

void addOccupancy(std::span<KernelRow* const> rows, const NcuReport& report) {
  std::map<std::string, std::vector<const NcuLaunch*>> byKernel, byShape;
  for (const auto& launch : report.launches) {
    byKernel[kernelKey(launch.kernel)].push_back(&launch);
    byShape[launchKey(launch.kernel, launch.grid, launch.block)].push_back(&launch);
  }
  for (KernelRow* row : rows) {
    auto found = row->shape ? byShape.find(launchKey(row->key, row->shape->grid, row->shape->block)) : byShape.end();
    if (found == byShape.end()) {
      found = byKernel.find(kernelKey(row->key));
      if (found == byKernel.end())
        continue;
    }
    const CounterAggregate counters = aggregateCounters(report, found->second);
    row->achievedOccupancy_percent = counters[Counter::AchievedOccupancy];
    row->theoreticalOccupancy_percent = counters[Counter::TheoreticalOccupancy];
  }
}

namespace {
// How many of the collected launches the row's launches of a step amount to. Launches that take about as long as each other do the same
// work, and count as many as they are. Kernels that stay on the GPU for work of any size are launched with one grid for all of it:
// theirs count by the time they take. Of a launch that a time range cuts, the part within counts.
double launchesInStep(const KernelRow& row, double steps, double collected_ms) {
  constexpr double kAlike = 1.25;
  const bool alike = row.maximum_ms <= kAlike * row.minimum_ms;
  return alike || collected_ms <= 0 ? static_cast<double>(row.calls) / steps * (row.whole_ms > 0 ? row.total_ms / row.whole_ms : 1) : row.total_ms / steps / collected_ms;
}

double meanDuration_ms(const NcuReport& report, std::span<const NcuLaunch* const> launches) {
  double sum = 0;
  for (const NcuLaunch* launch : launches)
    sum += counterValue(report, *launch, C::Duration).value_or(0) * 1e3;
  return launches.empty() ? 0 : sum / static_cast<double>(launches.size());
}
} // namespace

CounterAggregate aggregateCounters(const NcuReport& report, const Trace& trace, const KernelIndex& index,
                                   const EventFilter& filter) {
  std::map<std::string, std::vector<const NcuLaunch*>> collected;
  for (const auto& launch : report.launches)
    collected[launchKey(launch.kernel, launch.grid, launch.block)].push_back(&launch);
  EventFilter inSteps = filter;
  inSteps.stepsOnly = true;
  const double steps = stepsIn(filter, trace);
  CounterAggregate out;
  Accumulator sums;
  std::set<const NcuLaunch*> used;
  double covered = 0, all = 0, launches = 0;
  for (const auto& row : kernelRows(trace, index, KernelGrouping::Launch, inSteps)) {
    if (trace.gpu[row.example].kind != GpuKind::Kernel)
      continue;
    all += row.total_ms;
    const auto it = row.shape ? collected.find(launchKey(row.key, row.shape->grid, row.shape->block)) : collected.end();
    if (it == collected.end())
      continue;
    covered += row.total_ms;
    const auto instances = static_cast<double>(it->second.size());
    const double mean_ms = meanDuration_ms(report, it->second), amount = launchesInStep(row, steps, mean_ms);
    for (const NcuLaunch* launch : it->second) {
      const double length = mean_ms > 0 ? counterValue(report, *launch, C::Duration).value_or(0) * 1e3 / mean_ms : 1; // among them
      sums.add(report, *launch, amount / instances, row.total_ms / 1000 / steps / instances * length);
    }
    launches += static_cast<double>(row.calls) / steps;
    used.insert(it->second.begin(), it->second.end());
  }
  sums.finish(out);
  out.launches = static_cast<std::uint64_t>(launches + 0.5);
  out.collected = used.size();
  out.coverage = all > 0 ? std::optional(covered / all) : std::nullopt;
  return out;
}

std::string launchKey(std::string_view kernel, const std::uint32_t (&grid)[3], const std::uint32_t (&block)[3]) {
  std::string key = kernelKey(kernel);
  for (const auto side : grid)
    key += "," + std::to_string(side);
  for (const auto side : block)
    key += ";" + std::to_string(side);
  return key;
}

std::string kernelKey(std::string_view name) {
  return kernelBaseName(name) + "/" + describeKernel(name).shortName;
}

} // namespace voxlab
