// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/loss_log.h"
#include "core/base/text.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <cmath>

namespace voxlab {
namespace {
constexpr double kKeepPerStep = 0.98; // of the smoothed value, each step
constexpr double kDivergedAbove = 2;  // times the best smoothed loss
constexpr double kDivergedFloor = 1;  // a network that predicts nothing has an L1 loss of 0.8, an L2 loss of 1

double numberIn(const at::Tensor& tensor) {
  return tensor.item<double>();
}
} // namespace

bool LossReading::finite() const {
  return std::isfinite(loss) && (!gradientNorm || std::isfinite(*gradientNorm));
}

void LossLog::add(const at::Tensor& lossOfStep, const at::Tensor& gradientNorm, const at::Tensor& skipped) {
  if (!m_sum.defined())
    m_sum = at::zeros({}, lossOfStep.options().dtype(at::kDouble));
  if (!m_skipped.defined())
    m_skipped = at::zeros({}, m_sum.options());
  m_sum = m_sum + lossOfStep.to(at::kDouble);
  if (skipped.defined())
    m_skipped = m_skipped + skipped.reshape({}).to(at::kDouble);
  m_norm = gradientNorm.to(at::kDouble);
  ++m_steps;
}

LossReading LossLog::look() const {
  LossReading reading;
  reading.steps = m_steps;
  reading.loss = numberIn(m_sum) / static_cast<double>(m_steps);
  reading.skippedSteps = static_cast<std::int64_t>(numberIn(m_skipped));
  if (const double norm = numberIn(m_norm); reading.skippedSteps == 0 || std::isfinite(norm))
    reading.gradientNorm = norm; // an overflow in 16 bits is dealt with by skipping
  const double keep = m_hasSmoothed ? std::pow(kKeepPerStep, static_cast<double>(m_steps)) : 0;
  reading.smoothed = keep * m_smoothed + (1 - keep) * reading.loss;
  return reading;
}

LossReading LossLog::take() {
  const LossReading reading = look();
  m_smoothed = reading.smoothed;
  m_hasSmoothed = true;
  m_steps = 0;
  m_sum = m_skipped = at::Tensor();
  return reading;
}

Json LossLog::state() const {
  Json json{{"steps", m_steps}, {"smoothed", m_hasSmoothed ? Json(m_smoothed) : Json(nullptr)}};
  if (m_steps > 0) {
    json["sum"] = numberIn(m_sum);
    json["skipped"] = numberIn(m_skipped);
    json["gradient_norm"] = numberIn(m_norm);
  }
  return json;
}

void LossLog::restore(const Json& state, at::Device device) {
  *this = LossLog();
  const auto onDevice = [&](const char* key) {
    return at::tensor(jsonGet<double>(state, key).value_or(0), at::TensorOptions().dtype(at::kDouble)).to(device);
  };
  if (const auto smoothed = jsonGet<double>(state, "smoothed")) {
    m_smoothed = *smoothed;
    m_hasSmoothed = true;
  }
  m_steps = jsonGet<std::int64_t>(state, "steps").value_or(0);
  if (m_steps > 0) {
    m_sum = onDevice("sum");
    m_skipped = onDevice("skipped");
    m_norm = onDevice("gradient_norm");
  }
}

std::string LossWatch::look(const LossReading& reading, std::int64_t step) {
  if (!m_hasBest || reading.smoothed < m_best) {
    m_best = reading.smoothed;
    m_hasBest = true;
  }
  const bool diverging = reading.smoothed > kDivergedAbove * m_best && reading.smoothed > kDivergedFloor;
  if (!diverging)
    m_saidDiverging = false;
  if (!diverging || m_saidDiverging)
    return {};
  m_saidDiverging = true;
  return "The loss is growing: at step " + formatCount(step) + " it is " + formatSignificant(reading.smoothed) + ", and it was " +
         formatSignificant(m_best) +
         " at best. Lower the learning rate, let it warm up, or clip the gradient; then start from an earlier "
         "checkpoint.";
}

std::string LossWatch::explainNotFinite(const LossReading& reading, std::int64_t step, const std::string& precision) {
  std::string words = "The loss or its gradient is no longer a number, at step " + formatCount(step) + " or in the " +
                      formatCount(reading.steps) + " steps before it; training cannot go on from such weights. ";
  if (precision == "fp16")
    return words + "With 16-bit floating point the cause is usually an overflow: choose BF16 or TF32, and go on from the newest "
                   "checkpoint.";
  return words + "The cause is usually a learning rate that is too high: lower it, let it warm up (train.warmup_steps) or clip the "
                 "gradient (train.clip_norm), and go on from the newest checkpoint.";
}

} // namespace voxlab
