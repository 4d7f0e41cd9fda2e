// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/own_operator_cost.h"
#include "core/analysis/operand_costs.h"
#include <algorithm>

namespace voxlab {
namespace {
using Shape = OperandCosts::Shape;

// Convolutions are 3×3×3 with padding 1 and have no stride.
constexpr double kTaps = 27;

double voxels(const Shape& s) { return s.size() == 5 ? elementsIn(s) / static_cast<double>(std::max<std::int64_t>(1, s[1])) : 0; } // of all volumes

std::optional<OperatorCost> ownConvolution(const OperandCosts& c, std::size_t weight, double outputBytes) {
  const Shape x = c.shape(0), w = c.shape(weight);
  if (x.size() != 5 || w.size() != 5)
    return std::nullopt;
  const std::int64_t outputs = x[1] == w[1] ? w[0] : w[1]; // a gradient by the input has the weight's sides swapped
  return OperandCosts::of(2 * voxels(x) * elementsIn(w), {c.bytes(0), c.bytes(weight), voxels(x) * static_cast<double>(outputs) * outputBytes});
}

// With what is added to the result: a tensor, and one or two more through a 1³ convolution.
std::optional<OperatorCost> wideConvolution(const OperandCosts& c) {
  constexpr std::size_t kAddend = 3, kThrough = 4, kThrough2 = 5, kThroughWeight = 6;
  auto cost = ownConvolution(c, 1, elementBytes(c.type(0)));
  if (!cost)
    return std::nullopt;
  const Shape through = c.shape(kThroughWeight);
  std::vector<double> tensors = std::move(cost->tensors_bytes);
  for (const std::size_t i : {kAddend, kThrough, kThrough2, kThroughWeight})
    tensors.push_back(c.bytes(i));
  return OperandCosts::of(cost->flops + (through.empty() ? 0 : 2 * voxels(c.shape(0)) * elementsIn(through)), std::move(tensors));
}

std::optional<OperatorCost> ownWeightGradient(const OperandCosts& c) {
  const Shape a = c.shape(0), b = c.shape(1);
  if (a.size() != 5 || b.size() != 5)
    return std::nullopt;
  const double weights = kTaps * static_cast<double>(a[1]) * static_cast<double>(b[1]);
  return OperandCosts::of(2 * voxels(a) * weights, {c.bytes(0), c.bytes(1), 4 * weights});
}

// Passes over a tensor that may come in two parts (the decoder's two inputs, which are not joined).
std::optional<OperatorCost> ownPasses(const OperandCosts& c, std::size_t x, std::size_t x2, double tensorsMoved, double flopsPerElement) {
  const double bytes = c.bytes(x) + c.bytes(x2);
  if (bytes == 0)
    return std::nullopt;
  const Shape second = c.shape(x2);
  return OperandCosts::of(flopsPerElement * (elementsIn(c.shape(x)) + (second.empty() ? 0 : elementsIn(second))), {bytes, bytes}, tensorsMoved * bytes);
}

// Reads x and an addend, and writes the sum where there is one.
std::optional<OperatorCost> channelMoments(const OperandCosts& c) {
  constexpr std::size_t kAddend = 1, kBias = 2;
  const double bytes = c.bytes(0), addend = c.bytes(kAddend);
  if (bytes == 0)
    return std::nullopt;
  return OperandCosts::of(4 * elementsIn(c.shape(0)), {bytes, addend, addend + c.bytes(kBias) > 0 ? bytes : 0});
}

// x and dy for the sums, again for dx, which is written; gradients that reach x on other ways are added.
std::optional<OperatorCost> scaleShiftBackward(const OperandCosts& c) {
  constexpr std::size_t kAddend = 7, kAddend2 = 8;
  auto cost = ownPasses(c, 1, 2, 5, 17);
  if (!cost)
    return cost;
  const double added = c.bytes(kAddend) + c.bytes(kAddend2);
  cost->parts = {{WorkPart::GradientSums, cost->flops / 2, cost->bytes * 2 / 5}, {WorkPart::InputGradient, cost->flops / 2, cost->bytes * 3 / 5 + added}};
  cost->bytes += added;
  return cost;
}

// Moments (N, runs, 1 + 2 C) of one or two tensors to four numbers for each channel.
std::optional<OperatorCost> normCoefficients(const OperandCosts& c) {
  constexpr std::size_t kMoments2 = 1, kShift = 2, kBias = 3, kGamma = 4, kBeta = 5;
  const Shape moments = c.shape(0), gamma = c.shape(kGamma);
  if (moments.size() != 3 || gamma.size() != 1)
    return std::nullopt;
  const double coefficients = 4 * static_cast<double>(moments[0]) * static_cast<double>(gamma[0]);
  const double read = elementsIn(moments) + (c.shape(kMoments2).empty() ? 0 : elementsIn(c.shape(kMoments2)));
  return OperandCosts::of(4 * read, {c.bytes(0), c.bytes(kMoments2), c.bytes(kShift), c.bytes(kBias), c.bytes(kGamma), c.bytes(kBeta), 4 * coefficients});
}

// The state is read and written, the prediction and the clean estimate of the step before read, that of this step written.
std::optional<OperatorCost> samplerUpdate(const OperandCosts& c) {
  constexpr std::size_t kPredicted = 1, kBefore = 2, kClean = 3;
  const double x = c.bytes(0);
  if (x == 0)
    return std::nullopt;
  return OperandCosts::of(12 * elementsIn(c.shape(0)), {x, x, c.bytes(kPredicted), c.bytes(kBefore), c.bytes(kClean)});
}
} // namespace

std::optional<OperatorCost> ownOperatorCost(std::string_view name, const std::vector<OperatorInput>& inputs) {
  const OperandCosts c(inputs);
  const double wideBytes = c.value(4) == "15" || c.value(4) == "5" ? 2 : 4; // c10::ScalarType: BFloat16, Half
  if (name == "wide_convolution")
    return wideConvolution(c);
  if (name == "narrow_to_wide")
    return ownConvolution(c, 1, wideBytes);
  if (name == "wide_to_narrow")
    return ownConvolution(c, 2, 4);
  if (name == "wide_weight_gradient" || name == "narrow_times_wide")
    return ownWeightGradient(c);
  if (name == "scale_shift")
    return ownPasses(c, 0, 1, 2, 7); // scale, shift, SiLU
  if (name == "scale_shift_backward")
    return scaleShiftBackward(c);
  if (name == "channel_moments")
    return channelMoments(c);
  if (name == "norm_coefficients")
    return normCoefficients(c);
  if (name == "sampler_update_")
    return samplerUpdate(c);
  if (name == "optimiser_step_") {
    constexpr std::size_t kAverage = 11; // off, a copy, a decay: not touched, written, read and written
    const std::string average = c.value(kAverage);
    return adamOverLists(inputs, 1 + (average == "1" ? 1 : average == "2" ? 2 : 0)); // the gradients once more for their norm
  }
  if (name == "upsample_2x")
    return OperandCosts::of(15 * 8 * elementsIn(c.shape(0)), {c.bytes(0), 8 * c.bytes(0)});
  if (name == "upsample_2x_backward")
    return OperandCosts::of(15 * elementsIn(c.shape(0)), {c.bytes(0), c.bytes(0) / 8});
  return std::nullopt;
}

} // namespace voxlab
