// SPDX-License-Identifier: Apache-2.0
// What a run measures over time: one row a quantity. The reducer, the plots and the reports read the same table, so a
// new field of an event becomes a curve by one line in measures.cpp.
#pragma once
#include <span>
#include <string_view>

namespace voxlab {

enum class Measure {
  None,
  // per step
  Loss,
  LossSmoothed,
  LearningRate,
  GradientNorm,
  LossScale,
  StepTime,
  DataTime,
  ComputeTime,
  HostTime,
  VolumesPerSecond,
  VoxelsPerSecond,
  FlopsPerSecond,
  BoundShare,
  // per second of the run
  HostMemory,
  AllocatedMemory,
  ReservedMemory,
  PeakAllocatedMemory,
  GpuUtilisation,
  GpuMemory,
  GpuMemoryTotal,
  GpuPower,
  GpuEnergy,
  GpuSmClock,
  GpuMemoryClock,
  GpuTemperature,
  GpuPcieTransmit,
  GpuPcieReceive,
  Count,
};

enum class MeasureAxis { Unknown, Step, RunSeconds };

struct MeasureInfo {
  Measure measure = Measure::None;
  MeasureAxis axis = MeasureAxis::Unknown;
  std::string_view event; // type of the event that carries it
  std::string_view field; // its field there; also its name in exports
  std::string_view title; // "Gradient norm"
  std::string_view unit;  // of the stored value: "ms", "B", "%"; empty for plain numbers
};

std::span<const MeasureInfo> measureTable();
const MeasureInfo& measureInfo(Measure measure); // the empty row for None and Count

} // namespace voxlab
