// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/module_tree.h"
#include "core/base/text.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>

namespace voxlab {
namespace {
// "10" comes after "9", and numbers before words.
bool inOrder(const ModuleNode& a, const ModuleNode& b) {
  const auto number = [](const std::string& text) {
    int value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    return result.ec == std::errc() && result.ptr == text.data() + text.size() ? std::optional(value) : std::nullopt;
  };
  const auto left = number(a.name), right = number(b.name);
  if (left && right)
    return *left < *right;
  return left.has_value() != right.has_value() ? left.has_value() : a.name < b.name;
}

ModuleNode& child(ModuleNode& parent, const std::string& name, char separator = '.') {
  const auto it =
      std::find_if(parent.children.begin(), parent.children.end(), [&](const ModuleNode& node) { return node.name == name; });
  if (it != parent.children.end())
    return *it;
  ModuleNode node;
  node.name = name;
  node.path = parent.path.empty() ? name : parent.path + separator + name;
  parent.children.push_back(std::move(node));
  return parent.children.back();
}

using CategoryTimes = std::array<double, static_cast<std::size_t>(KernelCategory::Count)>;

// `own`: of each node without those below it, by path. Returns the node's, with them.
CategoryTimes sumUp(ModuleNode& node, const std::map<std::string, CategoryTimes>& own) {
  CategoryTimes times{};
  if (const auto it = own.find(node.path); it != own.end())
    times = it->second;
  node.total_ms = node.self_ms;
  for (auto& below : node.children) {
    const CategoryTimes part = sumUp(below, own);
    for (std::size_t i = 0; i < times.size(); ++i)
      times[i] += part[i];
    node.total_ms += below.total_ms;
    node.calls += below.calls;
  }
  node.category = static_cast<KernelCategory>(std::max_element(times.begin(), times.end()) - times.begin());
  return times;
}

template <class Less> void sortAll(ModuleNode& node, Less less) {
  std::sort(node.children.begin(), node.children.end(), less);
  for (auto& below : node.children)
    sortAll(below, less);
}

// Sums of events by a few numbers.
struct Leaf {
  double time_ms = 0;
  std::uint64_t calls = 0;
};
} // namespace

ModuleNode moduleTree(const Trace& trace, const KernelIndex& index, const EventFilter& filter) {
  std::map<std::pair<NameId, KernelCategory>, Leaf> leaves;
  const EventMatcher matches(filter, trace, index);
  for (const auto& event : trace.gpu) {
    if (!matches(event))
      continue;
    Leaf& leaf = leaves[{event.module, index.of(event).category}];
    leaf.time_ms += selectedMs(filter, event);
    leaf.calls += !event.isLaterSlice;
  }
  ModuleNode root;
  std::map<std::string, CategoryTimes> own;
  const double steps = stepsIn(filter, trace);
  for (const auto& [key, leaf] : leaves) {
    ModuleNode* node = &root;
    if (const std::string& path = trace.name(key.first); !path.empty())
      for (const auto& name : split(path, '.'))
        node = &child(*node, name);
    node->self_ms += leaf.time_ms / steps;
    node->calls += leaf.calls;
    own[node->path][static_cast<std::size_t>(key.second)] += leaf.time_ms;
  }
  sumUp(root, own);
  sortAll(root, inOrder);
  return root;
}

ModuleNode operatorTree(const Trace& trace, const KernelIndex& index, const EventFilter& filter) {
  std::map<std::tuple<Phase, NameId, NameId>, std::pair<Leaf, const GpuEvent*>> leaves;
  const EventMatcher matches(filter, trace, index);
  for (const auto& event : trace.gpu) {
    if (!matches(event))
      continue;
    auto& [leaf, example] = leaves[{event.phase, event.opName, event.name}];
    leaf.time_ms += selectedMs(filter, event);
    leaf.calls += !event.isLaterSlice;
    example = &event;
  }
  ModuleNode root;
  std::map<std::string, CategoryTimes> own;
  const double steps = stepsIn(filter, trace);
  for (const auto& [key, value] : leaves) {
    const auto& [leaf, example] = value;
    ModuleNode* node = &root;
    if (std::get<Phase>(key) != Phase::Unknown)
      node = &child(*node, std::string(phaseName(std::get<Phase>(key))), '/');
    const std::string& op = trace.name(std::get<1>(key));
    node = &child(*node, op.empty() ? std::string(kNoOperator) : op, '/');
    node = &child(*node, index.of(*example).shortName, '/');
    node->self_ms += leaf.time_ms / steps;
    node->calls += leaf.calls;
    own[node->path][static_cast<std::size_t>(index.of(*example).category)] += leaf.time_ms;
  }
  sumUp(root, own);
  sortAll(root, [](const ModuleNode& a, const ModuleNode& b) { return a.total_ms > b.total_ms; });
  // The phases stand in the order of the step.
  static constexpr std::string_view kOrder[] = {"data", "forward", "backward", "optimizer", "sampling"};
  std::stable_sort(root.children.begin(), root.children.end(), [](const ModuleNode& a, const ModuleNode& b) {
    return std::find(std::begin(kOrder), std::end(kOrder), a.name) < std::find(std::begin(kOrder), std::end(kOrder), b.name);
  });
  return root;
}

bool namesModules(const Trace& trace) {
  return std::any_of(trace.gpu.begin(), trace.gpu.end(), [](const GpuEvent& event) { return event.module != 0; });
}

} // namespace voxlab
