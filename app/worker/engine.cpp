// SPDX-License-Identifier: Apache-2.0
#include "app/worker/engine.h"
#include "app/worker/log.h"
#include "app/worker/registry.h"
#include "core/analysis/roofline.h"
#include "core/base/failure.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/graph_runner.h"
#include "core/execution/training_parts.h"
#include <ATen/Parallel.h>
#include <fstream>
#include <unistd.h>

namespace voxlab {
namespace {
std::int64_t residentBytes() {
  std::ifstream in("/proc/self/statm");
  std::int64_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

Mode usableMode(const std::string& name, at::Device device) {
  Mode mode = valueOrThrow(parseMode(name.empty() ? "baseline" : name));
  if (const std::string why = unavailableReason(mode.switches, device); !why.empty())
    throw Failure(ExitCode::Usage, "The mode \"" + name + "\" cannot be used on " + device.str() + ": " + why);
  return mode;
}
} // namespace

Engine::Engine(const JobSpec& spec)
    : m_backend(spec.get<std::string>("backend", "eager")),
      m_determinism(spec.get<bool>("deterministic") ? Determinism::On : Determinism::Off),
      m_device(valueOrThrow(chooseDevice(spec.get<std::string>("device", "auto")))),
      m_mode(usableMode(spec.get<std::string>("mode"), m_device)) {
  if (const auto threads = spec.get<int>("threads"); threads > 0)
    at::set_num_threads(threads);
  m_guard = std::make_unique<ModeGuard>(m_mode.switches, m_determinism);
  if (!m_device.is_cuda())
    return;
  if (auto nvml = openNvml())
    m_nvml = std::move(*nvml);
  else
    log::info(nvml.error().message);
}

std::optional<double> Engine::bound_ms(const NetworkPlan& plan, StepKind step, const ModeSwitches& switches) const {
  const auto gpu = cudaDeviceOf(m_device);
  const DevicePeaks* peaks = gpu ? devicePeaks(gpu->name) : nullptr;
  return peaks ? boundTime_ms(plan, step, switches, *peaks) : std::nullopt;
}

std::unique_ptr<GpuSensor> Engine::gpuSensor() const {
  const auto gpu = cudaDeviceOf(m_device);
  auto sensor = m_nvml && gpu ? nvmlSensor(m_nvml, gpu->pciBusId) : fail(ExitCode::NoDevice, "");
  if (!sensor && !sensor.error().message.empty())
    log::info(sensor.error().message);
  return sensor ? std::move(*sensor) : nullptr;
}

std::unique_ptr<Backend> Engine::backend(const NetworkSpec& network, const NamedTensors& parameters, BackendUse use) const {
  return backendEntry(m_backend).make({network, parameters, m_mode.switches, use, m_determinism});
}

AdamKind Engine::adamKind() const {
  return adamKindOf(m_mode.switches);
}

SamplerSettings Engine::withUpdate(SamplerSettings settings) const {
  settings.update = updateKindOf(m_mode.switches);
  return settings;
}

std::unique_ptr<GradientScaler> Engine::gradientScaler() const {
  return makeGradientScaler(m_mode.switches, m_device);
}

std::unique_ptr<WorkRunner> Engine::workRunner() const {
  return makeWorkRunner(m_mode.switches, m_device);
}

Json Engine::memory() const {
  Json fields{{"host_bytes", residentBytes()}};
  if (const auto memory = deviceMemory(m_device)) {
    fields["allocated_bytes"] = memory->allocated_bytes;
    fields["reserved_bytes"] = memory->reserved_bytes;
    fields["peak_allocated_bytes"] = memory->peakAllocated_bytes;
  }
  return fields;
}

Json Engine::environment() const {
  Json json{{"device", m_device.str()},
            {"mode", m_mode.name},
            {"switches", toJson(m_mode.switches)},
            {"backend", m_backend},
            {"threads", at::get_num_threads()},
            {"deterministic", m_determinism == Determinism::On},
            {"effective", effectiveState()}};
  if (const auto gpu = cudaDeviceOf(m_device)) {
    json["gpu"] = {{"name", gpu->name},
                   {"memory_bytes", gpu->memory_bytes},
                   {"compute_capability", std::to_string(gpu->capabilityMajor) + "." + std::to_string(gpu->capabilityMinor)},
                   {"pci_bus_id", gpu->pciBusId}};
    if (const auto driver = m_nvml ? driverVersion(*m_nvml) : std::nullopt)
      json["driver"] = *driver;
    if (const std::string missing = cudaModuleMissing(); !missing.empty())
      json["own_kernels_missing"] = missing;
  }
  return json;
}

} // namespace voxlab
