// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/module_tree.h"
#include "core/base/text.h"
#include <algorithm>
#include <charconv>

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

ModuleNode& child(ModuleNode& parent, const std::string& name) {
  const auto it =
      std::find_if(parent.children.begin(), parent.children.end(), [&](const ModuleNode& node) { return node.name == name; });
  if (it != parent.children.end())
    return *it;
  ModuleNode node;
  node.name = name;
  node.path = parent.path.empty() ? name : parent.path + "." + name;
  parent.children.push_back(std::move(node));
  return parent.children.back();
}

void sumUp(ModuleNode& node) {
  node.total_ms = node.self_ms;
  for (auto& below : node.children) {
    sumUp(below);
    node.total_ms += below.total_ms;
    node.calls += below.calls;
  }
  std::sort(node.children.begin(), node.children.end(), inOrder);
}
} // namespace

ModuleNode moduleTree(const Trace& trace, const KernelIndex& index, const EventFilter& filter) {
  ModuleNode root;
  const auto steps = static_cast<double>(std::max<std::size_t>(trace.steps.size(), 1));
  for (const auto& row : kernelRows(trace, index, KernelGrouping::Module, filter)) {
    ModuleNode* node = &root;
    if (!row.key.empty())
      for (const auto& name : split(row.key, '.'))
        node = &child(*node, name);
    node->self_ms += row.total_ms / steps;
    node->calls += row.calls;
  }
  sumUp(root);
  return root;
}

} // namespace voxlab
