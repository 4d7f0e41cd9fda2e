// SPDX-License-Identifier: Apache-2.0
// What evaluates the network: the seam between training, sampling and the engines that compute.
#pragma once
#include "core/diffusion/process.h"
#include <string>

namespace voxlab {

class Backend {
public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;
  // Predicted noise (N, Ci, D, H, W), float32; see Predictor. With gradients where the engine can and they are enabled.
  virtual at::Tensor predict(const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps) = 0;

  // Calls predict; the backend must outlive it.
  Predictor predictor() {
    return [this](const at::Tensor& x, const at::Tensor& condition, const at::Tensor& t) { return predict(x, condition, t); };
  }
};

} // namespace voxlab
