// SPDX-License-Identifier: Apache-2.0
// What has to be the same on CPU and GPU, in every mode and from run to run.
#include "core/diffusion/noise.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/sampler.h"
#include "core/diffusion/train_step.h"
#include "core/execution/graph_runner.h"
#include "core/execution/make_backend.h"
#include "tests/core/diffusion/parity/spread_norm_checks.h"
#include "tests/core/execution/parity/gpu_test.h"
#include "tests/support/tiny_network.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <c10/core/GradMode.h>
#include <cmath>

namespace voxlab {
namespace {

class Gpu : public GpuTest {};

TEST_F(Gpu, NoiseIsTheCpusToTheLastBit) {
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{1, 1, 1, 1, 1}, {2, 3, 5, 7, 9}, {1, 4, 31, 33, 35}, {1, 1, 128, 128, 128}}) {
    std::vector<RandomKey> keys;
    for (std::int64_t n = 0; n < shape[0]; ++n)
      keys.push_back({0x123456789ABCDEFull, Purpose::StepNoise, static_cast<std::uint32_t>(n), 249});
    const at::Tensor cpu = normalNoise(shape, keys, at::kCPU);
    for (const at::MemoryFormat layout : {at::MemoryFormat::Contiguous, at::MemoryFormat::ChannelsLast3d})
      EXPECT_TRUE(at::equal(cpu, normalNoise(shape, keys, m_device, layout).cpu()));
  }
}

TEST_F(Gpu, SpreadNormsHaveLibTorchsResultAndGradients) {
  checkSpreadNorms(m_device);
  checkSpreadNorm({{1, 64, 64, 64, 64}, at::kBFloat16, at::MemoryFormat::Contiguous, 100}, m_device);
  checkSpreadNorm({{1, 64, 64, 64, 64}, at::kBFloat16, at::MemoryFormat::ChannelsLast3d, 100}, m_device);
}

struct TrainedRun {
  NamedTensors weights;
  double loss = 0;
};

// A few steps of the tiny network in a mode.
TrainedRun train(const ModeSwitches& mode, c10::Device device, Determinism determinism, int steps) {
  const ModeGuard guard(mode, determinism);
  const NetworkSpec spec = tinyNetwork();
  const NamedTensors weights = placeParameters(randomWeights(spec, 4), mode, device);
  const DiffusionProcess process(100, device);
  EagerBackend backend(spec, weights, mode, BackendUse::Training, determinism);
  TrainSettings settings;
  settings.learningRate = 1e-4;
  settings.accumulate = 1;
  settings.emaEvery = 1;
  settings.emaStart = 0;
  settings.adam = mode.fusedOptimiser ? AdamKind::Fused : AdamKind::Lists;
  auto scaler = mode.precision == Precision::Fp16 ? std::make_unique<GradientScaler>(device) : nullptr;
  TrainStep step(weights, copyOf(weights), process, backend.predictor(), settings, std::move(scaler));
  TrainedRun run;
  for (int i = 0; i < steps; ++i) {
    MicroBatch batch;
    batch.image = normalNoise({2, 1, 16, 16, 16}, {{1, Purpose::Evaluation, 0, 0}, {1, Purpose::Evaluation, 1, 0}}, device);
    batch.condition = at::ones({2, 2, 16, 16, 16}, at::TensorOptions(at::kFloat).device(device));
    drawNoise(batch, 8, i, 0, 100);
    run.loss = step.accumulate(batch).item<double>();
    step.update();
  }
  run.weights = copyTo(weights, at::kCPU);
  return run;
}

TEST_F(Gpu, DeterministicTrainingRepeatsBitForBit) {
  for (const char* name : {"baseline", "opt12", "bf16", "fused_tf32", "fused_bf16", "fused_fp16"}) {
    const ModeSwitches mode = parseMode(name)->switches;
    const TrainedRun a = train(mode, m_device, Determinism::On, 5), b = train(mode, m_device, Determinism::On, 5);
    EXPECT_EQ(a.loss, b.loss) << name;
    for (std::size_t i = 0; i < a.weights.size(); ++i)
      EXPECT_TRUE(at::equal(a.weights[i].tensor, b.weights[i].tensor)) << name << " " << a.weights[i].name;
  }
}

