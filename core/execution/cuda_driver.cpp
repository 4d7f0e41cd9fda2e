// SPDX-License-Identifier: Apache-2.0
#include "core/execution/cuda_driver.h"
#include <array>
#include <dlfcn.h>

namespace voxlab {
namespace {

// CUresult, CUdevice and the device attributes, as cuda.h has them.
constexpr int kSuccess = 0;
constexpr int kCapabilityMajor = 75, kCapabilityMinor = 76;

class DriverLibrary {
public:
  DriverLibrary() : m_library(::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {}
  bool isOpen() const { return m_library != nullptr; }
  // Calls NAME(arguments…); anything but 0 is an error, a missing function too.
  template <class... A> int call(const char* name, A... arguments) const {
    using Function = int (*)(A...);
    const auto function = reinterpret_cast<Function>(::dlsym(m_library, name));
    return function ? function(arguments...) : -1;
  }

private:
  void* m_library; // stays open: LibTorch uses it too
};

std::optional<CudaDevice> describe(const DriverLibrary& driver, int index) {
  CudaDevice device;
  device.index = index;
  int handle = 0;
  std::array<char, 256> text{};
  std::size_t memory = 0;
  if (driver.call("cuDeviceGet", &handle, index) != kSuccess)
    return std::nullopt;
  if (driver.call("cuDeviceGetName", text.data(), static_cast<int>(text.size()) - 1, handle) == kSuccess)
    device.name = text.data();
  if (driver.call("cuDeviceTotalMem_v2", &memory, handle) == kSuccess)
    device.memory_bytes = static_cast<std::int64_t>(memory);
  driver.call("cuDeviceGetAttribute", &device.capabilityMajor, kCapabilityMajor, handle);
  driver.call("cuDeviceGetAttribute", &device.capabilityMinor, kCapabilityMinor, handle);
  text.fill('\0');
  if (driver.call("cuDeviceGetPCIBusId", text.data(), static_cast<int>(text.size()) - 1, handle) == kSuccess)
    device.pciBusId = text.data();
  return device;
}

} // namespace

CudaDriver askCudaDriver() {
  CudaDriver result;
  const DriverLibrary driver;
  if (!driver.isOpen()) {
    result.missing = "There is no NVIDIA driver on this machine (libcuda.so.1 was not found).";
    return result;
  }
  const int error = driver.call("cuInit", 0u);
  int count = 0, version = 0;
  if (error == kSuccess)
    driver.call("cuDeviceGetCount", &count);
  if (error != kSuccess || count == 0) {
    result.missing = "The NVIDIA driver finds no GPU (cuInit: " + std::to_string(error) + ").";
    return result;
  }
  if (driver.call("cuDriverGetVersion", &version) == kSuccess)
    result.version = version;
  for (int i = 0; i < count; ++i)
    if (auto device = describe(driver, i))
      result.devices.push_back(std::move(*device));
  return result;
}

} // namespace voxlab
