// SPDX-License-Identifier: Apache-2.0
// Output tiles of 8 x 32 x 2 voxels by 64 channels. For one plane of the tile the product is
//   y[64 channels][256 voxels] = sum over taps of weight[64][64 inputs] x[256 voxels shifted by the tap][64 inputs]:
// the input's planes lie in shared memory with their halo (10 x 34 voxels, 128 bytes each), and a tap is nothing but another
// start address. A voxel's neighbours in x follow each other, so eight of them are the eight rows of a swizzled group, and the
// next group is the next row of the tile.
//
// Three warpgroups: two multiply (one output plane each), of the third one thread fetches planes, another weights. Four planes
// are in shared memory: the tile's two and their neighbours in z. A block walks along z, so two of them serve the next tile; a
// plane's place is free again after its last third of the taps, long before the tile is done, and is filled meanwhile. Weights
// come through a ring of four taps, which also lets one warpgroup store its results while the other multiplies.
#include "core/kernels/hopper_tiles.h"
#include "core/kernels/running_moments.h"
#include "core/kernels/vector_access.h"
#include "core/kernels/wide_conv.h"

namespace voxlab {
namespace device {
namespace {

constexpr int kTileZ = 2, kTapBytes = kOutputs * kRowBytes;
constexpr int kPlanes = 4, kStages = 4, kStagingBytes = 8192;
constexpr int kConsumers = 2, kThreads = kGroup * (kConsumers + 1), kConsumerWarps = kConsumers * 4;
constexpr int kBarriers = 2 * kPlanes + 2 * kStages;
constexpr int kSharedBytes = 1024 + kPlanes * kPlaneBytes + kStages * kTapBytes + kConsumers * kStagingBytes + kBarriers * 8;
constexpr unsigned kStagingBarrier = 1, kStaggerBarrier = 3; // of synchroniseSome; the first is one for each warpgroup

struct Plan {
  int tilesX, tilesY, pairs; // output tiles along the axes; pairs of planes
  int inputBlocks;           // of 128 bytes of channels
  int throughBlocks[2];      // likewise, of what comes through a 1³ convolution
  std::int64_t units;        // tiles of all batch entries
  // Two planes of a tile serve the next one too.
  __host__ __device__ constexpr bool chains() const { return inputBlocks == 1 && throughBlocks[0] == 0; }
  __host__ __device__ constexpr int taps() const { return 27 * inputBlocks + throughBlocks[0] + throughBlocks[1]; }
};
struct Maps {
  TensorMap x, through[2];
};

struct Unit {
  int x, y, z;
  std::int64_t n;
  bool first; // of its column: nothing is left from the tile before
  __device__ __forceinline__ Unit(const Plan& plan, std::int64_t index, std::int64_t begin) {
    const std::int64_t column = index / plan.pairs;
    z = static_cast<int>(index - column * plan.pairs) * kTileZ;
    x = static_cast<int>(column % plan.tilesX) * kTileX;
    y = static_cast<int>(column / plan.tilesX % plan.tilesY) * kTileY;
    n = column / (plan.tilesX * plan.tilesY);
    first = z == 0 || index == begin;
  }
};

struct Shared {
  unsigned char *planes, *weights, *staging;
  Barrier *fullPlane, *emptyPlane, *fullWeight, *emptyWeight;
  __device__ __forceinline__ Shared() {
    planes = alignedSharedMemory();
    weights = planes + kPlanes * kPlaneBytes;
    staging = weights + kStages * kTapBytes;
    fullPlane = reinterpret_cast<Barrier*>(staging + kConsumers * kStagingBytes);
    emptyPlane = fullPlane + kPlanes;
    fullWeight = emptyPlane + kPlanes;
    emptyWeight = fullWeight + kStages;
  }
};

template <class T> __device__ void producePlanes(const Shared& shared, const Maps& maps, const Plan& plan, std::int64_t begin, std::int64_t end) {
  constexpr int kRowChannels = kRowBytes / static_cast<int>(sizeof(T));
  std::uint32_t count = 0;
  for (std::int64_t index = begin; index < end; ++index) {
    const Unit unit(plan, index, begin);
    const auto fetch = [&](const TensorMap& map, int block, int plane) {
      const Turn<kPlanes> turn(count++);
      wait(shared.emptyPlane + turn.place, turn.parity ^ 1u);
      arriveExpecting(shared.fullPlane + turn.place, kBoxBytes);
      copyBox(shared.planes + turn.place * kPlaneBytes, map, shared.fullPlane + turn.place, block * kRowChannels, unit.x - 1, unit.y - 1, unit.z - 1 + plane,
              static_cast<int>(unit.n));
    };
    for (int block = 0; block < plan.inputBlocks; ++block)
      for (int plane = plan.chains() && !unit.first ? 2 : 0; plane < kPlanes; ++plane)
        fetch(maps.x, block, plane);
    for (int source = 0; source < 2; ++source)
      for (int block = 0; block < plan.throughBlocks[source]; ++block)
        for (int plane = 1; plane <= kTileZ; ++plane)
          fetch(maps.through[source], block, plane);
  }
}

__device__ void produceWeights(const Shared& shared, const unsigned char* packed, const Plan& plan, std::int64_t begin, std::int64_t end) {
  std::uint32_t count = 0;
  for (std::int64_t index = begin; index < end; ++index)
    for (int tap = 0; tap < plan.taps(); ++tap, ++count) {
      const Turn<kStages> turn(count);
      wait(shared.emptyWeight + turn.place, turn.parity ^ 1u);
      arriveExpecting(shared.fullWeight + turn.place, kTapBytes);
      copyBytes(shared.weights + turn.place * kTapBytes, packed + static_cast<std::int64_t>(tap) * kTapBytes, kTapBytes, shared.fullWeight + turn.place);
    }
}

template <class T> __device__ __forceinline__ void multiply(float (&sum)[128], std::uint64_t weights, std::uint64_t voxels, int accumulates) {
  if constexpr (elementTypeOf<T>() == ElementType::BFloat16)
    multiplyBFloat16(sum, weights, voxels, accumulates);
  else if constexpr (elementTypeOf<T>() == ElementType::Float16)
    multiplyFloat16(sum, weights, voxels, accumulates);
  else
    multiplyTf32(sum, weights, voxels, accumulates);
}

// One multiplying warpgroup's view of the pipeline.
template <class T> class Consumer {
public:
  __device__ __forceinline__ Consumer(const Shared& shared, int group, int lane) : m_shared(shared), m_group(group), m_lane(lane) {}

  // All taps of one block of input channels; chained: its upper two planes serve the next unit as the lower two.
  __device__ __forceinline__ void multiplyTaps(float (&sum)[128], bool clears, bool chained, bool staggers) {
    if (m_group == 1)
      releasePlane(0);
#pragma unroll 1
    for (int layer = 0; layer < 3; ++layer) {
      const Turn<kPlanes> plane(m_firstPlane + static_cast<std::uint32_t>(layer + m_group));
      wait(m_shared.fullPlane + plane.place, plane.parity);
      const std::uint32_t voxels = sharedAddress(m_shared.planes + plane.place * kPlaneBytes);
#pragma unroll 1
      for (int tap = 0; tap < 9; ++tap, ++m_tap) {
        multiplyTap(sum, voxels + static_cast<std::uint32_t>((tap / 3 * kBoxX + tap % 3) * kRowBytes), clears);
        clears = false;
        awaitProducts<1>(); // the tap before is done
        if (layer + tap > 0)
          releaseWeights(m_tap - 1);
        if (tap == 0 && layer > 0)
          releaseAfterLayer(layer - 1, chained);
        if (staggers && layer == 0 && tap == 2)
          arriveSome(kStaggerBarrier, kConsumers * kGroup);
      }
    }
    awaitProducts<0>();
    releaseWeights(m_tap - 1);
    releaseAfterLayer(2, chained);
    m_firstPlane += chained ? 2 : kPlanes;
  }

  // One block of channels that come through the 1³ convolution: of both planes only the tile itself is read.
  __device__ __forceinline__ void multiplyThrough(float (&sum)[128]) {
    const Turn<kPlanes> plane(m_firstPlane + static_cast<std::uint32_t>(m_group));
    wait(m_shared.fullPlane + plane.place, plane.parity);
    multiplyTap(sum, sharedAddress(m_shared.planes + plane.place * kPlaneBytes) + (kBoxX + 1) * kRowBytes, false);
    awaitProducts<0>();
    releaseWeights(m_tap++);
    for (int i = 0; i < kTileZ; ++i)
      releasePlane(i);
    m_firstPlane += kTileZ;
  }

private:
  // The tap whose weights come next, and the voxels that start at this address.
  __device__ __forceinline__ void multiplyTap(float (&sum)[128], std::uint32_t voxels, bool clears) {
    const Turn<kStages> stage(m_tap);
    wait(m_shared.fullWeight + stage.place, stage.parity);
    const std::uint32_t weights = sharedAddress(m_shared.weights + stage.place * kTapBytes);
    beginProducts();
#pragma unroll
    for (std::uint32_t k = 0; k < 4; ++k)
      multiply<T>(sum, operand(weights + 32 * k, 8 * kRowBytes), operand(voxels + 32 * k, kBoxX * kRowBytes), !clears || k > 0);
    closeProducts();
  }
  // Every plane gets one arrival of every multiplying warp, whether it read it or not.
  __device__ __forceinline__ void releaseAfterLayer(int layer, bool chained) {
    const int plane = layer + m_group;
    if (plane < 2 || !chained)
      releasePlane(plane);
    if (layer == 2 && m_group == 0 && !chained)
      releasePlane(3);
  }
  __device__ __forceinline__ void releasePlane(int plane) {
    if (m_lane == 0)
      arrive(m_shared.emptyPlane + Turn<kPlanes>(m_firstPlane + static_cast<std::uint32_t>(plane)).place);
  }
  __device__ __forceinline__ void releaseWeights(std::uint32_t tap) {
    if (m_lane == 0)
      arrive(m_shared.emptyWeight + Turn<kStages>(tap).place);
  }

  const Shared& m_shared;
  int m_group, m_lane;
  std::uint32_t m_firstPlane = 0, m_tap = 0;
};

// From the accumulators to memory: a few rows of voxels at a time go through shared memory, where the channels of a voxel come
// together in 16-byte pieces.
template <class T> class Epilogue {
public:
  static constexpr int kWidth = kVectorWidth<T>, kPieces = kOutputs / kWidth;           // of a voxel
  static constexpr int kVoxels = kStagingBytes / (kOutputs * static_cast<int>(sizeof(T))); // of one round
  static constexpr int kRounds = kTileX * kTileY / kVoxels, kVoxelStep = kGroup / kPieces;

  __device__ __forceinline__ Epilogue(const WideConvolution& p, const Shared& shared, int group, int thread)
      : m_p(p), m_staging(shared.staging + group * kStagingBytes), m_group(group), m_thread(thread), m_piece(thread % kPieces), m_channel(static_cast<int>(blockIdx.y) * kOutputs) {
    if (p.moments && blockIdx.y == 0 && thread == 0)
      for (std::int64_t n = 0; n < p.shape.batch; ++n)
        momentsRow(n)[0] = 0; // no voxels yet
  }

  __device__ __forceinline__ void store(const float (&sum)[128], const Unit& unit) {
    if (unit.n != m_batch)
      flushMoments();
    m_batch = unit.n;
    const int z = unit.z + m_group;
    float bias[2] = {};
    const int row = m_thread / 32 * 16 + m_thread % 32 / 4;
    if (m_p.bias) {
      bias[0] = m_p.bias[m_channel + row];
      bias[1] = m_p.bias[m_channel + row + 8];
    }
#pragma unroll
    for (int round = 0; round < kRounds; ++round) {
      synchroniseSome(kStagingBarrier + static_cast<unsigned>(m_group), kGroup); // the round before has been read
      stage(sum, bias, round);
      synchroniseSome(kStagingBarrier + static_cast<unsigned>(m_group), kGroup);
      if (z < m_p.shape.depth)
        write(unit, z, round);
    }
  }

  // Combines the warpgroup's moments of one batch entry.
  __device__ __forceinline__ void flushMoments() {
    if (!m_p.moments || m_batch < 0)
      return;
#pragma unroll
    for (int bit = kPieces; bit < 32; bit *= 2)
      m_moments.mergeAcross(bit);
    synchroniseSome(kStagingBarrier + static_cast<unsigned>(m_group), kGroup);
    float* const scratch = reinterpret_cast<float*>(m_staging); // [warp][piece][count, means, squares]
    if (m_thread % 32 < kPieces) {
      float* const mine = scratch + (m_thread / 32 * kPieces + m_piece) * (1 + 2 * kWidth);
      mine[0] = m_moments.count;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        mine[1 + i] = m_moments.mean[i];
        mine[1 + kWidth + i] = m_moments.squares[i];
      }
    }
    synchroniseSome(kStagingBarrier + static_cast<unsigned>(m_group), kGroup);
    if (m_thread < kOutputs) {
      RunningMoments<1> channel;
      for (int warp = 0; warp < 4; ++warp) {
        const float* const from = scratch + (warp * kPieces + m_thread / kWidth) * (1 + 2 * kWidth);
        const float mean[1] = {from[1 + m_thread % kWidth]}, squares[1] = {from[1 + kWidth + m_thread % kWidth]};
        channel.merge(from[0], mean, squares);
      }
      float* const out = momentsRow(m_batch);
      if (m_thread == 0 && blockIdx.y == 0)
        out[0] = channel.count;
      out[1 + m_channel + m_thread] = channel.mean[0];
      out[1 + m_p.shape.channels + m_channel + m_thread] = channel.squares[0];
    }
    m_moments = RunningMoments<kWidth>();
  }

private:
  __device__ __forceinline__ float* momentsRow(std::int64_t n) const {
    const std::int64_t chunks = kConsumers * static_cast<std::int64_t>(gridDim.x), chunk = kConsumers * static_cast<std::int64_t>(blockIdx.x) + m_group;
    return m_p.moments + (n * chunks + chunk) * (1 + 2 * static_cast<std::int64_t>(m_p.shape.channels));
  }

