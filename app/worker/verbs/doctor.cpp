// SPDX-License-Identifier: Apache-2.0
// voxlab-worker doctor: looks whether devices and libraries work. A line a check: OK, NOTE or FAIL, with advice.
#include "app/worker/environment.h"
#include "app/worker/verbs.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/diffusion/noise.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/mode.h"
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/sin.h>
#include <cstdio>
#include <unistd.h>

namespace voxlab {
namespace {
enum class Verdict { Ok, Note, Fail };

struct Check {
  std::string name;
  Verdict verdict = Verdict::Ok;
  std::string message;
};

const char* wordOf(Verdict verdict) {
  constexpr const char* kWords[] = {"OK", "NOTE", "FAIL"};
  return kWords[static_cast<int>(verdict)];
}

at::Tensor wave(at::IntArrayRef shape, double phase) {
  return at::sin(at::arange(c10::multiply_integers(shape), at::kDouble) * 0.7 + phase).reshape(shape);
}

// The textbook's seven loops, in double: out(o, z, y, x) = bias + sum of weight(o, i, c, b, a) · in(i, z + c - 1, y + b - 1, x + a
// - 1).
double largestDifference(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& result) {
  const auto in = input.accessor<double, 5>(), w = weight.accessor<double, 5>();
  const at::Tensor onCpu = result.to(at::kCPU, at::kDouble);
  const auto out = onCpu.accessor<double, 5>();
  const auto inside = [&](std::int64_t axis, std::int64_t i) { return i >= 0 && i < input.size(axis); };
  double largest = 0;
  for (std::int64_t o = 0; o < weight.size(0); ++o)
    for (std::int64_t z = 0; z < input.size(2); ++z)
      for (std::int64_t y = 0; y < input.size(3); ++y)
        for (std::int64_t x = 0; x < input.size(4); ++x) {
          double sum = 0;
          for (std::int64_t i = 0; i < input.size(1); ++i)
            for (std::int64_t c = 0; c < 3; ++c)
              for (std::int64_t b = 0; b < 3; ++b)
                for (std::int64_t a = 0; a < 3; ++a)
                  if (inside(2, z + c - 1) && inside(3, y + b - 1) && inside(4, x + a - 1))
                    sum += w[o][i][c][b][a] * in[0][i][z + c - 1][y + b - 1][x + a - 1];
          largest = std::max(largest, std::abs(sum - out[0][o][z][y][x]));
        }
  return largest;
}

Check convolution(at::Device device) {
  const at::Tensor input = wave({1, 3, 5, 6, 7}, 0.1), weight = wave({4, 3, 3, 3, 3}, 0.3);
  const at::Tensor result = at::conv3d(input.to(device, at::kFloat), weight.to(device, at::kFloat), {}, 1, 1);
  const double difference = largestDifference(input, weight, result);
  constexpr double kTolerance = 1e-4; // sums of 81 products below 1, in float32
  const bool good = difference < kTolerance;
  return {
      "3D convolution on " + device.str(), good ? Verdict::Ok : Verdict::Fail,
      "differs from plain loops in double by at most " + formatSignificant(difference) +
          (good
               ? "."
               : ", which is too much. The library or the device computes wrongly: reinstall LibTorch, or choose another device.")};
}

Check noise(at::Device device) {
  const RandomKey key{7, Purpose::Evaluation, 1, 2};
  const at::Tensor here = fillNormal(at::empty({2, 3, 4, 5}, at::kFloat), key);
  const at::Tensor there = fillNormal(at::empty({2, 3, 4, 5}, at::TensorOptions(at::kFloat).device(device)), key);
  const bool same = at::equal(here, there.to(at::kCPU));
  return {"noise on " + device.str(), same ? Verdict::Ok : Verdict::Fail,
          same ? "is that of the CPU, bit for bit."
               : "is not that of the CPU: equal seeds will not give equal volumes. Rebuild the kernels for this GPU."};
}

Check processor() {
  return {"processor", Verdict::Ok,
          processorName() + ", " + std::to_string(at::get_num_threads()) + " threads, " +
              formatBytes(static_cast<double>(memoryBytes())) + " of memory."};
}

Check libraries() {
  const Json v = versions();
  return {"libraries", Verdict::Ok,
          "LibTorch " + v["torch"].get<std::string>() + ", ITK " + v["itk"].get<std::string>() + ", " +
              v["compiler"].get<std::string>() + "."};
}

Check temporaryFiles() {
  const auto file = std::filesystem::temp_directory_path() / ("voxlab-doctor-" + std::to_string(::getpid()));
  const Status written = writeFileAtomically(file, "test");
  std::error_code ec;
  std::filesystem::remove(file, ec);
  return written
             ? Check{"temporary files", Verdict::Ok, "can be written to " + file.parent_path().string() + "."}
             : Check{"temporary files", Verdict::Fail, written.error().message + " Set TMPDIR to a folder that can be written."};
}

// The driver, every GPU, LibTorch's CUDA half, the own kernels, and whether both compute as the CPU does.
void checkGpus(std::vector<Check>& checks) {
  if (cudaDevices().empty()) {
    checks.push_back({"GPU", Verdict::Note, cudaDevicesMissing() + " Everything works on the processor, slowly."});
    return;
  }
  for (const CudaDevice& gpu : cudaDevices())
    checks.push_back({"GPU " + std::to_string(gpu.index), Verdict::Ok,
                      gpu.name + ", " + formatBytes(static_cast<double>(gpu.memory_bytes)) + ", compute capability " +
                          std::to_string(gpu.capabilityMajor) + "." + std::to_string(gpu.capabilityMinor) + "."});
  if (const Status loaded = loadCuda(); !loaded) {
    checks.push_back(
        {"CUDA", Verdict::Fail, loaded.error().message + " Update the driver, or reinstall LibTorch with packaging/setup.sh."});
    return;
  }
  const std::string missing = cudaModuleMissing();
  checks.push_back({"own kernels", missing.empty() ? Verdict::Ok : Verdict::Note, missing.empty() ? "are there." : missing});
  for (const CudaDevice& gpu : cudaDevices()) {
    const at::Device device(at::kCUDA, static_cast<at::DeviceIndex>(gpu.index));
    checks.push_back(convolution(device));
    checks.push_back(noise(device));
  }
}
} // namespace

ExitCode doctor(OutputFormat format) {
  if (!cudaDevices().empty())
    (void)loadCuda(); // LibTorch looks for its CUDA half once, at the first computation; checkGpus tells what came of it
  const ModeGuard guard(ModeSwitches{}, Determinism::Off); // FP32 without TF32
  std::vector<Check> checks{processor(), libraries(), temporaryFiles(), convolution(at::kCPU)};
  checkGpus(checks);
  Json json{{"versions", versions()}, {"checks", Json::array()}};
  bool good = true;
  for (const Check& check : checks) {
    good &= check.verdict != Verdict::Fail;
    json["checks"].push_back({{"name", check.name}, {"verdict", wordOf(check.verdict)}, {"message", check.message}});
    if (format == OutputFormat::PlainText)
      std::printf("%-4s  %s: %s\n", wordOf(check.verdict), check.name.c_str(), check.message.c_str());
  }
  json["passed"] = good;
  if (format == OutputFormat::JsonDocument)
    std::printf("%s\n", json.dump(2).c_str());
  return good ? ExitCode::Finished : ExitCode::CheckFailed;
}

} // namespace voxlab
