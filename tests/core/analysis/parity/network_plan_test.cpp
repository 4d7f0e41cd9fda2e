// SPDX-License-Identifier: Apache-2.0
// The plan against counts taken from the reference program by hooks on its modules: complexity*.json (multiply-adds and
// shapes of every layer) and manifest*.json (names and shapes of every parameter), in VOXLAB_PARITY_DIR.
#include "core/analysis/network_plan.h"
#include "tests/support/paths.h"
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <iostream>
#include <map>

using namespace voxlab;

namespace {
std::vector<std::filesystem::path> filesStarting(const std::string& prefix) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(parityFolder())) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(".json"))
      found.push_back(entry.path());
  }
  return found;
}

void report(std::size_t files, std::size_t checks) {
  std::cout << "files=" << files << " checks=" << checks << std::endl;
  EXPECT_GT(checks, 0u);
}

using Layers = std::map<std::string, Json>;
bool has(const Layers& layers, const std::string& name) {
  return layers.contains(name);
}

// complexity*.json does not say which configuration it counted; its layers do.
NetworkSpec specOf(const Layers& layers, std::int64_t batch) {
  NetworkSpec spec;
  spec.multipliers.clear();
  spec.attentionFactors.clear();
  const auto channels = [&](const std::string& name) { return layers.at(name).at("out").at(1).get<int>(); };
  spec.baseChannels = channels("time_embed.0") / 4;
  spec.imageChannels = channels("out.2");
  std::int64_t voxels = batch;
  for (const auto& side : std::vector<std::int64_t>(layers.at("input_blocks.0.0").at("out")))
    voxels *= side;
  voxels /= batch;
  spec.conditionChannels =
      static_cast<int>(layers.at("input_blocks.0.0").at("macs").get<std::int64_t>() / (27 * voxels)) - spec.imageChannels;
  int blocks = 0;
  for (int i = 1;; ++i) {
    const std::string name = "input_blocks." + std::to_string(i) + ".";
    const bool down = has(layers, name + "0.op"), end = !down && !has(layers, name + "0.in_layers.2");
    if (down || end) {
      spec.residualBlocks = blocks;
      blocks = 0;
    }
    if (end)
      return spec;
    if (down)
      continue;
    if (++blocks == 1)
      spec.multipliers.push_back(static_cast<double>(channels(name + "0.out_layers.3")) / spec.baseChannels);
    if (blocks == 1 && has(layers, name + "1.qkv"))
      spec.attentionFactors.push_back(1 << (spec.levels() - 1));
  }
}

std::size_t checkComplexity(const std::string& where, const Json& expected) {
  SCOPED_TRACE(where);
  Layers layers;
  for (const auto& layer : expected.at("layers"))
    layers[layer.at("name")] = layer;
  const auto size = expected.at("spatial_DHW").get<std::array<std::int64_t, 3>>();
  const auto batch = expected.at("batch").get<std::int64_t>();
  const auto plan = planNetwork(specOf(layers, batch), size, batch);
  if (!plan) {
    ADD_FAILURE() << plan.error().message;
    return 0;
  }
  std::size_t checks = 0, withWork = 0;
  for (const auto& layer : plan->layers) {
    if (layer.macs == 0)
      continue;
    ++withWork;
    const auto it = layers.find(layer.name);
    if (it == layers.end()) {
      ADD_FAILURE() << layer.name << " is planned but not in the reference";
      continue;
    }
    EXPECT_EQ(layerKindName(layer.kind), it->second.at("kind").get<std::string>()) << layer.name;
    EXPECT_EQ(layer.macs, it->second.at("macs").get<std::int64_t>()) << layer.name;
    EXPECT_EQ(layer.out, it->second.at("out").get<std::vector<std::int64_t>>()) << layer.name;
    checks += 3;
  }
  EXPECT_EQ(withWork, layers.size());
  EXPECT_EQ(plan->macs(), expected.at("macs_total").get<std::int64_t>());
  for (const auto& [kind, macs] : plan->macsByKind())
    EXPECT_EQ(macs, expected.at("macs_by_kind").at(std::string(layerKindName(kind))).get<std::int64_t>()) << layerKindName(kind);
  const Json& touched = expected.at("elements_touched");
  EXPECT_EQ(plan->elementsThrough(PlanLayerKind::Silu), touched.at("silu"));
  EXPECT_EQ(plan->elementsThrough(PlanLayerKind::GroupNorm), touched.at("groupnorm"));
  std::int64_t added = 0; // the reference counts the residual blocks' additions, not those of attention blocks
  for (const auto& layer : plan->layers)
    if (layer.kind == PlanLayerKind::ResidualAdd && plan->find(layer.block + ".out_layers.3"))
      added += layer.outElements();
  EXPECT_EQ(added, touched.at("residual_add"));
  EXPECT_EQ(plan->elementsThrough(PlanLayerKind::Upsample), touched.at("upsample_out"));
  return checks + 6 + plan->macsByKind().size();
}

NetworkSpec specOf(const Json& config) {
  NetworkSpec spec;
  spec.imageChannels = config.at("out_channels");
  spec.conditionChannels = config.at("in_channels").get<int>() - spec.imageChannels;
  spec.baseChannels = config.at("num_channels");
  spec.residualBlocks = config.at("num_res_blocks");
  spec.multipliers = config.at("channel_mult").get<std::vector<double>>();
  spec.attentionFactors = config.at("attention_ds").get<std::vector<int>>();
  return spec;
}

std::size_t checkManifest(const std::string& where, const Json& expected) {
  SCOPED_TRACE(where);
  const auto plan = planNetwork(specOf(expected.at("config")), {32, 32, 32}, 1);
  if (!plan) {
    ADD_FAILURE() << plan.error().message;
    return 0;
  }
  std::map<std::string, std::int64_t> parameters; // of each layer
  for (const auto& tensor : expected.at("parameters")) {
    const std::string name = tensor.at("name");
    std::int64_t elements = 1;
    for (const auto& side : tensor.at("shape"))
      elements *= side.get<std::int64_t>();
    parameters[name.substr(0, name.rfind('.'))] += elements;
  }
  for (const auto& layer : plan->layers) {
    if (layer.parameters == 0)
      continue;
    EXPECT_EQ(layer.parameters, parameters[layer.name]) << layer.name;
  }
  const auto withParameters =
      std::count_if(plan->layers.begin(), plan->layers.end(), [](const PlannedLayer& l) { return l.parameters > 0; });
  EXPECT_EQ(static_cast<std::size_t>(withParameters), parameters.size());
  EXPECT_EQ(plan->parameters(), expected.at("parameters_total").get<std::int64_t>());
  return parameters.size() + 2;
}
} // namespace

TEST(NetworkPlan, Complexity) {
  std::size_t files = 0, checks = 0;
  for (const auto& file : filesStarting("complexity")) {
    const auto json = readJsonFile(file);
    ASSERT_TRUE(json) << json.error().message;
    ++files;
    for (const auto& [name, network] : json->items())
      if (network.is_object() && network.contains("layers"))
        checks += checkComplexity(file.filename().string() + ": " + name, network);
  }
  report(files, checks);
}

TEST(NetworkPlan, ParameterManifests) {
  std::size_t files = 0, checks = 0;
  for (const auto& file : filesStarting("manifest")) {
    const auto json = readJsonFile(file);
    ASSERT_TRUE(json) << json.error().message;
    ++files;
    checks += checkManifest(file.filename().string(), *json);
  }
  report(files, checks);
}