  // Piece `piece` of a voxel, moved about so that the writers of a column and the readers of a row meet no bank twice.
  __device__ __forceinline__ unsigned char* pieceAt(int voxel, int piece) const { return m_staging + (voxel * kPieces + (piece ^ voxel % 8)) * 16; }

  // Lane 4 g + t has rows (channels) g and g + 8 of its warp's sixteen, columns (voxels) 8 j + 2 t and the one after it.
  __device__ __forceinline__ void stage(const float (&sum)[128], const float (&bias)[2], int round) const {
    const int warp = m_thread / 32, lane = m_thread % 32;
    if constexpr (sizeof(T) == 2) {
#pragma unroll
      for (int pair = 0; pair < kVoxels / 16; ++pair) {
        const int j = round * (kVoxels / 8) + 2 * pair;
        const int matrix = lane / 8, voxel = 16 * pair + matrix / 2 * 8 + lane % 8;
        storeTransposed(pieceAt(voxel, warp * 2 + matrix % 2), packPair<T>(sum[4 * j] + bias[0], sum[4 * j + 1] + bias[0]),
                        packPair<T>(sum[4 * j + 2] + bias[1], sum[4 * j + 3] + bias[1]), packPair<T>(sum[4 * j + 4] + bias[0], sum[4 * j + 5] + bias[0]),
                        packPair<T>(sum[4 * j + 6] + bias[1], sum[4 * j + 7] + bias[1]));
      }
    } else {
#pragma unroll
      for (int group = 0; group < kVoxels / 8; ++group)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const int channel = warp * 16 + lane / 4 + i / 2 * 8, voxel = group * 8 + lane % 4 * 2 + i % 2;
          reinterpret_cast<float*>(pieceAt(voxel, channel / 4))[channel % 4] = sum[4 * (round * (kVoxels / 8) + group) + i] + bias[i / 2];
        }
    }
  }

