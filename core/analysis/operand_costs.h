// SPDX-License-Identifier: Apache-2.0
// What operator_cost.cpp and own_operator_cost.cpp reckon with: an operator's inputs, and costs from the tensors that are moved.
#pragma once
#include "core/analysis/operator_cost.h"

namespace voxlab {

double elementsIn(const std::vector<std::int64_t>& shape);

class OperandCosts {
public:
  using Shape = std::vector<std::int64_t>;
  explicit OperandCosts(const std::vector<OperatorInput>& inputs) : m_inputs(inputs) {}

  // Of input i; empty and 0 where there is none.
  Shape shape(std::size_t i) const { return i < m_inputs.size() ? m_inputs[i].shape() : Shape(); }
  std::string_view type(std::size_t i) const { return i < m_inputs.size() ? std::string_view(m_inputs[i].type) : std::string_view(); }
  std::string value(std::size_t i) const { return i < m_inputs.size() ? m_inputs[i].concrete : ""; }
  double bytesOf(const Shape& s, std::size_t typeOf = 0) const { return s.empty() ? 0 : elementsIn(s) * elementBytes(type(typeOf)); }
  double bytes(std::size_t i) const { return bytesOf(shape(i), i); }

  // Finishes a cost from the tensors that are moved, once each if `moved` is not given.
  static OperatorCost of(double flops, std::vector<double> tensors, double moved);
  static OperatorCost of(double flops, std::vector<double> tensors);

private:
  const std::vector<OperatorInput>& m_inputs;
};

// Adam over FP32 lists of all parameters, of which the first one's elements are known: weights, gradients and both moments are read, all but
// the gradients written. `more`: how many times as much as one list is moved beside that.
std::optional<OperatorCost> adamOverLists(const std::vector<OperatorInput>& inputs, std::size_t more);

} // namespace voxlab
