// SPDX-License-Identifier: Apache-2.0
// Operators against what the device allows (Williams, Waterman & Patterson 2009): achieved arithmetic and traffic, the bound, and
// how much time the bound leaves to save. Needs shapes in the trace, no counters.
#pragma once
#include "core/analysis/device_peaks.h"
#include "core/analysis/kernel_table.h"
#include "core/analysis/network_plan.h"
#include "core/protocol/mode_switches.h"
#include <map>
#include <tuple>

namespace voxlab {

enum class RooflineBound { Unknown, Compute, Memory };

// All calls of one operator with the same input shapes, with everything that ran on the GPU for them but conversions between layouts: those
// are the layout's cost, not the operator's (an operator that does nothing else has them). An operator whose work is shared
// by kernels of their own (OperatorCost::parts) has a point for each part instead, held against the time of that part's kernels alone.
struct RooflinePoint {
  std::string operatorName, shapes;                        // "64×128×128×128 · 64×64×3×3×3"
  WorkPart part = WorkPart::Unknown;                       // Unknown: the whole operator
  KernelCategory category = KernelCategory::Unknown;       // that most of its time belongs to
  KernelArithmetic arithmetic = KernelArithmetic::Unknown; // of its products
  std::uint64_t calls = 0;                                 // a step
  double time_ms = 0;                                      // a step
  double flops = 0, bytes = 0;                             // a step
  RooflineBound bound = RooflineBound::Unknown;
  double bound_ms = 0; // a step at the device's ceiling
  std::string title() const; // "aten::convolution_backward, weight gradient"
  double flopsPerSecond() const { return time_ms > 0 ? flops / time_ms * 1e3 : 0; }
  double bytesPerSecond() const { return time_ms > 0 ? bytes / time_ms * 1e3 : 0; }
  double intensity() const { return bytes > 0 ? flops / bytes : 0; }      // FLOP/B
  double ofBound() const { return time_ms > 0 ? bound_ms / time_ms : 0; } // 1: as fast as the device allows
};

struct Roofline {
  std::vector<RooflinePoint> points;      // longest first
  double attributed_ms = 0, total_ms = 0; // of the GPU time a step: in operators with a known cost, conversions and all; and in all
};
// Of a selection: those points of whose time more than half is selected, whole; "a step" is one of those that the selection is worth
// (stepsIn). A time range cuts what it reaches into: a call counts, with its cost, by the share of its GPU time that lies within.
Roofline roofline(const Trace& trace, const KernelIndex& index, const DevicePeaks& peaks, const EventFilter& filter = {});

// The same, to be asked for what one kernel worked on. The trace may go; the ceilings have to stay.
class OperatorBounds {
public:
  OperatorBounds(const Trace& trace, const KernelIndex& index, const DevicePeaks& peaks);
  // The point of what the kernel does of its operator, of the operator if that is not made in parts; nullptr where no cost is known.
  const RooflinePoint* of(const Trace& trace, const GpuEvent& event, WorkPart part) const;
  const DevicePeaks& peaks() const { return *m_peaks; }
  const Roofline& roofline() const { return m_roofline; }

private:
  const DevicePeaks* m_peaks;
  Roofline m_roofline;
  std::map<std::tuple<NameId, NameId, WorkPart>, RooflinePoint> m_points; // by operator, its inputs, part
};

// A copy between the host and the GPU: the bus holds it up, no ceiling of the GPU does. It belongs to no point.
bool copiesOverBus(const Trace& trace, const GpuEvent& event);

// Of a point that is faster than its ceiling: why that can be, a sentence with a space before it; else empty. There is nothing left to save.
std::string aboveCeilingWords(const RooflinePoint& point, const DevicePeaks& peaks);

// Fills bound and bound_ms from flops, bytes and arithmetic.
void setBound(RooflinePoint& point, const DevicePeaks& peaks);

// Shapes of recorded inputs in words: "64×128×128×128 · 64×64×3×3×3". `inputs`: the text that HostEvent::inputs names.
std::string rooflineShapes(std::string_view inputs);

// Time of a step of a network if every layer ran at the device's ceiling, in the mode's precision: the denominator of "share of the
// bound". nullopt where the device cannot do the precision.
std::optional<double> boundTime_ms(const NetworkPlan& plan, StepKind step, const ModeSwitches& mode, const DevicePeaks& peaks);

} // namespace voxlab
