// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/trace.h"
#include "core/base/text.h"
#include <algorithm>
#include <charconv>

namespace voxlab {

NameTable::NameTable() {
  intern("");
}

NameTable::NameTable(const NameTable& other) {
  *this = other;
}

NameTable& NameTable::operator=(const NameTable& other) {
  if (this == &other)
    return *this;
  m_ids.clear();
  m_byId.clear();
  for (const std::string* text : other.m_byId)
    intern(*text);
  return *this;
}

std::optional<NameId> NameTable::find(std::string_view text) const {
  const auto it = m_ids.find(text);
  return it == m_ids.end() ? std::nullopt : std::optional(it->second);
}

NameId NameTable::intern(std::string_view text) {
  if (const auto it = m_ids.find(text); it != m_ids.end())
    return it->second;
  const auto [it, added] = m_ids.emplace(std::string(text), static_cast<NameId>(m_byId.size()));
  m_byId.push_back(&it->first);
  return it->second;
}

std::string_view phaseName(Phase phase) {
  switch (phase) {
  case Phase::Data:
    return "data";
  case Phase::Forward:
    return "forward";
  case Phase::Backward:
    return "backward";
  case Phase::Optimizer:
    return "optimizer";
  case Phase::Sampling:
    return "sampling";
  case Phase::Unknown:
    break;
  }
  return "unknown";
}

std::int64_t Trace::end_ns() const {
  std::int64_t end = 0;
  for (const auto& event : gpu)
    end = std::max(end, event.end_ns());
  for (const auto& event : host)
    end = std::max(end, event.end_ns());
  return end;
}

bool Trace::hasGpu() const {
  return std::any_of(gpu.begin(), gpu.end(), [](const GpuEvent& e) { return e.kind != GpuKind::Operator; });
}

std::size_t Trace::memoryBytes() const {
  return gpu.capacity() * sizeof(GpuEvent) + host.capacity() * sizeof(HostEvent) + launchShapes.capacity() * sizeof(LaunchGeometry) +
         adoptedInputs.capacity() * sizeof(NameId);
}

NameId operatorInputsOf(const Trace& trace, const GpuEvent& event) {
  if (event.op != kNoIndex)
    return trace.host[event.op].inputs;
  return event.adopted == kNoIndex ? 0 : trace.adoptedInputs[event.adopted];
}

std::optional<std::uint64_t> operatorCallOf(const GpuEvent& event) {
  constexpr std::uint32_t kRecorded = kNoIndex; // in the place of the step, where no step can be
  const bool recorded = event.op != kNoIndex;
  if (!recorded && (event.adopted == kNoIndex || event.step == kNoIndex))
    return std::nullopt;
  return (static_cast<std::uint64_t>(recorded ? kRecorded : event.step) << 32) | (recorded ? event.op : event.adopted);
}

namespace {
std::vector<std::int64_t> shapeFrom(const std::string& text) {
  std::vector<std::int64_t> shape;
  for (const auto& side : split(text, ',')) {
    std::int64_t value = 0;
    if (std::from_chars(side.data(), side.data() + side.size(), value).ec == std::errc())
      shape.push_back(value);
  }
  return shape;
}
} // namespace

std::vector<OperatorInput> operatorInputs(std::string_view text) {
  std::vector<OperatorInput> inputs;
  if (text.empty())
    return inputs;
  for (const auto& line : split(text, '\n')) {
    const auto parts = split(line, '\t');
    OperatorInput input;
    if (!parts[0].empty())
      for (const auto& tensor : split(parts[0], ';'))
        input.tensors.push_back(shapeFrom(tensor));
    if (parts.size() > 1)
      input.type = parts[1];
    if (parts.size() > 2)
      input.concrete = parts[2];
    inputs.push_back(std::move(input));
  }
  return inputs;
}

} // namespace voxlab
