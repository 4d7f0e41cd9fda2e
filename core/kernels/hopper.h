// SPDX-License-Identifier: Apache-2.0
// Hopper's own instructions (sm_90a): warpgroup products from shared memory, the tensor copy engine, barriers that count bytes.
// Included by *_hopper.cu files only. As for intrinsics.h, tests/support/cuda_emulator has the same functions in plain C++.
#pragma once
#include "core/kernels/element_type.h"
#include "core/kernels/launch.h"
#include <cstdint>
#include <cuda.h>
#include <cuda_runtime.h>

namespace voxlab::device {

// --- tensor copies -------------------------------------------------------------------------------------------------------

using TensorMap = CUtensorMap;

// A channels-last volume as the copy engine reads it, in boxes of (1, 1, boxY, boxX, 128 bytes of channels). In shared memory a
// voxel's 128 bytes are a row whose 16-byte pieces are swapped by the row's address: piece ^ (address / 128 % 8). What lies
// outside the volume reads as zeros.
inline TensorMap volumeMap(const void* data, ElementType type, const VolumeShape& s, int boxX, int boxY) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found), "Looking for the tensor copy engine");
  if (found != cudaDriverEntryPointSuccess)
    throw std::runtime_error("This NVIDIA driver does not know the tensor copy engine: it is older than CUDA 12.");
  const auto bytes = static_cast<cuuint64_t>(elementBytes(type)), C = static_cast<cuuint64_t>(s.channels), W = static_cast<cuuint64_t>(s.width),
             H = static_cast<cuuint64_t>(s.height), D = static_cast<cuuint64_t>(s.depth);
  const cuuint64_t sizes[5] = {C, W, H, D, static_cast<cuuint64_t>(s.batch)}, strides[4] = {C * bytes, W * C * bytes, H * W * C * bytes, D * H * W * C * bytes};
  const cuuint32_t box[5] = {static_cast<cuuint32_t>(128 / bytes), static_cast<cuuint32_t>(boxX), static_cast<cuuint32_t>(boxY), 1, 1}, steps[5] = {1, 1, 1, 1, 1};
  const CUtensorMapDataType kind = type == ElementType::Float32    ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                                   : type == ElementType::BFloat16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                                                   : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  TensorMap map;
  const CUresult result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function)(
      &map, kind, 5, const_cast<void*>(data), sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw std::runtime_error("The tensor copy engine does not take this volume (error " + std::to_string(result) + ").");
  return map;
}

// Within the block's shared memory.
__device__ __forceinline__ std::uint32_t sharedAddress(const void* p) { return static_cast<std::uint32_t>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ void prefetchMap(const TensorMap& map) { asm volatile("prefetch.tensormap [%0];" ::"l"(reinterpret_cast<std::uint64_t>(&map)) : "memory"); }

using Barrier = std::uint64_t;

// Copies one box; its bytes count for the barrier.
__device__ __forceinline__ void copyBox(void* to, const TensorMap& map, Barrier* barrier, int channel, int x, int y, int z, int n) {
  asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2];" ::"r"(sharedAddress(to)),
               "l"(reinterpret_cast<std::uint64_t>(&map)), "r"(sharedAddress(barrier)), "r"(channel), "r"(x), "r"(y), "r"(z), "r"(n)
               : "memory");
}
// Copies consecutive bytes, a multiple of 16.
__device__ __forceinline__ void copyBytes(void* to, const void* from, std::uint32_t bytes, Barrier* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sharedAddress(to)), "l"(from), "r"(bytes),
               "r"(sharedAddress(barrier))
               : "memory");
}

// --- barriers in shared memory -------------------------------------------------------------------------------------------

__device__ __forceinline__ void initialise(Barrier* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(arrivals) : "memory");
}
// After initialising: makes the barriers known to the copy engine.
__device__ __forceinline__ void publishBarriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ __forceinline__ void arrive(Barrier* barrier) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(barrier)) : "memory"); }
// Arrives, and makes the phase wait for so many bytes too.
__device__ __forceinline__ void arriveExpecting(Barrier* barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(bytes) : "memory");
}
// Until the phase of this parity is complete; the phase before the first counts as complete with parity 1.
__device__ __forceinline__ void wait(Barrier* barrier, std::uint32_t parity) {
  asm volatile("{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@done bra finished;\nbra again;\nfinished:\n}\n" ::"r"(
                   sharedAddress(barrier)),
               "r"(parity)
               : "memory");
}
// Barriers 1 to 15 of the block, for some of its warps.
__device__ __forceinline__ void synchroniseSome(unsigned id, unsigned threads) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory"); }
__device__ __forceinline__ void arriveSome(unsigned id, unsigned threads) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory"); }

// --- warpgroups ----------------------------------------------------------------------------------------------------------

template <int kRegisters> __device__ __forceinline__ void takeRegisters() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters)); }
template <int kRegisters> __device__ __forceinline__ void giveRegisters() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters)); }

