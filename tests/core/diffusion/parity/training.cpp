// SPDX-License-Identifier: Apache-2.0
// The published training loop: losses, gradient norms, weights and moving average after every step.
#include "core/diffusion/train_step.h"
#include "tests/core/diffusion/parity/parity_checks.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace voxlab {
namespace {

class TrainingCase {
public:
  TrainingCase(const std::filesystem::path& file, at::Device device, ParityTally& tally)
      : m_json(parityJson(file)), m_golden(parityTensors(std::filesystem::path(file).replace_extension(".safetensors"))), m_device(device),
        m_tally(tally), m_tolerance(parityTolerance(device)), m_spec(parityNetworkSpec(m_json.at("config"))),
        m_start(parityWeights(m_spec, parityTag(m_json.at("initial_weights").get<std::string>()), device)),
        m_network(m_spec, copyOf(m_start)), m_process(m_json.at("T").get<int>(), device), m_settings(readSettings()),
        m_train(m_network.parameters(), copyOf(m_start), m_process, predictor(), m_settings) {
    for (const Json& name : m_json.at("zero_gradient_parameters"))
      m_degenerate.insert(name.get<std::string>());
  }

  void run() {
    for (const Json& expected : m_json.at("per_step")) {
      SCOPED_TRACE("step " + std::to_string(m_train.step()));
      const std::int64_t step = expected.at("step").get<std::int64_t>();
      ASSERT_EQ(m_train.step(), step);
      checkLosses(expected);
      checkGradients(expected.at("grad_norm"));
      m_train.update();
      checkStored(step, "model", m_train.parameters());
      checkStored(step, "ema", m_train.average());
      checkChange(expected.at("model").at("change_l2"), m_train.parameters());
      checkChange(expected.at("ema").at("change_l2"), m_train.average());
    }
  }

private:
  TrainSettings readSettings() const {
    TrainSettings s;
    const Json& adam = m_json.at("optimizer");
    s.loss = m_json.at("loss_type").get<std::string>() == "l2" ? LossKind::L2 : LossKind::L1;
    s.lossScaling = LossScaling::DividedByBatch;
    s.batchSize = m_json.at("batch_size").get<int>();
    s.accumulate = m_json.at("gradient_accumulate_every").get<int>();
    s.learningRate = adam.at("lr").get<double>();
    s.beta1 = adam.at("betas")[0].get<double>();
    s.beta2 = adam.at("betas")[1].get<double>();
    s.epsilon = adam.at("eps").get<double>();
    s.emaDecay = m_json.at("ema_decay").get<double>();
    s.emaStart = m_json.at("step_start_ema").get<std::int64_t>();
    s.emaEvery = m_json.at("update_ema_every").get<int>();
    return s;
  }

  Predictor predictor() const {
    return [this](const at::Tensor& x, const at::Tensor& condition, const at::Tensor& t) {
      return m_network.forward(at::cat({x, condition}, 1), t);
    };
  }

  void checkLosses(const Json& expected) {
    double logged = 0;
    for (int part = 0; part < m_settings.accumulate; ++part) {
      const std::string micro = "micro" + std::to_string(m_train.step() * m_settings.accumulate + part) + ".";
      MicroBatch batch;
      batch.image = parityTensor(m_golden, micro + "x_start", m_device);
      batch.noise = parityTensor(m_golden, micro + "noise", m_device);
      batch.condition = parityTensor(m_golden, micro + "condition", m_device);
      batch.timesteps = parityTensor(m_golden, micro + "t", m_device);
      const double loss = m_train.accumulate(batch).item<double>();
      const double reference = expected.at("loss_mean_per_micro_batch")[static_cast<std::size_t>(part)].get<double>();
      EXPECT_NEAR(loss, reference, m_tolerance.loss) << micro;
      logged += loss / m_settings.batchSize / m_settings.accumulate;
    }
    EXPECT_NEAR(logged, expected.at("logged_training_loss").get<double>(), m_tolerance.loss);
    m_tally.countCheck(m_settings.accumulate + 1);
  }

  void checkGradients(const Json& expected) {
    for (const NamedTensor& p : m_train.parameters()) {
      if (m_degenerate.count(p.name))
        continue;
      const double norm = expected.at(p.name).get<double>();
      EXPECT_NEAR(p.tensor.grad().norm().item<double>(), norm, m_tolerance.gradientNorm * norm) << p.name;
      m_tally.countCheck();
    }
  }

  void checkStored(std::int64_t step, const std::string& which, const NamedTensors& tensors) {
    for (const Json& stored : m_json.at("stored_parameters")) {
      const std::string name = stored.get<std::string>();
      if (m_degenerate.count(name))
        continue;
      const std::vector<double> expected = parityValues(m_golden, "step" + std::to_string(step) + "." + which + "." + name);
      const std::vector<double> values = parityNumbers(*findTensor(tensors, name));
      const double lr = m_settings.learningRate;
      double squares = 0;
      ASSERT_EQ(values.size(), expected.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        squares += (values[i] - expected[i]) * (values[i] - expected[i]);
      EXPECT_LE(std::sqrt(squares / static_cast<double>(values.size())), std::max(m_tolerance.weightRms * lr, m_tolerance.weightFloor)) << which << " " << name;
      EXPECT_LE(largestDifference(values, expected), m_tolerance.weightMax * lr) << which << " " << name;
      m_tally.countCheck(2);
    }
  }

  // The change since the start is a few learning rates in every element: its norm may be off by the weights' tolerance.
  void checkChange(const Json& expected, const NamedTensors& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (m_degenerate.count(tensors[i].name))
        continue;
      const at::Tensor difference = tensors[i].tensor.detach().to(at::kDouble) - m_start[i].tensor.to(at::kDouble);
      const double slack = std::max(m_tolerance.weightRms * m_settings.learningRate, m_tolerance.weightFloor) *
                           std::sqrt(static_cast<double>(difference.numel()));
      EXPECT_NEAR(difference.norm().item<double>(), expected.at(tensors[i].name).get<double>(), slack) << tensors[i].name;
      m_tally.countCheck();
    }
  }

  Json m_json;
  SafetensorsReader m_golden;
  at::Device m_device;
  ParityTally& m_tally;
  ParityTolerance m_tolerance;
  NetworkSpec m_spec;
  NamedTensors m_start;
  UNet m_network;
  DiffusionProcess m_process;
  TrainSettings m_settings;
  TrainStep m_train;
  std::set<std::string> m_degenerate;
};

} // namespace

void checkTraining(at::Device device) {
  ParityTally tally;
  for (const auto& file : parityFiles("train_.*\\.json")) {
    SCOPED_TRACE(file.filename().string());
    tally.countFile();
    TrainingCase(file, device, tally).run();
  }
}

} // namespace voxlab
