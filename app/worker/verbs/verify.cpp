// SPDX-License-Identifier: Apache-2.0
// A job of kind verify: a mode against Baseline, layer by layer. What was found goes into summary.json.
#include "app/worker/bench_mode.h"
#include "app/worker/jobs.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/execution/mode_check.h"
#include <cmath>
#include <optional>

namespace voxlab {
namespace {
Json json(const ComparedTensor& c) {
  const auto known = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  return {{"name", c.name}, {"relative", known(c.relative)}, {"largest", known(c.largest)}, {"magnitude", known(c.magnitude)}};
}

Json json(const std::vector<ComparedTensor>& list) {
  Json array = Json::array();
  for (const ComparedTensor& c : list)
    array.push_back(json(c));
  return array;
}

Json summaryOf(const ModeCheck& check, const Mode& mode) {
  return {{"mode", mode.name},
          {"switches", toJson(mode.switches)},
          {"passed", check.passed()},
          {"tolerance", check.tolerance},
          {"layer_tolerance", kLayerFactor * check.tolerance},
          {"gradient_tolerance", kGradientFactor * check.tolerance},
          {"prediction", json(check.prediction)},
          {"gradient", json(check.gradient)},
          {"loss", check.loss},
          {"baseline_loss", check.baselineLoss},
          {"failures", check.failures},
          {"layers", json(check.layers)},
          {"gradients", json(check.gradients)}};
}
} // namespace

JobOutcome verify(JobContext& context) {
  context.session.emitState("running");
  const BenchSetting setting(context.spec, context.engine);
  const Mode& mode = context.engine.mode();
  struct StopAsked {};
  CheckSettings settings{context.spec.get<double>("verify.tolerance"), setting.determinism, {}};
  settings.between = [&context] {
    if (context.session.stopRequested())
      throw StopAsked();
  };
  std::optional<ModeCheck> checked;
  try {
    checked = checkMode(setting.problem, mode.switches, context.engine.device(), settings);
  } catch (const StopAsked&) {
    return {ExitCode::Stopped, "Stopped before the mode was compared.", Json::object()};
  }
  const ModeCheck& check = *checked;
  const std::string most = check.layers.empty() ? std::string() : [&] {
    const auto worst = std::max_element(check.layers.begin(), check.layers.end(),
                                        [](const auto& a, const auto& b) { return a.relative < b.relative; });
    return " Most of all layers differs " + worst->name + ", by " + formatSignificant(worst->relative, 2) + ".";
  }();
  const std::string difference = mode.name + " differs from Baseline by " + formatSignificant(check.prediction.relative, 2);
  const std::string allowed = context.spec.get<double>("verify.tolerance") > 0 ? " that are allowed." : " that its precision explains.";
  if (check.passed())
    return {ExitCode::Finished, difference + ", within the " + formatSignificant(check.tolerance, 2) + allowed + most,
            summaryOf(check, mode)};
  return {ExitCode::CheckFailed, difference + ". " + check.failures.front() + most, summaryOf(check, mode)};
}

} // namespace voxlab
