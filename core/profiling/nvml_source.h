// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, opened at run time: every function and every figure of it is optional.
#pragma once
#include "core/base/result.h"
#include "core/profiling/gpu_sensor.h"
#include <filesystem>
#include <memory>

namespace voxlab {

class NvmlLibrary;

// Opens the library and initialises it. Fails with NoDevice and a sentence. May be used from any thread.
Result<std::shared_ptr<const NvmlLibrary>> openNvml(const std::filesystem::path& library = "libnvidia-ml.so.1");

std::optional<std::string> driverVersion(const NvmlLibrary& nvml); // "580.65.06"

// The GPU at this PCI address ("0000:1a:00.0"), which is how CUDA and NVML, which count differently, both name it. Fails with
// NoDevice when NVML does not know it.
Result<std::unique_ptr<GpuSensor>> nvmlSensor(std::shared_ptr<const NvmlLibrary> nvml, const std::string& pciBusId);

} // namespace voxlab
