// SPDX-License-Identifier: Apache-2.0
// Both directions march along the depth with one 16-byte vector of channels a thread, and keep what the next plane needs in
// registers: four loads for eight stores forward, twenty-four for one backward (mostly from the L1 cache). At 64 channels,
// 64³ -> 128³ and 16 bits 302 MB move either way.
#include "core/kernels/launch.h"
#include "core/kernels/upsample_trilinear.h"
#include "core/kernels/vector_access.h"

namespace voxlab {
namespace device {
namespace {

constexpr int kThreads = 256;
constexpr float kNear = 0.75f, kFar = 0.25f;

// gridDim.y cuts the depth into runs.
struct March {
  std::int64_t columns; // threads: vectors, x, y and batch entries
  int vectors, cellsX, cellsY;
  int runLength; // planes
};

template <int kWidth> struct Values {
  float v[kWidth];
};
template <int kWidth> __device__ __forceinline__ Values<kWidth> blend(float wa, const Values<kWidth>& a, float wb, const Values<kWidth>& b) {
  Values<kWidth> r;
#pragma unroll
  for (int i = 0; i < kWidth; ++i)
    r.v[i] = wa * a.v[i] + wb * b.v[i];
  return r;
}
template <int kWidth> __device__ __forceinline__ void accumulate(Values<kWidth>& sum, float w, const Values<kWidth>& a) {
#pragma unroll
  for (int i = 0; i < kWidth; ++i)
    sum.v[i] += w * a.v[i];
}
template <class T> __device__ __forceinline__ Values<kVectorWidth<T>> loadValues(const T* p) {
  Values<kVectorWidth<T>> r;
  unpack<T>(loadRaw(p), r.v);
  return r;
}

__device__ __forceinline__ int clampTo(int i, int last) { return i < 0 ? 0 : i > last ? last : i; }

// A cell lies between inputs i and i + 1, for i = -1 … n - 1, and holds the outputs 2i + 1 and 2i + 2.
template <class T> __global__ void __launch_bounds__(kThreads, 2) upsampleKernel(const __grid_constant__ March m, const __grid_constant__ UpsampleTrilinear p) {
  constexpr int kWidth = kVectorWidth<T>;
  using V = Values<kWidth>;
  std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (column >= m.columns)
    return;
  const int channel = static_cast<int>(column % m.vectors) * kWidth;
  column /= m.vectors;
  const int cx = static_cast<int>(column % m.cellsX) - 1;
  column /= m.cellsX;
  const int cy = static_cast<int>(column % m.cellsY) - 1;
  const std::int64_t n = column / m.cellsY;
  const int D = static_cast<int>(p.input.depth), H = static_cast<int>(p.input.height), W = static_cast<int>(p.input.width), C = p.input.channels;
  const T* const x = static_cast<const T*>(p.x) + n * p.input.voxels() * C + channel;
  T* const y = static_cast<T*>(p.y) + n * 8 * p.input.voxels() * C + channel;

  std::int64_t corner[4]; // of the input plane, (y, x) = (0, 0), (0, 1), (1, 0), (1, 1)
#pragma unroll
  for (int i = 0; i < 4; ++i)
    corner[i] = (static_cast<std::int64_t>(clampTo(cy + i / 2, H - 1)) * W + clampTo(cx + i % 2, W - 1)) * C;
  const std::int64_t planeIn = static_cast<std::int64_t>(H) * W * C, rowOut = 2 * static_cast<std::int64_t>(W) * C, planeOut = 2 * H * rowOut;
  const bool validX[2] = {cx >= 0, cx < W - 1}, validY[2] = {cy >= 0, cy < H - 1};

  struct Plane {
    V at[4]; // the four outputs of the cell, at the depth of an input plane
  };
  const auto loadPlane = [&](int z) {
    const T* plane = x + clampTo(z, D - 1) * planeIn;
    V in[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      in[i] = loadValues(plane + corner[i]);
    Plane out;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int near = i / 2 * 2, far = 2 - near; // first corner of the near and of the far row
      const float wx0 = i % 2 == 0 ? kNear : kFar, wx1 = 1.0f - wx0;
      out.at[i] = blend(kNear, blend(wx0, in[near], wx1, in[near + 1]), kFar, blend(wx0, in[far], wx1, in[far + 1]));
    }
    return out;
  };
  const int first = static_cast<int>(blockIdx.y) * m.runLength - 1, end = first + m.runLength < D ? first + m.runLength : D;
  Plane lower = loadPlane(first);
  T* out = y + (2 * first + 1) * planeOut + (2 * cy + 1) * rowOut + (2 * cx + 1) * static_cast<std::int64_t>(C);
  for (int cz = first; cz < end; ++cz, out += 2 * planeOut) {
    const Plane upper = loadPlane(cz + 1);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (!validX[i % 2] || !validY[i / 2])
        continue;
      T* const at = out + i / 2 * rowOut + i % 2 * C;
      if (cz >= 0)
        storeRaw(at, pack<T>(blend(kNear, lower.at[i], kFar, upper.at[i]).v));
      if (cz < D - 1)
        storeRaw(at + planeOut, pack<T>(blend(kFar, lower.at[i], kNear, upper.at[i]).v));
    }
    lower = upper;
  }
}

// Two inputs, one above the other in y, a thread.
template <class T>
__global__ void __launch_bounds__(kThreads, 2) upsampleBackwardKernel(const __grid_constant__ March m, const __grid_constant__ UpsampleTrilinearBackward p) {
  constexpr int kWidth = kVectorWidth<T>;
  using V = Values<kWidth>;
  std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (column >= m.columns)
    return;
  const int channel = static_cast<int>(column % m.vectors) * kWidth;
  column /= m.vectors;
  const int x = static_cast<int>(column % m.cellsX);
  column /= m.cellsX;
  const int y = 2 * static_cast<int>(column % m.cellsY);
  const std::int64_t n = column / m.cellsY;
  const int D = static_cast<int>(p.input.depth), H = static_cast<int>(p.input.height), W = static_cast<int>(p.input.width), C = p.input.channels;
  const T* const dy = static_cast<const T*>(p.dy) + n * 8 * p.input.voxels() * C + channel;
  T* const dx = static_cast<T*>(p.dx) + ((n * p.input.voxels() + static_cast<std::int64_t>(y) * W + x) * C + channel);

  // Outputs 2x - 1 … 2x + 2 of a row stand at left, 0, C and right from output 2x; the rows 2y - 1 … 2y + 4 are reached by
  // steps. Clamping makes an offset or a step vanish.
  const int left = x > 0 ? -C : 0, right = x < W - 1 ? 2 * C : C;
  const std::int64_t rowOut = 2 * static_cast<std::int64_t>(W) * C, planeOut = 2 * H * rowOut, planeIn = static_cast<std::int64_t>(H) * W * C;
  const std::int64_t stepFirst = y > 0 ? rowOut : 0, stepThird = y + 1 < H ? rowOut : 0, stepLast = y + 2 < H ? rowOut : 0;
  const T* const firstRow = dy + 2 * y * rowOut - stepFirst + 2 * x * static_cast<std::int64_t>(C);

  struct Pair {
    V at[2];
  };
  // One plane of outputs, weighted and summed in x and y.
  const auto reducePlane = [&](int z) {
    const T* line = firstRow + clampTo(z, 2 * D - 1) * planeOut;
    Pair sum{};
#pragma unroll
    for (int row = 0; row < 6; ++row) {
      const V a = loadValues(line + left), b = loadValues(line), c = loadValues(line + C), d = loadValues(line + right);
      V value = blend(kFar, a, kNear, b);
      accumulate(value, kNear, c);
      accumulate(value, kFar, d);
      if (row < 4)
        accumulate(sum.at[0], row == 0 || row == 3 ? kFar : kNear, value);
      if (row >= 2)
        accumulate(sum.at[1], row == 2 || row == 5 ? kFar : kNear, value);
      line += row == 0 ? stepFirst : row == 1 ? rowOut : row == 4 ? stepLast : stepThird;
    }
    return sum;
  };
  const auto add = [](Pair& sum, float weight, const Pair& value) {
    accumulate(sum.at[0], weight, value.at[0]);
    accumulate(sum.at[1], weight, value.at[1]);
  };
  const auto store = [&](const Pair& value, int z) {
    storeRaw(dx + z * planeIn, pack<T>(value.at[0].v));
    if (y + 1 < H)
      storeRaw(dx + z * planeIn + static_cast<std::int64_t>(W) * C, pack<T>(value.at[1].v));
  };
  const int first = static_cast<int>(blockIdx.y) * m.runLength, end = first + m.runLength < D ? first + m.runLength : D;
  Pair current{};
  add(current, kFar, reducePlane(2 * first - 1));
  add(current, kNear, reducePlane(2 * first));
  for (int z = first; z < end; ++z) {
    const Pair odd = reducePlane(2 * z + 1);
    add(current, kNear, odd);
    Pair next{};
    add(next, kFar, odd);
    const Pair even = reducePlane(2 * z + 2);
    add(current, kFar, even);
    store(current, z);
    add(next, kNear, even);
    current = next;
  }
}

// Runs long enough to reuse planes, short enough that there are blocks for every multiprocessor.
dim3 marchGrid(March& m, int planes, int perMultiprocessor, int longest) {
  const std::int64_t blocks = divideUp(m.columns, kThreads), wanted = divideUp(static_cast<std::int64_t>(multiprocessors()) * perMultiprocessor, blocks);
  m.runLength = static_cast<int>(std::clamp<std::int64_t>(divideUp(planes, wanted), 1, longest));
  return dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(divideUp(planes, m.runLength)));
}

} // namespace
} // namespace device

