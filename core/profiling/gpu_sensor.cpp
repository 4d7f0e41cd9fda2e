// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/gpu_sensor.h"

namespace voxlab {

Json toJson(const GpuReading& r) {
  const std::pair<const char*, const std::optional<double>*> fields[] = {
      {"utilisation_percent", &r.utilisation_percent},
      {"memory_bytes", &r.memory_bytes},
      {"memory_total_bytes", &r.memoryTotal_bytes},
      {"power_w", &r.power_w},
      {"energy_j", &r.energy_j},
      {"sm_clock_mhz", &r.smClock_mhz},
      {"memory_clock_mhz", &r.memoryClock_mhz},
      {"temperature_c", &r.temperature_c},
      {"pcie_tx_bytes_per_s", &r.pcieTransmit_bytes_per_s},
      {"pcie_rx_bytes_per_s", &r.pcieReceive_bytes_per_s},
  };
  Json json = Json::object();
  for (const auto& [name, value] : fields)
    if (*value)
      json[name] = **value;
  if (r.throttle)
    json["throttle"] = *r.throttle;
  return json;
}

} // namespace voxlab
