// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/time_estimate.h"
#include <algorithm>

namespace voxlab {
namespace {
// Share of the bound that a mode reaches at 128³, and the least time that its host needs a step, in the published eager code.
struct Measured {
  Precision precision;
  MemoryLayout layout;
  double trainShare, sampleShare, trainHost_ms, sampleHost_ms;
};
constexpr Measured kMeasured[] = {
    {Precision::Fp32, MemoryLayout::Contiguous, 0.214, 0.440, 50, 24},
    {Precision::Tf32, MemoryLayout::Contiguous, 0.212, 0.182, 50, 24},
    {Precision::Fp32, MemoryLayout::ChannelsLast, 0.190, 0.336, 50, 24},
    {Precision::Tf32, MemoryLayout::ChannelsLast, 0.144, 0.126, 50, 24},
    {Precision::Bf16, MemoryLayout::Contiguous, 0.163, 0.125, 66, 24},
    {Precision::Fp16, MemoryLayout::Contiguous, 0.188, 0.127, 66, 24},
    {Precision::Bf16, MemoryLayout::ChannelsLast, 0.102, 0.080, 66, 24},
    {Precision::Fp16, MemoryLayout::ChannelsLast, 0.102, 0.080, 66, 24},
};
} // namespace

std::optional<double> estimateStepTime_ms(const NetworkPlan& plan, StepKind step, const ModeSwitches& mode,
                                          const DevicePeaks& peaks) {
  const auto row = std::find_if(std::begin(kMeasured), std::end(kMeasured),
                                [&](const Measured& m) { return m.precision == mode.precision && m.layout == mode.layout; });
  const auto bound_ms = boundTime_ms(plan, step, mode, peaks);
  if (row == std::end(kMeasured) || !bound_ms || mode.fusedKernels || (is16Bit(mode.precision) && !mode.autocast))
    return std::nullopt;
  const bool train = step == StepKind::Train;
  const double host_ms = mode.cudaGraphs ? 0 : train ? row->trainHost_ms : row->sampleHost_ms;
  return std::max(host_ms, *bound_ms / (train ? row->trainShare : row->sampleShare));
}

} // namespace voxlab
