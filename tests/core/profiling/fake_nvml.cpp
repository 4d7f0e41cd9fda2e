// SPDX-License-Identifier: Apache-2.0
// A library with NVML's names and signatures for one made-up GPU at 0000:1a:00.0. It knows no PCIe throughput, and its memory clock
// is "not supported".
#include <cstring>

namespace {
constexpr int kSuccess = 0, kNotSupported = 3, kNotFound = 6;
int g_initialised = 0;
unsigned long long g_energy_mj = 5000;
int g_device = 0;
struct Utilisation {
  unsigned gpu, memory;
};
struct MemoryInfo {
  unsigned long long total, free, used;
};
} // namespace

extern "C" {
int nvmlInit_v2() {
  ++g_initialised;
  return kSuccess;
}
int nvmlShutdown() {
  --g_initialised;
  return kSuccess;
}
int fakeNvmlInitialised() {
  return g_initialised;
}
int nvmlSystemGetDriverVersion(char* text, unsigned length) {
  std::strncpy(text, "580.65.06", length);
  return kSuccess;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) {
  *device = &g_device;
  return std::strcmp(id, "0000:1a:00.0") == 0 ? kSuccess : kNotFound;
}
int nvmlDeviceGetUtilizationRates(void*, Utilisation* u) {
  *u = {97, 40};
  return kSuccess;
}
int nvmlDeviceGetMemoryInfo(void*, MemoryInfo* m) {
  *m = {150'000'000'000ull, 120'000'000'000ull, 30'000'000'000ull};
  return kSuccess;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 612'345;
  return kSuccess;
}
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  *millijoules = g_energy_mj += 1500;
  return kSuccess;
}
int nvmlDeviceGetClockInfo(void*, int type, unsigned* mhz) {
  *mhz = 1980;
  return type == 1 ? kSuccess : kNotSupported;
}
int nvmlDeviceGetTemperature(void*, int, unsigned* degrees) {
  *degrees = 61;
  return kSuccess;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = 0x1 | 0x4 | 0x40;
  return kSuccess;
}
}
