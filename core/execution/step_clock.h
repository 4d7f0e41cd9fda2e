// SPDX-License-Identifier: Apache-2.0
// Times steps as they come, without making the device wait for the host between them: the host runs one step ahead. On a GPU
// each step has two times: by the device's clock between marks on its stream, and by the host's clock. The host learns of a step's
// end only when it has prepared the next, so it measures all steps together, and the marks tell how much of that is each step's.
#pragma once
#include <c10/core/Device.h>
#include <c10/core/Event.h>
#include <chrono>
#include <optional>
#include <vector>

namespace voxlab {

struct StepTime {
  double wall_ms = 0;
  std::optional<double> device_ms; // nothing on the CPU
};

class StepClock {
public:
  explicit StepClock(c10::Device device);
  void begin(); // waits for the device, then starts
  void mark();  // a step has been given to the device
  // Waits for the last step; the times of all steps since begin().
  std::vector<StepTime> finish();

private:
  using Clock = std::chrono::steady_clock;
  void record();
  void noteEnd(std::size_t step); // once the device has done it

  c10::Device m_device;
  std::vector<c10::Event> m_marks; // the first is the begin's
  std::vector<Clock::time_point> m_ends;
};

} // namespace voxlab
