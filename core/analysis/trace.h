// SPDX-License-Identifier: Apache-2.0
// A recorded profile in memory, compact: what the GPU did, what the host did, names stored once. All times are
// nanoseconds since the earliest event.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace voxlab {

using NameId = std::uint32_t;
inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

// Strings stored once and named by a number. Number 0 is the empty string.
class NameTable {
public:
  NameTable();
  NameTable(const NameTable& other);
  NameTable& operator=(const NameTable& other);
  NameTable(NameTable&&) = default;
  NameTable& operator=(NameTable&&) = default;
  NameId intern(std::string_view text);
  std::optional<NameId> find(std::string_view text) const;
  const std::string& operator[](NameId id) const { return *m_byId[id]; }
  std::size_t size() const { return m_byId.size(); }

private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, NameId, Hash, std::equal_to<>> m_ids; // nodes never move
  std::vector<const std::string*> m_byId;
};

enum class GpuKind : std::uint8_t { Unknown, Kernel, Copy, Fill, Operator }; // Operator: on a machine without a GPU
enum class HostKind : std::uint8_t { Unknown, Operator, Range, Runtime, Python, Overhead };
enum class Phase : std::uint8_t { Unknown, Data, Forward, Backward, Optimizer, Sampling };
std::string_view phaseName(Phase phase); // "forward"

// How kernels are launched; shared by the launches that are alike.
struct LaunchGeometry {
  std::uint32_t grid[3]{}, block[3]{};
  std::uint32_t registersPerThread = 0, sharedMemoryBytes = 0;
  float occupancy_percent = -1; // achieved, as the tracer estimates it from the size of the launch; below 0: unknown
  bool operator==(const LaunchGeometry&) const = default;
};

struct GpuEvent {
  std::int64_t start_ns = 0, duration_ns = 0;
  std::uint64_t bytes = 0;       // copies and fills
  std::uint64_t correlation = 0; // to the host call that caused it; 0: unknown
  NameId name = 0;
  std::uint32_t shape = kNoIndex;   // into launchShapes
  std::uint32_t launch = kNoIndex;  // into host: the call that caused it
  std::uint32_t op = kNoIndex;      // into host: the innermost operator around that call
  std::uint32_t adopted = kNoIndex; // into adoptedInputs: the operator's that was adopted from another trace in place of op
  std::uint32_t step = kNoIndex;    // into steps
  NameId module = 0;                // dotted path of the network module it worked for; empty: unknown
  NameId opName = 0;                // of op, or adopted
  std::uint16_t stream = 0;         // into streams
  GpuKind kind = GpuKind::Unknown;
  Phase phase = Phase::Unknown;
  bool ofFusedGradient = false; // launched by a fused layer's backward function: its convolution kernels serve both passes
  bool isLaterSlice = false; // of an operator that others interrupt: one call has an event for each stretch, the first counts it
  std::int64_t end_ns() const { return start_ns + duration_ns; }
};
static_assert(sizeof(GpuEvent) <= 72, "Traces hold millions of these.");

struct HostEvent {
  std::int64_t start_ns = 0, duration_ns = 0;
  std::uint64_t correlation = 0; // of runtime calls
  std::int64_t sequence = -1;    // of autograd: a backward operator carries its forward operator's
  NameId name = 0;
  NameId inputs = 0;                // shapes and types of the inputs, as operatorInputs() reads them; 0: not recorded
  std::uint32_t parent = kNoIndex;  // the event around it on its thread
  std::uint32_t forward = kNoIndex; // of a backward operator: the forward operator it belongs to
  std::uint16_t thread = 0;         // into threads
  HostKind kind = HostKind::Unknown;
  std::int64_t end_ns() const { return start_ns + duration_ns; }
};

struct TraceThread {
  std::string process, thread; // ids as recorded
  std::string name;
};

struct TraceStream {
  std::int32_t device = 0;
  std::int64_t stream = 0;
};

struct TraceDevice {
  std::int32_t id = 0;
  std::string name;
  std::int64_t memory_bytes = 0;
  int computeMajor = 0, computeMinor = 0, multiprocessors = 0;
};

// What told where a step begins: ranges or graph launches of the host, or the kernels' names coming again; Whole: nothing did, and the
// recording is taken as one.
enum class StepOrigin : std::uint8_t { Unknown, Ranges, GraphLaunches, Repetition, Whole };

// One repetition of the work. From its first GPU event to the next step's first; the last one to its last event's end.
struct TraceStep {
  std::string name; // of the range that marked it
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t firstEvent = 0; // into gpu; events of other steps may lie between
  std::int64_t duration_ns() const { return end_ns - start_ns; }
};

struct Trace {
  NameTable names;
  std::vector<GpuEvent> gpu;   // by start
  std::vector<HostEvent> host; // by thread, then by start, outer before inner
  std::vector<LaunchGeometry> launchShapes;
  std::vector<NameId> adoptedInputs; // one for each operator adopted from another trace, whose kernels run again in every step
  std::vector<TraceStream> streams;
  std::vector<TraceThread> threads;
  std::vector<TraceDevice> devices;
  std::vector<TraceStep> steps;
  StepOrigin stepOrigin = StepOrigin::Unknown; // whoever makes the steps sets it
  std::string producer;           // "Kineto", or what the file says
  std::int64_t origin_ns = 0;     // of the file's clock, at time 0 here
  std::vector<std::string> notes; // oddities in words

  const std::string& name(NameId id) const { return names[id]; }
  std::int64_t end_ns() const;     // of the last event
  bool hasGpu() const;             // kernels, and not operators that stand in for them
  std::size_t memoryBytes() const; // roughly, of the event tables
};

// The operator that a GPU event ran for, whether this trace recorded it or it was adopted.
NameId operatorInputsOf(const Trace& trace, const GpuEvent& event); // as HostEvent::inputs; 0: not known
// Names one call of it: equal for the events of that call alone, an adopted operator being called once in each step. nullopt: not known.
std::optional<std::uint64_t> operatorCallOf(const GpuEvent& event);

// Inputs of an operator as the profiler recorded them.
struct OperatorInput {
  std::vector<std::vector<std::int64_t>> tensors; // shapes: one of a tensor, several of a list, none of a number
  std::string type;                               // "float", "c10::BFloat16", "ScalarList", …
  std::string concrete;                           // of numbers and lists of them: the value as text
  std::vector<std::int64_t> shape() const { return tensors.empty() ? std::vector<std::int64_t>() : tensors.front(); }
};
// From the text that HostEvent::inputs names: one input a line; shapes (sides by commas, tensors by semicolons), tab, type, tab,
// value. Never fails: what it cannot read is left empty.
std::vector<OperatorInput> operatorInputs(std::string_view text);

} // namespace voxlab
