// SPDX-License-Identifier: Apache-2.0
// The kinds without a network: schedules, time embeddings, lists of parameters.
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/process.h"
#include "tests/core/diffusion/parity/parity_checks.h"
#include "tests/support/parity_fill.h"
#include <cmath>
#include <gtest/gtest.h>

namespace voxlab {
namespace {

double largestRelative(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size())
    return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i])
      continue;
    const double relative = std::abs(a[i] - b[i]) / std::abs(b[i]);
    largest = relative > largest || std::isnan(relative) ? relative : largest;
  }
  return std::isnan(largest) ? INFINITY : largest;
}

void checkParameter(const Json& expected, const ParameterInfo& info, const at::Tensor& filled, const std::string& tag, ParityTally& tally) {
  const std::string name = expected.at("name").get<std::string>();
  ASSERT_EQ(info.name, name);
  EXPECT_EQ(info.shape, expected.at("shape").get<std::vector<std::int64_t>>()) << name;
  EXPECT_EQ(parityHash(tag + ":" + name), expected.at("fnv1a32").get<std::uint32_t>()) << name;
  const std::vector<double> values = parityNumbers(filled);
  std::size_t i = 0;
  for (const Json& first : expected.at("first"))
    EXPECT_EQ(values[i++], static_cast<double>(first.get<float>())) << name;
  EXPECT_EQ(values.back(), static_cast<double>(expected.at("last").get<float>())) << name;
  double squares = 0, sum = 0, magnitude = 0;
  for (const double v : values) {
    squares += v * v;
    sum += v;
    magnitude += std::abs(v);
  }
  EXPECT_NEAR(std::sqrt(squares), expected.at("l2").get<double>(), 1e-9 * std::sqrt(squares)) << name;
  EXPECT_NEAR(sum, expected.at("sum").get<double>(), 1e-9 * magnitude) << name;
  tally.countCheck(7);
}

} // namespace

void checkSchedules() {
  ParityTally tally;
  for (const auto& file : parityFiles("schedule_.*\\.safetensors")) {
    SCOPED_TRACE(file.filename().string());
    tally.countFile();
    const SafetensorsReader golden = parityTensors(file);
    const Schedule schedule(static_cast<int>(golden.find("betas")->elementCount()));
    const NamedTensors stored = scheduleTensors(schedule);
    for (const auto& [name, values] : schedule.vectors()) {
      EXPECT_LE(largestRelative(*values, parityValues(golden, "float64." + name)), 2e-7) << name;
      EXPECT_LE(largestRelative(*values, parityValues(golden, name)), 2e-7) << name;
      EXPECT_LE(largestRelative(parityNumbers(*findTensor(stored, name)), parityValues(golden, name)), 2e-7) << name;
      tally.countCheck(3);
    }
  }
}

void checkTimestepEmbedding() {
  ParityTally tally;
  for (const auto& file : parityFiles("timestep_embedding.*\\.safetensors")) {
    tally.countFile();
    const SafetensorsReader golden = parityTensors(file);
    for (const TensorInfo& info : golden.tensors()) {
      if (!info.name.ends_with(".embedding"))
        continue;
      const std::string prefix = info.name.substr(0, info.name.size() - std::string("embedding").size());
      const at::Tensor embedding = timestepEmbedding(parityTensor(golden, prefix + "timesteps", at::kCPU), info.shape.back());
      EXPECT_LE(largestDifference(parityNumbers(embedding), parityValues(golden, info.name)), 5e-5) << info.name;
      tally.countCheck();
    }
  }
}

void checkManifests() {
  ParityTally tally;
  for (const auto& file : parityFiles("manifest_.*\\.json")) {
    SCOPED_TRACE(file.filename().string());
    tally.countFile();
    const Json manifest = parityJson(file);
    const NetworkSpec spec = parityNetworkSpec(manifest.at("config"));
    const std::string tag = manifest.at("tag").get<std::string>();
    const std::vector<ParameterInfo> layout = parameterLayout(spec);
    const NamedTensors filled = parityWeights(spec, tag, at::kCPU);
    EXPECT_EQ(parameterCount(spec), manifest.at("parameters_total").get<std::int64_t>());
    ASSERT_EQ(layout.size(), manifest.at("parameters").size());
    for (std::size_t i = 0; i < layout.size(); ++i)
      checkParameter(manifest.at("parameters")[i], layout[i], filled[i].tensor, tag, tally);
    const auto inferred = inferNetworkSpec(filled);
    ASSERT_TRUE(inferred) << inferred.error().message;
    NetworkSpec reached = spec; // factors that no level has leave no trace in the weights
    std::erase_if(reached.attentionFactors, [&](int f) { return f >= 2 * spec.sizeMultiple() || (f & (f - 1)) != 0; });
    EXPECT_EQ(toJson(*inferred), toJson(reached));
    tally.countCheck(2);
  }
}

} // namespace voxlab
