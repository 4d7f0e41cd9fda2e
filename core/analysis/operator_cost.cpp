// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/operator_cost.h"
#include "core/analysis/operand_costs.h"
#include "core/analysis/own_operator_cost.h"
#include "core/base/text.h"
#include <algorithm>
#include <charconv>
#include <cmath>

namespace voxlab {
namespace {
using Shape = OperandCosts::Shape;
using Inputs = std::vector<OperatorInput>;

Shape numbersIn(const std::string& text) { // "[1, 2, 3]" or "1"
  Shape numbers;
  for (const auto& part : split(text, ',')) {
    const auto digits = part.find_first_of("-0123456789");
    std::int64_t value = 0;
    if (digits != std::string::npos && std::from_chars(part.data() + digits, part.data() + part.size(), value).ec == std::errc())
      numbers.push_back(value);
  }
  return numbers;
}

// Where stride, padding and dilation stand among an operator's arguments.
struct ConvolutionArguments {
  std::string_view name;
  std::size_t stride, padding, dilation;
};
constexpr ConvolutionArguments kConvolutions[] = {
    {"aten::cudnn_convolution", 3, 2, 4},
    {"aten::mkldnn_convolution", 4, 3, 5},
    {"aten::convolution", 3, 4, 5},
    {"aten::_convolution", 3, 4, 5},
    {"aten::conv1d", 3, 4, 5},
    {"aten::conv2d", 3, 4, 5},
    {"aten::conv3d", 3, 4, 5},
};

std::optional<OperatorCost> convolution(const OperandCosts& c, const ConvolutionArguments& at) {
  const Shape x = c.shape(0), w = c.shape(1);
  if (x.size() < 3 || w.size() != x.size())
    return std::nullopt;
  const Shape stride = numbersIn(c.value(at.stride)), padding = numbersIn(c.value(at.padding)),
              dilation = numbersIn(c.value(at.dilation));
  const auto argument = [](const Shape& list, std::size_t i, std::int64_t fallback) {
    return list.empty() ? fallback : list[std::min(i, list.size() - 1)];
  };
  Shape out{x[0], w[0]};
  for (std::size_t i = 2; i < x.size(); ++i) {
    const std::int64_t reach = argument(dilation, i - 2, 1) * (w[i] - 1) + 1,
                       step = std::max<std::int64_t>(1, argument(stride, i - 2, 1));
    out.push_back(std::max<std::int64_t>(0, (x[i] + 2 * argument(padding, i - 2, 0) - reach) / step + 1));
  }
  const double perOutput = elementsIn(w) / static_cast<double>(std::max<std::int64_t>(1, w[0]));
  return OperandCosts::of(2 * elementsIn(out) * perOutput, {c.bytes(0), c.bytes(1), c.bytesOf(out)});
}

// Data gradient: output gradient and weights in, input gradient out. Weight gradient: input and output gradient in, weight gradient
// out.
std::optional<OperatorCost> convolutionBackward(const OperandCosts& c, const Inputs& inputs) {
  const Shape gradient = c.shape(0), x = c.shape(1), w = c.shape(2);
  if (gradient.size() < 3 || w.size() != x.size() || x.size() != gradient.size())
    return std::nullopt;
  const std::string mask = inputs.back().concrete; // "[True, True, False]": gradients of input, weight, bias
  const auto parts = split(mask, ',');
  const bool data = parts.size() < 2 || parts[0].find("True") != std::string::npos,
             weight = parts.size() < 2 || parts[1].find("True") != std::string::npos;
  const double products = 2 * elementsIn(gradient) * elementsIn(w) / static_cast<double>(std::max<std::int64_t>(1, w[0]));
  const double moved = c.bytes(0) + c.bytes(1) + c.bytes(2); // for either
  OperatorCost cost = OperandCosts::of(products * (data + weight), {c.bytes(0), c.bytes(1), c.bytes(2)}, moved * (data + weight));
  if (data && weight)
    cost.parts = {{WorkPart::DataGradient, products, moved}, {WorkPart::WeightGradient, products, moved}};
  return cost;
}

// (…, M, K) × (…, K, N), added to what comes before them, if anything.
std::optional<OperatorCost> product(const OperandCosts& c, std::size_t first) {
  const Shape a = c.shape(first), b = c.shape(first + 1);
  if (a.size() < 2 || b.size() < 2)
    return std::nullopt;
  Shape out = a;
  out.back() = b.back();
  return OperandCosts::of(2 * elementsIn(out) * static_cast<double>(a.back()), {c.bytes(first), c.bytes(first + 1), c.bytesOf(out, first), first > 0 ? c.bytes(0) : 0});
}

std::optional<OperatorCost> linear(const OperandCosts& c) {
  const Shape x = c.shape(0), w = c.shape(1);
  if (x.empty() || w.size() != 2)
    return std::nullopt;
  Shape out = x;
  out.back() = w[0];
  return OperandCosts::of(2 * elementsIn(out) * static_cast<double>(w[1]), {c.bytes(0), c.bytes(1), c.bytesOf(out)});
}

// Two products: q (…, L, E) by k (…, S, E), and what comes of it by v. `positions`: which side L and S are, from the end. Backward five
// (Dao, "FlashAttention-2", 2023), since the first is not kept; the output's gradient comes before q, k and v, the output after them.
std::optional<OperatorCost> attention(const OperandCosts& c, std::size_t positions, bool backward) {
  const std::size_t first = backward ? 1 : 0;
  const Shape q = c.shape(first), k = c.shape(first + 1);
  if (q.size() < 3 || k.size() != q.size() || positions > q.size())
    return std::nullopt;
  const double product = 2 * elementsIn(q) * static_cast<double>(k[k.size() - positions]);
  const double qBytes = c.bytes(first), kBytes = c.bytes(first + 1), vBytes = c.bytes(first + 2);
  if (!backward)
    return OperandCosts::of(2 * product, {qBytes, kBytes, vBytes, qBytes});
  return OperandCosts::of(5 * product, {c.bytes(0), qBytes, kBytes, vBytes, qBytes, qBytes, kBytes, vBytes});
}

Shape broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape out = longer;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    auto& side = out[longer.size() - shorter.size() + i];
    side = std::max(side, shorter[i]);
  }
  return out;
}

