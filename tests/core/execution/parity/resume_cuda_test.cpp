// SPDX-License-Identifier: Apache-2.0
// A training that is saved, forgotten and taken up again is the uninterrupted one, bit for bit, with deterministic algorithms.
#include "core/diffusion/checkpoint.h"
#include "core/diffusion/noise.h"
#include "core/diffusion/parameter_layout.h"
#include "core/execution/graph_runner.h"
#include "core/execution/make_backend.h"
#include "core/execution/training_parts.h"
#include "tests/core/execution/parity/gpu_test.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_network.h"
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>

namespace voxlab {
namespace {

class ResumeGpu : public GpuTest {};

// The tiny network in a mode, as one start of a training has it.
class Start {
public:
  Start(const ModeSwitches& mode, c10::Device device)
      : m_device(device), m_guard(mode, Determinism::On), m_spec(tinyNetwork()), m_weights(placeParameters(randomWeights(m_spec, 4), mode, device)),
        m_average(placeParameters(randomWeights(m_spec, 4), mode, device)), m_backend(makeEagerBackend(m_spec, m_weights, mode, BackendUse::Training, Determinism::On)),
        m_process(100, device), m_step(m_weights, m_average, m_process, m_backend->predictor(), settings(mode), makeGradientScaler(mode, device), makeWorkRunner(mode, device)) {}

  void train(int until) {
    while (m_step.step() < until) {
      MicroBatch batch;
      batch.image = normalNoise({1, 1, 16, 16, 16}, {{1, Purpose::Evaluation, 0, static_cast<std::uint32_t>(m_step.step())}}, m_device);
      batch.condition = at::ones({1, 2, 16, 16, 16}, at::TensorOptions(at::kFloat).device(m_device));
      drawNoise(batch, 8, m_step.step(), 0, 100);
      m_step.accumulate(batch);
      m_step.update();
    }
  }
  Checkpoint state() const {
    return {m_step.step(), m_spec, 100, Json::object(), Json::object(), copyTo(m_weights, at::kCPU), copyTo(m_average, at::kCPU), copyTo(m_step.optimizerState(), at::kCPU)};
  }
  void takeUp(const Checkpoint& saved) {
    copyValues(saved.model, m_step.parameters());
    copyValues(saved.ema, m_step.average());
    m_step.restore(saved.optimizer, saved.step);
  }

private:
  static TrainSettings settings(const ModeSwitches& mode) {
    TrainSettings s;
    s.learningRate = 1e-4;
    s.accumulate = 1;
    s.emaEvery = 1;
    s.emaStart = 2;
    s.adam = adamKindOf(mode);
    return s;
  }

  c10::Device m_device;
  ModeGuard m_guard;
  NetworkSpec m_spec;
  NamedTensors m_weights, m_average;
  std::unique_ptr<Backend> m_backend;
  DiffusionProcess m_process;
  TrainStep m_step;
};

void expectEqual(const NamedTensors& a, const NamedTensors& b, const std::string& mode) {
  ASSERT_EQ(a.size(), b.size());
  for (const NamedTensor& t : a)
    EXPECT_TRUE(at::equal(t.tensor, *findTensor(b, t.name))) << mode << " " << t.name;
}

TEST_F(ResumeGpu, TakesUpATrainingBitForBit) {
  const TemporaryFolder folder;
  for (const char* name : {"baseline", "opt12", "bf16", "fp16", "bf16_graph", "fused_bf16", "fused_fp16_graph"}) {
    const ModeSwitches mode = parseMode(name)->switches;
    if (!unavailableReason(mode, m_device).empty())
      continue;
    Checkpoint whole;
    {
      Start start(mode, m_device);
      start.train(10);
      whole = start.state();
    }
    {
      Start first(mode, m_device);
      first.train(5);
      ASSERT_TRUE(writeCheckpoint(folder / name, first.state()));
    }
    Start second(mode, m_device);
    second.takeUp(readCheckpoint(folder / name).value());
    second.train(10);
    const Checkpoint resumed = second.state();
    EXPECT_EQ(resumed.step, whole.step);
    expectEqual(whole.model, resumed.model, name);
    expectEqual(whole.ema, resumed.ema, name);
    expectEqual(whole.optimizer, resumed.optimizer, name);
  }
}

} // namespace
} // namespace voxlab
