// SPDX-License-Identifier: Apache-2.0
// What a worker says (events.jsonl) and what it is asked (control.jsonl): one JSON object a line.
#pragma once
#include "core/base/json.h"
#include "core/protocol/version.h"
#include <cstdint>
#include <string>
#include <string_view>

namespace voxlab {

// Names of event types; a reader skips types it does not know and counts them. Fields, all optional unless marked *
// (event_table.cpp repeats them for checking; a field of unknown value is left out, never written as 0):
namespace event {
inline constexpr std::string_view kHello = "hello";           // major*, minor*, start*, resume_step*, wall_time* (ISO 8601), kind, total_steps
inline constexpr std::string_view kState = "state";           // state*: preparing running pausing paused sampling checkpointing stopping; step,
                                                              // total_steps (when it became known after hello)
inline constexpr std::string_view kStep = "step";             // step*, loss, loss_smoothed, learning_rate, gradient_norm, step_time_ms, data_ms,
                                                              // compute_ms, host_ms, volumes_per_s, voxels_per_s, flops_per_s, passes, loss_scale,
                                                              // bound_percent (of what the device could do at best)
inline constexpr std::string_view kProgress = "progress";     // what*, done*, total*
inline constexpr std::string_view kSample = "sample";         // step, path*, info_path, seed, sampler, sampler_steps, mask, duration_ms
inline constexpr std::string_view kCheckpoint = "checkpoint"; // step*, path*
inline constexpr std::string_view kMemory = "memory";         // host_bytes, allocated_bytes, reserved_bytes, peak_allocated_bytes
inline constexpr std::string_view kGpu = "gpu";               // utilisation_percent, memory_bytes, memory_total_bytes, power_w, energy_j, sm_clock_mhz,
                                                              // memory_clock_mhz, temperature_c, throttle, pcie_tx_bytes_per_s, pcie_rx_bytes_per_s
inline constexpr std::string_view kProfile = "profile";       // path* ("" of the live breakdown, which keeps no file), step, steps, what, mode, categories_ms{…}, wall_ms_per_step,
                                                              // kernel_ms_per_step, measured_ms_per_step (by the host's clock, without the profiler),
                                                              // of the live breakdown: cost_ms, every_steps (that it allows), overhead_percent (all cost, of this start's time)
inline constexpr std::string_view kBench = "bench";           // mode*, what*, repetition, duration_ms, …
inline constexpr std::string_view kWarning = "warning";       // message*
inline constexpr std::string_view kAck = "ack";               // request*, command*, accepted*, message
inline constexpr std::string_view kHeartbeat = "heartbeat";   //
inline constexpr std::string_view kFailed = "failed";         // exit_code*, message*
inline constexpr std::string_view kFinished = "finished";     // exit_code*, message
} // namespace event

struct Event {
  std::string type;
  double time_s = 0;            // monotonic since this start of the worker
  Json fields = Json::object(); // everything else
};

// Commands of control.jsonl.
namespace command {
inline constexpr std::string_view kPause = "pause";
inline constexpr std::string_view kResume = "resume";
inline constexpr std::string_view kStop = "stop";
inline constexpr std::string_view kCheckpointNow = "checkpoint_now";
inline constexpr std::string_view kSampleNow = "sample_now";
inline constexpr std::string_view kProfileNext = "profile_next"; // steps
} // namespace command

struct ControlRequest {
  std::string id;               // unique within the run
  std::string command;
  std::string wall_time;        // ISO 8601 UTC with milliseconds; requests older than the start are ignored
  Json fields = Json::object();
};

Json toJson(const Event& event);
// Fails with Data when there is no "type".
Result<Event> eventFromJson(const Json& json);

// Whether this program knows the type and the event has every field marked * with the right type.
enum class EventCheck { Fine, UnknownType, Malformed };
EventCheck check(const Event& event);
std::size_t unknownFields(const Event& event); // how many fields the type's row does not list
Json toJson(const ControlRequest& request);
Result<ControlRequest> controlRequestFromJson(const Json& json); // fails with Data without id or command

} // namespace voxlab
