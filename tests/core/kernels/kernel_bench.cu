// SPDX-License-Identifier: Apache-2.0
// Times the kernels on the first GPU, each beside a plain copy of as many bytes as it must move. No LibTorch.
//   kernel_bench [words…]    only the rows whose name contains one of the words
#include "core/kernels/group_norm.h"
#include "core/kernels/launch.h"
#include "core/kernels/narrow_conv.h"
#include "core/kernels/upsample_trilinear.h"
#include "core/kernels/vector_access.h"
#include "core/kernels/wide_conv.h"
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

namespace voxlab {
namespace {

using device::check;

// Normal numbers from a counter: data that a power-saving unit cannot guess.
__device__ float normalAt(std::uint64_t i) {
  float sum = -2.0f * 4;
  for (int k = 0; k < 4; ++k) {
    std::uint64_t x = (i * 4 + k + 1) * 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    sum += static_cast<float>((x ^ (x >> 31)) >> 40) * (4.0f / 16777216.0f);
  }
  return sum * 0.43f;
}
template <class T> __global__ void fillKernel(T* out, std::int64_t size, float scale) {
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += static_cast<std::int64_t>(gridDim.x) * blockDim.x) {
    const float value = scale * normalAt(static_cast<std::uint64_t>(i));
    if constexpr (sizeof(T) == 4)
      out[i] = value;
    else
      out[i] = T{static_cast<std::uint16_t>(device::packPair<T>(value, 0))};
  }
}

class Buffer {
public:
  Buffer(ElementType type, std::int64_t size, float scale = 1) : m_bytes(static_cast<std::size_t>(size) * elementBytes(type)) {
    check(cudaMalloc(&m_data, m_bytes), "Taking memory");
    device::withElementType(type, [&](auto element) { fillKernel<<<1024, 256>>>(static_cast<decltype(element)*>(m_data), size, scale); });
    check(cudaGetLastError(), "Filling");
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(m_data); }
  void* data() const { return m_data; }
  float* floats() const { return static_cast<float*>(m_data); }
  std::size_t bytes() const { return m_bytes; }

private:
  void* m_data = nullptr;
  std::size_t m_bytes;
};

struct Timing {
  float median, low, high;
};

// Median, first and last decile of the time of one call, from batches of calls between two events.
Timing time(const std::function<void(int)>& call, int batches = 15, int batch = 4) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "Making an event");
  check(cudaEventCreate(&end), "Making an event");
  for (int i = 0; i < 3; ++i)
    call(i);
  std::vector<float> times;
  for (int b = 0; b < batches; ++b) {
    check(cudaEventRecord(begin), "Recording an event");
    for (int i = 0; i < batch; ++i)
      call(b * batch + i);
    check(cudaEventRecord(end), "Recording an event");
    check(cudaEventSynchronize(end), "Waiting for an event");
    float elapsed = 0;
    check(cudaEventElapsedTime(&elapsed, begin, end), "Reading an event");
    times.push_back(elapsed / static_cast<float>(batch));
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[times.size() / 10], times[times.size() - 1 - times.size() / 10]};
}

std::vector<const char*> g_words;
std::unique_ptr<Buffer> g_copyFrom, g_copyTo;

bool wanted(const char* name) {
  if (g_words.empty())
    return true;
  return std::any_of(g_words.begin(), g_words.end(), [&](const char* word) { return std::strstr(name, word) != nullptr; });
}

// megabytes: what must move at least. must, goal in ms; 0: none.
void row(const char* name, double bytes, double must, double goal, const std::function<void(int)>& call) {
  const Timing t = time(call);
  const std::size_t half = std::min(static_cast<std::size_t>(bytes / 2), g_copyFrom->bytes());
  const Timing copy = time([&](int) { check(cudaMemcpyAsync(g_copyTo->data(), g_copyFrom->data(), half, cudaMemcpyDeviceToDevice), "Copying"); });
  std::printf("%-46s %8.4f [%7.4f %7.4f] copy %7.4f  %5.2fx %7.0f GB/s", name, t.median, t.low, t.high, copy.median, t.median / copy.median, bytes / t.median * 1e-6);
  if (must > 0)
    std::printf("  must %.2f goal %.2f %s", must, goal, t.median <= goal ? "GOAL" : t.median <= must ? "ok" : "MISSED");
  std::printf("\n");
  std::fflush(stdout);
}