std::optional<OperatorCost> elementwise(const OperandCosts& c, std::size_t operands, double flopsPerElement) {
  Shape out;
  std::vector<double> tensors;
  for (std::size_t i = 0; i < operands; ++i) {
    out = broadcast(out, c.shape(i));
    tensors.push_back(c.bytes(i));
  }
  if (out.empty())
    return std::nullopt;
  tensors.push_back(c.bytesOf(out));
  return OperandCosts::of(flopsPerElement * elementsIn(out), std::move(tensors));
}

// Reads its input `reads` times and writes as much once.
std::optional<OperatorCost> passes(const OperandCosts& c, double tensorsMoved, double flopsPerElement) {
  const double bytes = c.bytes(0);
  if (bytes == 0)
    return std::nullopt;
  return OperandCosts::of(flopsPerElement * elementsIn(c.shape(0)), {bytes, bytes}, tensorsMoved * bytes);
}

// Statistics read x; applying them reads it again and writes y.
std::optional<OperatorCost> groupNorm(const OperandCosts& c) {
  auto cost = passes(c, 3, 8);
  if (cost)
    cost->parts = {{WorkPart::Statistics, cost->flops / 2, cost->bytes / 3}, {WorkPart::Application, cost->flops / 2, cost->bytes * 2 / 3}};
  return cost;
}

