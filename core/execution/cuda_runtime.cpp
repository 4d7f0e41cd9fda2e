// SPDX-License-Identifier: Apache-2.0
#include "core/execution/cuda_runtime.h"
#include "core/execution/cuda_driver.h"
#include "core/kernels/torch_ops.h"
#include <ATen/Context.h>
#include <ATen/Version.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <charconv>
#include <dlfcn.h>
#include <filesystem>
#include <torch/version.h>

namespace voxlab {
namespace fs = std::filesystem;
namespace {

const CudaDriver& driver() {
  static const CudaDriver asked = askCudaDriver();
  return asked;
}

// The folder of the library or program that holds this address.
fs::path folderOf(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || !info.dli_fname)
    return {};
  std::error_code ec;
  return fs::canonical(info.dli_fname, ec).parent_path();
}

fs::path programFolder() {
  std::error_code ec;
  return fs::read_symlink("/proc/self/exe", ec).parent_path();
}

struct LoadedCuda {
  Status status = fail(ExitCode::NoDevice, "CUDA was not asked for.");
  void* module = nullptr;
  std::string moduleMissing;
};

std::string loaderMessage() {
  const char* message = ::dlerror();
  return message ? message : "unknown reason";
}

Status openTorchCuda() {
  const fs::path folder = folderOf(reinterpret_cast<const void*>(&at::globalContext));
  const fs::path library = folder / "libtorch_cuda.so";
  std::error_code ec;
  if (!fs::exists(library, ec))
    return fail(ExitCode::NoDevice, "This LibTorch was built without CUDA: there is no " + library.string() + ".");
  if (!::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL))
    return fail(ExitCode::NoDevice, "LibTorch's CUDA half could not be opened: " + loaderMessage() + ".");
  if (!at::hasCUDA() || at::detail::getCUDAHooks().getNumGPUs() == 0)
    return fail(ExitCode::NoDevice, "LibTorch finds no usable GPU; the driver may be older than its CUDA needs.");
  return {};
}

void openModule(LoadedCuda& loaded) {
  constexpr const char* kName = "libvoxlab_cuda.so";
  const fs::path program = programFolder();
  std::error_code ec;
  for (const fs::path& folder : {program, program / "lib", program.parent_path() / "lib", program.parent_path() / "lib" / "voxlab"}) {
    const fs::path file = folder / kName;
    if (!fs::exists(file, ec))
      continue;
    registerOperators();
    loaded.module = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    loaded.moduleMissing = loaded.module ? "" : "Voxlab's CUDA kernels could not be opened: " + loaderMessage() + ".";
    return;
  }
  loaded.moduleMissing = "Voxlab's CUDA kernels were not built: there is no " + std::string(kName) + " beside the program.";
}

LoadedCuda& loaded() {
  static LoadedCuda state;
  return state;
}

} // namespace

const std::vector<CudaDevice>& cudaDevices() { return driver().devices; }
const std::string& cudaDevicesMissing() { return driver().missing; }

Status loadCuda() {
  static const bool done = [] {
    LoadedCuda& state = loaded();
    if (cudaDevices().empty())
      state.status = fail(ExitCode::NoDevice, cudaDevicesMissing());
    else
      state.status = openTorchCuda();
    if (state.status)
      openModule(state);
    return true;
  }();
  (void)done;
  return loaded().status;
}

bool isCudaLoaded() { return loaded().status.has_value(); }
std::string cudaModuleMissing() { return loaded().moduleMissing; }
void* cudaModuleSymbol(const char* name) { return loaded().module ? ::dlsym(loaded().module, name) : nullptr; }

Result<c10::Device> chooseDevice(const std::string& text) {
  if (text == "cpu")
    return c10::Device(c10::kCPU);
  if (text == "auto" || text.empty()) {
    if (cudaDevices().empty())
      return c10::Device(c10::kCPU);
    const Status status = loadCuda();
    return status ? c10::Device(c10::kCUDA, 0) : c10::Device(c10::kCPU);
  }
  int index = 0;
  if (text != "cuda") {
    constexpr std::string_view kPrefix = "cuda:";
    const auto [end, error] = text.starts_with(kPrefix)
                                  ? std::from_chars(text.data() + kPrefix.size(), text.data() + text.size(), index)
                                  : std::from_chars_result{text.data(), std::errc::invalid_argument};
    if (error != std::errc() || end != text.data() + text.size() || index < 0)
      return fail(ExitCode::Usage, "The device \"" + text + "\" is not known; use auto, cpu, cuda or cuda:N.");
  }
  if (const Status status = loadCuda(); !status)
    return fail(ExitCode::NoDevice, "The device " + text + " cannot be used. " + status.error().message);
  if (index >= static_cast<int>(cudaDevices().size()))
    return fail(ExitCode::NoDevice, "The device " + text + " does not exist: this machine has " + std::to_string(cudaDevices().size()) + " GPUs, counted from 0.");
  return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index));
}

std::optional<CudaDevice> cudaDeviceOf(c10::Device device) {
  if (!device.is_cuda())
    return std::nullopt;
  const std::size_t index = static_cast<std::size_t>(device.has_index() ? device.index() : 0);
  return index < cudaDevices().size() ? std::optional(cudaDevices()[index]) : std::nullopt;
}

std::optional<DeviceMemory> deviceMemory(c10::Device device) {
  if (!device.is_cuda())
    return std::nullopt;
  auto* allocator = c10::getDeviceAllocator(c10::kCUDA);
  if (!allocator->initialized())
    return DeviceMemory{};
  const auto stats = allocator->getDeviceStats(device.index());
  const auto& allocated = stats.allocated_bytes[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
  const auto& reserved = stats.reserved_bytes[static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
  return DeviceMemory{allocated.current, reserved.current, allocated.peak, reserved.peak};
}

void resetPeakMemory(c10::Device device) {
  if (device.is_cuda() && c10::getDeviceAllocator(c10::kCUDA)->initialized())
    c10::getDeviceAllocator(c10::kCUDA)->resetPeakStats(device.index());
}

void releaseCachedMemory(c10::Device device) {
  if (device.is_cuda() && c10::getDeviceAllocator(c10::kCUDA)->initialized())
    c10::getDeviceAllocator(c10::kCUDA)->emptyCache();
}

void synchronize(c10::Device device) {
  if (device.is_cuda())
    c10::impl::VirtualGuardImpl(c10::kCUDA).synchronizeDevice(device.index());
}

Json computeVersions() {
  Json versions = {{"torch", TORCH_VERSION}};
  if (driver().version)
    versions["cuda_driver"] = *driver().version;
  if (isCudaLoaded()) {
    versions["cuda_runtime"] = at::detail::getCUDAHooks().versionCUDART();
    versions["cudnn"] = at::detail::getCUDAHooks().versionRuntimeCuDNN();
  }
  return versions;
}

} // namespace voxlab
