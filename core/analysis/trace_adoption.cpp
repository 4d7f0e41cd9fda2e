// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/trace_adoption.h"
#include <unordered_map>

namespace voxlab {
namespace {
// Kernels, copies and fills.
std::vector<std::uint32_t> eventsOfStep(const Trace& trace, std::uint32_t step) {
  std::vector<std::uint32_t> events;
  for (std::uint32_t i = 0; i < trace.gpu.size(); ++i)
    if (trace.gpu[i].step == step && trace.gpu[i].kind != GpuKind::Operator)
      events.push_back(i);
  return events;
}

// Pairs of positions with equal names, in order: walks both sequences, and where they part looks for the nearest place at which
// two names in a row agree again.
std::vector<std::pair<std::size_t, std::size_t>> align(const std::vector<NameId>& a, const std::vector<NameId>& b) {
  constexpr std::size_t kFarthest = 256;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  const auto agree = [&](std::size_t i, std::size_t j) {
    return i < a.size() && j < b.size() && a[i] == b[j] && (i + 1 == a.size() || j + 1 == b.size() || a[i + 1] == b[j + 1]);
  };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) {
      pairs.emplace_back(i++, j++);
      continue;
    }
    bool found = false;
    for (std::size_t distance = 1; distance < kFarthest && !found; ++distance)
      for (std::size_t skip = 0; skip <= distance && !found; ++skip)
        if (agree(i + skip, j + distance - skip)) {
          i += skip;
          j += distance - skip;
          found = true;
        }
    if (!found)
      ++i, ++j;
  }
  return pairs;
}

// Writes what is known of an eager trace's events into events of another one.
class Adoption {
public:
  Adoption(Trace& into, const Trace& from) : m_into(into), m_from(from) {}

  void adopt(GpuEvent& event, const GpuEvent& known) {
    event.opName = m_into.names.intern(m_from.name(known.opName));
    event.module = m_into.names.intern(m_from.name(known.module));
    event.phase = known.phase;
    event.ofFusedGradient = known.ofFusedGradient;
    if (known.op != kNoIndex)
      event.adopted = operatorOf(known.op);
  }

private:
  std::uint32_t operatorOf(std::uint32_t op) {
    const auto [it, isNew] = m_operators.try_emplace(op, static_cast<std::uint32_t>(m_into.adoptedInputs.size()));
    if (isNew)
      m_into.adoptedInputs.push_back(m_into.names.intern(m_from.name(m_from.host[op].inputs)));
    return it->second;
  }

  Trace& m_into;
  const Trace& m_from;
  std::unordered_map<std::uint32_t, std::uint32_t> m_operators; // of m_from.host → of m_into.adoptedInputs
};
} // namespace

std::size_t adoptAttribution(Trace& replayed, const Trace& eager) {
  if (eager.steps.empty())
    return 0;
  const auto source = eventsOfStep(eager, 0);
  std::vector<NameId> sourceNames;
  for (const auto i : source)
    sourceNames.push_back(replayed.names.intern(eager.name(eager.gpu[i].name)));
  Adoption adoption(replayed, eager);
  std::size_t filled = 0;
  for (std::uint32_t step = 0; step < replayed.steps.size(); ++step) {
    const auto target = eventsOfStep(replayed, step);
    std::vector<NameId> targetNames;
    for (const auto i : target)
      targetNames.push_back(replayed.gpu[i].name);
    for (const auto& [from, to] : align(sourceNames, targetNames)) {
      const GpuEvent& known = eager.gpu[source[from]];
      GpuEvent& event = replayed.gpu[target[to]];
      if (event.opName != 0)
        continue;
      adoption.adopt(event, known);
      ++filled;
    }
  }
  return filled;
}

} // namespace voxlab
