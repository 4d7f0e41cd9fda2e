// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/kernel_table.h"
#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>

namespace voxlab {
namespace {
bool containsIgnoringCase(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool isWithin(std::string_view module, std::string_view ancestor) {
  return module.starts_with(ancestor) && (module.size() == ancestor.size() || module[ancestor.size()] == '.');
}

KernelInfo describe(const GpuEvent& event, const std::string& name) {
  switch (event.kind) {
  case GpuKind::Copy:
  case GpuKind::Fill:
    return describeCopy(name);
  case GpuKind::Operator:
    return describeOperator(name);
  default:
    return describeKernel(name);
  }
}

std::uint64_t keyOf(const GpuEvent& event, const KernelIndex& index, KernelGrouping grouping) {
  switch (grouping) {
  case KernelGrouping::Launch: return (static_cast<std::uint64_t>(event.name) << 32) | event.shape;
  case KernelGrouping::Family: return index.family(event);
  case KernelGrouping::Category: return static_cast<std::uint64_t>(index.of(event).category);
  case KernelGrouping::Operator: return event.opName;
  case KernelGrouping::Module: return event.module;
  case KernelGrouping::Phase: return static_cast<std::uint64_t>(event.phase);
  default: return event.name;
  }
}

// What the key stands for, from any event of the group.
std::string wordsOf(const GpuEvent& event, const Trace& trace, const KernelInfo& info, KernelGrouping grouping) {
  switch (grouping) {
  case KernelGrouping::Family: return info.family;
  case KernelGrouping::Category: return std::string(categoryName(info.category));
  case KernelGrouping::Operator: return trace.name(event.opName);
  case KernelGrouping::Module: return trace.name(event.module);
  case KernelGrouping::Phase: return std::string(phaseName(event.phase));
  default: return trace.name(event.name);
  }
}

// A row while it is summed: what most of its time belongs to is not known before the end.
struct Sum {
  KernelRow row;
  std::map<std::pair<NameId, NameId>, std::pair<double, std::uint32_t>> origins; // operator and module → time, an event
  std::map<std::uint32_t, std::pair<double, std::uint32_t>> families;
  bool oneShape = true;
  std::uint32_t firstShape = kNoIndex;
};

template <class Map> std::uint32_t heaviest(const Map& times) {
  const auto it =
      std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  return it->second.second;
}

void add(Sum& sum, const Trace& trace, const KernelIndex& index, std::uint32_t i) {
  const GpuEvent& event = trace.gpu[i];
  const double ms = static_cast<double>(event.duration_ns) / 1e6;
  KernelRow& row = sum.row;
  if (row.calls == 0) {
    row.minimum_ms = ms;
    sum.firstShape = event.shape;
  }
  ++row.calls;
  row.bytes += event.bytes;
  row.total_ms += ms;
  row.minimum_ms = std::min(row.minimum_ms, ms);
  if (row.example == kNoIndex || ms > row.maximum_ms)
    row.example = i;
  row.maximum_ms = std::max(row.maximum_ms, ms);
  sum.oneShape = sum.oneShape && event.shape == sum.firstShape;
  auto& origin = sum.origins.try_emplace({event.opName, event.module}, 0.0, i).first->second;
  origin.first += ms;
  auto& family = sum.families.try_emplace(index.family(event), 0.0, i).first->second;
  family.first += ms;
}

KernelRow finished(Sum& sum, const Trace& trace, const KernelIndex& index, KernelGrouping grouping) {
  KernelRow row = std::move(sum.row);
  const GpuEvent& origin = trace.gpu[heaviest(sum.origins)];
  const KernelInfo& info = index.of(trace.gpu[heaviest(sum.families)]);
  row.category = info.category;
  row.family = info.family;
  row.arithmetic = info.arithmetic;
  row.tensorCores = info.tensorCores;
  row.operatorName = trace.name(origin.opName);
  row.module = trace.name(origin.module);
  row.phase = origin.phase;
  row.key = wordsOf(trace.gpu[row.example], trace, info, grouping);
  if (grouping == KernelGrouping::Kernel || grouping == KernelGrouping::Launch)
    row.title = info.shortName;
  else
    row.title = grouping == KernelGrouping::Category ? std::string(categoryTitle(info.category)) : row.key;
  if (sum.oneShape && sum.firstShape != kNoIndex)
    row.shape = trace.launchShapes[sum.firstShape];
  return row;
}
} // namespace

KernelIndex::KernelIndex(const Trace& trace) : m_byName(trace.names.size(), kNoIndex) {
  std::unordered_map<std::string, std::uint32_t> families;
  for (const auto& event : trace.gpu) {
    if (m_byName[event.name] != kNoIndex)
      continue;
    m_byName[event.name] = static_cast<std::uint32_t>(m_infos.size());
    m_infos.push_back(describe(event, trace.name(event.name)));
    m_families.push_back(families.try_emplace(m_infos.back().family, static_cast<std::uint32_t>(families.size())).first->second);
  }
}

bool passes(const EventFilter& filter, const GpuEvent& event, const Trace& trace, const KernelIndex& index) {
  if (filter.time_ns && (event.end_ns() < filter.time_ns->first || event.start_ns > filter.time_ns->second))
    return false;
  if ((filter.step && event.step != *filter.step) || (filter.stepsOnly && event.step == kNoIndex) ||
      (filter.phase && event.phase != *filter.phase))
    return false;
  if (!filter.categories.empty() && !filter.categories.contains(index.of(event).category))
    return false;
  if (!filter.module.empty() && !isWithin(trace.name(event.module), filter.module))
    return false;
  return filter.text.empty() || containsIgnoringCase(trace.name(event.name), filter.text) ||
         containsIgnoringCase(index.of(event).shortName, filter.text) ||
         containsIgnoringCase(trace.name(event.opName), filter.text) || containsIgnoringCase(trace.name(event.module), filter.text);
}

std::vector<KernelRow> kernelRows(const Trace& trace, const KernelIndex& index, KernelGrouping grouping,
                                  const EventFilter& filter) {
  std::unordered_map<std::uint64_t, Sum> sums;
  double all_ms = 0;
  for (std::uint32_t i = 0; i < trace.gpu.size(); ++i) {
    const GpuEvent& event = trace.gpu[i];
    if (!passes(filter, event, trace, index))
      continue;
    add(sums[keyOf(event, index, grouping)], trace, index, i);
    all_ms += static_cast<double>(event.duration_ns) / 1e6;
  }
  std::vector<KernelRow> rows;
  for (auto& [key, sum] : sums) {
    rows.push_back(finished(sum, trace, index, grouping));
    rows.back().share = all_ms > 0 ? rows.back().total_ms / all_ms : 0;
  }
  std::sort(rows.begin(), rows.end(), [](const KernelRow& a, const KernelRow& b) {
    return a.total_ms != b.total_ms ? a.total_ms > b.total_ms : a.key < b.key;
  });
  return rows;
}

} // namespace voxlab
