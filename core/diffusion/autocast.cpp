// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/autocast.h"
#include <ATen/autocast_mode.h>

namespace voxlab {

AutocastState AutocastState::current(at::DeviceType device) {
  AutocastState state{device, std::nullopt};
  if (at::autocast::is_autocast_enabled(device))
    state.type = at::autocast::get_autocast_dtype(device);
  return state;
}

AutocastScope::AutocastScope(const AutocastState& state)
    : m_before(AutocastState::current(state.device)), m_typeBefore(at::autocast::get_autocast_dtype(state.device)) {
  at::autocast::set_autocast_enabled(state.device, state.type.has_value());
  if (state.type)
    at::autocast::set_autocast_dtype(state.device, *state.type);
  at::autocast::increment_nesting();
}

AutocastScope::~AutocastScope() {
  if (at::autocast::decrement_nesting() == 0)
    at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(m_before.device, m_before.type.has_value());
  at::autocast::set_autocast_dtype(m_before.device, m_typeBefore);
}

} // namespace voxlab
