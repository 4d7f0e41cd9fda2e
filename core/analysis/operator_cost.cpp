// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/operator_cost.h"
#include "core/base/text.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace voxlab {
namespace {
using Shape = std::vector<std::int64_t>;
using Inputs = std::vector<OperatorInput>;

double elements(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), 1.0,
                         [](double product, std::int64_t side) { return product * static_cast<double>(side); });
}

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

class Costs {
public:
  explicit Costs(const Inputs& inputs) : m_inputs(inputs) {}

  Shape shape(std::size_t i) const { return i < m_inputs.size() ? m_inputs[i].shape() : Shape(); }
  std::string_view type(std::size_t i) const { return i < m_inputs.size() ? std::string_view(m_inputs[i].type) : std::string_view(); }
  std::string value(std::size_t i) const { return i < m_inputs.size() ? m_inputs[i].concrete : ""; }
  double bytesOf(const Shape& s, std::size_t typeOf = 0) const {
    return s.empty() ? 0 : elements(s) * elementBytes(typeOf < m_inputs.size() ? m_inputs[typeOf].type : "");
  }
  double bytes(std::size_t i) const { return bytesOf(shape(i), i); }

  // Finishes a cost from the tensors that are moved.
  static OperatorCost of(double flops, std::vector<double> tensors, double moved) {
    std::erase(tensors, 0.0);
    std::sort(tensors.rbegin(), tensors.rend());
    return {flops, moved, tensors.empty() ? 0 : tensors.front(), std::move(tensors)};
  }
  static OperatorCost of(double flops, std::vector<double> tensors) {
    const double moved = std::accumulate(tensors.begin(), tensors.end(), 0.0);
    return of(flops, std::move(tensors), moved);
  }

private:
  const Inputs& m_inputs;
};

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

std::optional<OperatorCost> convolution(const Costs& c, const ConvolutionArguments& at) {
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
  const double perOutput = elements(w) / static_cast<double>(std::max<std::int64_t>(1, w[0]));
  return Costs::of(2 * elements(out) * perOutput, {c.bytes(0), c.bytes(1), c.bytesOf(out)});
}

// Data gradient: output gradient and weights in, input gradient out. Weight gradient: input and output gradient in, weight gradient
// out.
std::optional<OperatorCost> convolutionBackward(const Costs& c, const Inputs& inputs) {
  const Shape gradient = c.shape(0), x = c.shape(1), w = c.shape(2);
  if (gradient.size() < 3 || w.size() != x.size() || x.size() != gradient.size())
    return std::nullopt;
  const std::string mask = inputs.back().concrete; // "[True, True, False]": gradients of input, weight, bias
  const auto parts = split(mask, ',');
  const bool data = parts.size() < 2 || parts[0].find("True") != std::string::npos,
             weight = parts.size() < 2 || parts[1].find("True") != std::string::npos;
  const double products = 2 * elements(gradient) * elements(w) / static_cast<double>(std::max<std::int64_t>(1, w[0]));
  const double moved = (data ? c.bytes(0) + c.bytes(2) + c.bytes(1) : 0) + (weight ? c.bytes(1) + c.bytes(0) + c.bytes(2) : 0);
  return Costs::of(products * (data + weight), {c.bytes(0), c.bytes(1), c.bytes(2)}, moved);
}

// (…, M, K) × (…, K, N)
std::optional<OperatorCost> product(const Costs& c, std::size_t first) {
  const Shape a = c.shape(first), b = c.shape(first + 1);
  if (a.size() < 2 || b.size() < 2)
    return std::nullopt;
  Shape out = a;
  out.back() = b.back();
  return Costs::of(2 * elements(out) * static_cast<double>(a.back()), {c.bytes(first), c.bytes(first + 1), c.bytesOf(out, first)});
}

