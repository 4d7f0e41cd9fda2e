// SPDX-License-Identifier: Apache-2.0
// voxlab-worker bench --kernels: the fused kernels beside what they replace. LibTorch may use TF32, its fastest algorithms and flash
// attention, as in the fused modes; float32 stands for storage, products are TF32 on both sides.
#include "app/worker/log.h"
#include "app/worker/new_run.h"
#include "core/base/failure.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/kernel_comparison.h"
#include "core/execution/mode.h"
#include <algorithm>
#include <cstdio>

namespace voxlab {
namespace {
std::string nameOf(c10::Device device) {
  const auto gpu = cudaDeviceOf(device);
  return gpu ? gpu->name : "CPU";
}

KernelComparisonSettings settingsFrom(const JobSpec& spec) {
  const auto size = spec.get<std::vector<std::int64_t>>("data.size", {128, 128, 128});
  KernelComparisonSettings settings;
  settings.side = size.front();
  settings.channels = spec.get<std::int64_t>("model.base_channels", 64);
  if (settings.side < 2 || settings.side % 2 != 0 || std::any_of(size.begin(), size.end(), [&](std::int64_t n) { return n != settings.side; }))
    throw Failure(ExitCode::Usage, "Kernels are measured on cubes with an even side: --size 128, say.");
  return settings;
}

std::string documentOf(const std::vector<KernelComparison>& rows, c10::Device device) {
  Json document{{"device", device.str()}, {"gpu", nameOf(device)}, {"versions", computeVersions()}, {"kernels", Json::array()}};
  for (const KernelComparison& row : rows)
    document["kernels"].push_back(toJson(row));
  return document.dump(1) + "\n";
}
} // namespace

ExitCode benchKernels(const MeasureOptions& options) {
  const JobSpec spec = newSpec(options.launch);
  const KernelComparisonSettings settings = settingsFrom(spec);
  if (options.format != OutputFormat::PlainText && options.format != OutputFormat::JsonDocument)
    throw Failure(ExitCode::Usage, "Kernels are reported as text or json.");
  const c10::Device device = valueOrThrow(chooseDevice(spec.get<std::string>("device", "auto")));
  if (device.is_cuda() && !cudaModuleMissing().empty())
    throw Failure(ExitCode::NoDevice, cudaModuleMissing());
  if (!device.is_cuda())
    log::warning("Without a GPU the kernels' references are timed: they say what is right, not what is fast.");
  const ModeGuard guard(valueOrThrow(parseMode("fused_tf32")).switches, Determinism::Off);
  const auto rows = compareKernels(device, settings, [](const KernelComparison& row) { log::info(row.kernel + ", " + row.direction + ", " + row.type + " is measured."); });
  const std::string text = options.format == OutputFormat::JsonDocument ? documentOf(rows, device) : nameOf(device) + "\n" + kernelComparisonTable(rows);
  std::fputs(text.c_str(), stdout);
  return ExitCode::Finished;
}

} // namespace voxlab
