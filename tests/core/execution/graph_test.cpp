// SPDX-License-Identifier: Apache-2.0
// Recording and replaying, with a fake graph on the CPU; tests/core/execution/parity does the same on the GPU.
#include "core/diffusion/noise.h"
#include "core/diffusion/train_step.h"
#include "core/execution/graph_backend.h"
#include "tests/core/execution/fake_graph.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace voxlab {
namespace {

TEST(GraphRunner, WarmsUpThenRecordsOnceThenReplays) {
  FakeGraphCounts counts;
  GraphRunner runner(fakeGraphs(counts), 2);
  int done = 0;
  for (int i = 0; i < 6; ++i) {
    runner.run("a", [&] { ++done; });
    EXPECT_EQ(done, i + 1) << "every run does the work exactly once";
  }
  EXPECT_EQ(counts.warmUps, 2);
  EXPECT_EQ(counts.captures, 1);
  EXPECT_EQ(counts.replays, 4);
  runner.run("b", [&] { ++done; });
  EXPECT_EQ(counts.made, 2) << "another name is other work";
  runner.forget();
  runner.run("a", [&] { ++done; });
  EXPECT_EQ(counts.made, 3);
  EXPECT_EQ(counts.warmUps, 4);
}

// Profilers look at the last of these, which does what is recorded next.
TEST(GraphRunner, WarmsUpAsOftenAsItSays) {
  FakeGraphCounts counts;
  GraphRunner runner(fakeGraphs(counts));
  for (int i = 0; i < GraphRunner::kWarmUps; ++i)
    runner.run("a", [] {});
  EXPECT_EQ(counts.captures, 0);
  EXPECT_EQ(counts.warmUps, GraphRunner::kWarmUps);
  runner.run("a", [] {});
  EXPECT_EQ(counts.captures, 1);
}

TEST(GraphRunner, AFailedRecordingIsTriedAgain) {
  FakeGraphCounts counts;
  struct Failing : FakeGraph {
    using FakeGraph::FakeGraph;
    void capture(const std::function<void()>& work) override {
      if (!failed) {
        failed = true;
        throw std::runtime_error("not permitted while recording");
      }
      FakeGraph::capture(work);
    }
    bool failed = false;
  };
  GraphRunner runner([&] { return std::make_unique<Failing>(counts); }, 0);
  int done = 0;
  EXPECT_THROW(runner.run("a", [&] { ++done; }), std::runtime_error);
  runner.run("a", [&] { ++done; });
  EXPECT_EQ(done, 1);
}

TEST(GraphRunner, ModesWithoutGraphsHaveNone) {
  EXPECT_EQ(makeWorkRunner({}, c10::Device(c10::kCPU)), nullptr);
  ModeSwitches graphs;
  graphs.cudaGraphs = true;
  EXPECT_EQ(makeWorkRunner(graphs, c10::Device(c10::kCPU)), nullptr);
}

// Predicts x + condition + t, and notes where its inputs lie.
class AddingBackend : public Backend {
public:
  explicit AddingBackend(std::vector<const void*>& places) : m_places(places) {}
  std::string name() const override { return "adding"; }
  at::Tensor predict(const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps) override {
    m_places.push_back(x.const_data_ptr());
    const at::Tensor sum = x + timesteps.to(at::kFloat).view({-1, 1, 1, 1, 1});
    return condition.defined() ? sum + condition : sum;
  }

private:
  std::vector<const void*>& m_places;
};

TEST(GraphBackend, ReplaysFromPlacesThatStay) {
  const c10::AutoGradMode noGradient(false);
  FakeGraphCounts counts;
  std::vector<const void*> places;
  GraphBackend backend(std::make_unique<AddingBackend>(places), std::make_unique<GraphRunner>(fakeGraphs(counts), 1));
  std::vector<at::Tensor> results;
  for (int i = 0; i < 5; ++i)
    results.push_back(backend.predict(at::ones({1, 1, 2, 2, 2}) * i, at::ones({1, 1, 2, 2, 2}), at::tensor({10 * i}, at::kLong)));
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(results[static_cast<std::size_t>(i)].max().item<float>(), 11.0f * static_cast<float>(i) + 1) << "results are not overwritten";
  EXPECT_EQ(counts.captures, 1);
  for (const void* place : places)
    EXPECT_EQ(place, places.front());
  EXPECT_EQ(backend.name(), "adding");
}

TEST(GraphBackend, AnotherShapeStartsAnotherRecording) {
  const c10::AutoGradMode noGradient(false);
  FakeGraphCounts counts;
  std::vector<const void*> places;
  GraphBackend backend(std::make_unique<AddingBackend>(places), std::make_unique<GraphRunner>(fakeGraphs(counts), 0));
  const auto ask = [&](std::int64_t side, bool withCondition) {
    const at::Tensor x = at::ones({1, 1, side, 2, 2});
    const at::Tensor result = backend.predict(x, withCondition ? x : at::Tensor(), at::tensor({0}, at::kLong));
    EXPECT_EQ(result.sizes(), x.sizes());
    EXPECT_EQ(result.max().item<float>(), withCondition ? 2.0f : 1.0f);
  };
  for (const std::int64_t side : {2, 2, 2, 4, 4, 2})
    ask(side, true);
  EXPECT_EQ(counts.captures, 3) << "one recording is kept";
  ask(2, false);
  ask(2, false);
  EXPECT_EQ(counts.captures, 4);
}

TEST(GraphBackend, SeesAConditionThatHasChanged) {
  const c10::AutoGradMode noGradient(false);
  FakeGraphCounts counts;
  std::vector<const void*> places;
  GraphBackend backend(std::make_unique<AddingBackend>(places), std::make_unique<GraphRunner>(fakeGraphs(counts), 1));
  const at::Tensor x = at::zeros({1, 1, 2, 2, 2}), t = at::tensor({0}, at::kLong);
  at::Tensor condition = at::ones({1, 1, 2, 2, 2});
  const auto predicted = [&] { return backend.predict(x, condition, t).max().item<float>(); };
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(predicted(), 1.0f) << "the same tensor, call " << i;
  condition.add_(2);
  EXPECT_EQ(predicted(), 3.0f) << "changed in place";
  condition = at::ones({1, 1, 2, 2, 2}) * 5;
  EXPECT_EQ(predicted(), 5.0f) << "another tensor";
  EXPECT_EQ(counts.captures, 1);
}

TEST(GraphBackend, TrainingGoesStraightThrough) {
  FakeGraphCounts counts;
  std::vector<const void*> places;
  GraphBackend backend(std::make_unique<AddingBackend>(places), std::make_unique<GraphRunner>(fakeGraphs(counts), 0));
  const at::Tensor x = at::ones({1, 1, 2, 2, 2}).requires_grad_(true);
  EXPECT_TRUE(backend.predict(x, {}, at::tensor({0}, at::kLong)).requires_grad());
  EXPECT_EQ(counts.made, 0);
}

struct Trained {
  NamedTensors weights, average;
  std::vector<double> losses, norms, skipped;
  std::int64_t adamSteps = 0;
};

// 50 steps of one convolution, with batches of two sizes and, where gradients are scaled, an overflow in step 20.
Trained trainFor50Steps(std::unique_ptr<WorkRunner> runner, std::unique_ptr<GradientScaler> scaler) {
  const NamedTensors weights{{"w", fillNormal(at::zeros({1, 3, 3, 3, 3}), {1, Purpose::Initialisation, 0, 0})}, {"b", at::zeros({1})}};
  const NamedTensors average = copyOf(weights);
  const DiffusionProcess process(50, at::kCPU);
  const Predictor predictor = [&](const at::Tensor& x, const at::Tensor& condition, const at::Tensor& t) {
    return at::conv3d(at::cat({x, condition}, 1), weights[0].tensor, weights[1].tensor, 1, 1) + t.view({-1, 1, 1, 1, 1}) * 1e-3;
  };
  const bool scaled = scaler != nullptr;
  TrainSettings settings;
  settings.learningRate = 1e-3;
  settings.warmupSteps = 10;
  settings.clipNorm = 0.5;
  settings.emaEvery = 3;
  settings.emaStart = 12;
  TrainStep step(weights, average, process, predictor, settings, std::move(scaler), std::move(runner));
  Trained result;
  for (int i = 0; i < 50; ++i) {
    for (int part = 0; part < settings.accumulate; ++part) {
      const std::int64_t volumes = i % 7 == 6 ? 1 : 2;
      MicroBatch batch;
      batch.image = at::ones({volumes, 1, 4, 4, 4}) * (scaled && i == 20 ? std::numeric_limits<float>::infinity() : 0.3f);
      batch.condition = at::zeros({volumes, 2, 4, 4, 4});
      drawNoise(batch, 77, i, 2 * part, 50);
      result.losses.push_back(step.accumulate(batch).item<double>());
    }
    const StepOutcome outcome = step.update();
    result.norms.push_back(outcome.gradientNorm.item<double>());
    if (outcome.skipped.defined())
      result.skipped.push_back(outcome.skipped.item<double>());
  }
  result.adamSteps = findTensor(step.optimizerState(), "adam_step")->item<std::int64_t>();
  result.weights = weights;
  result.average = average;
  return result;
}

void expectSame(const Trained& a, const Trained& b) {
  for (std::size_t i = 0; i < a.losses.size(); ++i)
    EXPECT_TRUE(a.losses[i] == b.losses[i] || (std::isnan(a.losses[i]) && std::isnan(b.losses[i]))) << "micro-batch " << i;
  EXPECT_EQ(a.skipped, b.skipped);
  EXPECT_EQ(a.adamSteps, b.adamSteps);
  for (std::size_t i = 0; i < a.weights.size(); ++i) {
    EXPECT_TRUE(at::equal(a.weights[i].tensor, b.weights[i].tensor)) << a.weights[i].name;
    EXPECT_TRUE(at::equal(a.average[i].tensor, b.average[i].tensor)) << a.weights[i].name;
  }
}

TEST(GraphedTraining, FiftyReplayedStepsEqualFiftyEagerOnes) {
  FakeGraphCounts counts;
  const Trained eager = trainFor50Steps(nullptr, nullptr);
  const Trained replayed = trainFor50Steps(std::make_unique<GraphRunner>(fakeGraphs(counts)), nullptr);
  expectSame(eager, replayed);
  EXPECT_EQ(counts.made, 3) << "two shapes of micro-batch and the update";
  EXPECT_EQ(counts.captures, 3);
  EXPECT_GT(counts.replays, 120);
}

TEST(GraphedTraining, AnOverflowIsSkippedInAReplayToo) {
  FakeGraphCounts counts;
  const Trained eager = trainFor50Steps(nullptr, std::make_unique<GradientScaler>(at::kCPU));
  const Trained replayed = trainFor50Steps(std::make_unique<GraphRunner>(fakeGraphs(counts)), std::make_unique<GradientScaler>(at::kCPU));
  expectSame(eager, replayed);
  ASSERT_EQ(replayed.skipped.size(), 50u);
  EXPECT_EQ(replayed.skipped[20], 1.0);
  EXPECT_EQ(replayed.skipped[21], 0.0);
  EXPECT_EQ(replayed.adamSteps, 49);
}

} // namespace
} // namespace voxlab
