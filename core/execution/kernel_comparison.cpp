// SPDX-License-Identifier: Apache-2.0
#include "core/execution/kernel_comparison.h"
#include "core/execution/cuda_runtime.h"
#include "core/kernels/fused_calls.h"
#include "core/kernels/fused_layers.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/upsample_trilinear3d.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <array>
#include <c10/core/GradMode.h>
#include <chrono>
#include <cstdio>
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
      : m_device(device), m_settings(settings), m_type(type), m_report(report), m_rows(rows) {}

  void norm();
  void upsample();
  void stem();
  void head();
  void convolution(std::int64_t inputs);

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

} // namespace

std::vector<KernelComparison> compareKernels(c10::Device device, const KernelComparisonSettings& settings, const std::function<void(const KernelComparison&)>& report) {
  std::vector<KernelComparison> rows;
  for (const at::ScalarType type : settings.types) {
    Bench bench(device, settings, type, report, rows);
    bench.norm();
    bench.upsample();
    bench.stem();
    bench.head();
    bench.convolution(settings.channels);
    bench.convolution(2 * settings.channels);
  }
  return rows;
}

std::string kernelComparisonTable(const std::vector<KernelComparison>& rows) {
  std::string text = "kernel                          direction type      shape          own ms  LibTorch ms  faster     copy ms  of copy  TFLOP/s  difference\n";
  for (const KernelComparison& r : rows) {
    char line[256];
    std::snprintf(line, sizeof line, "%-31s %-9s %-9s %-12s %9.4f %12.4f %6.1fx %11.4f %7.0f%% %8.1f %11.1e\n", r.kernel.c_str(), r.direction.c_str(), r.type.c_str(),
                  r.shape.c_str(), r.own_ms, r.torch_ms, r.own_ms > 0 ? r.torch_ms / r.own_ms : 0.0, r.copy_ms, 100 * r.shareOfCopy(), r.flop / std::max(r.own_ms, 1e-9) * 1e-9,
                  r.difference);
    text += line;
  }
  return text;
}

Json toJson(const KernelComparison& r) {
  return {{"kernel", r.kernel},   {"direction", r.direction}, {"type", r.type},     {"shape", r.shape},           {"own_ms", r.own_ms},
          {"torch_ms", r.torch_ms}, {"copy_ms", r.copy_ms},     {"bytes", r.bytes},   {"flop", r.flop},             {"difference", r.difference}};
}

} // namespace voxlab