// Before a warpgroup's first product after other instructions touched its registers; products; then a group is closed.
__device__ __forceinline__ void beginProducts() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void closeProducts() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Until at most kOpen closed groups are unfinished.
template <int kOpen> __device__ __forceinline__ void awaitProducts() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kOpen) : "memory"); }
// Tells the compiler that the registers change behind its back.
template <int kCount> __device__ __forceinline__ void touch(float (&d)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i)
    asm volatile("" : "+f"(d[i])::"memory");
}

// An operand in shared memory, in rows of 128 bytes swizzled as above. groupStride: bytes from one group of eight rows to the
// next; blockStride: where rows are the summed dimension, bytes from 64 columns to the next 64. Addresses are swizzled as a
// whole, so that an operand may start at any row.
__device__ __forceinline__ std::uint64_t operand(std::uint32_t address, std::uint32_t groupStride, std::uint32_t blockStride = 16) {
  return static_cast<std::uint64_t>((address & 0x3FFFF) >> 4) | static_cast<std::uint64_t>(blockStride >> 4) << 16 | static_cast<std::uint64_t>(groupStride >> 4) << 32 |
         std::uint64_t{1} << 62;
}

// An accumulator's registers, as the instruction's text and as operands of the assembler.
#define VOXLAB_REGISTERS_96 \
  "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15," \
  "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31," \
  "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47," \
  "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63," \
  "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79," \
  "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95"
#define VOXLAB_REGISTERS_128 \
  VOXLAB_REGISTERS_96 \
  ",%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111," \
  "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
#define VOXLAB_OPERANDS_8(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define VOXLAB_OPERANDS_32(i) VOXLAB_OPERANDS_8(i), VOXLAB_OPERANDS_8(i + 8), VOXLAB_OPERANDS_8(i + 16), VOXLAB_OPERANDS_8(i + 24)
#define VOXLAB_OPERANDS_96 VOXLAB_OPERANDS_32(0), VOXLAB_OPERANDS_32(32), VOXLAB_OPERANDS_32(64)
#define VOXLAB_OPERANDS_128 VOXLAB_OPERANDS_96, VOXLAB_OPERANDS_32(96)
// left, right, accumulates: the numbers of the operands behind the registers.
#define VOXLAB_PRODUCT(name, registers, left, right, accumulates_, instruction, modifiers)                                                                  \
  __device__ __forceinline__ void name(float (&d)[registers], std::uint64_t a, std::uint64_t b, int accumulates) {                                         \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %" #accumulates_ ", 0;\nwgmma.mma_async.sync.aligned." instruction " {" VOXLAB_REGISTERS_##registers     \
                 "}, %" #left ", %" #right ", p, " modifiers ";\n}\n"                                                                                      \
                 : VOXLAB_OPERANDS_##registers                                                                                                             \
                 : "l"(a), "l"(b), "r"(accumulates));                                                                                                      \
  }

// d = a b + (accumulates ? d : 0), 64 x N, 32 bytes of the summed dimension. Of warp w of the warpgroup, lane 4 g + t holds in
// d[4 j + i] row 16 w + g + 8 (i / 2), column 8 j + 2 t + i % 2.
// Rows are M and N, the summed dimension lies along them:
VOXLAB_PRODUCT(multiplyBFloat16, 128, 128, 129, 130, "m64n256k16.f32.bf16.bf16", "1, 1, 0, 0")
VOXLAB_PRODUCT(multiplyFloat16, 128, 128, 129, 130, "m64n256k16.f32.f16.f16", "1, 1, 0, 0")
VOXLAB_PRODUCT(multiplyTf32, 128, 128, 129, 130, "m64n256k8.f32.tf32.tf32", "1, 1")
// The summed dimension runs over the rows, M and N lie along them; N = 192 in three blocks of 64:
VOXLAB_PRODUCT(multiplyRowsBFloat16, 96, 96, 97, 98, "m64n192k16.f32.bf16.bf16", "1, 1, 1, 1")
VOXLAB_PRODUCT(multiplyRowsFloat16, 96, 96, 97, 98, "m64n192k16.f32.f16.f16", "1, 1, 1, 1")

#undef VOXLAB_PRODUCT
#undef VOXLAB_OPERANDS_128
#undef VOXLAB_OPERANDS_96
#undef VOXLAB_OPERANDS_32
#undef VOXLAB_OPERANDS_8
#undef VOXLAB_REGISTERS_128
#undef VOXLAB_REGISTERS_96

// Four 8 x 8 matrices of 16-bit values whose lanes hold two neighbours of a row, stored transposed: lane l gives the address of row
// l % 8 of the transposed matrix l / 8.
__device__ __forceinline__ void storeTransposed(void* row, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(sharedAddress(row)), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
}
// Makes shared memory that was written by ordinary stores visible to the products and the copy engine.
__device__ __forceinline__ void publishShared() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

} // namespace voxlab::device