const char* nameOf(ElementType type) { return type == ElementType::Float32 ? "fp32" : type == ElementType::BFloat16 ? "bf16" : "fp16"; }

std::string title(const char* what, const VolumeShape& s, ElementType type) {
  return std::string(what) + " " + nameOf(type) + " " + std::to_string(s.channels) + "x" + std::to_string(s.depth) + "^3";
}

void benchNorm(const VolumeShape& s, ElementType type, bool targets) {
  if (!wanted("norm"))
    return;
  const std::int64_t C = s.channels;
  const double tensor = static_cast<double>(s.elements()) * static_cast<double>(elementBytes(type));
  const Buffer x(type, s.elements()), x2(type, s.elements()), y(type, s.elements()), y2(type, s.elements()), gamma(ElementType::Float32, C), beta(ElementType::Float32, C),
      shift(ElementType::Float32, s.batch * C), coefficients(ElementType::Float32, 4 * s.batch * C), sums(ElementType::Float32, 2 * C);
  const int chunks = momentChunks(s, type, device::multiprocessors());
  const Buffer moments(ElementType::Float32, partialMomentsSize(s.batch, chunks, s.channels));
  ChannelMoments m{s, type, x.data(), nullptr, nullptr, nullptr, moments.floats(), chunks};
  GroupNormCoefficients k;
  k.source[0] = {moments.floats(), chunks, s.channels};
  k.shift = shift.floats();
  k.gamma = gamma.floats();
  k.beta = beta.floats();
  k.coefficients = reinterpret_cast<ChannelCoefficients*>(coefficients.floats());
  ScaleShift a{s, type, Activation::SiLU, {x.data(), nullptr}, {s.channels, 0}, k.coefficients, y.data()};
  const auto alternate = [&](int i) {
    m.x = a.x[0] = i % 2 ? x2.data() : x.data();
    a.y = i % 2 ? y2.data() : y.data();
  };
  row(title("norm moments", s, type).c_str(), tensor, 0, 0, [&](int i) {
    alternate(i);
    launchChannelMoments(m, nullptr);
  });
  row(title("norm coefficients", s, type).c_str(), 1e5, 0, 0, [&](int) { launchGroupNormCoefficients(k, nullptr); });
  row(title("norm apply (stats given)", s, type).c_str(), 2 * tensor, targets ? 0.34 : 0, 0.15, [&](int i) {
    alternate(i);
    launchScaleShift(a, nullptr);
  });
  row(title("norm+SiLU forward", s, type).c_str(), 3 * tensor, targets ? 0.34 : 0, 0.25, [&](int i) {
    alternate(i);
    launchChannelMoments(m, nullptr);
    launchGroupNormCoefficients(k, nullptr);
    launchScaleShift(a, nullptr);
  });
  ChannelMoments r = m;
  r.x = x.data();
  r.addend = x2.data();
  r.bias = gamma.floats();
  r.sum = y.data();
  row(title("norm residual sum + moments", s, type).c_str(), 3 * tensor, 0, 0, [&](int i) {
    r.sum = i % 2 ? y2.data() : y.data();
    launchChannelMoments(r, nullptr);
  });
  ScaleShiftBackward b{s, type, Activation::SiLU, 32, {x.data(), nullptr}, {s.channels, 0}, k.coefficients, gamma.floats(), x2.data()};
  b.dx[0] = y.data();
  b.dGamma = sums.floats();
  b.dBeta = sums.floats() + C;
  b.dShift = shift.floats();
  b.chunks = chunks;
  const Buffer workspace(ElementType::Float32, scaleShiftBackwardWorkspace(b));
  b.workspace = workspace.floats();
  row(title("norm+SiLU backward", s, type).c_str(), 5 * tensor, targets ? 0.60 : 0, 0.42, [&](int i) {
    b.dx[0] = i % 2 ? y2.data() : y.data();
    launchScaleShiftBackward(b, nullptr);
  });
  const Buffer addend(type, s.elements());
  b.addend[0] = addend.data();
  row(title("norm+SiLU backward + addend", s, type).c_str(), 6 * tensor, 0, 0, [&](int i) {
    b.dx[0] = i % 2 ? y2.data() : y.data();
    launchScaleShiftBackward(b, nullptr);
  });
}

