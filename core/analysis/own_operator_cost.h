// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/analysis/operator_cost.h"

namespace voxlab {

// operatorCost of Voxlab's own operators (core/kernels/torch_ops.cpp): "wide_convolution", without the name space.
std::optional<OperatorCost> ownOperatorCost(std::string_view name, const std::vector<OperatorInput>& inputs);

} // namespace voxlab
