// SPDX-License-Identifier: Apache-2.0
// LibTorch's automatic casting of operations to 16 bits, set for a scope. (Its own header includes all of ATen.)
#pragma once
#include <ATen/core/Tensor.h>
#include <optional>

namespace voxlab {

struct AutocastState {
  at::DeviceType device = at::kCPU;
  std::optional<at::ScalarType> type; // nothing: off
  static AutocastState current(at::DeviceType device);
};

// Sets the state, and at its end the one before. Weight copies that autocast caches live as long as the outermost scope.
class AutocastScope {
public:
  explicit AutocastScope(const AutocastState& state);
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

private:
  AutocastState m_before;
  at::ScalarType m_typeBefore;
};

} // namespace voxlab
