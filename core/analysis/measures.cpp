// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/measures.h"
#include "core/protocol/events.h"

namespace voxlab {
namespace {
using M = Measure;
constexpr auto kByStep = MeasureAxis::Step;
constexpr auto kByTime = MeasureAxis::RunSeconds;

constexpr MeasureInfo kTable[] = {
    {M::Loss, kByStep, event::kStep, "loss", "Loss", ""},
    {M::LossSmoothed, kByStep, event::kStep, "loss_smoothed", "Loss, smoothed", ""},
    {M::LearningRate, kByStep, event::kStep, "learning_rate", "Learning rate", ""},
    {M::GradientNorm, kByStep, event::kStep, "gradient_norm", "Gradient norm", ""},
    {M::LossScale, kByStep, event::kStep, "loss_scale", "Loss scale", ""},
    {M::StepTime, kByStep, event::kStep, "step_time_ms", "Step time", "ms"},
    {M::DataTime, kByStep, event::kStep, "data_ms", "Data", "ms"},
    {M::ComputeTime, kByStep, event::kStep, "compute_ms", "Compute", "ms"},
    {M::HostTime, kByStep, event::kStep, "host_ms", "Host", "ms"},
    {M::VolumesPerSecond, kByStep, event::kStep, "volumes_per_s", "Volumes per second", "/s"},
    {M::VoxelsPerSecond, kByStep, event::kStep, "voxels_per_s", "Voxels per second", "voxel/s"},
    {M::FlopsPerSecond, kByStep, event::kStep, "flops_per_s", "Arithmetic", "FLOP/s"},
    {M::BoundShare, kByStep, event::kStep, "bound_percent", "Share of the device's bound", "%"},
    {M::HostMemory, kByTime, event::kMemory, "host_bytes", "Host memory", "B"},
    {M::AllocatedMemory, kByTime, event::kMemory, "allocated_bytes", "Allocated", "B"},
    {M::ReservedMemory, kByTime, event::kMemory, "reserved_bytes", "Reserved", "B"},
    {M::PeakAllocatedMemory, kByTime, event::kMemory, "peak_allocated_bytes", "Peak allocated", "B"},
    {M::GpuUtilisation, kByTime, event::kGpu, "utilisation_percent", "GPU utilisation", "%"},
    {M::GpuMemory, kByTime, event::kGpu, "memory_bytes", "GPU memory", "B"},
    {M::GpuMemoryTotal, kByTime, event::kGpu, "memory_total_bytes", "GPU memory, total", "B"},
    {M::GpuPower, kByTime, event::kGpu, "power_w", "Power", "W"},
    {M::GpuEnergy, kByTime, event::kGpu, "energy_j", "Energy", "J"},
    {M::GpuSmClock, kByTime, event::kGpu, "sm_clock_mhz", "SM clock", "MHz"},
    {M::GpuMemoryClock, kByTime, event::kGpu, "memory_clock_mhz", "Memory clock", "MHz"},
    {M::GpuTemperature, kByTime, event::kGpu, "temperature_c", "Temperature", "°C"},
    {M::GpuPcieTransmit, kByTime, event::kGpu, "pcie_tx_bytes_per_s", "PCIe sent", "B/s"},
    {M::GpuPcieReceive, kByTime, event::kGpu, "pcie_rx_bytes_per_s", "PCIe received", "B/s"},
};
} // namespace

std::span<const MeasureInfo> measureTable() {
  return kTable;
}

const MeasureInfo& measureInfo(Measure measure) {
  static constexpr MeasureInfo kNone;
  for (const auto& row : kTable)
    if (row.measure == measure)
      return row;
  return kNone;
}

} // namespace voxlab