  __device__ __forceinline__ void write(const Unit& unit, int z, int round) {
    const VolumeShape& s = m_p.shape;
#pragma unroll
    for (int i = 0; i < kVoxels / kVoxelStep; ++i) {
      const int voxel = m_thread / kPieces + i * kVoxelStep, x = unit.x + voxel % kTileX, y = unit.y + round * (kVoxels / kTileX) + voxel / kTileX;
      if (x >= s.width || y >= s.height)
        continue;
      const std::int64_t at = (((unit.n * s.depth + z) * s.height + y) * s.width + x) * s.channels + m_channel + m_piece * kWidth;
      uint4 raw = *reinterpret_cast<const uint4*>(pieceAt(voxel, m_piece));
      if (m_p.addend || m_p.moments) {
        float value[kWidth], other[kWidth];
        unpack<T>(raw, value);
        if (m_p.addend) {
          unpack<T>(loadRaw(static_cast<const T*>(m_p.addend) + at), other);
#pragma unroll
          for (int k = 0; k < kWidth; ++k)
            value[k] += other[k];
          raw = pack<T>(value);
          unpack<T>(raw, value); // the moments are those of what is stored
        }
        if (m_p.moments)
          m_moments.add(value);
      }
      storeRaw(static_cast<T*>(m_p.y) + at, raw);
    }
  }

