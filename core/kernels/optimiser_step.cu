// SPDX-License-Identifier: Apache-2.0
// The tensors are cut into chunks; a block finds its chunk's tensor in a table that travels with the launch. Norm: one float a
// chunk, added up in a fixed order by one block that also decides about clipping and skipping. At 40 million weights the second
// pass moves seven arrays, 1.1 GB, nine with the average.
#include "core/kernels/launch.h"
#include "core/kernels/optimiser_step.h"
#include <cmath>

namespace voxlab {
namespace device {
namespace {

constexpr int kThreads = 256, kChunk = 16384; // elements
constexpr int kTensors = 64;                  // of one launch: the table has to fit 4 KB of parameters

struct Table {
  OptimiserTensor tensor[kTensors];
  int firstChunk[kTensors + 1]; // of this launch
  int count;
  int chunkOffset; // chunks of the launches before
};
struct Place {
  int tensor;
  std::int64_t begin, end;
};
__device__ Place findPlace(const Table& table) {
  int low = 0, high = table.count - 1;
  const int chunk = static_cast<int>(blockIdx.x);
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (table.firstChunk[middle] <= chunk)
      low = middle;
    else
      high = middle - 1;
  }
  const std::int64_t begin = static_cast<std::int64_t>(chunk - table.firstChunk[low]) * kChunk, size = table.tensor[low].size;
  return {low, begin, begin + kChunk < size ? begin + kChunk : size};
}

__device__ float blockSum(float value, float* scratch) {
#pragma unroll
  for (int other = 16; other > 0; other /= 2)
    value += __shfl_xor_sync(0xFFFFFFFFu, value, other);
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
  for (int w = 0; w < kThreads / 32; ++w)
    sum += scratch[w];
  return sum;
}

__global__ void __launch_bounds__(kThreads) squaresKernel(const __grid_constant__ Table table, const OptimiserState* state, float* partial) {
  __shared__ float scratch[kThreads / 32];
  const Place place = findPlace(table);
  const float* gradient = table.tensor[place.tensor].gradient;
  const float inverseScale = state->inverseScale;
  float sum = 0;
  for (std::int64_t i = place.begin + threadIdx.x; i < place.end; i += kThreads) {
    const float g = gradient[i] * inverseScale;
    sum += g * g;
  }
  sum = blockSum(sum, scratch);
  if (threadIdx.x == 0)
    partial[table.chunkOffset + blockIdx.x] = sum;
}

__global__ void __launch_bounds__(kThreads) decideKernel(const float* partial, int chunks, float clipNorm, OnOverflow onOverflow, OptimiserState* state) {
  __shared__ double scratch[kThreads];
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < chunks; i += kThreads)
    sum += partial[i];
  scratch[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x > 0)
    return;
  for (int i = 1; i < kThreads; ++i)
    sum += scratch[i];
  const float norm = static_cast<float>(sqrt(sum));
  const float wanted = clipNorm / (norm + 1e-6f);
  const bool skips = onOverflow == OnOverflow::Skip && !(norm <= 3.402823466e38f);
  state->norm = norm;
  state->skipped = skips ? 1.0f : 0.0f;
  state->factor = state->inverseScale * (clipNorm > 0 && !(wanted > 1.0f) ? wanted : 1.0f);
  if (!skips)
    state->step += 1.0f;
}

struct Rates {
  float beta1, beta2, epsilon, averageDecay;
};

template <AverageKind kAverage> __global__ void __launch_bounds__(kThreads) adamKernel(const __grid_constant__ Table table, Rates rates, const OptimiserState* state) {
  if (state->skipped != 0.0f)
    return;
  const Place place = findPlace(table);
  const OptimiserTensor& t = table.tensor[place.tensor];
  const float factor = state->factor;
  // Powers in FP64: beta2^step is close to 1 for thousands of steps.
  const float correction1 = static_cast<float>(1.0 - pow(static_cast<double>(rates.beta1), static_cast<double>(state->step)));
  const float correction2 = static_cast<float>(1.0 - pow(static_cast<double>(rates.beta2), static_cast<double>(state->step)));
  const float rate = state->learningRate / correction1, rootCorrection2 = sqrtf(correction2);
  const auto update = [&](float& w, float g, float& m, float& v, float& average) {
    g *= factor;
    m += (g - m) * (1.0f - rates.beta1);
    v = rates.beta2 * v + (1.0f - rates.beta2) * g * g;
    w -= rate * m / (sqrtf(v) / rootCorrection2 + rates.epsilon);
    if constexpr (kAverage == AverageKind::Copy)
      average = w;
    if constexpr (kAverage == AverageKind::Decay)
      average += (w - average) * (1.0f - rates.averageDecay);
  };
  const std::int64_t whole = place.begin + (place.end - place.begin) / 4 * 4;
  for (std::int64_t i = place.begin + 4 * threadIdx.x; i < whole; i += 4 * kThreads) {
    const auto load = [i](const float* p) { return *reinterpret_cast<const float4*>(p + i); };
    const auto store = [i](float* p, const float4& value) { *reinterpret_cast<float4*>(p + i) = value; };
    float4 w = load(t.weight), m = load(t.moment1), v = load(t.moment2), average = kAverage == AverageKind::Decay ? load(t.average) : w;
    const float4 g = load(t.gradient);
    update(w.x, g.x, m.x, v.x, average.x);
    update(w.y, g.y, m.y, v.y, average.y);
    update(w.z, g.z, m.z, v.z, average.z);
    update(w.w, g.w, m.w, v.w, average.w);
    store(t.weight, w);
    store(t.moment1, m);
    store(t.moment2, v);
    if constexpr (kAverage != AverageKind::None)
      store(t.average, average);
  }
  for (std::int64_t i = whole + threadIdx.x; i < place.end; i += kThreads) {
    float unused = 0;
    update(t.weight[i], t.gradient[i], t.moment1[i], t.moment2[i], kAverage == AverageKind::None ? unused : t.average[i]);
  }
}

std::vector<Table> tablesOf(const OptimiserStep& p) {
  std::vector<Table> tables;
  int chunks = 0;
  for (const OptimiserTensor& t : p.tensors) {
    if (tables.empty() || tables.back().count == kTensors) {
      tables.emplace_back();
      tables.back().chunkOffset = chunks;
    }
    Table& table = tables.back();
    table.tensor[table.count] = t;
    const int ofTensor = static_cast<int>(divideUp(t.size, kChunk));
    table.firstChunk[table.count + 1] = table.firstChunk[table.count] + ofTensor;
    ++table.count;
    chunks += ofTensor;
  }
  return tables;
}

} // namespace
} // namespace device

