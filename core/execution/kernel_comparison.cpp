// SPDX-License-Identifier: Apache-2.0
#include "core/execution/kernel_comparison.h"
#include "core/diffusion/noise.h"
#include "core/execution/cuda_runtime.h"
#include "core/kernels/fused_calls.h"
#include "core/kernels/fused_layers.h"
#include "core/kernels/sampler_update.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/upsample_trilinear3d.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <array>
#include <c10/core/GradMode.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <torch/csrc/autograd/autograd.h>

namespace voxlab {
namespace {

constexpr auto kLast = at::MemoryFormat::ChannelsLast3d;
using Tensors = std::vector<at::Tensor>;
using Function = std::function<at::Tensor()>; // of leaves that need gradients

const char* nameOf(at::ScalarType type) { return type == at::kFloat ? "float32" : type == at::kHalf ? "float16" : "bfloat16"; }

double relative(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor wanted = b.to(at::kFloat);
  return ((a.to(at::kFloat) - wanted).norm() / wanted.norm()).item<double>();
}

class Bench {
public:
  Bench(c10::Device device, const KernelComparisonSettings& settings, at::ScalarType type, const std::function<void(const KernelComparison&)>& report,
        std::vector<KernelComparison>& rows)
      : m_device(device), m_settings(settings), m_type(type), m_report(report), m_rows(rows), m_flopPerMs(matrixProductRate()) {}

  void norm();
  void sum();
  void upsample();
  void stem();
  void head();
  void convolution(std::int64_t inputs);
  void sampler();
  void optimiser();

private:
  at::Tensor volume(std::int64_t channels, std::int64_t side, at::ScalarType type) const {
    return at::randn({1, channels, side, side, side}, at::TensorOptions(at::kFloat).device(m_device)).to(type).contiguous(kLast);
  }
  at::Tensor parameter(at::IntArrayRef sizes, double scale) const { return (at::randn(sizes, at::TensorOptions(at::kFloat).device(m_device)) * scale).requires_grad_(true); }
  double bytesOf(const Tensors& tensors) const {
    double bytes = 0;
    for (const at::Tensor& t : tensors)
      bytes += static_cast<double>(t.numel()) * static_cast<double>(t.element_size());
    return bytes;
  }
  double time(const std::function<void()>& call) const;
  double matrixProductRate() const; // FLOP a millisecond
  void add(const std::string& kernel, const std::string& direction, std::int64_t channels, std::int64_t side, double bytes, double flop, double own_ms, double torch_ms,
           double difference);
  // Both directions of one operation on the same leaves.
  void compare(const std::string& kernel, std::int64_t channels, std::int64_t side, const Tensors& leaves, const Function& own, const Function& torch, double forwardBytes,
               double backwardBytes, double flop);

