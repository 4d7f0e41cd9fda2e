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

std::optional<OperatorCost> adamOverLists(const std::vector<OperatorInput>& inputs, std::size_t more) {
  constexpr std::size_t kMoved = 7;
  constexpr double kFlops = 12, kBytes = 4;
  if (inputs.empty() || inputs[0].tensors.size() != 1)
    return std::nullopt;
  const double all = elementsIn(inputs[0].tensors[0]);
  return OperandCosts::of(kFlops * all, std::vector<double>(kMoved + more, kBytes * all));
}

} // namespace voxlab
