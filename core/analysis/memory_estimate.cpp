// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/memory_estimate.h"
#include <algorithm>
#include <set>

namespace voxlab {
namespace {
constexpr double kFull = 4, kHalf = 2; // bytes of an FP32 and of a 16-bit value
constexpr double kWorkspace_bytes = 34.6e6; // of cuBLAS on an H200, for each thread and stream that multiplies matrices: 32 MiB and a little

bool autocast(const ModeSwitches& mode) {
  return is16Bit(mode.precision) && mode.autocast;
}
// LibTorch's own norm under automatic casting works on an FP32 copy.
bool castsNorms(const ModeSwitches& mode) {
  return autocast(mode) && !mode.spreadNorm;
}
double storedBytes(const ModeSwitches& mode) {
  return is16Bit(mode.precision) ? kHalf : kFull;
}

bool isAttentionBlock(const std::string& block, const NetworkPlan& plan) {
  return plan.find(block + ".qkv") != nullptr;
}

// Fused blocks do not keep what comes out of a normalisation: going backward they normalise once more.
bool normalisedAgain(const PlannedLayer& layer, const ModeSwitches& mode) {
  if (layer.name.starts_with("out."))
    return mode.fuses(FusedPart::Head);
  return layer.name.find("_layers.") != std::string::npos && mode.fuses(FusedPart::Residual);
}

// Bytes that autograd keeps of a layer's input until the backward pass.
double keptBytes(const PlannedLayer& layer, const ModeSwitches& mode) {
  const auto elements = static_cast<double>(layer.inElements());
  const double stored = storedBytes(mode);
  switch (layer.kind) {
  case PlanLayerKind::GroupNorm:
    if (castsNorms(mode))
      return elements * kFull; // normalises an FP32 copy
    // Fused kernels read both halves of a concatenation where they lie; the encoder's half is kept there already.
    return (mode.fusedKernels ? elements - static_cast<double>(layer.storedElements) : elements) * stored;
  case PlanLayerKind::Silu:
    return mode.fusedKernels ? 0 : elements * stored; // fused: computed again from the normalisation's input
  case PlanLayerKind::Conv1Skip:
    return castsNorms(mode) ? elements * stored : 0; // otherwise it shares its input with the block's normalisation
  case PlanLayerKind::Conv3:
  case PlanLayerKind::Conv3Stride2:
    return normalisedAgain(layer, mode) ? 0 : elements * stored;
  default:
    return 0;
  }
}

// Feature maps kept, by level. Attention blocks always recompute, and keep their input only; so do the residual blocks of
// checkpointed levels, which need room for one block at a time while they recompute.
struct KeptActivations {
  std::vector<double> byLevel;
  std::vector<double> recomputedByLevel; // the largest block of the level that is recomputed
};

double recomputedBytes(const PlannedLayer& layer, const ModeSwitches& mode) {
  if (layer.kind != PlanLayerKind::AttentionMatmul)
    return keptBytes(layer, mode);
  const auto tokens = static_cast<double>(layer.out[2]);
  return mode.attention == AttentionMethod::Math ? 2 * kFull * static_cast<double>(layer.out[0]) * tokens * tokens
                                                 : 0; // scores and weights, FP32
}

KeptActivations keptActivations(const NetworkPlan& plan, const ModeSwitches& mode) {
  KeptActivations kept;
  kept.byLevel.assign(static_cast<std::size_t>(plan.network.levels()), 0);
  kept.recomputedByLevel = kept.byLevel;
  const std::set<int> checkpointed(mode.checkpointLevels.begin(), mode.checkpointLevels.end());
  std::string block;
  double ofBlock = 0;
  for (const auto& layer : plan.layers) {
    const auto level = static_cast<std::size_t>(layer.level);
    const bool residual = layer.name.find("_layers.") != std::string::npos || layer.kind == PlanLayerKind::Conv1Skip;
    if (!isAttentionBlock(layer.block, plan) && !(residual && checkpointed.contains(layer.level))) {
      kept.byLevel[level] += keptBytes(layer, mode);
      continue;
    }
    if (layer.block != block) { // its first layer: the block's input is kept
      const std::int64_t elsewhere = mode.fusedKernels ? layer.storedElements : 0;
      kept.byLevel[level] += static_cast<double>(layer.inElements() - elsewhere) * storedBytes(mode);
      block = layer.block;
      ofBlock = 0;
    }
    ofBlock += recomputedBytes(layer, mode);
    kept.recomputedByLevel[level] = std::max(kept.recomputedByLevel[level], ofBlock);
  }
  return kept;
}

// The largest feature map of a level, concatenations aside, in elements.
double mapElements(const NetworkPlan& plan, int level) {
  double elements = static_cast<double>(plan.batch) * plan.network.width(level);
  for (const auto side : plan.size)
    elements *= static_cast<double>(side >> level);
  return elements;
}

// Working set of the backward pass in FP32 maps: the gradients around the widest concatenation, temporaries, workspace.
// Measured peaks less what is kept. Channels-last through LibTorch's own kernels turns every normalisation's input and
// gradient to contiguous and back.
double trainingMaps(const ModeSwitches& mode) {
  if (mode.fusedKernels) // stored maps: of the widest concatenation the gradient and, once more, the normalised values, two each
    return 6.2 * storedBytes(mode) / kFull;
  if (mode.layout == MemoryLayout::ChannelsLast)
    return is16Bit(mode.precision) ? 3.9 : 9;
  return 2.9;
}

// The peak of a sampling step is in the last block but one at full resolution, in FP32 maps. Alive: the encoder's outputs that this block
// and the last read (2), the previous block's output (1), the concatenation (2), and then either
//   normalisation: its output (2), after a contiguous copy of the input in channels-last (2); in autocast both are FP32,
//   activation:    its input (2) and output (2), or
//   convolution:   its input (2), a copy of it in the kernel's layout (2), its output (1), workspace.
double samplingMaps(const ModeSwitches& mode) {
  const double stored = storedBytes(mode) / kFull;
  if (mode.fusedKernels)
    // Two encoder outputs, one of the decoder, normalised input (2), output (1); for TF32 rounded copies of what is skipped (2).
    return stored * (mode.precision == Precision::Tf32 ? 8 : 6);
  const bool channelsLast = mode.layout == MemoryLayout::ChannelsLast, plainFp32 = mode.precision == Precision::Fp32;
  const double held = 5 * stored, normalised = castsNorms(mode) ? 1 : stored;
  const double copies = (castsNorms(mode) ? 2 : 0) + (channelsLast && !mode.spreadNorm ? 2 * normalised : 0);
  const double normalisation = held + copies + 2 * normalised;
  const double relaid = plainFp32 && !channelsLast ? 0 : 2 * stored; // FP32 kernels take NCDHW as it is
  const double workspace = plainFp32 && channelsLast ? 2.8 : 0;      // measured
  const double convolution = held + 2 * stored + relaid + stored + workspace;
  const double activation = held + 4 * stored;
  return std::max({normalisation, activation, convolution});
}

// Images, conditions and the sampler's state beside the network: some twenty small volumes.
double samplerBytes(const NetworkPlan& plan) {
  double voxels = static_cast<double>(plan.batch) * kFull;
  for (const auto side : plan.size)
    voxels *= static_cast<double>(side);
  return voxels * (6 * plan.network.imageChannels + 3 * plan.network.inputChannels());
}

// A trained weight is FP32, with a 16-bit copy of it while it is used (the fused kernels have it for one layer at a time); for inference
// there is what is computed with alone, and of some weights the fused kernels keep a packed copy.
double weightBytes(const ModeSwitches& mode, JobMemory job) {
  constexpr double kPacked = 0.3; // of the weights: those of the large volumes' own convolutions
  if (job == JobMemory::Sampling)
    return storedBytes(mode) * (mode.fusedKernels ? 1 + kPacked : 1);
  return kFull + (is16Bit(mode.precision) && !mode.fusedKernels ? kHalf : 0);
}

bool measuredSwitches(const ModeSwitches& mode) {
  const bool storedChannelsLast = is16Bit(mode.precision) && !mode.autocast && mode.layout == MemoryLayout::ChannelsLast;
  return mode.checkpointLevels.empty() && mode.precision != Precision::Unknown &&
         (mode.fusedKernels ? mode.unfusedParts.empty() && mode.precision != Precision::Fp32 : !storedChannelsLast);
}
} // namespace

double MemoryEstimate::peak_bytes() const {
  return std::max(activations_bytes > 0 ? training_bytes() : 0, samplingPeak_bytes());
}

MemoryEstimate estimateMemory(const NetworkPlan& plan, const ModeSwitches& mode, JobMemory job) {
  MemoryEstimate estimate;
  const auto parameters = static_cast<double>(plan.parameters());
  estimate.calibrated = measuredSwitches(mode);
  estimate.weights_bytes = parameters * weightBytes(mode, job);
  const bool trains = job == JobMemory::Training || job == JobMemory::BenchmarkTraining; // its backward pass has a thread of its own
  estimate.libraries_bytes = kWorkspace_bytes * (trains ? 2 : 1) * (mode.cudaGraphs ? 2 : 1); // and recordings a stream
  const KeptActivations kept = keptActivations(plan, mode);
  double working_bytes = 0;
  for (int level = 0; level < plan.network.levels(); ++level) {
    const double map_bytes = mapElements(plan, level) * kFull;
    estimate.sampling_bytes = std::max(estimate.sampling_bytes, samplingMaps(mode) * map_bytes);
    working_bytes =
        std::max(working_bytes, trainingMaps(mode) * map_bytes + kept.recomputedByLevel[static_cast<std::size_t>(level)]);
  }
  for (const auto& layer : plan.layers) // the scores of one attention block may be the larger part
    if (layer.kind == PlanLayerKind::AttentionMatmul)
      estimate.sampling_bytes = std::max(estimate.sampling_bytes, recomputedBytes(layer, mode));
  estimate.sampling_bytes += samplerBytes(plan);
  if (!trains)
    return estimate;
  estimate.gradients_bytes = parameters * kFull;
  estimate.optimiser_bytes = parameters * 2 * kFull;
  estimate.average_bytes = job == JobMemory::Training ? parameters * kFull : 0;
  estimate.activationsByLevel_bytes = kept.byLevel;
  for (const double bytes : kept.byLevel)
    estimate.activations_bytes += bytes;
  estimate.working_bytes = working_bytes;
  return estimate;
}

double deviceMemoryFor(double peak_bytes) {
  constexpr double kFragmentation = 1.06, kContext_bytes = 1.5e9; // the latter: NVML's figure less what was reserved, 1.45 to 1.55 GB on an H200
  return peak_bytes * kFragmentation + kContext_bytes;
}

} // namespace voxlab