// What the tiny network predicts for the same noise everywhere, on the CPU.
class Prediction {
public:
  Prediction() : m_expected(EagerBackend(m_spec, m_weights, {}, BackendUse::Inference).predict(m_x, m_condition, m_timesteps)) {}
  double differenceIn(const ModeSwitches& mode, c10::Device device) const {
    const ModeGuard guard(mode, Determinism::Off);
    EagerBackend backend(m_spec, placeParameters(m_weights, mode, device), mode, BackendUse::Inference);
    const at::Tensor result = backend.predict(m_x.to(device), m_condition.to(device), m_timesteps.to(device)).cpu();
    return ((result - m_expected).norm() / m_expected.norm()).item<double>();
  }

private:
  NetworkSpec m_spec = tinyNetwork();
  NamedTensors m_weights = randomWeights(m_spec, 4);
  at::Tensor m_x = normalNoise({2, 1, 16, 16, 16}, {{1, Purpose::Evaluation, 0, 0}, {1, Purpose::Evaluation, 1, 0}}, at::kCPU);
  at::Tensor m_condition = at::ones({2, 2, 16, 16, 16}), m_timesteps = at::tensor({3, 77}, at::kLong);
  at::Tensor m_expected;
};

TEST_F(Gpu, EveryModePredictsWhatTheCpuDoes) {
  const c10::AutoGradMode noGradient(false);
  const Prediction prediction;
  for (const Mode& mode : modeTable()) {
    if (const std::string reason = unavailableReason(mode.switches, m_device); !reason.empty()) {
      std::cout << mode.name << ": " << reason << std::endl;
      continue;
    }
    const double difference = prediction.differenceIn(mode.switches, m_device);
    std::cout << mode.name << ": relative difference " << difference << std::endl;
    EXPECT_LT(difference, predictionTolerance(mode.switches.precision)) << mode.name;
  }
}

TEST_F(Gpu, EveryFusedPartCanBeTurnedOffAlone) {
  const c10::AutoGradMode noGradient(false);
  const Prediction prediction;
  for (const char* mode : {"fused_tf32", "fused_bf16", "fused_fp16"})
    for (const std::string& name : modeSwitchNames())
      if (name.starts_with("unfused_")) {
        const ModeSwitches switches = parseMode(mode + ("+" + name))->switches;
        EXPECT_LT(prediction.differenceIn(switches, m_device), predictionTolerance(switches.precision)) << mode << "+" << name;
      }
}

TEST_F(Gpu, EveryModeTrains) {
  const TrainedRun cpu = train({}, at::kCPU, Determinism::Off, 3);
  for (const Mode& mode : modeTable()) {
    if (!unavailableReason(mode.switches, m_device).empty())
      continue;
    EXPECT_NEAR(train(mode.switches, m_device, Determinism::Off, 3).loss, cpu.loss, 2e-2) << mode.name;
  }
}

struct StepByStep {
  NamedTensors weights;
  std::vector<double> losses, skipped;
};

// Fifty steps, recorded or not; where gradients are scaled, step 20 overflows.
StepByStep fiftySteps(const ModeSwitches& mode, c10::Device device) {
  const ModeGuard guard(mode, Determinism::On);
  const NetworkSpec spec = tinyNetwork();
  const NamedTensors weights = placeParameters(randomWeights(spec, 4), mode, device);
  const DiffusionProcess process(100, device);
  const auto backend = makeEagerBackend(spec, weights, mode, BackendUse::Training, Determinism::On);
  TrainSettings settings;
  settings.learningRate = 1e-4;
  settings.warmupSteps = 10;
  settings.clipNorm = 1;
  settings.emaEvery = 2;
  settings.emaStart = 10;
  settings.adam = AdamKind::Fused;
  const bool scaled = mode.precision == Precision::Fp16;
  TrainStep step(weights, copyOf(weights), process, backend->predictor(), settings, scaled ? std::make_unique<GradientScaler>(device) : nullptr,
                 makeWorkRunner(mode, device));
  StepByStep result;
  for (int i = 0; i < 50; ++i) {
    for (int part = 0; part < settings.accumulate; ++part) {
      MicroBatch batch;
      batch.image = at::ones({2, 1, 16, 16, 16}, at::TensorOptions(at::kFloat).device(device)) * (scaled && i == 20 ? INFINITY : 0.25f);
      batch.condition = at::ones({2, 2, 16, 16, 16}, at::TensorOptions(at::kFloat).device(device));
      drawNoise(batch, 8, i, 2 * part, 100);
      result.losses.push_back(step.accumulate(batch).item<double>());
    }
    const StepOutcome outcome = step.update();
    if (outcome.skipped.defined())
      result.skipped.push_back(outcome.skipped.item<double>());
  }
  result.weights = copyTo(weights, at::kCPU);
  return result;
}

