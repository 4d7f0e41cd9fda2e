// SPDX-License-Identifier: Apache-2.0
// Outputs, activations, losses and gradients of whole networks.
#include "core/diffusion/process.h"
#include "tests/core/diffusion/parity/parity_checks.h"
#include "tests/support/parity_fill.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/where.h>
#include <c10/core/GradMode.h>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <torch/csrc/autograd/autograd.h>

namespace voxlab {
namespace {

double scaleOf(const Json& value) {
  if (value.is_number())
    return value.get<double>();
  const std::string text = value.get<std::string>();
  if (text.starts_with("sqrt(") && text.ends_with(")"))
    return std::sqrt(std::stod(text.substr(5)));
  return std::stod(text);
}

double normOf(const std::vector<double>& values) {
  double squares = 0;
  for (const double v : values)
    squares += v * v;
  return std::sqrt(squares);
}

class NetworkCase {
public:
  NetworkCase(const std::filesystem::path& file, at::Device device, ParityTally& tally)
      : m_json(parityJson(file)), m_golden(parityTensors(std::filesystem::path(file).replace_extension(".safetensors"))), m_device(device),
        m_tally(tally), m_tolerance(parityTolerance(device)), m_process(m_json.at("T").get<int>(), device) {
    if (m_json.at("T").get<int>() > 250) { // rounding of the time embedding grows
      m_tolerance.outputL2 *= 2;
      m_tolerance.outputMax *= 2;
    }
  }

  void run() {
    readInputs();
    const NetworkSpec spec = parityNetworkSpec(m_json.at("config"));
    const UNet network(spec, parityWeights(spec, parityTag(m_json.at("weights").get<std::string>()), m_device));
    const bool gradients = m_json.contains("grads");
    for (const NamedTensor& p : network.parameters())
      at::Tensor(p.tensor).requires_grad_(gradients);
    const c10::AutoGradMode mode(gradients);
    ForwardOptions options;
    options.observer = [this](const std::string& name, const at::Tensor& value) { checkActivation(name, value); };
    const at::Tensor output = network.forward(at::cat({m_noisy, m_condition}, 1), m_timesteps, options);
    EXPECT_EQ(m_seen, m_json.at("activations").size()) << "modules that were not compared";
    checkOutput(output);
    for (const auto& [name, kind] : {std::pair{"l1", LossKind::L1}, std::pair{"l2", LossKind::L2}})
      checkLoss(name, diffusionLoss(kind, output, m_noise), network);
  }

private:
  void readInputs() {
    m_timesteps = parityTensor(m_golden, "timesteps", m_device);
    if (m_json.contains("fill_inputs")) {
      const Json& fill = m_json.at("fill_inputs");
      const auto uniform = [&](const char* name) {
        const Json& input = fill.at(name);
        const double scale = input.contains("scale") ? scaleOf(input.at("scale")) : 1.0;
        return filledTensor(input.at("key").get<std::string>(), input.at("shape").get<std::vector<std::int64_t>>(), scale).to(m_device);
      };
      m_start = uniform("x_start");
      m_noise = uniform("noise");
      const at::Tensor u = uniform("condition");
      m_condition = at::where(u >= 0, at::ones_like(u), at::full_like(u, fill.at("condition").at("background").get<double>()));
      m_noisy = m_process.noised(m_start, m_timesteps, m_noise);
    } else {
      m_start = parityTensor(m_golden, "x_start", m_device);
      m_noise = parityTensor(m_golden, "noise", m_device);
      m_condition = parityTensor(m_golden, "condition", m_device);
      m_noisy = m_process.noised(m_start, m_timesteps, m_noise);
      EXPECT_LE(largestDifference(parityNumbers(m_noisy), parityValues(m_golden, "x_noisy")), 1e-6);
      m_tally.countCheck();
    }
  }

  void checkActivation(const std::string& name, const at::Tensor& value) {
    const Json& all = m_json.at("activations");
    if (!all.contains(name))
      return;
    ++m_seen;
    const Json& expected = all.at(name);
    EXPECT_EQ(value.sizes().vec(), expected.at("shape").get<std::vector<std::int64_t>>()) << name;
    const double l2 = expected.at("l2").get<double>();
    EXPECT_NEAR(normOf(parityNumbers(value)), l2, m_tolerance.activationL2 * l2) << name;
    const auto stride = expected.at("stride").get<std::int64_t>();
    EXPECT_LE(relativeL2(everyNth(value, stride), parityValues(m_golden, "act." + name)), m_tolerance.activationL2) << name;
    m_tally.countCheck(3);
  }

  void checkOutput(const at::Tensor& output) {
    const std::vector<double> values = everyNth(output, m_json.at("output_stride").get<std::int64_t>());
    const std::vector<double> expected = parityValues(m_golden, "output");
    EXPECT_LE(relativeL2(values, expected), m_tolerance.outputL2);
    EXPECT_LE(largestDifference(values, expected), m_tolerance.outputMax);
    m_tally.countCheck(2);
  }

  void checkLoss(const char* kind, const at::Tensor& loss, const UNet& network) {
    EXPECT_NEAR(loss.item<double>(), m_json.at("loss").at(kind).get<double>(), m_tolerance.loss) << kind;
    m_tally.countCheck();
    if (!m_json.contains("grads"))
      return;
    const std::vector<at::Tensor> weights = tensorsOf(network.parameters());
    const auto gradients = torch::autograd::grad({loss}, weights, {}, true, false, true);
    const Json& expected = m_json.at("grads").at(kind).at("parameters");
    ASSERT_EQ(expected.size(), weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i)
      checkGradient(kind, network.parameters()[i].name, gradients[i], expected);
  }

  void checkGradient(const std::string& kind, const std::string& name, const at::Tensor& gradient, const Json& expected) {
    const Json& about = expected.at(name);
    if (about.at("degenerate").get<bool>())
      return;
    ASSERT_TRUE(gradient.defined()) << name;
    const std::vector<double> values = parityNumbers(gradient);
    const double norm = about.at("norm").get<double>();
    EXPECT_NEAR(normOf(values), norm, m_tolerance.gradientNorm * norm) << kind << " " << name;
    m_tally.countCheck();
    const std::string stored = "grad." + kind + "." + name;
    if (!m_golden.find(stored))
      return;
    EXPECT_LE(relativeL2(values, parityValues(m_golden, stored)), m_tolerance.gradientL2) << kind << " " << name;
    m_tally.countCheck();
  }

  Json m_json;
  SafetensorsReader m_golden;
  at::Device m_device;
  ParityTally& m_tally;
  ParityTolerance m_tolerance;
  DiffusionProcess m_process;
  at::Tensor m_timesteps, m_start, m_noise, m_condition, m_noisy;
  std::size_t m_seen = 0;
};

} // namespace

void checkNetworks(at::Device device) {
  ParityTally tally;
  for (const auto& file : parityFiles("unet_.*\\.json")) {
    SCOPED_TRACE(file.filename().string());
    tally.countFile();
    NetworkCase(file, device, tally).run();
  }
}

} // namespace voxlab
