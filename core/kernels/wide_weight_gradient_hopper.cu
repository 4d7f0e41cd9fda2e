// SPDX-License-Identifier: Apache-2.0
// For a plane of 8 x 32 voxels, 64 output and 64 input channels, and the nine taps of one layer in z:
//   dW[tap][64][64] += dy[256 voxels][64]^T x[256 voxels shifted by the tap][64].
// The summed dimension, voxels, runs over the rows of both operands in shared memory, so neither is transposed. Three warpgroups
// multiply, one for each row of taps; the row's three taps are one product of 192 columns, whose blocks of 64 start one voxel
// apart in the same data. A fourth warpgroup's thread fetches planes through a ring of three. A block keeps to one layer of taps
// and leaves partial sums, which a second kernel adds in a fixed order; the blocks of the three layers that walk over the same
// planes side by side find them in the L2 cache.
#include "core/kernels/hopper_tiles.h"
#include "core/kernels/wide_conv.h"

namespace voxlab {
namespace device {
namespace {

constexpr int kInputs = 64, kColumns = 3 * kInputs; // of one row of taps
constexpr int kConsumers = 3, kThreads = kGroup * (kConsumers + 1), kStages = 3, kStageBytes = kTileBytes + kPlaneBytes;
constexpr int kSharedBytes = 1024 + kStages * kStageBytes + 2 * kStages * 8;
constexpr int kSteps = kTileX * kTileY / 16; // products of 16 voxels, two rows of a tile
constexpr int kReduceThreads = 256;

struct Plan {
  int tilesX, tilesY, inputBlocks;
  std::int64_t units; // planes of tiles
};

struct Unit {
  int x, y, z;
  std::int64_t n;
  __device__ __forceinline__ Unit(const Plan& plan, const VolumeShape& s, std::int64_t index) {
    const std::int64_t column = index / s.depth;
    z = static_cast<int>(index - column * s.depth);
    x = static_cast<int>(column % plan.tilesX) * kTileX;
    y = static_cast<int>(column / plan.tilesX % plan.tilesY) * kTileY;
    n = column / (plan.tilesX * plan.tilesY);
  }
};
// Whether the plane that this layer of taps reads is inside the volume; otherwise there is nothing to add.
__device__ __forceinline__ bool contributes(const Unit& unit, int layer, std::int64_t depth) { return unit.z + layer >= 1 && unit.z + layer <= depth; }

template <class T> __device__ __forceinline__ void multiply(float (&sum)[96], std::uint64_t dy, std::uint64_t x, int accumulates) {
  if constexpr (elementTypeOf<T>() == ElementType::BFloat16)
    multiplyRowsBFloat16(sum, dy, x, accumulates);
  else
    multiplyRowsFloat16(sum, dy, x, accumulates);
}

// gridDim: blocks, layers of taps, pairs of output and input blocks. Partial sums: [pair][layer][block][row][64][192].
template <class T>
__global__ void __launch_bounds__(kThreads, 1)
    weightGradientKernel(const __grid_constant__ TensorMap dyMap, const __grid_constant__ TensorMap xMap, const __grid_constant__ WideWeightGradient p, const __grid_constant__ Plan plan) {
  unsigned char* const stages = alignedSharedMemory();
  Barrier* const full = reinterpret_cast<Barrier*>(stages + kStages * kStageBytes);
  Barrier* const empty = full + kStages;
  const int group = static_cast<int>(threadIdx.x) / kGroup, thread = static_cast<int>(threadIdx.x) % kGroup, layer = static_cast<int>(blockIdx.y);
  const int output = static_cast<int>(blockIdx.z) / plan.inputBlocks * kOutputs, input = static_cast<int>(blockIdx.z) % plan.inputBlocks * kInputs;
  const std::int64_t begin = plan.units * blockIdx.x / gridDim.x, end = plan.units * (blockIdx.x + 1) / gridDim.x;
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      initialise(full + i, 1);
      initialise(empty + i, kConsumers * 4);
    }
    publishBarriers();
  }
  __syncthreads();
  std::uint32_t count = 0;
  if (group == kConsumers) {
    giveRegisters<40>();
    if (thread > 0)
      return;
    for (std::int64_t index = begin; index < end; ++index) {
      const Unit unit(plan, p.shape, index);
      if (!contributes(unit, layer, p.shape.depth))
        continue;
      const Turn<kStages> turn(count++);
      unsigned char* const stage = stages + turn.place * kStageBytes;
      wait(empty + turn.place, turn.parity ^ 1u);
      arriveExpecting(full + turn.place, kTileBytes + kBoxBytes);
      copyBox(stage, dyMap, full + turn.place, output, unit.x, unit.y, unit.z, static_cast<int>(unit.n));
      copyBox(stage + kTileBytes, xMap, full + turn.place, input, unit.x - 1, unit.y - 1, unit.z + layer - 1, static_cast<int>(unit.n));
    }
    return;
  }
  takeRegisters<152>();
  float sum[96];
#pragma unroll
  for (int i = 0; i < 96; ++i)
    sum[i] = 0;
  touch(sum);
  const auto release = [&](std::uint32_t which) {
    if (thread % 32 == 0)
      arrive(empty + Turn<kStages>(which).place);
  };
  for (std::int64_t index = begin; index < end; ++index) {
    const Unit unit(plan, p.shape, index);
    if (!contributes(unit, layer, p.shape.depth))
      continue;
    const Turn<kStages> turn(count);
    wait(full + turn.place, turn.parity);
    const std::uint32_t dy = sharedAddress(stages + turn.place * kStageBytes), x = dy + kTileBytes + static_cast<std::uint32_t>(group * kBoxX * kRowBytes);
    beginProducts();
#pragma unroll
    for (std::uint32_t step = 0; step < kSteps; ++step)
      multiply<T>(sum, operand(dy + step * 16 * kRowBytes, 8 * kRowBytes, kRowBytes), operand(x + step * 2 * kBoxX * kRowBytes, kBoxX * kRowBytes, kRowBytes), 1);
    closeProducts();
    awaitProducts<1>(); // the plane before is done
    if (count > 0)
      release(count - 1);
    ++count;
  }
  awaitProducts<0>();
  touch(sum);
  // Lane 4 g + t of warp w: rows 16 w + g and the eighth after it, columns 8 j + 2 t and the next.
  float* const out = p.workspace + ((static_cast<std::int64_t>(blockIdx.z) * 3 + layer) * gridDim.x + blockIdx.x) * (3 * kOutputs * kColumns) +
                     (group * kOutputs + thread / 32 * 16 + thread % 32 / 4) * kColumns + thread % 4 * 2;
#pragma unroll
  for (int j = 0; j < 24; ++j)
#pragma unroll
    for (int half = 0; half < 2; ++half)
      *reinterpret_cast<float2*>(out + half * 8 * kColumns + 8 * j) = make_float2(sum[4 * j + 2 * half], sum[4 * j + 2 * half + 1]);
}

// One thread a weight: adds the blocks' partial sums.
__global__ void __launch_bounds__(kReduceThreads) reduceKernel(const __grid_constant__ WideWeightGradient p, int inputBlocks, std::int64_t count) {
  const std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * kReduceThreads + threadIdx.x; // [pair][layer][row][output][column tap][input]
  if (index >= count)
    return;
  const int within = static_cast<int>(index % (3 * kOutputs * kColumns)), input = within % kInputs, x = within / kInputs % 3, output = within / kColumns % kOutputs,
            y = within / (kColumns * kOutputs);
  const std::int64_t outer = index / (3 * kOutputs * kColumns);
  const int z = static_cast<int>(outer % 3), pair = static_cast<int>(outer / 3);
  const float* from = p.workspace + outer * p.blocks * (3 * kOutputs * kColumns) + within;
  float sum = 0;
#pragma unroll 8
  for (int block = 0; block < p.blocks; ++block)
    sum += from[static_cast<std::int64_t>(block) * (3 * kOutputs * kColumns)];
  const std::int64_t o = pair / inputBlocks * kOutputs + output, i = pair % inputBlocks * kInputs + input;
  p.weightGradient[o * p.outputStride + i * p.inputStride + ((z * 3 + y) * 3 + x) * p.tapStride] = sum;
}

Plan planOf(const WideWeightGradient& p) {
  Plan plan{};
  plan.tilesX = static_cast<int>(divideUp(p.shape.width, kTileX));
  plan.tilesY = static_cast<int>(divideUp(p.shape.height, kTileY));
  plan.inputBlocks = p.inputChannels / kInputs;
  plan.units = p.shape.batch * plan.tilesX * plan.tilesY * p.shape.depth;
  return plan;
}
int pairsOf(const WideWeightGradient& p) { return p.shape.channels / kOutputs * (p.inputChannels / kInputs); }

template <class T> void launchAs(const WideWeightGradient& p, Stream stream) {
  VolumeShape input = p.shape;
  input.channels = p.inputChannels;
  const Plan plan = planOf(p);
  launch("A convolution's weight gradient", weightGradientKernel<T>,
         LaunchShape{dim3(static_cast<unsigned>(p.blocks), 3, static_cast<unsigned>(pairsOf(p))), dim3(kThreads), kSharedBytes, stream},
         volumeMap(p.dy, p.type, p.shape, kTileX, kTileY), volumeMap(p.x, p.type, input, kBoxX, kBoxY), p, plan);
  const std::int64_t count = std::int64_t{27} * p.shape.channels * p.inputChannels;
  launch("Adding up a convolution's weight gradient", reduceKernel,
         LaunchShape{dim3(static_cast<unsigned>(divideUp(count, kReduceThreads))), dim3(kReduceThreads), 0, stream}, p, plan.inputBlocks, count);
}

} // namespace
} // namespace device

int wideWeightGradientBlocks(const WideWeightGradient& p, int multiprocessors) {
  return static_cast<int>(std::clamp<std::int64_t>(multiprocessors / (3 * device::pairsOf(p)), 1, device::planOf(p).units));
}

std::int64_t wideWeightGradientWorkspace(const WideWeightGradient& p) { return std::int64_t{27} * p.shape.channels * p.inputChannels * p.blocks; }

void launchWideWeightGradient(const WideWeightGradient& p, Stream stream) {
  if (p.type == ElementType::BFloat16)
    device::launchAs<BFloat16>(p, stream);
  else if (p.type == ElementType::Float16)
    device::launchAs<Float16>(p, stream);
  else
    throw std::invalid_argument("Hopper's tensor cores take the weight gradient's operands in 16 bits only.");
}

} // namespace voxlab
