// SPDX-License-Identifier: Apache-2.0
// CUDA, opened at run time: the programs link LibTorch's CPU half only. Found by the driver; then libtorch_cuda beside
// libtorch_cpu, then the module with the own kernels beside the program or in its lib folder.
#pragma once
#include "core/base/json.h"
#include <c10/core/Device.h>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace voxlab {

struct CudaDevice {
  int index = 0;
  std::string name;
  std::int64_t memory_bytes = 0;
  int capabilityMajor = 0, capabilityMinor = 0; // 9.0: Hopper, 8.0: Ampere, 7.5: Turing
  std::string pciBusId;                         // "0000:1a:00.0"; finds the device in NVML
  bool hasTf32() const { return capabilityMajor >= 8; }
  bool hasBf16() const { return capabilityMajor >= 8; }
};

// Asks the driver; opens nothing large. Empty without driver or GPU.
const std::vector<CudaDevice>& cudaDevices();
// Why there is none, as a sentence; empty when there is one.
const std::string& cudaDevicesMissing();

// Opens LibTorch's CUDA half and the module, once; later calls return the first result. Call it before anything else that
// may ask LibTorch about CUDA. Fails with NoDevice and a sentence. A missing module is no failure: LibTorch's own kernels
// then do the work.
Status loadCuda();
bool isCudaLoaded();
// Why the own kernels are missing although CUDA is loaded; empty when they are there.
std::string cudaModuleMissing();
// A function of the module; nullptr if there is none.
void* cudaModuleSymbol(const char* name);

// "auto": the first GPU, or the CPU when there is none; "cpu", "cuda", "cuda:1". Opens CUDA when it is to be used. Fails with
// NoDevice when a GPU was asked for and cannot be had, with Usage on other text.
Result<c10::Device> chooseDevice(const std::string& text);

// The device's entry in cudaDevices; nothing for the CPU.
std::optional<CudaDevice> cudaDeviceOf(c10::Device device);

// LibTorch's allocator, for one CUDA device; nothing for the CPU.
struct DeviceMemory {
  std::int64_t allocated_bytes = 0, reserved_bytes = 0, peakAllocated_bytes = 0, peakReserved_bytes = 0;
};
std::optional<DeviceMemory> deviceMemory(c10::Device device);
void resetPeakMemory(c10::Device device);
void releaseCachedMemory(c10::Device device);
void synchronize(c10::Device device); // waits until the device has done all it was given; nothing on the CPU

// LibTorch, CUDA driver, runtime and cuDNN versions as far as they are known.
Json computeVersions();

} // namespace voxlab
