// SPDX-License-Identifier: Apache-2.0
#include "app/worker/engine.h"
#include "core/base/failure.h"
#include "core/execution/cuda_runtime.h"
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
} // namespace

Engine::Engine(const JobSpec& spec)
    : m_device(valueOrThrow(chooseDevice(spec.get<std::string>("device", "auto")))),
      m_mode(valueOrThrow(parseMode(spec.get<std::string>("mode", "baseline")))),
      m_determinism(spec.get<bool>("deterministic") ? Determinism::On : Determinism::Off) {
  if (const std::string reason = unavailableReason(m_mode.switches, m_device); !reason.empty())
    throw Failure(ExitCode::NoDevice, reason);
  m_guard = std::make_unique<ModeGuard>(m_mode.switches, m_determinism);
}

NamedTensors Engine::place(const NamedTensors& weights) const {
  return placeParameters(weights, m_mode.switches, m_device);
}

std::unique_ptr<Backend> Engine::backend(const NetworkSpec& network, const NamedTensors& parameters, BackendUse use) const {
  return std::make_unique<EagerBackend>(network, parameters, m_mode.switches, use, m_determinism);
}

AdamKind Engine::adamKind() const {
  return m_mode.switches.fusedOptimiser || gradientScaler() ? AdamKind::Fused : AdamKind::Lists;
}

std::unique_ptr<GradientScaler> Engine::gradientScaler() const {
  return m_mode.switches.precision == Precision::Fp16 ? std::make_unique<GradientScaler>(m_device) : nullptr;
}

Json Engine::memory() const {
  Json fields{{"host_bytes", residentBytes()}};
  if (const auto gpu = deviceMemory(m_device)) {
    fields["allocated_bytes"] = gpu->allocated_bytes;
    fields["reserved_bytes"] = gpu->reserved_bytes;
    fields["peak_allocated_bytes"] = gpu->peakAllocated_bytes;
  }
  return fields;
}

Json Engine::environment() const {
  Json fields{{"device", m_device.str()}, {"mode", m_mode.name}, {"switches", toJson(m_mode.switches)}, {"effective", effectiveState()}};
  if (const auto gpu = cudaDeviceOf(m_device)) {
    fields["gpu"] = gpu->name;
    fields["gpu_memory_bytes"] = gpu->memory_bytes;
    fields["gpu_pci_bus_id"] = gpu->pciBusId;
    fields["own_kernels"] = cudaModuleMissing().empty();
  }
  fields["compute_versions"] = computeVersions();
  return fields;
}

} // namespace voxlab
