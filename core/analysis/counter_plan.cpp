// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/counter_plan.h"
#include "core/analysis/counters.h"
#include <algorithm>
#include <map>
#include <set>

namespace voxlab {
namespace {
// Of every operator: how many of the same name began before it.
std::vector<std::size_t> ordinals(const Trace& trace) {
  std::vector<std::uint32_t> byStart;
  for (std::uint32_t i = 0; i < trace.host.size(); ++i)
    if (trace.host[i].kind == HostKind::Operator)
      byStart.push_back(i);
  std::stable_sort(byStart.begin(), byStart.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return trace.host[a].start_ns < trace.host[b].start_ns; });
  std::vector<std::size_t> found(trace.host.size());
  std::map<NameId, std::size_t> seen;
  for (const std::uint32_t i : byStart)
    found[i] = seen[trace.host[i].name]++;
  return found;
}

std::size_t kernelsOf(const Trace& trace, const std::set<std::uint32_t>& operators) {
  return static_cast<std::size_t>(std::count_if(trace.gpu.begin(), trace.gpu.end(), [&](const GpuEvent& event) {
    return event.kind == GpuKind::Kernel && event.op != kNoIndex && operators.count(event.op) > 0;
  }));
}

struct Candidate {
  CounterTarget target;
  std::uint32_t op = kNoIndex;
};

// Of the first step, largest share first. Launches that a counter report cannot tell apart are one.
std::vector<Candidate> candidates(const Trace& trace, const KernelIndex& index) {
  EventFilter first;
  first.step = 0;
  const auto ordinal = ordinals(trace);
  std::vector<Candidate> list;
  std::map<std::string, std::size_t> known;
  double all_ms = 0;
  for (const KernelRow& row : kernelRows(trace, index, KernelGrouping::Launch, first)) {
    const GpuEvent& event = trace.gpu[row.example];
    if (event.kind != GpuKind::Kernel)
      continue;
    all_ms += row.total_ms;
    if (event.op == kNoIndex || !row.shape)
      continue;
    const auto [it, isNew] = known.emplace(launchKey(row.key, row.shape->grid, row.shape->block), list.size());
    if (isNew)
      list.push_back({{row.key, *row.shape, trace.name(trace.host[event.op].name), ordinal[event.op], 0}, event.op});
    list[it->second].target.share += row.total_ms;
  }
  for (Candidate& candidate : list)
    candidate.target.share /= all_ms;
  std::stable_sort(list.begin(), list.end(),
                   [](const Candidate& a, const Candidate& b) { return a.target.share > b.target.share; });
  return list;
}
} // namespace

CounterPlan planCounters(const Trace& trace, const KernelIndex& index, double coverage, std::size_t most) {
  CounterPlan plan;
  if (!trace.hasGpu() || trace.steps.empty())
    return plan;
  std::set<std::uint32_t> operators;
  for (const Candidate& candidate : candidates(trace, index)) {
    if (plan.targets.size() >= most || plan.coverage >= coverage)
      break;
    plan.targets.push_back(candidate.target);
    plan.coverage += candidate.target.share;
    operators.insert(candidate.op);
  }
  plan.launches = kernelsOf(trace, operators);
  return plan;
}

Json toJson(const CounterPlan& plan) {
  Json targets = Json::array();
  for (const CounterTarget& t : plan.targets)
    targets.push_back({{"kernel", t.kernel},
                       {"grid", t.shape.grid},
                       {"block", t.shape.block},
                       {"operator", t.operatorName},
                       {"ordinal", t.ordinal},
                       {"share", t.share}});
  return {{"coverage", plan.coverage}, {"launches", plan.launches}, {"targets", std::move(targets)}};
}

Result<CounterPlan> counterPlanFromJson(const Json& json) {
  CounterPlan plan;
  const auto targets = json.is_object() ? json.find("targets") : json.end();
  if (!json.is_object() || targets == json.end() || !targets->is_array())
    return fail(ExitCode::Data, "The plan of counters lists no targets.");
  plan.coverage = jsonGet<double>(json, "coverage").value_or(0);
  plan.launches = jsonGet<std::size_t>(json, "launches").value_or(0);
  for (const Json& entry : *targets) {
    CounterTarget t;
    const auto name = jsonGet<std::string>(entry, "operator");
    const auto ordinal = jsonGet<std::size_t>(entry, "ordinal");
    if (!name || !ordinal)
      return fail(ExitCode::Data, "A target in the plan of counters names no operator.");
    t.kernel = jsonGet<std::string>(entry, "kernel").value_or("");
    t.operatorName = *name;
    t.ordinal = *ordinal;
    t.share = jsonGet<double>(entry, "share").value_or(0);
    const auto sides = [&](const char* key, std::uint32_t(&into)[3]) {
      const auto values = jsonGet<std::vector<std::uint32_t>>(entry, key).value_or(std::vector<std::uint32_t>());
      std::copy_n(values.begin(), std::min<std::size_t>(3, values.size()), into);
    };
    sides("grid", t.shape.grid);
    sides("block", t.shape.block);
    plan.targets.push_back(std::move(t));
  }
  return plan;
}

} // namespace voxlab
