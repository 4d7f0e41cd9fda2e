// SPDX-License-Identifier: Apache-2.0
// Signatures and constants as in NVIDIA's nvml.h (NVML API Reference Guide); the header is not needed to build.
#include "core/profiling/nvml_source.h"
#include <array>
#include <dlfcn.h>

namespace voxlab {
namespace {
using Device = void*;
constexpr int kSuccess = 0, kFunctionNotFound = 13;
constexpr int kSmClock = 1, kMemoryClock = 2, kCoreTemperature = 0, kPcieTransmit = 0, kPcieReceive = 1;

struct Utilisation {
  unsigned gpu = 0, memory = 0;
};
struct MemoryInfo {
  unsigned long long total = 0, free = 0, used = 0;
};

struct Reason {
  unsigned long long bit;
  const char* words;
};
// nvmlClocksEventReason…; 1, idle, is no reason to worry.
constexpr Reason kReasons[] = {
    {0x2, "clocks set by an application"}, {0x4, "power limit"},          {0x8, "hardware slowdown"},
    {0x10, "synchronised boost"},          {0x20, "software thermal limit"}, {0x40, "hardware thermal limit"},
    {0x80, "external power brake"},        {0x100, "display clocks"},
};

std::string reasonWords(unsigned long long reasons) {
  std::string words;
  for (const Reason& reason : kReasons)
    if (reasons & reason.bit)
      words += (words.empty() ? "" : ", ") + std::string(reason.words);
  return words;
}
} // namespace

class NvmlLibrary {
public:
  explicit NvmlLibrary(void* library) : m_library(library) {}
  ~NvmlLibrary() {
    call("nvmlShutdown");
    ::dlclose(m_library);
  }
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;

  // Calls NAME(arguments…); a missing function is an error like others.
  template <class... A> int call(const char* name, A... arguments) const {
    using Function = int (*)(A...);
    const auto function = reinterpret_cast<Function>(::dlsym(m_library, name));
    return function ? function(arguments...) : kFunctionNotFound;
  }

private:
  void* m_library;
};

namespace {
class NvmlSensor : public GpuSensor {
public:
  NvmlSensor(std::shared_ptr<const NvmlLibrary> nvml, Device device) : m_nvml(std::move(nvml)), m_device(device) {}

  GpuReading read() override {
    GpuReading r;
    Utilisation utilisation;
    if (m_nvml->call("nvmlDeviceGetUtilizationRates", m_device, &utilisation) == kSuccess)
      r.utilisation_percent = utilisation.gpu;
    MemoryInfo memory;
    if (m_nvml->call("nvmlDeviceGetMemoryInfo", m_device, &memory) == kSuccess) {
      r.memory_bytes = static_cast<double>(memory.used);
      r.memoryTotal_bytes = static_cast<double>(memory.total);
    }
    r.power_w = figure(1e-3, "nvmlDeviceGetPowerUsage");
    r.energy_j = energy_j();
    r.smClock_mhz = figure(1, "nvmlDeviceGetClockInfo", kSmClock);
    r.memoryClock_mhz = figure(1, "nvmlDeviceGetClockInfo", kMemoryClock);
    r.temperature_c = figure(1, "nvmlDeviceGetTemperature", kCoreTemperature);
    r.pcieTransmit_bytes_per_s = figure(1024, "nvmlDeviceGetPcieThroughput", kPcieTransmit);
    r.pcieReceive_bytes_per_s = figure(1024, "nvmlDeviceGetPcieThroughput", kPcieReceive);
    unsigned long long reasons = 0;
    if (m_nvml->call("nvmlDeviceGetCurrentClocksThrottleReasons", m_device, &reasons) == kSuccess)
      r.throttle = reasonWords(reasons);
    return r;
  }

  std::optional<double> energy_j() override {
    unsigned long long millijoules = 0;
    if (m_nvml->call("nvmlDeviceGetTotalEnergyConsumption", m_device, &millijoules) != kSuccess)
      return std::nullopt;
    return static_cast<double>(millijoules) * 1e-3;
  }

  std::optional<double> memory_bytes() override {
    MemoryInfo memory;
    if (m_nvml->call("nvmlDeviceGetMemoryInfo", m_device, &memory) != kSuccess)
      return std::nullopt;
    return static_cast<double>(memory.used);
  }

private:
  template <class... A> std::optional<double> figure(double unit, const char* name, A... arguments) const {
    unsigned value = 0;
    if (m_nvml->call(name, m_device, arguments..., &value) != kSuccess)
      return std::nullopt;
    return static_cast<double>(value) * unit;
  }

  std::shared_ptr<const NvmlLibrary> m_nvml;
  Device m_device;
};
} // namespace

Result<std::shared_ptr<const NvmlLibrary>> openNvml(const std::filesystem::path& library) {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return fail(ExitCode::NoDevice, "The GPU's own figures (power, clocks, temperature) cannot be read: " + library.string() + " was not found.");
  auto nvml = std::make_shared<NvmlLibrary>(handle);
  if (const int error = nvml->call("nvmlInit_v2"); error != kSuccess)
    return fail(ExitCode::NoDevice, "The GPU's own figures cannot be read: nvmlInit answered " + std::to_string(error) + ".");
  return nvml;
}

std::optional<std::string> driverVersion(const NvmlLibrary& nvml) {
  std::array<char, 96> text{};
  if (nvml.call("nvmlSystemGetDriverVersion", text.data(), static_cast<unsigned>(text.size() - 1)) != kSuccess)
    return std::nullopt;
  return std::string(text.data());
}

Result<std::unique_ptr<GpuSensor>> nvmlSensor(std::shared_ptr<const NvmlLibrary> nvml, const std::string& pciBusId) {
  Device device = nullptr;
  if (const int error = nvml->call("nvmlDeviceGetHandleByPciBusId_v2", pciBusId.c_str(), &device); error != kSuccess)
    return fail(ExitCode::NoDevice, "NVML knows no GPU at " + pciBusId + " (it answered " + std::to_string(error) + ").");
  return std::make_unique<NvmlSensor>(std::move(nvml), device);
}

} // namespace voxlab