std::optional<OperatorCost> linear(const Costs& c) {
  const Shape x = c.shape(0), w = c.shape(1);
  if (x.empty() || w.size() != 2)
    return std::nullopt;
  Shape out = x;
  out.back() = w[0];
  return Costs::of(2 * elements(out) * static_cast<double>(w[1]), {c.bytes(0), c.bytes(1), c.bytesOf(out)});
}

std::optional<OperatorCost> attention(const Costs& c) { // q (…, L, E), k (…, S, E), v
  const Shape q = c.shape(0), k = c.shape(1);
  if (q.size() < 3 || k.size() != q.size())
    return std::nullopt;
  return Costs::of(4 * elements(q) * static_cast<double>(k[k.size() - 2]), {c.bytes(0), c.bytes(1), c.bytes(2), c.bytes(0)});
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

std::optional<OperatorCost> elementwise(const Costs& c, std::size_t operands, double flopsPerElement) {
  Shape out;
  std::vector<double> tensors;
  for (std::size_t i = 0; i < operands; ++i) {
    out = broadcast(out, c.shape(i));
    tensors.push_back(c.bytes(i));
  }
  if (out.empty())
    return std::nullopt;
  tensors.push_back(c.bytesOf(out));
  return Costs::of(flopsPerElement * elements(out), std::move(tensors));
}

// Reads its input `reads` times and writes as much once.
std::optional<OperatorCost> passes(const Costs& c, double tensorsMoved, double flopsPerElement) {
  const double bytes = c.bytes(0);
  if (bytes == 0)
    return std::nullopt;
  return Costs::of(flopsPerElement * elements(c.shape(0)), {bytes, bytes}, tensorsMoved * bytes);
}

std::optional<OperatorCost> upsample(const Costs& c, bool backward) {
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
  const double large = std::max(elements(in), elements(other));
  return Costs::of(15 * large, {c.bytes(0), c.bytesOf(other)}); // trilinear: 8 products, 7 sums
}

std::optional<OperatorCost> concatenation(const Inputs& inputs) {
  double bytes = 0;
  std::vector<double> tensors;
  for (const auto& tensor : inputs.empty() ? std::vector<Shape>() : inputs[0].tensors) {
    tensors.push_back(elements(tensor) * 4);
    bytes += tensors.back();
  }
  if (bytes == 0)
    return std::nullopt;
  tensors.push_back(bytes);
  return Costs::of(0, std::move(tensors));
}

std::optional<OperatorCost> copy(const Costs& c, std::size_t from, std::size_t to) {
  const double source = c.bytes(from), target = c.bytes(to);
  if (source == 0)
    return std::nullopt;
  return Costs::of(0, {source, target > 0 ? target : source});
}

// Voxlab's own operators (core/kernels/torch_ops.cpp). Their convolutions are 3×3×3 with padding 1 and have no stride.
constexpr double kTaps = 27;

double voxels(const Shape& s) { return s.size() == 5 ? elements(s) / static_cast<double>(std::max<std::int64_t>(1, s[1])) : 0; } // of all volumes

std::optional<OperatorCost> ownConvolution(const Costs& c, std::size_t weight, double outputBytes) {
  const Shape x = c.shape(0), w = c.shape(weight);
  if (x.size() != 5 || w.size() != 5)
    return std::nullopt;
  const std::int64_t outputs = x[1] == w[1] ? w[0] : w[1]; // a gradient by the input has the weight's sides swapped
  return Costs::of(2 * voxels(x) * elements(w), {c.bytes(0), c.bytes(weight), voxels(x) * static_cast<double>(outputs) * outputBytes});
}

std::optional<OperatorCost> ownWeightGradient(const Costs& c) {
  const Shape a = c.shape(0), b = c.shape(1);
  if (a.size() != 5 || b.size() != 5)
    return std::nullopt;
  const double weights = kTaps * static_cast<double>(a[1]) * static_cast<double>(b[1]);
  return Costs::of(2 * voxels(a) * weights, {c.bytes(0), c.bytes(1), 4 * weights});
}

// Passes over a tensor that may come in two parts (the decoder's two inputs, which are not joined).
std::optional<OperatorCost> ownPasses(const Costs& c, std::size_t x, std::size_t x2, double tensorsMoved, double flopsPerElement) {
  const double bytes = c.bytes(x) + c.bytes(x2);
  if (bytes == 0)
    return std::nullopt;
  const Shape second = c.shape(x2);
  return Costs::of(flopsPerElement * (elements(c.shape(x)) + (second.empty() ? 0 : elements(second))), {bytes, bytes}, tensorsMoved * bytes);
}

std::optional<OperatorCost> ownOperator(std::string_view name, const Costs& c) {
  const double wideBytes = c.value(4) == "15" || c.value(4) == "5" ? 2 : 4; // c10::ScalarType: BFloat16, Half
  if (name == "wide_convolution")
    return ownConvolution(c, 1, elementBytes(c.type(0)));
  if (name == "narrow_to_wide")
    return ownConvolution(c, 1, wideBytes);
  if (name == "wide_to_narrow")
    return ownConvolution(c, 2, 4);
  if (name == "wide_weight_gradient" || name == "narrow_times_wide")
    return ownWeightGradient(c);
  if (name == "scale_shift")
    return ownPasses(c, 0, 1, 2, 7); // scale, shift, SiLU
  if (name == "scale_shift_backward")
    return ownPasses(c, 1, 2, 5, 17); // x and dy for the sums, again for dx, which is written
  if (name == "channel_moments")
    return ownPasses(c, 0, 1, 1, 4);
  if (name == "upsample_2x")
    return Costs::of(15 * 8 * elements(c.shape(0)), {c.bytes(0), 8 * c.bytes(0)});
  if (name == "upsample_2x_backward")
    return Costs::of(15 * elements(c.shape(0)), {c.bytes(0), c.bytes(0) / 8});
  return std::nullopt;
}

struct Simple {
  std::string_view name;
  std::size_t operands; // 0: a pass over the first input
  double tensorsMoved, flopsPerElement;
};
constexpr Simple kSimple[] = {
    {"aten::native_group_norm_backward", 0, 5, 12}, // x and dy twice, dx
    {"aten::native_group_norm", 0, 3, 8},           // x twice, y
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

std::optional<OperatorCost> operatorCost(std::string_view name, const std::vector<OperatorInput>& inputs) {
  if (inputs.empty())
    return std::nullopt;
  const Costs c(inputs);
  for (const auto& row : kConvolutions)
    if (row.name == name)
      return convolution(c, row);
  for (const auto& row : kSimple)
    if (row.name == name)
      return row.operands > 0 ? elementwise(c, row.operands, row.flopsPerElement)
                              : passes(c, row.tensorsMoved, row.flopsPerElement);
  constexpr std::string_view kOwn = "voxlab::";
  if (name.starts_with(kOwn))
    return ownOperator(name.substr(kOwn.size()), c);
  if (name == "aten::convolution_backward")
    return convolutionBackward(c, inputs);
  if (name == "aten::mm" || name == "aten::bmm" || name == "aten::matmul")
    return product(c, 0);
  if (name == "aten::addmm" || name == "aten::baddbmm")
    return product(c, 1);
  if (name == "aten::linear")
    return linear(c);
  if (name.starts_with("aten::_scaled_dot_product") || name == "aten::scaled_dot_product_attention")
    return name.find("backward") == std::string_view::npos ? attention(c) : std::nullopt;
  if (name.starts_with("aten::upsample"))
    return upsample(c, name.ends_with("backward"));
  if (name == "aten::cat")
    return concatenation(inputs);
  if (name == "aten::copy_")
    return copy(c, 1, 0);
  if (name == "aten::clone" || name == "aten::contiguous" || name == "aten::_to_copy" || name == "aten::to")
    return copy(c, 0, 0);
  return std::nullopt;
}

} // namespace voxlab