// x and dy for the sums, again for dx, which is written.
std::optional<OperatorCost> groupNormBackward(const OperandCosts& c) {
  auto cost = passes(c, 5, 12);
  if (cost)
    cost->parts = {{WorkPart::GradientSums, cost->flops / 3, cost->bytes * 2 / 5}, {WorkPart::InputGradient, cost->flops * 2 / 3, cost->bytes * 3 / 5}};
  return cost;
}

std::optional<OperatorCost> upsample(const OperandCosts& c, bool backward) {
  const Shape in = c.shape(0);
  const Shape size = numbersIn(c.value(1));
  if (in.size() < 3 || size.size() + 2 != in.size())
    return std::nullopt;
  Shape other{in[0], in[1]}; // forward: the output; backward: the input's gradient, whose size is the third argument
  const Shape target = backward ? numbersIn(c.value(2)) : size;
  if (backward && target.size() == in.size())
    other = target;
  else
    other.insert(other.end(), size.begin(), size.end());
  const double large = std::max(elementsIn(in), elementsIn(other));
  return OperandCosts::of(15 * large, {c.bytes(0), c.bytesOf(other)}); // trilinear: 8 products, 7 sums
}

std::optional<OperatorCost> concatenation(const Inputs& inputs, double elementBytes) {
  double bytes = 0;
  std::vector<double> tensors;
  for (const auto& tensor : inputs.empty() ? std::vector<Shape>() : inputs[0].tensors) {
    tensors.push_back(elementsIn(tensor) * elementBytes);
    bytes += tensors.back();
  }
  if (bytes == 0)
    return std::nullopt;
  tensors.push_back(bytes);
  return OperandCosts::of(0, std::move(tensors));
}

// Elementwise over lists of all parameters, of which the first one's elements are known: each list is read, and one is written.
std::optional<OperatorCost> overLists(std::string_view operation, const Inputs& inputs, double elementBytes) {
  const Shape all = inputs[0].shape();
  if (all.empty() || inputs[0].tensors.size() > 1)
    return std::nullopt;
  const auto lists = std::count_if(inputs.begin(), inputs.end(), [](const OperatorInput& input) { return input.type == "TensorList"; });
  double moved = static_cast<double>(lists) + 1, flops = lists > 1 ? 3 : 1;
  if (operation.starts_with("norm")) { // its result is small
    moved = 1;
    flops = 2;
  } else if (operation.starts_with("zero")) { // read nothing
    moved = 1;
    flops = 0;
  } else if (operation.starts_with("copy")) { // read one of two
    moved = 2;
    flops = 0;
  }
  const double bytes = elementsIn(all) * elementBytes;
  return OperandCosts::of(flops * elementsIn(all), std::vector<double>(static_cast<std::size_t>(moved), bytes));
}

std::optional<OperatorCost> copy(const OperandCosts& c, std::size_t from, std::size_t to) {
  const double source = c.bytes(from), target = c.bytes(to);
  if (source == 0)
    return std::nullopt;
  return OperandCosts::of(0, {source, target > 0 ? target : source});
}

struct Simple {
  std::string_view name;
  std::size_t operands; // 0: a pass over the first input
  double tensorsMoved, flopsPerElement;
};
constexpr Simple kSimple[] = {
    {"aten::native_layer_norm", 0, 3, 8},
    {"aten::silu", 1, 0, 5},
    {"aten::silu_backward", 2, 0, 9},
    {"aten::add", 2, 0, 1},
    {"aten::add_", 2, 0, 1},
    {"aten::sub", 2, 0, 1},
    {"aten::mul", 2, 0, 1},
    {"aten::mul_", 2, 0, 1},
    {"aten::div", 2, 0, 1},
    {"aten::abs", 1, 0, 1},
    {"aten::neg", 1, 0, 1},
    {"aten::sgn", 1, 0, 1},
    {"aten::sigmoid", 1, 0, 4},
    {"aten::exp", 1, 0, 1},
    {"aten::sin", 1, 0, 1},
    {"aten::cos", 1, 0, 1},
    {"aten::sqrt", 1, 0, 1},
    {"aten::rsqrt", 1, 0, 1},
    {"aten::reciprocal", 1, 0, 1},
    {"aten::pow", 1, 0, 1},
    {"aten::clamp", 1, 0, 2},
    {"aten::relu", 1, 0, 1},
    {"aten::gelu", 1, 0, 8},
    {"aten::tanh", 1, 0, 6},
    {"aten::_softmax", 0, 2, 5},
    {"aten::_softmax_backward_data", 0, 3, 5},
    {"aten::sum", 0, 1, 1},
    {"aten::mean", 0, 1, 1},
    {"aten::fill_", 0, 1, 0},
    {"aten::zero_", 0, 1, 0},
    {"aten::normal_", 0, 1, 10},
};
} // namespace