std::int64_t optimiserWorkspace(const OptimiserStep& p) {
  std::int64_t chunks = 0;
  for (const OptimiserTensor& t : p.tensors)
    chunks += device::divideUp(t.size, device::kChunk);
  return chunks;
}

void launchOptimiserStep(const OptimiserStep& p, Stream stream) {
  using namespace device;
  const std::vector<Table> tables = tablesOf(p);
  const auto shapeOf = [stream](const Table& t) { return LaunchShape{dim3(static_cast<unsigned>(t.firstChunk[t.count])), dim3(kThreads), 0, stream}; };
  for (const Table& t : tables)
    launch("The gradients' norm", squaresKernel, shapeOf(t), t, static_cast<const OptimiserState*>(p.state), p.workspace);
  launch("Clipping", decideKernel, LaunchShape{dim3(1), dim3(kThreads), 0, stream}, static_cast<const float*>(p.workspace),
         static_cast<int>(optimiserWorkspace(p)), p.clipNorm, p.onOverflow, p.state);
  const auto adam = p.average == AverageKind::Copy    ? adamKernel<AverageKind::Copy>
                    : p.average == AverageKind::Decay ? adamKernel<AverageKind::Decay>
                                                      : adamKernel<AverageKind::None>;
  for (const Table& t : tables)
    launch("Adam", adam, shapeOf(t), t, Rates{p.beta1, p.beta2, p.epsilon, p.averageDecay}, static_cast<const OptimiserState*>(p.state));
}

} // namespace voxlab