void benchUpsample(const VolumeShape& in, ElementType type, bool targets) {
  if (!wanted("upsample"))
    return;
  const double bytes = 9.0 * static_cast<double>(in.elements()) * static_cast<double>(elementBytes(type));
  const Buffer x(type, in.elements()), x2(type, in.elements()), y(type, 8 * in.elements()), y2(type, 8 * in.elements());
  row(title("upsample x2 forward, from", in, type).c_str(), bytes, targets ? 0.16 : 0, 0.11,
      [&](int i) { launchUpsampleTrilinear({in, type, i % 2 ? x2.data() : x.data(), i % 2 ? y2.data() : y.data()}, nullptr); });
  row(title("upsample x2 backward, from", in, type).c_str(), bytes, targets ? 0.16 : 0, 0.11,
      [&](int i) { launchUpsampleTrilinearBackward({in, type, i % 2 ? y2.data() : y.data(), i % 2 ? x2.data() : x.data()}, nullptr); });
}

void benchNarrow(const VolumeShape& s, ElementType type, int first, int last) {
  if (!wanted("narrow"))
    return;
  const double tensor = static_cast<double>(s.elements()) * static_cast<double>(elementBytes(type)), voxels = static_cast<double>(s.batch * s.voxels());
  const int most = std::max(first, last);
  const Buffer wide(type, s.elements()), wide2(type, s.elements()), narrow(ElementType::Float32, s.batch * s.voxels() * most), out(ElementType::Float32, s.batch * s.voxels() * most),
      weight(ElementType::Float32, 27 * s.channels * most, 0.05f), gradient(ElementType::Float32, 27 * s.channels * most), bias(ElementType::Float32, s.channels),
      sums(ElementType::Float32, s.channels), coefficients(ElementType::Float32, 4 * s.batch * s.channels);
  const auto buffer = [&](int i) { return i % 2 ? wide2.data() : wide.data(); };
  const auto named = [&](const char* what, int k) { return title((std::string("narrow ") + what + " K" + std::to_string(k)).c_str(), s, type); };
  const auto weightGradient = [&](const char* what, NarrowLayer layer, int k, bool normalise, double must, double goal) {
    NarrowTimesWide p{s, type, layer, k, narrow.floats(), wide.data(), nullptr, Activation::SiLU, gradient.floats(), layer == NarrowLayer::First ? sums.floats() : nullptr};
    if (normalise)
      p.coefficients = reinterpret_cast<const ChannelCoefficients*>(coefficients.floats());
    p.blocks = narrowTimesWideBlocks(p, device::multiprocessors());
    const Buffer workspace(ElementType::Float32, narrowTimesWideWorkspace(p));
    p.workspace = workspace.floats();
    row(named(what, k).c_str(), tensor + 4 * voxels * k, must, goal, [&](int i) {
      p.wide = buffer(i);
      launchNarrowTimesWide(p, nullptr);
    });
  };
  row(named("first forward", first).c_str(), tensor + 4 * voxels * first, 0.6, 0.3,
      [&](int i) { launchNarrowToWide({s, type, NarrowLayer::First, first, narrow.floats(), weight.floats(), bias.floats(), buffer(i)}, nullptr); });
  weightGradient("first weight gradient", NarrowLayer::First, first, false, 0.6, 0.3);
  WideToNarrow p{s, type, NarrowLayer::Last, last, wide.data(), nullptr, Activation::SiLU, weight.floats(), bias.floats(), out.floats()};
  row(named("last forward", last).c_str(), tensor + 4 * voxels * last, 0.33, 0.17, [&](int i) {
    p.wide = buffer(i);
    launchWideToNarrow(p, nullptr);
  });
  p.coefficients = reinterpret_cast<const ChannelCoefficients*>(coefficients.floats());
  row(named("last forward, norm+SiLU on load", last).c_str(), tensor + 4 * voxels * last, 0, 0, [&](int i) {
    p.wide = buffer(i);
    launchWideToNarrow(p, nullptr);
  });
  row(named("last data gradient", last).c_str(), tensor + 4 * voxels * last, 0.33, 0.17,
      [&](int i) { launchNarrowToWide({s, type, NarrowLayer::Last, last, narrow.floats(), weight.floats(), nullptr, buffer(i)}, nullptr); });
  weightGradient("last weight gradient", NarrowLayer::Last, last, false, 0.33, 0.17);
  weightGradient("last weight gradient, norm+SiLU on load", NarrowLayer::Last, last, true, 0, 0);
}