TEST_F(Gpu, FiftyReplayedStepsEqualFiftyEagerOnes) {
  ASSERT_EQ(graphsMissing(), "");
  for (const char* name : {"baseline", "opt12", "bf16", "fp16", "bf16_stored", "fused_bf16", "fused_fp16"}) {
    SCOPED_TRACE(name);
    const auto eagerMode = parseMode(name), graphMode = parseMode(std::string(name) + "+graph");
    const StepByStep eager = fiftySteps(eagerMode->switches, m_device), replayed = fiftySteps(graphMode->switches, m_device);
    for (std::size_t i = 0; i < eager.losses.size(); ++i)
      EXPECT_TRUE(std::isnan(eager.losses[i]) ? std::isnan(replayed.losses[i]) : std::abs(eager.losses[i] - replayed.losses[i]) < 1e-5) << i;
    EXPECT_EQ(eager.skipped, replayed.skipped);
    double difference = 0, change = 0;
    const NamedTensors start = randomWeights(tinyNetwork(), 4);
    for (std::size_t i = 0; i < start.size(); ++i) {
      difference += std::pow((eager.weights[i].tensor - replayed.weights[i].tensor).norm().item<double>(), 2);
      change += std::pow((eager.weights[i].tensor - start[i].tensor).norm().item<double>(), 2);
    }
    std::cout << name << ": replayed weights differ by " << std::sqrt(difference / change) << " of their change" << std::endl;
    EXPECT_LT(std::sqrt(difference / change), 1e-3);
  }
}

TEST_F(Gpu, ReplayedSamplesEqualEagerOnes) {
  const NetworkSpec spec = tinyNetwork();
  const NamedTensors weights = randomWeights(spec, 4);
  const auto draw = [&](const std::string& name, std::int64_t side) {
    const ModeSwitches mode = parseMode(name)->switches;
    const ModeGuard guard(mode, Determinism::On);
    const auto backend = makeEagerBackend(spec, placeParameters(weights, mode, m_device), mode, BackendUse::Inference, Determinism::On);
    SeededNoise noise({{21, 0}}, {1, side, side, side}, m_device);
    const Denoiser denoiser = conditioned(backend->predictor(), at::ones({1, 2, side, side, side}, at::TensorOptions(at::kFloat).device(m_device)));
    return makeDdpmSampler()->run(Schedule(20), {}, denoiser, noise)->cpu();
  };
  for (const char* name : {"baseline", "bf16", "bf16_stored", "fused_bf16"})
    for (const std::int64_t side : {16, 32})
      EXPECT_TRUE(at::equal(draw(name, side), draw(std::string(name) + "+graph", side))) << name << " " << side;
}

TEST_F(Gpu, SamplesEqualTheCpusWithinFp32) {
  const NetworkSpec spec = tinyNetwork();
  const NamedTensors weights = randomWeights(spec, 4);
  const auto draw = [&](c10::Device device) {
    const ModeGuard guard(ModeSwitches{}, Determinism::On);
    EagerBackend backend(spec, placeParameters(weights, {}, device), {}, BackendUse::Inference, Determinism::On);
    SeededNoise noise({{21, 0}}, {1, 16, 16, 16}, device);
    const Denoiser denoiser = conditioned(backend.predictor(), at::ones({1, 2, 16, 16, 16}, at::TensorOptions(at::kFloat).device(device)));
    return makeDdpmSampler()->run(Schedule(20), {}, denoiser, noise)->cpu();
  };
  const at::Tensor cpu = draw(at::kCPU), gpu = draw(m_device);
  EXPECT_LT(((cpu - gpu).norm() / cpu.norm()).item<double>(), 1e-4);
  EXPECT_TRUE(at::equal(gpu, draw(m_device)));
}

TEST_F(Gpu, ReportsItsMemory) {
  const auto before = deviceMemory(m_device);
  const at::Tensor block = at::ones({1 << 20}, at::TensorOptions(at::kFloat).device(m_device));
  const auto during = deviceMemory(m_device);
  ASSERT_TRUE(before && during);
  EXPECT_GE(during->allocated_bytes, before->allocated_bytes + (4 << 20));
  EXPECT_GE(during->peakAllocated_bytes, during->allocated_bytes);
  EXPECT_EQ(cudaModuleMissing(), "");
}

} // namespace
} // namespace voxlab
