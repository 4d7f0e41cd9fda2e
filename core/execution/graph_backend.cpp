// SPDX-License-Identifier: Apache-2.0
#include "core/execution/graph_backend.h"
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>

namespace voxlab {
namespace {
bool same(const at::Tensor& a, const at::Tensor& b) {
  return a.defined() == b.defined() && (!a.defined() || (a.sizes() == b.sizes() && a.scalar_type() == b.scalar_type() && a.device() == b.device()));
}
at::Tensor placeFor(const at::Tensor& t) { return t.defined() ? at::empty(t.sizes(), t.options()) : at::Tensor(); }
} // namespace

bool GraphBackend::fits(const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps) const {
  return same(m_x, x) && same(m_condition, condition) && same(m_timesteps, timesteps);
}

void GraphBackend::allocate(const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps) {
  m_runner->forget();
  m_x = placeFor(x);
  m_condition = placeFor(condition);
  m_timesteps = placeFor(timesteps);
  m_result.reset();
  m_givenCondition.reset();
}

// A sampling gives the same condition at every step.
void GraphBackend::takeCondition(const at::Tensor& condition) {
  if (!condition.defined() || (condition.is_same(m_givenCondition) && condition._version() == m_givenVersion))
    return;
  m_condition.copy_(condition);
  m_givenCondition = condition;
  m_givenVersion = condition._version();
}

at::Tensor GraphBackend::predict(const at::Tensor& x, const at::Tensor& condition, const at::Tensor& timesteps) {
  if (c10::GradMode::is_enabled())
    return m_inner->predict(x, condition, timesteps);
  if (!fits(x, condition, timesteps))
    allocate(x, condition, timesteps);
  m_x.copy_(x);
  takeCondition(condition);
  m_timesteps.copy_(timesteps);
  m_runner->run("predict", [this] { m_result = m_inner->predict(m_x, m_condition, m_timesteps); }); // once recorded, it stays where it is
  return m_result.clone();
}

} // namespace voxlab
