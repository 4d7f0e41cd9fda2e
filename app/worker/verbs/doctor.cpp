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

// Noise, not a smooth wave: sums over a wave cancel, and the inputs' rounding then looks ten times as large beside them.
at::Tensor values(at::IntArrayRef shape, std::uint64_t seed) {
  return fillNormal(at::empty(shape, at::kFloat), RandomKey{seed, Purpose::Evaluation, 0, 0});
}

// The textbook's seven loops, in double: out(o, z, y, x) = bias + sum of weight(o, i, c, b, a) · in(i, z + c - 1, y + b - 1, x + a
// - 1).
// Relative to the largest sum.
double largestDifference(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& result) {
  const auto in = input.accessor<double, 5>(), w = weight.accessor<double, 5>();
  const at::Tensor onCpu = result.to(at::kCPU, at::kDouble);
  const auto out = onCpu.accessor<double, 5>();
  const auto inside = [&](std::int64_t axis, std::int64_t i) { return i >= 0 && i < input.size(axis); };
  double largest = 0, size = 0;
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
          const double difference = std::abs(sum - out[0][o][z][y][x]);
          largest = difference <= largest ? largest : difference; // takes NaN along
          size = std::max(size, std::abs(sum));
        }
  return largest / size;
}

struct PrecisionCheck {
  Precision precision;
  at::ScalarType type;
  double tolerance; // inputs are of the type already, so what is left is rounding of the result, and TF32's of the inputs (2.7e-4)
};
constexpr PrecisionCheck kPrecisions[] = {{Precision::Fp32, at::kFloat, 1e-5},
                                          {Precision::Tf32, at::kFloat, 1e-3},
                                          {Precision::Bf16, at::kBFloat16, 6e-3},
                                          {Precision::Fp16, at::kHalf, 1e-3}};

Check convolution(at::Device device, const PrecisionCheck& how) {
  ModeSwitches switches;
  switches.precision = how.precision;
  const ModeGuard guard(switches, Determinism::Off);
  const at::Tensor input = values({1, 16, 5, 6, 7}, 1).to(how.type), weight = values({16, 16, 3, 3, 3}, 2).to(how.type);
  const at::Tensor result = at::conv3d(input.to(device), weight.to(device), {}, 1, 1);
  const double difference = largestDifference(input.to(at::kDouble), weight.to(at::kDouble), result);
  const bool good = difference < how.tolerance;
  return {
      "3D convolution in " + std::string(precisionName(how.precision)) + " on " + device.str(), good ? Verdict::Ok : Verdict::Fail,
      "differs from plain loops in double by at most " + formatSignificant(difference) + " of the largest value" +
          (good
               ? "."
               : ", which is too much. The library or the device computes wrongly: reinstall LibTorch, or choose another device or mode.")};
}

void checkConvolutions(at::Device device, std::vector<Check>& checks) {
  for (const PrecisionCheck& how : kPrecisions) {
    ModeSwitches switches;
    switches.precision = how.precision;
    if (unavailableReason(switches, device).empty())
      checks.push_back(convolution(device, how));
  }
}

// 9.8 to 9.10 give wrong results of 3D convolutions in bfloat16 for some shapes, which a small check may not meet; 9.13 is right
// (pytorch/pytorch issue 163539).
Check cudnn(int version) {
  constexpr int kFirstWrong = 90800, kFirstRight = 91300;
  const std::string words = std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
  if (version < kFirstWrong || version >= kFirstRight)
    return {"cuDNN", Verdict::Ok, words + " is not known for wrong 3D convolutions."};
  return {"cuDNN", Verdict::Note,
          words + " is of the versions (9.8 to 9.12) of which some compute 3D convolutions in bfloat16 wrongly for some shapes. Install "
                  "nvidia-cudnn-cu13 9.13 or newer, or leave the bf16 modes alone."};
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
  if (const auto version = jsonGet<int>(computeVersions(), "cudnn"))
    checks.push_back(cudnn(*version));
  for (const CudaDevice& gpu : cudaDevices()) {
    const at::Device device(at::kCUDA, static_cast<at::DeviceIndex>(gpu.index));
    checkConvolutions(device, checks);
    checks.push_back(noise(device));
  }
}
} // namespace

ExitCode doctor(OutputFormat format) {
  if (!cudaDevices().empty())
    (void)loadCuda(); // LibTorch looks for its CUDA half once, at the first computation; checkGpus tells what came of it
  std::vector<Check> checks{processor(), libraries(), temporaryFiles()};
  checkConvolutions(at::kCPU, checks);
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