  c10::Device m_device;
  const KernelComparisonSettings& m_settings;
  at::ScalarType m_type;
  const std::function<void(const KernelComparison&)>& m_report;
  std::vector<KernelComparison>& m_rows;
  double m_flopPerMs;
};

// Median of five batches, each long enough for the clock.
double Bench::time(const std::function<void()>& call) const {
  using Clock = std::chrono::steady_clock;
  const auto batch = [&](int count) {
    synchronize(m_device);
    const auto begin = Clock::now();
    for (int i = 0; i < count; ++i)
      call();
    synchronize(m_device);
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count() / count;
  };
  const double once = batch(1);
  if (m_settings.least_ms <= 0)
    return once;
  batch(2);
  const int count = std::clamp(static_cast<int>(m_settings.least_ms / 5 / std::max(batch(2), 1e-3)), 1, 1000);
  std::array<double, 5> times{};
  for (double& t : times)
    t = batch(count);
  std::sort(times.begin(), times.end());
  return times[2];
}

double Bench::matrixProductRate() const {
  const std::int64_t n = m_device.is_cuda() ? 8192 : 256;
  const at::Tensor a = at::randn({n, n}, at::TensorOptions(at::kFloat).device(m_device)).to(m_type);
  return 2 * std::pow(static_cast<double>(n), 3) / time([&] { at::mm(a, a); });
}

void Bench::add(const std::string& kernel, const std::string& direction, std::int64_t channels, std::int64_t side, double bytes, double flop, double own_ms, double torch_ms,
                double difference) {
  const auto half = static_cast<std::int64_t>(bytes / 2);
  const at::Tensor from = at::ones({half}, at::TensorOptions(at::kByte).device(m_device)), to = at::empty_like(from);
  KernelComparison row;
  row.kernel = kernel;
  row.direction = direction;
  row.type = nameOf(m_type);
  row.shape = std::to_string(channels) + " x " + std::to_string(side) + "³";
  row.own_ms = own_ms;
  row.torch_ms = torch_ms;
  row.copy_ms = time([&] { to.copy_(from); });
  row.arithmetic_ms = flop / m_flopPerMs;
  row.bytes = bytes;
  row.flop = flop;
  row.difference = difference;
  m_rows.push_back(row);
  if (m_report)
    m_report(row);
}

void Bench::compare(const std::string& kernel, std::int64_t channels, std::int64_t side, const Tensors& leaves, const Function& own, const Function& torch, double forwardBytes,
                    double backwardBytes, double flop) {
  double own_ms = 0, torch_ms = 0, difference = 0;
  {
    const c10::AutoGradMode noGradient(false);
    difference = relative(own(), torch());
    own_ms = time([&] { own(); });
    torch_ms = time([&] { torch(); });
  }
  add(kernel, "forward", channels, side, forwardBytes, flop, own_ms, torch_ms, difference);
  const c10::AutoGradMode gradient(true);
  const auto backward = [&](const Function& f, double& ms) {
    const at::Tensor y = f(), dy = at::ones_like(y);
    const auto gradients = [&] { return torch::autograd::grad({y}, leaves, {dy}, true); };
    const Tensors result = gradients();
    ms = time([&] { gradients(); });
    return result.front();
  };
  const at::Tensor ownGradient = backward(own, own_ms), torchGradient = backward(torch, torch_ms);
  add(kernel, "backward", channels, side, backwardBytes, 2 * flop, own_ms, torch_ms, relative(ownGradient, torchGradient));
}

void Bench::norm() {
  const std::int64_t C = m_settings.channels, side = m_settings.side;
  const at::Tensor x = volume(C, side, m_type).requires_grad_(true), gamma = parameter({C}, 1), beta = parameter({C}, 1);
  const double tensor = bytesOf({x});
  compare(
      "norm + SiLU", C, side, {x, gamma, beta}, [&] { return fused::normalise({x, {}}, {gamma, beta}, fused::Activate::SiLU); },
      [&] { return at::silu(at::group_norm(x, 32, gamma.to(m_type), beta.to(m_type), 1e-5)); }, 3 * tensor, 5 * tensor, 0);
}

void Bench::sum() {
  const c10::AutoGradMode noGradient(false);
  const std::int64_t C = m_settings.channels, side = m_settings.side;
  const at::Tensor a = volume(C, side, m_type), b = volume(C, side, m_type);
  add("sum + its moments", "forward", C, side, 3 * bytesOf({a}), 0, time([&] { fused::add(a, b); }), time([&] { a + b; }), relative(fused::add(a, b).tensor, a + b));
}

void Bench::upsample() {
  const std::int64_t C = m_settings.channels, side = m_settings.side / 2;
  const at::Tensor x = volume(C, side, m_type).requires_grad_(true);
  const double bytes = 9 * bytesOf({x});
  compare(
      "up-sampling", C, side, {x}, [&] { return fused::upsample(x); },
      [&] { return at::upsample_trilinear3d(x, {2 * side, 2 * side, 2 * side}, false, 2.0, 2.0, 2.0); }, bytes, bytes, 0);
}

void Bench::stem() {
  const std::int64_t C = m_settings.channels, side = m_settings.side, K = 3;
  const at::Tensor x = volume(K, side, at::kFloat), weight = parameter({C, K, 3, 3, 3}, 0.1), bias = parameter({C}, 1);
  const double voxels = static_cast<double>(side * side * side), bytes = voxels * static_cast<double>(C * at::elementSize(m_type) + K * 4);
  compare(
      "first convolution", C, side, {weight, bias}, [&] { return fused::stem(x, {weight, bias}, m_type); },
      [&] { return at::conv3d(x.to(m_type), weight.to(m_type), bias.to(m_type), 1, 1); }, bytes, bytes, 54 * voxels * static_cast<double>(C * K));
}

void Bench::head() {
  const std::int64_t C = m_settings.channels, side = m_settings.side;
  const at::Tensor x = volume(C, side, m_type).requires_grad_(true), gamma = parameter({C}, 1), beta = parameter({C}, 1), weight = parameter({1, C, 3, 3, 3}, 0.1),
                   bias = parameter({1}, 1);
  const fused::Volume known = fused::withMoments({x, {}});
  const double tensor = bytesOf({x}), voxels = static_cast<double>(side * side * side);
  compare(
      "norm + SiLU + last convolution", C, side, {x, gamma, beta, weight, bias}, [&] { return fused::head(known, {gamma, beta}, {weight, bias}); },
      [&] {
        const at::Tensor y = at::silu(at::group_norm(x, 32, gamma.to(m_type), beta.to(m_type), 1e-5));
        return at::conv3d(y, weight.to(m_type), bias.to(m_type), 1, 1);
      },
      tensor + 4 * voxels, 6 * tensor, 54 * voxels * static_cast<double>(C));
}

void Bench::convolution(std::int64_t inputs) {
  const std::int64_t C = m_settings.channels, side = m_settings.side;
  const at::Tensor x = volume(inputs, side, m_type).requires_grad_(true), weight = parameter({C, inputs, 3, 3, 3}, 0.05), bias = parameter({C}, 1);
  const double voxels = static_cast<double>(side * side * side), bytes = voxels * static_cast<double>((C + inputs) * at::elementSize(m_type));
  compare(
      "convolution from " + std::to_string(inputs), C, side, {x, weight, bias},
      [&] { return fused::convolve(x, {weight, bias}, 1, fused::ConvolutionEngine::Own).tensor; },
      [&] { return at::conv3d(x, weight.to(m_type), bias.to(m_type), 1, 1); }, bytes, 2 * bytes, 54 * voxels * static_cast<double>(C * inputs));
}

// One ancestral step from the prediction on, noise included.
void Bench::sampler() {
  const c10::AutoGradMode noGradient(false);
  const std::int64_t side = m_settings.side;
  const at::Tensor start = volume(1, side, at::kFloat).contiguous(), predicted = volume(1, side, at::kFloat).contiguous();
  const SamplerRow row{1.2f, 0.5f, 0.3f, 0.6f, 0, 0.1f, 1, 100};
  const at::Tensor rows = at::empty({1, sizeof row / sizeof(float)}, at::kFloat);
  std::memcpy(rows.mutable_data_ptr(), &row, sizeof row);
  const at::Tensor deviceRows = rows.to(m_device), keys = at::tensor({std::int64_t{5}, std::int64_t{0}}, at::kLong).to(m_device);
  const at::Tensor own = start.clone(), torch = start.clone();
  const auto ownStep = [&] { fused::samplerUpdate(own, predicted, {}, {}, deviceRows, {}, keys, static_cast<std::int64_t>(Purpose::StepNoise)); };
  const auto torchStep = [&] {
    const at::Tensor clean = (torch * row.signal - predicted * row.noise).clamp_(-1, 1);
    torch.copy_((clean * row.cleanWeight + torch * row.stateWeight).add_(normalNoise(torch.sizes(), {{5, Purpose::StepNoise, 0, row.timestep}}, m_device), row.sigma));
  };
  ownStep();
  torchStep();
  const double difference = relative(own, torch);
  add("sampler's update", "forward", 1, side, 3 * bytesOf({start}), 0, time(ownStep), time(torchStep), difference);
}

// Clipping and Adam over 32 weights of 3³ convolutions.
void Bench::optimiser() {
  const c10::AutoGradMode noGradient(false);
  const std::int64_t C = m_settings.channels;
  const auto option = at::TensorOptions(at::kFloat).device(m_device);
  const auto state = [&](double scale) {
    Tensors list;
    for (int i = 0; i < 32; ++i)
      list.push_back(at::full({2 * C, 2 * C, 3, 3, 3}, scale * (i + 1), option));
    return list;
  };
  Tensors weights[2] = {state(1), state(1)}, gradients[2] = {state(1e-3), state(1e-3)}, first[2] = {state(0), state(0)}, second[2] = {state(0), state(0)};
  const at::Tensor ownState = at::tensor({1e-4f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f}).to(m_device);
  const at::Tensor rate = at::full({1}, 1e-4, option);
  const Tensors steps(weights[1].size(), at::full({1}, 0, option));
  const auto ownStep = [&] { fused::optimiserStep(weights[0], gradients[0], first[0], second[0], ownState, {0.9, 0.999, 1e-8, 1, false}); };
  const auto torchStep = [&] {
    const at::Tensor norm = at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients[1], 2)), 2);
    at::_foreach_mul_(gradients[1], at::clamp((norm + 1e-6).reciprocal(), std::nullopt, 1.0));
    steps[0].add_(1);
    at::_fused_adam_(weights[1], gradients[1], first[1], second[1], {}, steps, rate, 0.9, 0.999, 0.0, 1e-8, false, false, std::nullopt, std::nullopt);
  };
  ownStep();
  torchStep();
  const double difference = relative(weights[0][0], weights[1][0]);
  add("clipping + Adam", "forward", 2 * C, 3, 8 * bytesOf(weights[0]), 0, time(ownStep), time(torchStep), difference);
}

} // namespace