void benchWide(const VolumeShape& s, int inputs, ElementType type) {
  if (!wanted("wide") || device::computeCapability() != 90)
    return;
  const std::int64_t voxels = s.batch * s.voxels();
  const double flop = 54.0 * static_cast<double>(voxels) * inputs * s.channels;
  const Buffer x(type, voxels * inputs), y(type, voxels * s.channels), y2(type, voxels * s.channels), addend(type, voxels * s.channels),
      weight(ElementType::Float32, std::int64_t{27} * inputs * s.channels, 0.03f), bias(ElementType::Float32, s.channels);
  WideConvolution p;
  p.shape = s;
  p.inputChannels = inputs;
  p.type = type;
  p.x = x.data();
  p.weight = {weight.data(), ElementType::Float32, std::int64_t{27} * inputs, 27, 1};
  const Buffer workspace(ElementType::Float32, wideConvolutionWorkspace(p) / 4),
      moments(ElementType::Float32, partialMomentsSize(s.batch, wideConvolutionChunks(p, device::multiprocessors()), s.channels));
  p.workspace = workspace.data();
  const auto call = [&](int i) {
    p.y = i % 2 ? y.data() : y2.data();
    launchWideConvolution(p, nullptr);
  };
  const auto report = [&](const char* what, const Timing& t) {
    std::printf("%-46s %8.4f [%7.4f %7.4f] %7.0f TFLOP/s\n", (title("wide", s, type) + " from " + std::to_string(inputs) + what).c_str(), t.median, t.low, t.high,
                flop / t.median * 1e-9);
    std::fflush(stdout);
  };
  report("", time(call, 9));
  p.bias = bias.floats();
  p.addend = addend.data();
  p.moments = moments.floats();
  report(" +bias+sum+moments", time(call, 9));
  if (type == ElementType::Float32)
    return;
  const Buffer gradient(ElementType::Float32, std::int64_t{27} * inputs * s.channels);
  WideWeightGradient g{s, inputs, type, x.data(), y.data(), gradient.floats(), std::int64_t{27} * inputs, 1, inputs};
  g.blocks = wideWeightGradientBlocks(g, device::multiprocessors());
  const Buffer partial(ElementType::Float32, wideWeightGradientWorkspace(g));
  g.workspace = partial.floats();
  report(" weight gradient", time([&](int) { launchWideWeightGradient(g, nullptr); }, 9));
}

int run() {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0), "Looking for a GPU");
  std::printf("%s, %d multiprocessors, L2 %d MB\n", device.name, device.multiProcessorCount, device.l2CacheSize >> 20);
  g_copyFrom = std::make_unique<Buffer>(ElementType::Float32, std::int64_t{1} << 28);
  g_copyTo = std::make_unique<Buffer>(ElementType::Float32, std::int64_t{1} << 28);
  const VolumeShape full{1, 128, 128, 128, 64}, half{1, 64, 64, 64, 64}, deep{1, 16, 16, 16, 192};
  for (const ElementType type : {ElementType::BFloat16, ElementType::Float32, ElementType::Float16}) {
    const bool targets = type == ElementType::BFloat16;
    benchNorm(full, type, targets);
    benchUpsample(half, type, targets);
    benchNarrow(full, type, 3, 1);
  }
  for (const ElementType type : {ElementType::BFloat16, ElementType::Float16, ElementType::Float32}) {
    benchWide(full, 64, type);
    benchWide(full, 128, type);
  }
  benchWide({1, 128, 128, 128, 128}, 64, ElementType::BFloat16);
  benchWide(half, 64, ElementType::BFloat16);
  benchWide({1, 32, 32, 32, 128}, 128, ElementType::BFloat16);
  benchWide({1, 144, 192, 192, 64}, 64, ElementType::BFloat16);
  benchNorm(half, ElementType::BFloat16, false);
  benchNorm(deep, ElementType::BFloat16, false);
  benchNarrow(full, ElementType::BFloat16, 8, 4);
  return 0;
}

} // namespace
} // namespace voxlab

int main(int count, char** words) {
  voxlab::g_words.assign(words + 1, words + count);
  try {
    return voxlab::run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
