// SPDX-License-Identifier: Apache-2.0
// How far the host may be ahead of the device: nothing in a step waits for the device, so without a limit the host would enqueue all
// steps up to the next reading of the loss, with an input batch in pinned memory for each.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <deque>

namespace voxlab {

class RunAhead {
public:
  explicit RunAhead(c10::Device device) : m_device(device) {}

  // A step was enqueued on the device's current stream. Waits until the device is at most kSteps behind; nothing to do on the CPU.
  void enqueued() {
    if (m_device.is_cpu())
      return;
    c10::Event& event = m_events.emplace_back(m_device.type());
    event.record(c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device));
    if (m_events.size() <= kSteps)
      return;
    m_events.front().synchronize();
    m_events.pop_front();
  }

private:
  static constexpr std::size_t kSteps = 2;
  c10::Device m_device;
  std::deque<c10::Event> m_events;
};

// A copy on the device, made while the host goes on if the tensor lies in pinned memory. Undefined stays undefined.
inline at::Tensor copyTo(const at::Tensor& tensor, c10::Device device) {
  return tensor.defined() ? tensor.to(device, tensor.scalar_type(), /*non_blocking=*/true) : tensor;
}

} // namespace voxlab
