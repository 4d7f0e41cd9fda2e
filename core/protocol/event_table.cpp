// SPDX-License-Identifier: Apache-2.0
// The fields of every event type, as events.h lists them: required ones with their type, optional ones by name.
#include "core/base/text.h"
#include "core/protocol/events.h"
#include <algorithm>

namespace voxlab {
namespace {
enum class FieldType { Text, Number, Boolean };

struct RequiredField {
  std::string_view name;
  FieldType type;
};

struct EventRow {
  std::string_view type;
  std::vector<RequiredField> required;
  std::string_view optional; // separated by spaces; "…" at the end: any other field belongs too
};

constexpr auto kText = FieldType::Text;
constexpr auto kNumber = FieldType::Number;
constexpr auto kBoolean = FieldType::Boolean;

const std::vector<EventRow>& rows() {
  static const std::vector<EventRow> table{
      {event::kHello,
       {{"major", kNumber}, {"minor", kNumber}, {"start", kNumber}, {"resume_step", kNumber}, {"wall_time", kText}},
       "kind total_steps"},
      {event::kState, {{"state", kText}}, "step total_steps"},
      {event::kStep,
       {{"step", kNumber}},
       "loss loss_smoothed learning_rate gradient_norm step_time_ms data_ms compute_ms host_ms volumes_per_s voxels_per_s "
       "flops_per_s bound_percent "
       "passes loss_scale"},
      {event::kProgress, {{"what", kText}, {"done", kNumber}, {"total", kNumber}}, ""},
      {event::kSample, {{"path", kText}}, "step info_path seed sampler sampler_steps mask duration_ms"},
      {event::kCheckpoint, {{"step", kNumber}, {"path", kText}}, "duration_ms"},
      {event::kMemory, {}, "step host_bytes allocated_bytes reserved_bytes peak_allocated_bytes"},
      {event::kGpu,
       {},
       "device utilisation_percent memory_bytes memory_total_bytes power_w energy_j sm_clock_mhz memory_clock_mhz temperature_c "
       "throttle "
       "pcie_tx_bytes_per_s pcie_rx_bytes_per_s"},
      {event::kProfile, {{"path", kText}}, "step steps what mode categories_ms wall_ms_per_step kernel_ms_per_step measured_ms_per_step overhead_percent cost_ms every_steps"},
      {event::kBench, {{"mode", kText}, {"what", kText}}, "…"},
      {event::kWarning, {{"message", kText}}, "step advice"},
      {event::kAck, {{"request", kText}, {"command", kText}, {"accepted", kBoolean}}, "message"},
      {event::kHeartbeat, {}, "step"},
      {event::kFailed, {{"exit_code", kNumber}, {"message", kText}}, "step"},
      {event::kFinished, {{"exit_code", kNumber}}, "message step"},
  };
  return table;
}

const EventRow* rowOf(std::string_view type) {
  const auto it = std::find_if(rows().begin(), rows().end(), [&](const EventRow& row) { return row.type == type; });
  return it == rows().end() ? nullptr : &*it;
}

bool has(const Json& fields, const RequiredField& field) {
  const auto it = fields.find(field.name);
  if (it == fields.end())
    return false;
  switch (field.type) {
  case FieldType::Text:
    return it->is_string();
  case FieldType::Number:
    return it->is_number();
  case FieldType::Boolean:
    return it->is_boolean();
  }
  return false;
}

bool lists(const EventRow& row, const std::string& field) {
  for (const RequiredField& required : row.required)
    if (required.name == field)
      return true;
  for (const std::string& name : split(row.optional, ' '))
    if (name == field || name == "…")
      return true;
  return false;
}
} // namespace

EventCheck check(const Event& event) {
  const EventRow* row = rowOf(event.type);
  if (!row)
    return EventCheck::UnknownType;
  for (const RequiredField& field : row->required)
    if (!has(event.fields, field))
      return EventCheck::Malformed;
  return EventCheck::Fine;
}

std::size_t unknownFields(const Event& event) {
  const EventRow* row = rowOf(event.type);
  std::size_t count = 0;
  if (row)
    for (const auto& [key, value] : event.fields.items())
      count += lists(*row, key) ? 0 : 1;
  return count;
}

} // namespace voxlab
