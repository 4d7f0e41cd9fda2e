// SPDX-License-Identifier: Apache-2.0
// Another backend's predictions, recorded once and replayed: inputs are copied to places that stay.
#pragma once
#include "core/diffusion/work_runner.h"
#include "core/execution/backend.h"
#include <memory>

namespace voxlab {

class GraphBackend : public Backend {
public:
  GraphBackend(std::unique_ptr<Backend> inner, std::unique_ptr<WorkRunner> runner) : m_inner(std::move(inner)), m_runner(std::move(runner)) {}

  std::string name() const override { return m_inner->name(); }
  // With gradients enabled the inner backend is asked directly: a training step is recorded as a whole. One recording is
  // kept; inputs of another shape start a new one.
  at::Tensor predict(const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps) override;

private:
  bool fits(const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps) const;
  void allocate(const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps);

  void takeCondition(const at::Tensor& condition);

  std::unique_ptr<Backend> m_inner;
  std::unique_ptr<WorkRunner> m_runner;
  at::Tensor m_x, m_condition, m_timesteps, m_result; // stay at their addresses
  at::Tensor m_givenCondition; // what m_condition holds a copy of
  std::int64_t m_givenVersion = 0;
};

} // namespace voxlab
