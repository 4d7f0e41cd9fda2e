// SPDX-License-Identifier: Apache-2.0
#include "core/execution/mode_check.h"
#include "core/base/text.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/make_backend.h"
#include "core/execution/training_parts.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <c10/core/GradMode.h>
#include <cmath>
#include <limits>
#include <torch/csrc/autograd/autograd.h>

namespace voxlab {
namespace {
constexpr std::int64_t kMostValues = 1 << 22;
constexpr int kReplayedCall = 7; // of a graph: recorded and replayed by then

// Evenly spread values in N, C, D, H, W order, float32. An odd stride meets every place of a row.
at::Tensor valuesOf(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.detach().to(at::kFloat).contiguous().flatten();
  std::int64_t stride = (flat.numel() + kMostValues - 1) / kMostValues;
  stride += stride > 1 && stride % 2 == 0 ? 1 : 0;
  return flat.slice(0, 0, std::nullopt, stride).clone();
}

ComparedTensor compared(std::string name, const at::Tensor& mode, const at::Tensor& baseline, double leastMagnitude = 0) {
  ComparedTensor c;
  c.name = std::move(name);
  const double norm = at::linalg_vector_norm(baseline, 2, std::nullopt, false, at::kDouble).item<double>();
  const double values = std::sqrt(static_cast<double>(std::max<std::int64_t>(1, baseline.numel())));
  c.magnitude = norm / values;
  if (!at::isfinite(mode).all().item<bool>()) {
    c.relative = c.largest = std::numeric_limits<double>::infinity();
    return c;
  }
  const at::Tensor difference = mode - baseline;
  const double distance = at::linalg_vector_norm(difference, 2, std::nullopt, false, at::kDouble).item<double>();
  c.relative = distance == 0 ? 0 : distance / std::max(norm, leastMagnitude * values);
  c.largest = difference.abs().max().item<double>();
  return c;
}

struct Outcome {
  std::vector<NamedTensor> layers;
  at::Tensor prediction, loss;
  NamedTensors gradients;
};

// What both modes are given.
struct Inputs {
  MicroBatch batch;
  at::Tensor noisy;
};

Outcome forward(const TrialProblem& p, const NamedTensors& parameters, const ModeSwitches& switches, const Inputs& in,
                Determinism determinism) {
  const c10::AutoGradMode noGradient(false);
  Outcome outcome;
  EagerBackend backend(p.network, parameters, switches, BackendUse::Inference, determinism);
  backend.observe([&](const std::string& name, const at::Tensor& value) { outcome.layers.push_back({name, valuesOf(value)}); });
  outcome.prediction = valuesOf(backend.predict(in.noisy, in.batch.condition, in.batch.timesteps));
  if (!switches.cudaGraphs)
    return outcome;
  const auto recorded = makeEagerBackend(p.network, parameters, switches, BackendUse::Inference, determinism);
  for (int call = 0; call < kReplayedCall; ++call)
    outcome.prediction = recorded->predict(in.noisy, in.batch.condition, in.batch.timesteps);
  outcome.prediction = valuesOf(outcome.prediction);
  return outcome;
}

void backward(const TrialProblem& p, const NamedTensors& parameters, const ModeSwitches& switches, const Inputs& in,
              Determinism determinism, Outcome& outcome) {
  const c10::AutoGradMode gradient(true);
  for (const NamedTensor& parameter : parameters)
    at::Tensor(parameter.tensor).requires_grad_(true);
  EagerBackend backend(p.network, parameters, switches, BackendUse::Training, determinism);
  const at::Tensor loss = diffusionLoss(p.loss, backend.predict(in.noisy, in.batch.condition, in.batch.timesteps), in.batch.noise);
  const auto scaler = makeGradientScaler(switches, in.noisy.device());
  const auto list = torch::autograd::grad({scaler ? scaler->scaled(loss) : loss}, tensorsOf(parameters));
  if (scaler)
    scaler->unscale(list);
  outcome.loss = loss.detach();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    outcome.gradients.push_back({parameters[i].name, valuesOf(list[i])});
}

Outcome outcomeOf(const TrialProblem& p, const ModeSwitches& switches, const Inputs& in, at::Device device, const CheckSettings& settings) {
  const ModeGuard guard(switches, settings.determinism);
  const NamedTensors parameters = placeParameters(p.weights, switches, device);
  const auto between = [&] {
    if (settings.between)
      settings.between();
  };
  between();
  Outcome outcome = forward(p, parameters, switches, in, settings.determinism);
  between();
  backward(p, parameters, switches, in, settings.determinism, outcome);
  releaseCachedMemory(device);
  return outcome;
}

at::Tensor joined(const NamedTensors& tensors) {
  return at::cat(tensorsOf(tensors));
}

void judge(ModeCheck& check, const CheckSettings& settings) {
  const std::string source = settings.tolerance > 0 ? " is allowed." : " is what the precision explains.";
  const auto look = [&](const std::string& what, double value, double tolerance) {
    if (!(value <= tolerance))
      check.failures.push_back(what + " differs by " + (std::isfinite(value) ? formatSignificant(value, 2) : "values that are no numbers") +
                               ", and " + formatSignificant(tolerance, 2) + source);
  };
  look("The prediction", check.prediction.relative, check.tolerance);
  for (const ComparedTensor& layer : check.layers)
    look(layer.name, layer.relative, kLayerFactor * check.tolerance);
  look("The gradient", check.gradient.relative, kGradientFactor * check.tolerance);
  look("The loss", std::abs(check.loss - check.baselineLoss) / std::abs(check.baselineLoss), check.tolerance);
}
} // namespace

ModeCheck checkMode(const TrialProblem& problem, const ModeSwitches& switches, at::Device device, const CheckSettings& settings) {
  Inputs in;
  in.batch = trialBatch(problem, device);
  in.noisy = DiffusionProcess(problem.timesteps, device).noised(in.batch.image, in.batch.timesteps, in.batch.noise);
  const Outcome baseline = outcomeOf(problem, ModeSwitches{}, in, device, settings);
  const Outcome mode = outcomeOf(problem, switches, in, device, settings);
  ModeCheck check;
  check.tolerance = settings.tolerance > 0 ? settings.tolerance : predictionTolerance(switches.precision);
  check.loss = mode.loss.item<double>();
  check.baselineLoss = baseline.loss.item<double>();
  check.prediction = compared("prediction", mode.prediction, baseline.prediction);
  for (const NamedTensor& layer : baseline.layers)
    if (const at::Tensor* same = findTensor(mode.layers, layer.name))
      check.layers.push_back(compared(layer.name, *same, layer.tensor));
  check.gradient = compared("gradient", joined(mode.gradients), joined(baseline.gradients));
  for (const NamedTensor& gradient : baseline.gradients)
    check.gradients.push_back(
        compared(gradient.name, *findTensor(mode.gradients, gradient.name), gradient.tensor, 0.1 * check.gradient.magnitude));
  judge(check, settings);
  return check;
}

} // namespace voxlab
