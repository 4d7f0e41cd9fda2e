// SPDX-License-Identifier: Apache-2.0
// Ancestral sampling with stored noise.
#include "core/diffusion/sampler.h"
#include "core/diffusion/upstream_import.h"
#include "tests/core/diffusion/parity/parity_checks.h"
#include <ATen/ops/cat.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>
#include <stdexcept>

namespace voxlab {
namespace {

class StoredNoise : public NoiseSource {
public:
  StoredNoise(at::Tensor initial, at::Tensor steps) : m_initial(std::move(initial)), m_steps(std::move(steps)) {}
  at::Tensor initial() override { return m_initial.clone(); }
  at::Tensor atStep(int timestep) override { return m_steps[timestep - 1]; }

private:
  at::Tensor m_initial, m_steps;
};

NamedTensors weightsOf(const Json& json, const NetworkSpec& spec, at::Device device) {
  const std::string text = json.at("weights").get<std::string>();
  if (text.find("fill") != std::string::npos)
    return parityWeights(spec, parityTag(text), device);
  const auto files = parityFiles("upstream_.*\\.pt");
  if (files.empty())
    throw std::runtime_error("There is no published checkpoint in the folder.");
  const auto checkpoint = readUpstreamCheckpoint(files.front());
  if (!checkpoint)
    throw std::runtime_error(checkpoint.error().message);
  return copyTo(text.find("ema") != std::string::npos ? checkpoint->ema : checkpoint->model, device);
}

void checkCase(const std::filesystem::path& file, at::Device device, ParityTally& tally) {
  const Json json = parityJson(file);
  const SafetensorsReader golden = parityTensors(std::filesystem::path(file).replace_extension(".safetensors"));
  const ParityTolerance tolerance = parityTolerance(device);
  const bool clamp = json.at("clip_denoised").get<bool>();
  const NetworkSpec spec = parityNetworkSpec(json.at("config"));
  const UNet network(spec, weightsOf(json, spec, device));
  const at::Tensor condition = parityTensor(golden, "condition", device);
  const Denoiser denoiser = [&](const at::Tensor& x, const at::Tensor& t) { return network.forward(at::cat({x, condition}, 1), t); };
  StoredNoise noise(parityTensor(golden, "initial_noise", device), parityTensor(golden, "step_noise", device));

  const auto compare = [&](const std::string& name, const at::Tensor& x) {
    const std::vector<double> values = parityNumbers(x), expected = parityValues(golden, name);
    EXPECT_LE(relativeL2(values, expected), tolerance.sampleL2) << name;
    if (clamp) {
      EXPECT_LE(largestDifference(values, expected), tolerance.sampleMax) << name;
    }
    tally.countCheck(clamp ? 2 : 1);
  };
  std::size_t intermediate = 0, stored = 0;
  for (const TensorInfo& info : golden.tensors())
    stored += info.name.starts_with("x_after_t") ? 1 : 0;
  const SamplerCallback callback = [&](const SamplerStep& step) {
    const std::string name = "x_after_t" + std::to_string(step.timestep);
    if (golden.find(name)) {
      compare(name, step.x);
      ++intermediate;
    }
    return SamplerVerdict::Continue;
  };
  SamplerSettings settings;
  settings.clamp = clamp ? Clamp::Unit : Clamp::None;
  const auto result = makeDdpmSampler()->run(Schedule(json.at("T").get<int>()), settings, denoiser, noise, callback);
  ASSERT_TRUE(result);
  compare("final", *result);
  EXPECT_EQ(intermediate, stored);
}

} // namespace

void checkSampling(at::Device device) {
  ParityTally tally;
  for (const auto& file : parityFiles("sample_.*\\.json")) {
    SCOPED_TRACE(file.filename().string());
    tally.countFile();
    checkCase(file, device, tally);
  }
}

} // namespace voxlab
