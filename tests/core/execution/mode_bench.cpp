// SPDX-License-Identifier: Apache-2.0
// Times sampling and training steps of the full-size network in modes, and lists the kernels that take the time.
//   mode_bench [--size 128] [--steps 10] [--brats] [--profile MODE] [--no-train] MODE…
#include "core/analysis/precision_audit.h"
#include "core/analysis/trace_reader.h"
#include "core/base/failure.h"
#include "core/diffusion/noise.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/train_step.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/graph_runner.h"
#include "core/execution/make_backend.h"
#include "core/execution/training_parts.h"
#include "tests/support/temporary_folder.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ATen/record_function.h>
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

// Where the device's time goes in three steps, by category and by kernel; and how much of it only changes memory layouts.
void printProfile(const std::string& what, const std::function<void()>& step, Precision precision, c10::Device device) {
  using namespace torch::autograd::profiler;
  namespace impl = torch::profiler::impl;
  const impl::ProfilerConfig config(impl::ProfilerState::KINETO);
  const std::set<impl::ActivityType> activities{impl::ActivityType::CPU, impl::ActivityType::CUDA};
  prepareProfiler(config, activities);
  enableProfiler(config, activities);
  for (int i = 0; i < 3; ++i) {
    RECORD_USER_SCOPE("train_step"); // a name that marks steps
    step();
  }
  synchronize(device);
  const TemporaryFolder folder;
  const auto file = folder.path() / "trace.json";
  disableProfiler()->save(file.string());
  const Trace trace = valueOrThrow(readTrace(file));
  const KernelIndex index(trace);
  const PrecisionAudit audit = auditPrecision(trace, index, precision);
  std::printf("%s, %zu steps: layout conversions %.3f ms a step in %llu kernels, %.2f %% of the GPU's time. %s\n", what.c_str(), trace.steps.size(), audit.layout.time_ms,
              static_cast<unsigned long long>(audit.layout.launches), 100 * audit.layout.share, audit.sentence.c_str());
  const double steps = std::max<double>(1, static_cast<double>(trace.steps.size()));
  EventFilter inSteps;
  inSteps.stepsOnly = true;
  for (const auto& [grouping, most] : {std::pair(KernelGrouping::Category, std::size_t{20}), std::pair(KernelGrouping::Kernel, std::size_t{30})}) {
    const auto rows = kernelRows(trace, index, grouping, inSteps);
    for (std::size_t i = 0; i < std::min(rows.size(), most); ++i)
      std::printf("  %8.3f ms %6.1f  %5.1f %%  %.90s\n", rows[i].total_ms / steps, static_cast<double>(rows[i].calls) / steps, 100 * rows[i].share, rows[i].title.c_str());
    std::printf("\n");
  }
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
      printProfile(name + ", sample step", step, mode->switches.precision, p.device);
  }
  releaseCachedMemory(p.device);
  if (settings.train) {
    const NamedTensors parameters = placeParameters(weights, mode->switches, p.device), average = placeParameters(weights, mode->switches, p.device);
    EagerBackend backend(p.spec, parameters, mode->switches, BackendUse::Training);
    const DiffusionProcess process(250, p.device);
    TrainSettings t;
    t.accumulate = 1;
    t.emaEvery = 1 << 30;
    t.adam = adamKindOf(mode->switches);
    TrainStep trainer(parameters, average, process, backend.predictor(), t,
                      makeGradientScaler(mode->switches, p.device), makeWorkRunner(mode->switches, p.device));
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
      printProfile(name + ", training step", step, mode->switches.precision, p.device);
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