double elementBytes(std::string_view type) {
  struct Row {
    std::string_view word;
    double bytes;
  };
  static constexpr Row kRows[] = {{"BFloat16", 2},    {"Half", 2}, {"double", 8}, {"long", 8}, {"unsigned char", 1},
                                  {"signed char", 1}, {"bool", 1}, {"short", 2},  {"float", 4}};
  for (const auto& row : kRows)
    if (type.find(row.word) != std::string_view::npos)
      return row.bytes;
  return 4;
}

std::optional<OperatorCost> operatorCost(std::string_view name, const std::vector<OperatorInput>& inputs, double listElementBytes) {
  if (inputs.empty())
    return std::nullopt;
  const OperandCosts c(inputs);
  for (const auto& row : kConvolutions)
    if (row.name == name)
      return convolution(c, row);
  for (const auto& row : kSimple)
    if (row.name == name)
      return row.operands > 0 ? elementwise(c, row.operands, row.flopsPerElement)
                              : passes(c, row.tensorsMoved, row.flopsPerElement);
  constexpr std::string_view kOwn = "voxlab::";
  if (name.starts_with(kOwn))
    return ownOperatorCost(name.substr(kOwn.size()), inputs);
  if (name == "aten::native_group_norm")
    return groupNorm(c);
  if (name == "aten::native_group_norm_backward")
    return groupNormBackward(c);
  if (name == "aten::convolution_backward")
    return convolutionBackward(c, inputs);
  if (name == "aten::mm" || name == "aten::bmm" || name == "aten::matmul")
    return product(c, 0);
  if (name == "aten::addmm" || name == "aten::addmm_" || name == "aten::baddbmm" || name == "aten::baddbmm_")
    return product(c, 1);
  if (name == "aten::linear")
    return linear(c);
  const bool backward = name.ends_with("_backward");
  if (name.starts_with("aten::_scaled_dot_product") || name == "aten::scaled_dot_product_attention" || name.starts_with("aten::_cudnn_attention"))
    return attention(c, 2, backward); // (N, heads, L, E)
  if (name.starts_with("aten::_flash_attention") || name.starts_with("aten::_efficient_attention"))
    return c.shape(backward).size() == 4 ? attention(c, 3, backward) : std::nullopt; // (N, L, heads, E); packed sequences have three sides
  if (name.starts_with("aten::upsample"))
    return upsample(c, name.ends_with("backward"));
  constexpr std::string_view kForEach = "aten::_foreach_";
  if (name.starts_with(kForEach))
    return overLists(name.substr(kForEach.size()), inputs, listElementBytes);
  if (name == "aten::_amp_foreach_non_finite_check_and_unscale_")
    return overLists("mul_", inputs, listElementBytes);
  if (name.starts_with("aten::_fused_adam"))
    return adamOverLists(inputs, 0);
  if (name == "aten::cat")
    return concatenation(inputs, listElementBytes);
  if (name == "aten::copy_")
    return copy(c, 1, 0);
  if (name == "aten::clone" || name == "aten::contiguous" || name == "aten::_to_copy" || name == "aten::to")
    return copy(c, 0, 0);
  return std::nullopt;
}

} // namespace voxlab