  const WideConvolution& m_p;
  unsigned char* m_staging;
  int m_group, m_thread, m_piece, m_channel;
  std::int64_t m_batch = -1;
  RunningMoments<kWidth> m_moments;
};

// gridDim.y: blocks of 64 output channels.
template <class T>
__global__ void __launch_bounds__(kThreads, 1)
    wideConvolutionKernel(const __grid_constant__ Maps maps, const __grid_constant__ WideConvolution p, const __grid_constant__ Plan plan) {
  const Shared shared;
  const int group = static_cast<int>(threadIdx.x) / kGroup, thread = static_cast<int>(threadIdx.x) % kGroup;
  const std::int64_t begin = plan.units * blockIdx.x / gridDim.x, end = plan.units * (blockIdx.x + 1) / gridDim.x;
  if (threadIdx.x == 0) {
    for (int i = 0; i < kPlanes; ++i) {
      initialise(shared.fullPlane + i, 1);
      initialise(shared.emptyPlane + i, kConsumerWarps);
    }
    for (int i = 0; i < kStages; ++i) {
      initialise(shared.fullWeight + i, 1);
      initialise(shared.emptyWeight + i, kConsumerWarps);
    }
    publishBarriers();
  }
  __syncthreads();
  if (group == kConsumers) {
    giveRegisters<40>();
    if (thread == 0)
      producePlanes<T>(shared, maps, plan, begin, end);
    else if (thread == 32)
      produceWeights(shared, static_cast<const unsigned char*>(p.workspace) + static_cast<std::int64_t>(blockIdx.y) * plan.taps() * kTapBytes, plan, begin, end);
  } else {
    takeRegisters<232>();
    Consumer<T> consumer(shared, group, thread % 32);
    Epilogue<T> epilogue(p, shared, group, thread);
    float sum[128];
    if (group == 1 && begin < end)
      synchroniseSome(kStaggerBarrier, kConsumers * kGroup); // starts three taps later, so that the two store at different times
    for (std::int64_t index = begin; index < end; ++index) {
      const Unit unit(plan, index, begin);
      const bool chained = plan.chains() && index + 1 < end && unit.z + kTileZ < plan.pairs * kTileZ;
      touch(sum);
      for (int block = 0; block < plan.inputBlocks; ++block)
        consumer.multiplyTaps(sum, block == 0, chained, group == 0 && index == begin && block == 0);
      for (int block = 0; block < plan.throughBlocks[0] + plan.throughBlocks[1]; ++block)
        consumer.multiplyThrough(sum);
      touch(sum);
      epilogue.store(sum, unit);
    }
    epilogue.flushMoments();
  }
}

// One weight, rounded to what the tensor cores read.
template <class T> __device__ __forceinline__ float weightAt(const ConvolutionWeight& w, std::int64_t at) {
  if constexpr (sizeof(T) == 4)
    return __uint_as_float(roundToTf32(static_cast<const float*>(w.data)[at]));
  else
    return w.type == ElementType::Float32 ? static_cast<const float*>(w.data)[at] : unpackPair<T>(static_cast<const T*>(w.data)[at].bits).x;
}

// Weights as they will lie in shared memory: [output block][input block][tap], then [output block][block that comes through], of
// 64 swizzled rows.
template <class T> __global__ void __launch_bounds__(256) packKernel(const __grid_constant__ WideConvolution p, const __grid_constant__ Plan plan, std::int64_t pieces) {
  constexpr int kWidth = kVectorWidth<T>, kRowChannels = kRowBytes / static_cast<int>(sizeof(T));
  const std::int64_t index = static_cast<std::int64_t>(blockIdx.x) * 256 + threadIdx.x;
  if (index >= pieces)
    return;
  const int piece = static_cast<int>(index % 8), row = static_cast<int>(index / 8 % kOutputs), taps = plan.taps();
  const std::int64_t tapIndex = index / (8 * kOutputs), output = tapIndex / taps * kOutputs + row;
  const int within = static_cast<int>(tapIndex % taps), tap = within % 27, through = within - 27 * plan.inputBlocks;
  float value[kWidth];
#pragma unroll
  for (int i = 0; i < kWidth; ++i) {
    const int inRow = (piece ^ row % 8) * kWidth + i;
    if (through >= 0) {
      value[i] = weightAt<T>(p.through.weight, output * p.through.weight.outputStride + (through * kRowChannels + inRow) * p.through.weight.inputStride);
    } else {
      const std::int64_t input = within / 27 * kRowChannels + inRow;
      const bool forward = p.pass == ConvolutionPass::Forward;
      value[i] = weightAt<T>(p.weight, (forward ? output : input) * p.weight.outputStride + (forward ? input : output) * p.weight.inputStride +
                                           (forward ? tap : 26 - tap) * p.weight.tapStride);
    }
  }
  storeRaw(static_cast<T*>(p.workspace) + index * kWidth, pack<T>(value));
}

Plan planOf(const WideConvolution& p) {
  const auto blocks = [&](int channels) { return static_cast<int>(channels * elementBytes(p.type) / kRowBytes); };
  Plan plan{};
  plan.tilesX = static_cast<int>(divideUp(p.shape.width, kTileX));
  plan.tilesY = static_cast<int>(divideUp(p.shape.height, kTileY));
  plan.pairs = static_cast<int>(divideUp(p.shape.depth, kTileZ));
  plan.inputBlocks = blocks(p.inputChannels);
  plan.throughBlocks[0] = blocks(p.through.channels[0]);
  plan.throughBlocks[1] = blocks(p.through.channels[1]);
  plan.units = p.shape.batch * plan.tilesX * plan.tilesY * plan.pairs;
  return plan;
}
int blocksOf(const WideConvolution& p, int multiprocessors) {
  return static_cast<int>(std::clamp<std::int64_t>(multiprocessors / (p.shape.channels / kOutputs), 1, planOf(p).units));
}

template <class T> void launchAs(const WideConvolution& p, Stream stream) {
  const Plan plan = planOf(p);
  const std::int64_t pieces = wideConvolutionWorkspace(p) / 16;
  if (p.packing != WeightPacking::Keep)
    launch("Packing a convolution's weight", packKernel<T>, LaunchShape{dim3(static_cast<unsigned>(divideUp(pieces, 256))), dim3(256), 0, stream}, p, plan, pieces);
  VolumeShape input = p.shape;
  const auto mapOf = [&](const void* x, int channels) {
    input.channels = channels;
    return volumeMap(x, p.type, input, kBoxX, kBoxY);
  };
  Maps maps{mapOf(p.x, p.inputChannels), {}};
  for (int source = 0; source < 2; ++source)
    if (p.through.channels[source] > 0)
      maps.through[source] = mapOf(p.through.x[source], p.through.channels[source]);
  launch("A convolution", wideConvolutionKernel<T>,
         LaunchShape{dim3(static_cast<unsigned>(blocksOf(p, multiprocessors())), static_cast<unsigned>(p.shape.channels / kOutputs)), dim3(kThreads), kSharedBytes, stream}, maps, p,
         plan);
}

} // namespace
} // namespace device

bool servesWideConvolution(const VolumeShape& shape, int inputChannels, int computeCapability) {
  return computeCapability == 90 && shape.channels % device::kOutputs == 0 && inputChannels % 64 == 0 && shape.height >= device::kTileY && shape.width >= device::kTileX &&
         shape.channels / device::kOutputs <= 8;
}

int wideConvolutionChunks(const WideConvolution& p, int multiprocessors) { return device::kConsumers * device::blocksOf(p, multiprocessors); }

std::int64_t wideConvolutionWorkspace(const WideConvolution& p) {
  return static_cast<std::int64_t>(p.shape.channels / device::kOutputs) * device::planOf(p).taps() * device::kTapBytes;
}

void launchWideConvolution(const WideConvolution& p, Stream stream) {
  device::withElementType(p.type, [&](auto element) { device::launchAs<decltype(element)>(p, stream); });
}

} // namespace voxlab
