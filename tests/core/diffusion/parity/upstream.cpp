// SPDX-License-Identifier: Apache-2.0
// A file as the published programs write it, against the training case that made it.
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/process.h"
#include "core/diffusion/upstream_export.h"
#include "core/diffusion/upstream_import.h"
#include "tests/core/diffusion/parity/parity_checks.h"
#include "tests/support/temporary_folder.h"
#include <ATen/ops/equal.h>
#include <cmath>
#include <gtest/gtest.h>
#include <stdexcept>

namespace voxlab {
namespace {

// The description of the file in the training case that names it; null if none does.
Json descriptionOf(const std::filesystem::path& file, Json& owner) {
  for (const auto& training : parityFiles("train_.*\\.json")) {
    Json json = parityJson(training);
    if (!json.contains("checkpoint") || json["checkpoint"].value("file", "") != file.filename().string())
      continue;
    owner = json;
    return json["checkpoint"];
  }
  return {};
}

double l2(const at::Tensor& tensor) { return tensor.to(at::kDouble).norm().item<double>(); }

void checkState(const char* which, const NamedTensors& parameters, const NamedTensors& schedule, const Json& expected, ParityTally& tally) {
  EXPECT_EQ(parameters.size() + schedule.size(), expected.at("entries_per_state_dict").get<std::size_t>());
  const Json& order = expected.at("key_order");
  const Json& norms = expected.at("l2").at(which);
  std::size_t i = 0;
  const auto check = [&](const std::string& key, const at::Tensor& tensor) {
    EXPECT_EQ(key, order.at(i++).get<std::string>());
    const double norm = norms.at(key).get<double>();
    EXPECT_NEAR(l2(tensor), norm, 1e-9 * norm) << key;
    tally.countCheck(2);
  };
  for (const NamedTensor& t : schedule)
    check(t.name, t.tensor);
  for (const NamedTensor& t : parameters)
    check("denoise_fn." + t.name, t.tensor);
}

void checkExport(const UpstreamCheckpoint& checkpoint, const NetworkSpec& network, ParityTally& tally) {
  const TemporaryFolder folder;
  const auto file = folder / "model-1.pt";
  const Status written = writeUpstreamCheckpoint(file, {network, *checkpoint.timesteps, *checkpoint.step, checkpoint.model, checkpoint.ema});
  ASSERT_TRUE(written) << written.error().message;
  const auto again = readUpstreamCheckpoint(file);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->step, checkpoint.step);
  EXPECT_EQ(again->timesteps, checkpoint.timesteps);
  for (const auto& [a, b] : {std::pair{&again->model, &checkpoint.model}, {&again->ema, &checkpoint.ema}}) {
    ASSERT_EQ(a->size(), b->size());
    for (std::size_t i = 0; i < a->size(); ++i) {
      EXPECT_EQ((*a)[i].name, (*b)[i].name);
      EXPECT_TRUE(at::equal((*a)[i].tensor, (*b)[i].tensor)) << (*a)[i].name;
      tally.countCheck(2);
    }
  }
}

} // namespace

void checkUpstreamCheckpoints() {
  ParityTally tally;
  for (const auto& file : parityFiles("upstream_.*\\.pt")) {
    SCOPED_TRACE(file.filename().string());
    tally.countFile();
    const auto checkpoint = readUpstreamCheckpoint(file);
    ASSERT_TRUE(checkpoint) << checkpoint.error().message;
    const auto network = inferNetworkSpec(checkpoint->ema);
    ASSERT_TRUE(network) << network.error().message;
    Json training;
    const Json expected = descriptionOf(file, training);
    ASSERT_FALSE(expected.is_null()) << "no training case describes it";
    EXPECT_EQ(toJson(*network), toJson(parityNetworkSpec(training.at("config"))));
    EXPECT_EQ(checkpoint->step, expected.at("step").get<std::int64_t>());
    EXPECT_EQ(checkpoint->timesteps, training.at("T").get<int>());
    tally.countCheck(3);
    checkState("model", checkpoint->model, checkpoint->schedule, expected, tally);
    checkState("ema", checkpoint->ema, checkpoint->schedule, expected, tally);
    const NamedTensors own = scheduleTensors(Schedule(*checkpoint->timesteps));
    for (const NamedTensor& t : own) {
      EXPECT_LE(largestDifference(parityNumbers(t.tensor), parityNumbers(*findTensor(checkpoint->schedule, t.name))), 2e-7 * l2(t.tensor)) << t.name;
      tally.countCheck();
    }
    checkExport(*checkpoint, *network, tally);
  }
}

} // namespace voxlab
