// SPDX-License-Identifier: Apache-2.0
// What a GPU says of itself: the seam between jobs and NVML.
#pragma once
#include "core/base/json.h"
#include <optional>
#include <string>

namespace voxlab {

// Every figure may be missing: on some boards, in virtual machines, without rights.
struct GpuReading {
  std::optional<double> utilisation_percent, memory_bytes, memoryTotal_bytes, power_w, smClock_mhz, memoryClock_mhz, temperature_c,
      pcieTransmit_bytes_per_s, pcieReceive_bytes_per_s;
  std::optional<double> energy_j;      // since the driver was loaded
  std::optional<std::string> throttle; // why the clocks are lowered, in words; "" when they are not
};

class GpuSensor {
public:
  virtual ~GpuSensor() = default;
  virtual GpuReading read() = 0;                   // takes some tens of milliseconds
  virtual std::optional<double> energy_j() = 0;    // at once
  virtual std::optional<double> memory_bytes() = 0; // in use on the device, by all programs; at once
};

Json toJson(const GpuReading& reading); // fields of a gpu event; what is missing is left out

} // namespace voxlab
