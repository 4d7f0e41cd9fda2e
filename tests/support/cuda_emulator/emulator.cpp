// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cuda_emulator/cuda_runtime.h"
#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <ucontext.h>
#include <vector>

dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace voxlab::emulator {
namespace {

constexpr std::size_t kStackBytes = 256 * 1024;
constexpr unsigned kLanes = 32;

struct Fiber {
  ucontext_t context{}; // where it starts
  std::jmp_buf place{}; // where it waits: swapcontext would cost a system call each time
  bool started = false;
  std::unique_ptr<unsigned char[]> stack;
  dim3 index;
  unsigned linear = 0;
  bool finished = false;
};

// Slots of one warp: two sets, because a lane may enter the next exchange while another still reads this one.
struct Warp {
  std::array<std::array<unsigned char, kLanes * kExchangeBytes>, 2> slots{};
  std::array<unsigned, kLanes> entered{}; // exchanges that each lane has begun
  std::array<bool, kLanes> ended{};
  unsigned lanes = 0;
  std::array<std::vector<float>, 2> results;
  std::array<unsigned, 2> resultsOf{}; // exchange that they belong to
};

struct Barrier {
  unsigned arrived = 0, generation = 0;
};

struct Block {
  std::vector<Fiber> fibers;
  std::vector<Warp> warps;
  std::map<unsigned, Barrier> barriers;
  unsigned alive = 0;
  bool progressed = false;
};

std::jmp_buf g_scheduler;
Block g_block;
Fiber* g_current = nullptr;
const std::function<void()>* g_thread = nullptr;
std::vector<unsigned char> g_shared;
const bool g_backward = std::getenv("VOXLAB_EMULATOR_BACKWARD") != nullptr;
std::exception_ptr g_failure;

void fiberMain() {
  try {
    (*g_thread)();
  } catch (...) {
    g_failure = std::current_exception();
  }
  Fiber& self = *g_current;
  self.finished = true;
  g_block.warps[self.linear / kLanes].ended[self.linear % kLanes] = true;
  --g_block.alive;
  g_block.progressed = true;
  _longjmp(g_scheduler, 1);
}

void yield() {
  if (_setjmp(g_current->place) == 0)
    _longjmp(g_scheduler, 1);
}

void resume(Fiber& fiber) {
  g_current = &fiber;
  threadIdx = fiber.index;
  if (_setjmp(g_scheduler) != 0)
    return;
  if (fiber.started)
    _longjmp(fiber.place, 1);
  fiber.started = true;
  setcontext(&fiber.context);
}

void prepareBlock(unsigned threads) {
  g_block.fibers.resize(std::max<std::size_t>(g_block.fibers.size(), threads));
  g_block.warps.assign((threads + kLanes - 1) / kLanes, Warp{});
  g_block.barriers.clear();
  g_block.alive = threads;
  for (unsigned t = 0; t < threads; ++t) {
    Fiber& f = g_block.fibers[t];
    if (!f.stack)
      f.stack = std::make_unique<unsigned char[]>(kStackBytes);
    f.linear = t;
    f.index = dim3(t % blockDim.x, t / blockDim.x % blockDim.y, t / (blockDim.x * blockDim.y));
    f.finished = f.started = false;
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = kStackBytes;
    f.context.uc_link = nullptr;
    makecontext(&f.context, fiberMain, 0);
    ++g_block.warps[t / kLanes].lanes;
  }
}

void runBlock(unsigned threads) {
  prepareBlock(threads);
  std::fill(g_shared.begin(), g_shared.end(), static_cast<unsigned char>(0xFF)); // NaN: shared memory starts undefined
  while (g_block.alive > 0) {
    g_block.progressed = false;
    for (unsigned i = 0; i < threads; ++i) {
      Fiber& f = g_block.fibers[g_backward ? threads - 1 - i : i];
      if (!f.finished)
        resume(f);
    }
    if (!g_block.progressed) {
      std::fprintf(stderr, "The emulated block (%u, %u, %u) hangs: a barrier or warp instruction that not all threads reach.\n", blockIdx.x,
                   blockIdx.y, blockIdx.z);
      std::abort();
    }
  }
}

} // namespace

void runGrid(dim3 grid, dim3 block, std::size_t sharedBytes, const std::function<void()>& thread) {
  g_thread = &thread;
  g_failure = nullptr;
  gridDim = grid;
  blockDim = block;
  g_shared.assign(sharedBytes + 1024, 0);
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        blockIdx = dim3(x, y, z);
        runBlock(block.x * block.y * block.z);
        if (g_failure)
          std::rethrow_exception(g_failure);
      }
}

void blockBarrier(unsigned id, unsigned threads) {
  Barrier& barrier = g_block.barriers[id];
  const unsigned generation = barrier.generation;
  ++barrier.arrived;
  g_block.progressed = true;
  while (barrier.generation == generation) {
    const unsigned wanted = threads ? threads : g_block.alive;
    if (barrier.arrived >= wanted) {
      barrier.arrived = 0;
      ++barrier.generation;
      g_block.progressed = true;
      return;
    }
    yield();
  }
}

void blockArrive(unsigned id, unsigned threads) {
  Barrier& barrier = g_block.barriers[id];
  g_block.progressed = true;
  if (++barrier.arrived >= threads) {
    barrier.arrived = 0;
    ++barrier.generation;
  }
}

void waitUntil(const std::function<bool()>& condition) {
  while (!condition())
    yield();
}

void noteProgress() { g_block.progressed = true; }
unsigned threadNumber() { return g_current->linear; }

unsigned char* dynamicShared() {
  const auto address = reinterpret_cast<std::uintptr_t>(g_shared.data());
  return g_shared.data() + (1024 - address % 1024) % 1024;
}

const unsigned char* exchange(const void* value, std::size_t bytes) {
  if (bytes > kExchangeBytes)
    std::abort();
  Warp& warp = g_block.warps[g_current->linear / kLanes];
  const unsigned me = g_current->linear % kLanes;
  const unsigned turn = ++warp.entered[me];
  unsigned char* slots = warp.slots[turn % 2].data();
  std::memcpy(slots + me * kExchangeBytes, value, bytes);
  g_block.progressed = true;
  const auto complete = [&] {
    for (unsigned l = 0; l < warp.lanes; ++l)
      if (warp.entered[l] < turn && !warp.ended[l])
        return false;
    return true;
  };
  while (!complete())
    yield();
  return slots;
}

const float* sharedResults(std::size_t count, const std::function<void(float*)>& compute) {
  Warp& warp = g_block.warps[g_current->linear / kLanes];
  const unsigned turn = warp.entered[g_current->linear % kLanes];
  std::vector<float>& results = warp.results[turn % 2];
  if (warp.resultsOf[turn % 2] != turn) {
    results.resize(count);
    compute(results.data());
    warp.resultsOf[turn % 2] = turn;
  }
  return results.data();
}

unsigned lane() { return g_current->linear % kLanes; }

} // namespace voxlab::emulator
