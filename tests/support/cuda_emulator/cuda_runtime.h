// SPDX-License-Identifier: Apache-2.0
// Stands in for the CUDA runtime where there is no GPU: the kernels' sources are compiled as C++ against this header, and
// every thread of a block becomes a fiber. Blocks run one after the other; a thread runs until it waits at a barrier or
// in a warp-wide instruction; with VOXLAB_EMULATOR_BACKWARD in the environment the last thread of a block goes first, which
// a kernel that lacks a barrier does not survive. A barrier that some thread never reaches ends the program with a message. Memory is the host's.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <tuple>
#include <utility>

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __shared__ static
#define __align__(n) alignas(n)
#define __launch_bounds__(...)
#define __grid_constant__

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3() = default;
  constexpr dim3(unsigned a, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

extern dim3 threadIdx, blockIdx, blockDim, gridDim; // of the thread that is running

namespace voxlab::emulator {

void runGrid(dim3 grid, dim3 block, std::size_t sharedBytes, const std::function<void()>& thread);
void blockBarrier(unsigned id, unsigned threads); // threads = 0: the whole block
void blockArrive(unsigned id, unsigned threads);  // does not wait
void waitUntil(const std::function<bool()>& condition);
void noteProgress(); // something happened that others may wait for
unsigned threadNumber();
unsigned char* dynamicShared();

// One warp-wide exchange: every lane gives `bytes` bytes and sees those of all 32 lanes, `kExchangeBytes` apart, until its
// next exchange. Lanes that have ended read as zeros.
inline constexpr std::size_t kExchangeBytes = 64;
const unsigned char* exchange(const void* value, std::size_t bytes);
template <class T> T fromLane(const unsigned char* slots, unsigned lane) {
  T value;
  std::memcpy(&value, slots + lane * kExchangeBytes, sizeof(T));
  return value;
}
// What all lanes of the warp would compute from the exchange they have just made: computed by the first that asks.
const float* sharedResults(std::size_t count, const std::function<void(float*)>& compute);
unsigned lane(); // of the running thread

} // namespace voxlab::emulator

inline void __syncthreads() { voxlab::emulator::blockBarrier(0, 0); }
inline void __syncwarp(unsigned = 0xFFFFFFFFu) {
  const int nothing = 0;
  voxlab::emulator::exchange(&nothing, sizeof nothing);
}
inline void __threadfence() {}
template <class T> T __shfl_sync(unsigned, T value, int source) {
  return voxlab::emulator::fromLane<T>(voxlab::emulator::exchange(&value, sizeof value), static_cast<unsigned>(source) % 32);
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int other) {
  return __shfl_sync(mask, value, static_cast<int>(voxlab::emulator::lane()) ^ other);
}
template <class T> T __shfl_down_sync(unsigned, T value, unsigned delta) {
  const unsigned char* slots = voxlab::emulator::exchange(&value, sizeof value);
  const unsigned source = voxlab::emulator::lane() + delta;
  return source < 32 ? voxlab::emulator::fromLane<T>(slots, source) : value;
}
inline float __uint_as_float(unsigned x) {
  float f;
  std::memcpy(&f, &x, 4);
  return f;
}
inline unsigned __float_as_uint(float x) {
  unsigned u;
  std::memcpy(&u, &x, 4);
  return u;
}
inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
template <class T> T __ldg(const T* p) { return *p; }

using cudaStream_t = struct CUstream_st*;
using cudaError_t = int;
inline constexpr cudaError_t cudaSuccess = 0;
inline constexpr int cudaDevAttrMultiProcessorCount = 16, cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76;
inline constexpr int cudaFuncAttributeMaxDynamicSharedMemorySize = 8;
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
inline const char* cudaGetErrorString(cudaError_t) { return "an emulated error"; }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == cudaDevAttrMultiProcessorCount ? 3 : attribute == cudaDevAttrComputeCapabilityMajor ? 9 : 0;
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
// A block may have 227 KB of shared memory, as on Hopper.
inline cudaError_t cudaFuncSetAttribute(const void*, int, int value) { return value <= 227 * 1024 ? cudaSuccess : 1; }
inline cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  *p = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *p ? cudaSuccess : 2;
}
inline cudaError_t cudaFree(void* p) {
  std::free(p);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  std::memset(to, value, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t) { return cudaMemset(to, value, bytes); }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
};
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments) {
  const std::tuple<std::decay_t<Parameters>...> values(std::forward<Arguments>(arguments)...);
  voxlab::emulator::runGrid(config->gridDim, config->blockDim, config->dynamicSmemBytes, [&] { std::apply(kernel, values); });
  return cudaSuccess;
}
