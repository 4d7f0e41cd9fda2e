// SPDX-License-Identifier: Apache-2.0
// Times sampling and training steps of the full-size network in modes, and lists the kernels that take the time.
//   mode_bench [--size 128] [--steps 10] [--brats] [--profile MODE] [--no-train] MODE…
#include "core/diffusion/noise.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/train_step.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/graph_runner.h"
#include "core/execution/make_backend.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <torch/csrc/autograd/profiler_kineto.h>

namespace voxlab {
namespace {

struct Settings {
  std::int64_t size = 128;
  int steps = 10;
  bool brats = false, train = true;
  std::string profile;
  std::vector<std::string> modes;
};

struct Problem {
  NetworkSpec spec;
  std::array<std::int64_t, 3> sides;
  c10::Device device{c10::kCUDA, 0};
  at::Tensor reference; // baseline's prediction
};

double relative(const at::Tensor& a, const at::Tensor& b) { return ((a - b).norm() / b.norm()).item<double>(); }

at::Tensor noise(const Problem& p, std::int64_t channels, std::uint32_t sample) {
  return normalNoise({1, channels, p.sides[0], p.sides[1], p.sides[2]}, {{1, Purpose::InitialNoise, sample, 0}}, p.device);
}

double medianMs(int count, c10::Device device, const std::function<void()>& step) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    step();
    step();
    synchronize(device);
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count() / 2);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

double gigabytes(std::int64_t bytes) { return static_cast<double>(bytes) * 1e-9; }

// Device time by kernel, longest first.
void printKernels(const char* what, const std::function<void()>& step, c10::Device device) {
  using namespace torch::autograd::profiler;
  namespace impl = torch::profiler::impl;
  const impl::ProfilerConfig config(impl::ProfilerState::KINETO);
  const std::set<impl::ActivityType> activities{impl::ActivityType::CPU, impl::ActivityType::CUDA};
  prepareProfiler(config, activities);
  enableProfiler(config, activities);
  step();
  synchronize(device);
  const auto result = disableProfiler();
  std::map<std::string, std::pair<double, int>> kernels;
  double total = 0;
  int launches = 0;
  for (const auto& e : result->events())
    if (e.deviceType() == c10::DeviceType::CUDA && e.name().find_first_of("(_ ") != std::string::npos && !e.name().starts_with("output_blocks") &&
        !e.name().starts_with("input_blocks") && !e.name().starts_with("middle_block") && e.name() != "time_embed") { // ranges of modules are no kernels
      const double ms = static_cast<double>(e.durationNs()) * 1e-6;
      auto& k = kernels[e.name()];
      k.first += ms;
      ++k.second;
      total += ms;
      ++launches;
    }
  std::vector<std::pair<std::string, std::pair<double, int>>> list(kernels.begin(), kernels.end());
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
  std::printf("%s: %.2f ms in %d kernels and copies\n", what, total, launches);
  for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 24); ++i)
    std::printf("  %8.3f ms %4d  %.130s\n", list[i].second.first, list[i].second.second, list[i].first.c_str());
}

