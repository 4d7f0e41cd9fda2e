// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/optimiser_step.h"
#include "tests/core/kernels/kernel_test.h"
#include <limits>
#include <memory>

namespace voxlab {
namespace {

class OptimiserStepTest : public KernelTest {};

// A network of seventy small tensors and one of several chunks, on the host and on the device.
class Network {
public:
  Network() {
    for (unsigned i = 0; i < 71; ++i) {
      const std::size_t size = i == 70 ? 40000 : 1 + 13 * i;
      tensors.push_back(std::make_unique<Tensor>(size, i));
    }
    write({1e-3f, 1.0f, 0, 0, 0, 0, 0});
  }
  struct Tensor {
    Tensor(std::size_t size, unsigned seed)
        : weight(ElementType::Float32, randomValues(size, seed)), gradient(ElementType::Float32, randomValues(size, 100 + seed, 0, 1e-2)),
          moment1(ElementType::Float32, randomValues(size, 200 + seed, 0, 1e-2)), moment2(ElementType::Float32, squares(size, 300 + seed)),
          average(ElementType::Float32, randomValues(size, 400 + seed)) {}
    static std::vector<double> squares(std::size_t size, unsigned seed) {
      std::vector<double> v = randomValues(size, seed, 0, 1e-2);
      for (double& x : v)
        x *= x;
      return v;
    }
    Array weight, gradient, moment1, moment2, average;
  };
  void write(const OptimiserState& s) {
    hostState = s;
    expectSuccess(cudaMemcpy(deviceState.data(), &s, sizeof s, cudaMemcpyHostToDevice));
  }
  OptimiserState readDevice() const {
    OptimiserState s;
    expectSuccess(cudaMemcpy(&s, deviceState.data(), sizeof s, cudaMemcpyDeviceToHost));
    return s;
  }
  void step(OptimiserStep p) {
    for (const auto& t : tensors)
      p.tensors.push_back({t->weight.hostFloats(), t->gradient.hostFloats(), t->moment1.hostFloats(), t->moment2.hostFloats(), t->average.hostFloats(),
                           static_cast<std::int64_t>(t->weight.size())});
    p.state = &hostState;
    reference::optimiserStep(p);
    p.tensors.clear();
    for (const auto& t : tensors)
      p.tensors.push_back({t->weight.deviceFloats(), t->gradient.deviceFloats(), t->moment1.deviceFloats(), t->moment2.deviceFloats(),
                           t->average.deviceFloats(), static_cast<std::int64_t>(t->weight.size())});
    p.state = static_cast<OptimiserState*>(deviceState.data());
    const DeviceBytes workspace(static_cast<std::size_t>(optimiserWorkspace(p)) * sizeof(float));
    p.workspace = static_cast<float*>(workspace.data());
    launchOptimiserStep(p, nullptr);
    expectSuccess(cudaDeviceSynchronize());
  }
  void check(const std::string& what) const {
    for (const auto& t : tensors) {
      expectClose(t->weight, t->weight, 1e-6, what + " weight");
      expectClose(t->moment1, t->moment1, 1e-6, what + " moment1");
      expectClose(t->moment2, t->moment2, 1e-6, what + " moment2");
      expectClose(t->average, t->average, 1e-6, what + " average");
    }
    const OptimiserState s = readDevice();
    EXPECT_NEAR(s.norm, hostState.norm, 1e-5f * hostState.norm);
    EXPECT_NEAR(s.factor, hostState.factor, 1e-5f * hostState.factor);
    EXPECT_EQ(s.step, hostState.step);
    EXPECT_EQ(s.skipped, hostState.skipped);
  }
  std::vector<std::unique_ptr<Tensor>> tensors;
  OptimiserState hostState{};
  DeviceBytes deviceState{sizeof(OptimiserState)};
};

TEST_F(OptimiserStepTest, AdamWithAndWithoutClippingScalingAndAverage) {
  for (const float clip : {0.0f, 0.5f, 1e6f})
    for (const AverageKind average : {AverageKind::None, AverageKind::Copy, AverageKind::Decay}) {
      Network network;
      network.write({1e-3f, 0.25f, 2999, 0, 0, 0, 0});
      OptimiserStep p;
      p.clipNorm = clip;
      p.average = average;
      network.step(p);
      network.step(p);
      network.check("clip " + std::to_string(clip) + " average " + std::to_string(static_cast<int>(average)));
      EXPECT_EQ(network.readDevice().step, 3001);
    }
}

TEST_F(OptimiserStepTest, OverflowSkipsTheStepWhereAsked) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Network network;
    const float value = static_cast<float>(bad);
    expectSuccess(cudaMemcpy(network.tensors[40]->gradient.deviceFloats() + 5, &value, sizeof value, cudaMemcpyHostToDevice));
    network.tensors[40]->gradient.hostFloats()[5] = value;
    OptimiserStep p;
    p.onOverflow = OnOverflow::Skip;
    p.average = AverageKind::Decay;
    network.step(p);
    for (const auto& t : network.tensors) {
      EXPECT_EQ(t->weight.deviceValues(), t->weight.hostValues());
      EXPECT_EQ(t->average.deviceValues(), t->average.hostValues());
    }
    EXPECT_EQ(network.readDevice().skipped, 1.0f);
    EXPECT_EQ(network.readDevice().step, 0.0f);
    p.onOverflow = OnOverflow::Continue;
    network.step(p);
    EXPECT_EQ(network.readDevice().step, 1.0f);
    EXPECT_TRUE(std::isnan(network.tensors[40]->weight.deviceValues()[5]));
  }
}

} // namespace
} // namespace voxlab
