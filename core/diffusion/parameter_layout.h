// SPDX-License-Identifier: Apache-2.0
// The network's parameters without the network: names as in the published checkpoints, shapes, order, initial values.
#pragma once
#include "core/diffusion/named_tensors.h"
#include "core/protocol/network_spec.h"

namespace voxlab {

enum class InitialValue { Unknown, Uniform, Zero, One };

struct ParameterInfo {
  std::string name;
  std::vector<std::int64_t> shape;
  InitialValue initial = InitialValue::Unknown;
  double bound = 0; // 1/sqrt(fan in), as PyTorch's layers have it; 0 for norms. Uniform: values in [-bound, bound)
};

// In registration order, which is the order in checkpoints.
std::vector<ParameterInfo> parameterLayout(const NetworkSpec& network);
std::int64_t parameterCount(const NetworkSpec& network);

// A fresh network's values, float32 on the CPU: a function of the seed alone. Its output is exactly 0, since the last
// convolution and the last layer of every block start at zero.
NamedTensors initialWeights(const NetworkSpec& network, std::uint64_t seed);
// The same, but with values in the layers that start at zero: for benchmarks and comparisons, where everything has to matter.
NamedTensors randomWeights(const NetworkSpec& network, std::uint64_t seed);

// The network that has these parameters, worked out from names and shapes. Fails with Data, naming what does not fit.
Result<NetworkSpec> inferNetworkSpec(const NamedTensors& parameters);

} // namespace voxlab
