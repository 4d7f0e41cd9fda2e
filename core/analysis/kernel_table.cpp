// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/kernel_table.h"
#include "core/analysis/kernel_titles.h"
#include <algorithm>
#include <cctype>
#include <map>
#include <unordered_map>

namespace voxlab {
namespace {
constexpr double kEdgeOfAStep = 0.02; // the share of a step that a hand may miss

bool containsIgnoringCase(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

bool isWithin(std::string_view module, std::string_view ancestor) {
  return module.starts_with(ancestor) && (module.size() == ancestor.size() || module[ancestor.size()] == '.');
}

// A convolution's gradient by its input is a convolution: the kernel is the same, its launch tells.
KernelInfo asGradient(KernelInfo info) {
  if (info.category != KernelCategory::ConvolutionForward)
    return info;
  info.category = KernelCategory::ConvolutionDataGradient;
  info.part = WorkPart::DataGradient;
  constexpr std::string_view kForward = "convolution";
  for (std::string* words : {&info.family, &info.shortName})
    if (const auto at = words->find(kForward); at != std::string::npos)
      words->replace(at, kForward.size(), "data gradient");
  return info;
}

KernelInfo describe(const GpuEvent& event, const std::string& name) {
  switch (event.kind) {
  case GpuKind::Copy:
  case GpuKind::Fill:
    return describeCopy(name);
  case GpuKind::Operator:
    return describeOperator(name);
  default:
    return event.ofFusedGradient ? asGradient(describeKernel(name)) : describeKernel(name);
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
  std::unordered_map<std::uint32_t, double> ofCalls_ms; // of operators, which have an event for each stretch of a call
  bool oneShape = true;
  std::uint32_t firstShape = kNoIndex;
};

template <class Map> std::uint32_t heaviest(const Map& times) {
  const auto it =
      std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  return it->second.second;
}

void add(Sum& sum, const Trace& trace, const KernelIndex& index, std::uint32_t i, double selected_ms) {
  const GpuEvent& event = trace.gpu[i];
  const double ms = static_cast<double>(event.duration_ns) / 1e6;
  KernelRow& row = sum.row;
  if (row.example == kNoIndex) {
    row.minimum_ms = ms;
    sum.firstShape = event.shape;
  }
  if (event.kind == GpuKind::Operator)
    sum.ofCalls_ms[event.launch] += ms;
  else
    ++row.calls;
  row.bytes += event.bytes;
  row.total_ms += selected_ms;
  row.whole_ms += ms;
  row.minimum_ms = std::min(row.minimum_ms, ms);
  if (row.example == kNoIndex || ms > row.maximum_ms)
    row.example = i;
  row.maximum_ms = std::max(row.maximum_ms, ms);
  sum.oneShape = sum.oneShape && event.shape == sum.firstShape;
  auto& origin = sum.origins.try_emplace({event.opName, event.module}, 0.0, i).first->second;
  origin.first += selected_ms;
  auto& family = sum.families.try_emplace(index.family(event), 0.0, i).first->second;
  family.first += selected_ms;
}

void addCalls(KernelRow& row, const std::unordered_map<std::uint32_t, double>& ofCalls_ms) {
  if (ofCalls_ms.empty())
    return;
  row.calls += ofCalls_ms.size();
  const auto [least, most] = std::minmax_element(ofCalls_ms.begin(), ofCalls_ms.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  row.minimum_ms = least->second;
  row.maximum_ms = most->second;
}

KernelRow finished(Sum& sum, const Trace& trace, const KernelIndex& index, KernelGrouping grouping) {
  KernelRow row = std::move(sum.row);
  addCalls(row, sum.ofCalls_ms);
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
    row.title = info.title;
  else
    row.title = grouping == KernelGrouping::Category ? std::string(categoryTitle(info.category)) : row.key;
  if (sum.oneShape && sum.firstShape != kNoIndex)
    row.shape = trace.launchShapes[sum.firstShape];
  return row;
}
} // namespace

KernelIndex::KernelIndex(const Trace& trace) : m_byName(2 * trace.names.size(), kNoIndex) {
  std::unordered_map<std::string, std::uint32_t> families;
  std::vector<NamedKernel> names;
  for (const auto& event : trace.gpu) {
    std::uint32_t& number = m_byName[place(event)];
    if (number != kNoIndex)
      continue;
    number = static_cast<std::uint32_t>(m_infos.size());
    m_infos.push_back(describe(event, trace.name(event.name)));
    names.push_back({trace.name(event.name), m_infos.back().shortName});
    m_families.push_back(families.try_emplace(m_infos.back().family, static_cast<std::uint32_t>(families.size())).first->second);
  }
  const auto titles = kernelTitles(names);
  for (std::size_t i = 0; i < titles.size(); ++i)
    m_infos[i].title = titles[i];
}

EventMatcher::EventMatcher(const EventFilter& filter, const Trace& trace, const KernelIndex& index)
    : m_filter(filter), m_trace(trace), m_index(index) {
  if (!filter.module.empty())
    m_modules.resize(trace.names.size(), Answer::Unasked);
  if (!filter.text.empty()) {
    m_texts.resize(trace.names.size(), Answer::Unasked);
    m_kernels.resize(trace.names.size(), Answer::Unasked);
  }
}

bool EventMatcher::moduleMatches(NameId module) const {
  Answer& answer = m_modules[module];
  if (answer == Answer::Unasked)
    answer = isWithin(m_trace.name(module), m_filter.module) ? Answer::Yes : Answer::No;
  return answer == Answer::Yes;
}

bool EventMatcher::textMatches(const GpuEvent& event) const {
  const auto asked = [](Answer& answer, auto question) {
    if (answer == Answer::Unasked)
      answer = question() ? Answer::Yes : Answer::No;
    return answer == Answer::Yes;
  };
  const auto has = [&](NameId name) {
    return asked(m_texts[name], [&] { return containsIgnoringCase(m_trace.name(name), m_filter.text); });
  };
  return has(event.opName) || has(event.module) || asked(m_kernels[event.name], [&] {
           return containsIgnoringCase(m_trace.name(event.name), m_filter.text) ||
                  containsIgnoringCase(m_index.of(event).title, m_filter.text);
         });
}

bool EventMatcher::operator()(const GpuEvent& event) const {
  const EventFilter& f = m_filter;
  if (f.time_ns && (event.end_ns() <= f.time_ns->first || event.start_ns >= f.time_ns->second))
    return false;
  if ((f.step && event.step != *f.step) || (f.stepsOnly && event.step == kNoIndex) || (f.phase && event.phase != *f.phase))
    return false;
  if (!f.categories.empty() && !f.categories.contains(m_index.of(event).category))
    return false;
  if (!f.operatorName.empty() && m_trace.name(event.opName) != f.operatorName)
    return false;
  if ((f.withoutModule && event.module != 0) || (f.withoutOperator && event.opName != 0))
    return false;
  return (f.module.empty() || moduleMatches(event.module)) && (f.text.empty() || textMatches(event));
}

bool passes(const EventFilter& filter, const GpuEvent& event, const Trace& trace, const KernelIndex& index) {
  return EventMatcher(filter, trace, index)(event);
}

double selectedMs(const EventFilter& filter, const GpuEvent& event) {
  std::int64_t start_ns = event.start_ns, end_ns = event.end_ns();
  if (filter.time_ns) {
    start_ns = std::max(start_ns, filter.time_ns->first);
    end_ns = std::min(end_ns, filter.time_ns->second);
  }
  return static_cast<double>(std::max<std::int64_t>(0, end_ns - start_ns)) / 1e6;
}

double stepsIn(const EventFilter& filter, const Trace& trace) {
  if (filter.step)
    return 1;
  std::size_t whole = trace.steps.size();
  if (filter.time_ns) {
    whole = 0;
    for (const TraceStep& step : trace.steps) {
      const std::int64_t inside_ns = std::min(step.end_ns, filter.time_ns->second) - std::max(step.start_ns, filter.time_ns->first);
      const double share = static_cast<double>(inside_ns) / static_cast<double>(std::max<std::int64_t>(step.duration_ns(), 1));
      if (share > kEdgeOfAStep && share < 1 - kEdgeOfAStep)
        return 1;
      whole += share >= 1 - kEdgeOfAStep;
    }
  }
  return static_cast<double>(std::max<std::size_t>(whole, 1));
}

double stepWall_ms(const EventFilter& filter, const Trace& trace) {
  if (filter.step)
    return *filter.step < trace.steps.size() ? static_cast<double>(trace.steps[*filter.step].duration_ns()) / 1e6 : 0;
  double sum_ms = 0;
  for (const auto& step : trace.steps)
    sum_ms += static_cast<double>(step.duration_ns()) / 1e6;
  return trace.steps.empty() ? 0 : sum_ms / static_cast<double>(trace.steps.size());
}

namespace {
// Rows of one kernel are told apart by how they are launched.
void nameShapes(std::vector<KernelRow>& rows) {
  std::map<std::string, std::vector<KernelRow*>> byKernel;
  for (KernelRow& row : rows)
    byKernel[row.key].push_back(&row);
  for (const auto& [kernel, members] : byKernel) {
    std::vector<LaunchGeometry> shapes;
    for (const KernelRow* row : members)
      shapes.push_back(row->shape.value_or(LaunchGeometry()));
    const auto differences = shapeDifferences(shapes);
    for (std::size_t i = 0; i < members.size(); ++i)
      if (!differences[i].empty())
        members[i]->title += " · " + differences[i];
  }
}

std::vector<KernelRow> rowsOf(std::unordered_map<std::uint64_t, Sum>& sums, const Trace& trace, const KernelIndex& index,
                              KernelGrouping grouping, double all_ms) {
  std::vector<KernelRow> rows;
  for (auto& [key, sum] : sums) {
    rows.push_back(finished(sum, trace, index, grouping));
    rows.back().share = all_ms > 0 ? rows.back().total_ms / all_ms : 0;
  }
  std::sort(rows.begin(), rows.end(), [](const KernelRow& a, const KernelRow& b) {
    return a.total_ms != b.total_ms ? a.total_ms > b.total_ms : a.key < b.key;
  });
  if (grouping == KernelGrouping::Launch)
    nameShapes(rows);
  return rows;
}
} // namespace

std::vector<KernelRow> kernelRows(const Trace& trace, const KernelIndex& index, KernelGrouping grouping,
                                  const EventFilter& filter) {
  std::unordered_map<std::uint64_t, Sum> sums;
  const EventMatcher matches(filter, trace, index);
  double all_ms = 0;
  for (std::uint32_t i = 0; i < trace.gpu.size(); ++i) {
    const GpuEvent& event = trace.gpu[i];
    if (!matches(event))
      continue;
    const double ms = selectedMs(filter, event);
    add(sums[keyOf(event, index, grouping)], trace, index, i, ms);
    all_ms += ms;
  }
  return rowsOf(sums, trace, index, grouping, all_ms);
}

std::vector<KernelGroup> kernelGroups(const Trace& trace, const KernelIndex& index, KernelGrouping grouping,
                                      const EventFilter& filter) {
  std::vector<KernelGroup> groups;
  for (auto& row : kernelRows(trace, index, grouping, filter))
    groups.push_back({std::move(row), {}});
  if (grouping == KernelGrouping::Kernel || grouping == KernelGrouping::Launch)
    return groups;
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, Sum>> sums; // group → kernel
  const EventMatcher matches(filter, trace, index);
  double all_ms = 0;
  for (std::uint32_t i = 0; i < trace.gpu.size(); ++i) {
    const GpuEvent& event = trace.gpu[i];
    if (!matches(event))
      continue;
    const double ms = selectedMs(filter, event);
    add(sums[keyOf(event, index, grouping)][event.name], trace, index, i, ms);
    all_ms += ms;
  }
  for (auto& group : groups)
    group.kernels = rowsOf(sums[keyOf(trace.gpu[group.row.example], index, grouping)], trace, index, KernelGrouping::Kernel, all_ms);
  return groups;
}

} // namespace voxlab