std::vector<KernelComparison> compareKernels(c10::Device device, const KernelComparisonSettings& settings, const std::function<void(const KernelComparison&)>& report) {
  std::vector<KernelComparison> rows;
  for (const at::ScalarType type : settings.types) {
    Bench bench(device, settings, type, report, rows);
    bench.norm();
    bench.sum();
    bench.upsample();
    bench.stem();
    bench.head();
    bench.convolution(settings.channels);
    bench.convolution(2 * settings.channels);
    if (type == at::kFloat) { // always FP32
      bench.sampler();
      bench.optimiser();
    }
  }
  return rows;
}

std::string kernelComparisonTable(const std::vector<KernelComparison>& rows) {
  std::string text = "kernel                          direction type      shape          own ms  LibTorch ms  faster    copy ms  matmul ms  of bound  difference\n";
  for (const KernelComparison& r : rows) {
    char line[256];
    std::snprintf(line, sizeof line, "%-31s %-9s %-9s %-12s %9.4f %12.4f %6.1fx %10.4f %10.4f %8.0f%% %11.1e\n", r.kernel.c_str(), r.direction.c_str(), r.type.c_str(),
                  r.shape.c_str(), r.own_ms, r.torch_ms, r.own_ms > 0 ? r.torch_ms / r.own_ms : 0.0, r.copy_ms, r.arithmetic_ms, 100 * r.shareOfBound(), r.difference);
    text += line;
  }
  return text;
}

Json toJson(const KernelComparison& r) {
  return {{"kernel", r.kernel},     {"direction", r.direction}, {"type", r.type},   {"shape", r.shape}, {"own_ms", r.own_ms},         {"torch_ms", r.torch_ms},
          {"copy_ms", r.copy_ms}, {"arithmetic_ms", r.arithmetic_ms}, {"bytes", r.bytes}, {"flop", r.flop},   {"difference", r.difference}, {"share_of_bound", r.shareOfBound()}};
}

} // namespace voxlab