void launchUpsampleTrilinear(const UpsampleTrilinear& p, Stream stream) {
  const VolumeShape& in = p.input;
  device::March m{};
  m.vectors = static_cast<int>(in.channels * elementBytes(p.type) / 16);
  m.cellsX = static_cast<int>(in.width + 1);
  m.cellsY = static_cast<int>(in.height + 1);
  m.columns = in.batch * m.cellsY * m.cellsX * m.vectors;
  const dim3 grid = device::marchGrid(m, static_cast<int>(in.depth + 1), 4, 16);
  device::withElementType(p.type, [&](auto element) {
    device::launch("Trilinear up-sampling", device::upsampleKernel<decltype(element)>, device::LaunchShape{grid, dim3(device::kThreads), 0, stream}, m, p);
  });
}

void launchUpsampleTrilinearBackward(const UpsampleTrilinearBackward& p, Stream stream) {
  const VolumeShape& in = p.input;
  device::March m{};
  m.vectors = static_cast<int>(in.channels * elementBytes(p.type) / 16);
  m.cellsX = static_cast<int>(in.width);
  m.cellsY = static_cast<int>((in.height + 1) / 2);
  m.columns = in.batch * m.cellsY * m.cellsX * m.vectors;
  const dim3 grid = device::marchGrid(m, static_cast<int>(in.depth), 4, 16);
  device::withElementType(p.type, [&](auto element) {
    device::launch("Trilinear up-sampling's gradient", device::upsampleBackwardKernel<decltype(element)>,
                   device::LaunchShape{grid, dim3(device::kThreads), 0, stream}, m, p);
  });
}

} // namespace voxlab
