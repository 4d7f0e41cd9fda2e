// SPDX-License-Identifier: Apache-2.0
// Work recorded once on a device and replayed without the host's preparing it again (a CUDA graph). An interface without
// LibTorch or CUDA: the module makes the real one, tests a fake.
#pragma once
#include <functional>

namespace voxlab {

class DeviceGraph {
public:
  virtual ~DeviceGraph() = default;
  // Does the work on the graph's own stream, after what the current stream has to do and before what it gets next.
  virtual void warmUp(const std::function<void()>& work) = 0;
  // Records the work without doing it. Everything that it reads and writes has to stay at its address.
  virtual void capture(const std::function<void()>& work) = 0;
  // Does the recorded work, in order with the current stream.
  virtual void replay() = 0;
};

} // namespace voxlab
