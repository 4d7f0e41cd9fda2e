// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/operand_costs.h"
#include <algorithm>
#include <numeric>

namespace voxlab {

double elementsIn(const std::vector<std::int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), 1.0, [](double product, std::int64_t side) { return product * static_cast<double>(side); });
}

OperatorCost OperandCosts::of(double flops, std::vector<double> tensors, double moved) {
  std::erase(tensors, 0.0);
  std::sort(tensors.rbegin(), tensors.rend());
  return {flops, moved, tensors.empty() ? 0 : tensors.front(), std::move(tensors)};
}

OperatorCost OperandCosts::of(double flops, std::vector<double> tensors) {
  const double moved = std::accumulate(tensors.begin(), tensors.end(), 0.0);
  return of(flops, std::move(tensors), moved);
}

} // namespace voxlab
