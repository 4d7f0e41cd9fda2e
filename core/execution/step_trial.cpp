// SPDX-License-Identifier: Apache-2.0
#include "core/execution/step_trial.h"
#include "core/diffusion/noise.h"
#include "core/diffusion/profiler_range.h"
#include "core/execution/graph_runner.h"
#include "core/execution/training_parts.h"
#include <limits>
#include <optional>

namespace voxlab {
namespace {

at::Tensor noiseOf(const TrialProblem& p, std::int64_t channels, Purpose purpose, std::uint32_t step, at::Device device) {
  std::vector<RandomKey> keys;
  for (std::int64_t n = 0; n < p.batch; ++n)
    keys.push_back({p.seed, purpose, static_cast<std::uint32_t>(n), step});
  return normalNoise({p.batch, channels, p.size[0], p.size[1], p.size[2]}, keys, device);
}

// Noise stands for images and labels alike: what a step costs does not depend on values.
at::Tensor conditionOf(const TrialProblem& p, at::Device device) {
  const int channels = p.network.conditionChannels;
  return channels > 0 ? noiseOf(p, channels, Purpose::Evaluation, 1, device) : at::Tensor();
}

TrainSettings trainSettings(const TrialProblem& p, const ModeSwitches& switches) {
  TrainSettings s;
  s.loss = p.loss;
  s.batchSize = static_cast<int>(p.batch);
  s.accumulate = 1;
  s.learningRate = p.learningRate;
  s.adam = adamKindOf(switches);
  s.emaEvery = std::numeric_limits<int>::max();
  return s;
}

class TrainTrial : public StepTrial {
public:
  // The average is the weights themselves: it is not part of the step, and takes no memory.
  TrainTrial(const TrialProblem& p, const ModeSwitches& switches, at::Device device, const BackendFactory& backend)
      : m_parameters(placeParameters(p.weights, switches, device)), m_backend(backend(m_parameters, BackendUse::Training)),
        m_process(p.timesteps, device), m_batch(trialBatch(p, device)),
        m_sync(switches, device),
        m_step(m_parameters, m_parameters, m_process, m_backend->predictor(), trainSettings(p, switches),
               makeGradientScaler(switches, device), makeWorkRunner(switches, device)) {}

  void run(const std::function<bool()>& afterStep) override {
    do {
      step();
      m_sync.afterStep();
    } while (afterStep());
  }
  at::Tensor firstResult() const override { return m_first; }

private:
  void step() {
    const ProfilerRange range("train_step");
    const at::Tensor loss = m_step.accumulate(m_batch);
    m_step.update();
    if (!m_first.defined())
      m_first = loss.clone();
  }

  NamedTensors m_parameters;
  std::unique_ptr<Backend> m_backend;
  DiffusionProcess m_process;
  MicroBatch m_batch;
  StepSync m_sync;
  TrainStep m_step;
  at::Tensor m_first;
};

class SampleTrial : public StepTrial {
public:
  SampleTrial(const TrialProblem& p, const ModeSwitches& switches, at::Device device, const BackendFactory& backend)
      : m_problem(p), m_backend(backend(placeParameters(p.weights, switches, device), BackendUse::Inference)),
        m_schedule(p.timesteps), m_condition(conditionOf(p, device)), m_device(device), m_sync(switches, device), m_sampling(p.sampling) {
    m_sampling.update = updateKindOf(switches);
  }

  void run(const std::function<bool()>& afterStep) override {
    const TrialProblem& p = m_problem;
    std::vector<SampleKey> keys;
    for (std::int64_t n = 0; n < p.batch; ++n)
      keys.push_back({p.seed, static_cast<std::uint32_t>(n)});
    const Denoiser denoiser = [this](const at::Tensor& x, const at::Tensor& timesteps) {
      at::Tensor noise = m_backend->predict(x, m_condition, timesteps);
      if (!m_first.defined())
        m_first = noise.clone();
      return noise;
    };
    bool goOn = true;
    while (goOn) {
      m_ranges.open();
      SeededNoise noise(keys, {p.network.imageChannels, p.size[0], p.size[1], p.size[2]}, m_device);
      p.sampler->run(m_schedule, m_sampling, denoiser, noise, [&](const SamplerStep& step) {
        m_sync.afterStep();
        m_ranges.close();
        goOn = afterStep();
        if (goOn && step.index + 1 < step.count)
          m_ranges.open();
        return goOn ? SamplerVerdict::Continue : SamplerVerdict::Stop;
      });
    }
  }
  at::Tensor firstResult() const override { return m_first; }

private:
  struct Ranges { // of the step that is under way
    std::optional<ProfilerRange> step, phase;
    void open() {
      step.emplace("sample_step");
      phase.emplace("sampling");
    }
    void close() {
      phase.reset();
      step.reset();
    }
  };

  Ranges m_ranges;
  const TrialProblem& m_problem;
  std::unique_ptr<Backend> m_backend;
  Schedule m_schedule;
  at::Tensor m_condition;
  at::Device m_device;
  StepSync m_sync;
  SamplerSettings m_sampling;
  at::Tensor m_first;
};

} // namespace

MicroBatch trialBatch(const TrialProblem& p, at::Device device) {
  MicroBatch batch;
  batch.image = noiseOf(p, p.network.imageChannels, Purpose::Evaluation, 0, device);
  batch.condition = conditionOf(p, device);
  drawNoise(batch, p.seed, 0, 0, p.timesteps);
  return batch;
}

std::unique_ptr<StepTrial> makeTrainTrial(const TrialProblem& problem, const ModeSwitches& switches, at::Device device,
                                          const BackendFactory& backend) {
  return std::make_unique<TrainTrial>(problem, switches, device, backend);
}

std::unique_ptr<StepTrial> makeSampleTrial(const TrialProblem& problem, const ModeSwitches& switches, at::Device device,
                                           const BackendFactory& backend) {
  return std::make_unique<SampleTrial>(problem, switches, device, backend);
}

} // namespace voxlab