void run(const std::string& name, const Problem& p, const Settings& settings, const NamedTensors& weights) {
  const auto mode = parseMode(name);
  if (!mode) {
    std::printf("%s\n", mode.error().message.c_str());
    return;
  }
  if (const std::string reason = unavailableReason(mode->switches, p.device); !reason.empty()) {
    std::printf("%-34s %s\n", name.c_str(), reason.c_str());
    return;
  }
  const ModeGuard guard(mode->switches, Determinism::Off);
  const at::Tensor x = noise(p, p.spec.imageChannels, 0), condition = noise(p, p.spec.conditionChannels, 1);
  const at::Tensor timesteps = at::full({1}, 100, at::TensorOptions(at::kLong).device(p.device));
  double sample = 0, train = 0, error = 0, loss = 0, norm = 0;
  DeviceMemory sampleMemory, trainMemory;
  {
    const c10::AutoGradMode noGradient(false);
    const auto backend = makeEagerBackend(p.spec, placeParameters(weights, mode->switches, p.device), mode->switches, BackendUse::Inference, Determinism::Off);
    error = relative(backend->predict(x, condition, timesteps), p.reference);
    at::Tensor state = x.clone();
    const auto step = [&] { state = (state - backend->predict(state, condition, timesteps) * 0.1).clamp(-1, 1) * 0.9 + x * 0.1; };
    for (int i = 0; i < 5; ++i) // a graph is recorded after some steps
      step();
    synchronize(p.device);
    resetPeakMemory(p.device);
    sample = medianMs(settings.steps, p.device, step);
    sampleMemory = *deviceMemory(p.device);
    if (settings.profile == name)
      printKernels("sample step", step, p.device);
  }
  releaseCachedMemory(p.device);
  if (settings.train) {
    const NamedTensors parameters = placeParameters(weights, mode->switches, p.device), average = placeParameters(weights, mode->switches, p.device);
    EagerBackend backend(p.spec, parameters, mode->switches, BackendUse::Training);
    const DiffusionProcess process(250, p.device);
    TrainSettings t;
    t.accumulate = 1;
    t.emaEvery = 1 << 30;
    t.adam = mode->switches.fuses(FusedPart::Optimiser) ? AdamKind::OnePass : mode->switches.fusedOptimiser ? AdamKind::Fused : AdamKind::Lists;
    TrainStep trainer(parameters, average, process, backend.predictor(), t,
                      mode->switches.precision == Precision::Fp16 ? std::make_unique<GradientScaler>(p.device) : nullptr,
                      makeWorkRunner(mode->switches, p.device));
    const MicroBatch batch{x, condition, timesteps, noise(p, p.spec.imageChannels, 2)};
    const auto step = [&] {
      trainer.accumulate(batch);
      trainer.update();
    };
    loss = trainer.accumulate(batch).item<double>();
    norm = trainer.update().gradientNorm.item<double>();
    for (int i = 0; i < 5; ++i) // a graph is recorded after some steps
      step();
    synchronize(p.device);
    resetPeakMemory(p.device);
    train = medianMs(settings.steps, p.device, step);
    trainMemory = *deviceMemory(p.device);
    if (settings.profile == name)
      printKernels("training step", step, p.device);
  }
  releaseCachedMemory(p.device);
  std::printf("%-34s sample %8.2f ms, %5.2f GB   train %8.2f ms, %5.2f GB   error %.1e loss %.6f gradient %.5f\n", name.c_str(), sample, gigabytes(sampleMemory.peakAllocated_bytes), train,
              gigabytes(trainMemory.peakAllocated_bytes), error, loss, norm);
  std::fflush(stdout);
}

Settings readArguments(int count, char** words) {
  Settings s;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto next = [&] { return i + 1 < count ? words[++i] : "0"; };
    if (word == "--size")
      s.size = std::stoll(next());
    else if (word == "--steps")
      s.steps = std::stoi(next());
    else if (word == "--brats")
      s.brats = true;
    else if (word == "--no-train")
      s.train = false;
    else if (word == "--profile")
      s.profile = next();
    else
      s.modes.push_back(word);
  }
  return s;
}

int runAll(const Settings& settings) {
  if (const Status loaded = loadCuda(); !loaded) {
    std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
    return static_cast<int>(loaded.error().code);
  }
  if (!cudaModuleMissing().empty())
    std::printf("%s\n", cudaModuleMissing().c_str());
  Problem p;
  p.sides = {settings.size, settings.size, settings.size};
  if (settings.brats) {
    p.spec.imageChannels = p.spec.conditionChannels = 4;
    p.spec.residualBlocks = 2;
    p.spec.attentionFactors = {};
    p.sides = {144, 192, 192};
  }
  std::printf("%s, network of %d base channels, %lld x %lld x %lld\n", cudaDevices().front().name.c_str(), p.spec.baseChannels, static_cast<long long>(p.sides[0]),
              static_cast<long long>(p.sides[1]), static_cast<long long>(p.sides[2]));
  const NamedTensors weights = randomWeights(p.spec, 7);
  {
    const auto baseline = parseMode("baseline");
    const ModeGuard guard(baseline->switches, Determinism::Off);
    const c10::AutoGradMode noGradient(false);
    EagerBackend backend(p.spec, placeParameters(weights, baseline->switches, p.device), baseline->switches, BackendUse::Inference);
    p.reference = backend.predict(noise(p, p.spec.imageChannels, 0), noise(p, p.spec.conditionChannels, 1), at::full({1}, 100, at::TensorOptions(at::kLong).device(p.device)));
  }
  releaseCachedMemory(p.device);
  for (const std::string& mode : settings.modes)
    run(mode, p, settings, weights);
  return 0;
}

} // namespace
} // namespace voxlab

int main(int count, char** words) {
  try {
    return voxlab::runAll(voxlab::readArguments(count, words));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
