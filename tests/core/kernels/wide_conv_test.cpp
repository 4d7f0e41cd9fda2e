// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/wide_conv.h"
#include "tests/core/kernels/kernel_test.h"

namespace voxlab {
namespace {

class WideConv : public KernelTest {
protected:
  void SetUp() override {
    KernelTest::SetUp();
    int major = 0;
    if (!IsSkipped() && (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0) != cudaSuccess || major != 9))
      GTEST_SKIP() << "made for GPUs of compute capability 9.0";
  }
};

int deviceMultiprocessors() {
  int count = 0;
  expectSuccess(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return count;
}

struct Case {
  VolumeShape shape;
  int inputs;
  ElementType type;
  ConvolutionPass pass = ConvolutionPass::Forward;
  bool bias = false, addend = false, moments = false, channelsLastWeight = false;
  int through[2] = {0, 0};
  bool again = false; // once more, with the weights that the first launch has packed
};

// Operands of FP32 storage are cut to TF32 (weights rounded): relative 2^-10 at worst.
double tolerance(ElementType type) { return type == ElementType::Float32 ? 1e-3 : storageTolerance(type); }

void check(const Case& c) {
  const std::string name = nameOf(c.type) + " " + std::to_string(c.shape.batch) + "x" + std::to_string(c.shape.depth) + "x" + std::to_string(c.shape.height) + "x" +
                           std::to_string(c.shape.width) + " " + std::to_string(c.inputs) + "->" + std::to_string(c.shape.channels);
  const auto voxels = static_cast<std::size_t>(c.shape.batch * c.shape.voxels()), outputs = static_cast<std::size_t>(c.shape.channels), inputs = static_cast<std::size_t>(c.inputs);
  WideConvolution p;
  p.shape = c.shape;
  p.inputChannels = c.inputs;
  p.type = c.type;
  p.pass = c.pass;
  const int chunks = wideConvolutionChunks(p, deviceMultiprocessors());
  Array x(c.type, randomValues(voxels * inputs, 1)), weight(c.channelsLastWeight ? c.type : ElementType::Float32, randomValues(27 * inputs * outputs, 2, 0, 0.03)),
      bias(ElementType::Float32, randomValues(outputs, 3)), addend(c.type, randomValues(voxels * outputs, 4)), y(c.type, voxels * outputs),
      moments(ElementType::Float32, static_cast<std::size_t>(partialMomentsSize(c.shape.batch, chunks, c.shape.channels)));
  const bool forward = c.pass == ConvolutionPass::Forward;
  const std::int64_t second = forward ? c.inputs : c.shape.channels; // of the weight's channels
  p.weight = {weight.host(), weight.type(), 27 * second, 27, 1};
  if (c.channelsLastWeight)
    p.weight = {weight.host(), weight.type(), 27 * second, 1, second};
  p.x = x.host();
  p.bias = c.bias ? bias.hostFloats() : nullptr;
  p.addend = c.addend ? addend.host() : nullptr;
  p.y = y.host();
  const auto throughChannels = static_cast<std::size_t>(c.through[0] + c.through[1]);
  Array through0(c.type, randomValues(voxels * static_cast<std::size_t>(c.through[0]), 5)), through1(c.type, randomValues(voxels * static_cast<std::size_t>(c.through[1]), 6)),
      throughWeight(ElementType::Float32, randomValues(outputs * throughChannels, 7, 0, 0.1));
  p.through = {{through0.host(), through1.host()}, {c.through[0], c.through[1]}, {throughWeight.host(), ElementType::Float32, c.through[0] + c.through[1], 1, 1}};
  reference::wideConvolution(p);
  p.through.x[0] = through0.device();
  p.through.x[1] = through1.device();
  p.through.weight.data = throughWeight.device();
  p.weight.data = weight.device();
  p.x = x.device();
  p.bias = c.bias ? bias.deviceFloats() : nullptr;
  p.addend = c.addend ? addend.device() : nullptr;
  p.y = y.device();
  p.moments = c.moments ? moments.deviceFloats() : nullptr;
  const DeviceBytes workspace(static_cast<std::size_t>(wideConvolutionWorkspace(p)));
  p.workspace = workspace.data();
  launchWideConvolution(p, nullptr);
  if (c.again) {
    p.packing = WeightPacking::Keep;
    p.weight.data = p.through.weight.data = nullptr;
    expectSuccess(cudaMemset(y.device(), 0, voxels * outputs * elementBytes(c.type)));
    launchWideConvolution(p, nullptr);
  }
  expectSuccess(cudaDeviceSynchronize());
  expectClose(y, y, tolerance(c.type), name);
  if (!c.moments)
    return;
  // The moments through their consumer, against those of the result itself.
  Array whole(ElementType::Float32, static_cast<std::size_t>(partialMomentsSize(c.shape.batch, 1, c.shape.channels))), gamma(ElementType::Float32, std::vector<double>(outputs, 1.0)),
      beta(ElementType::Float32, std::vector<double>(outputs, 0.0)), coefficients(ElementType::Float32, 4 * outputs * static_cast<std::size_t>(c.shape.batch));
  reference::channelMoments({c.shape, c.type, y.host(), nullptr, nullptr, nullptr, whole.hostFloats(), 1});
  GroupNormCoefficients k;
  k.batch = c.shape.batch;
  k.source[0] = {whole.hostFloats(), 1, c.shape.channels};
  k.gamma = gamma.hostFloats();
  k.beta = beta.hostFloats();
  k.coefficients = reinterpret_cast<ChannelCoefficients*>(coefficients.hostFloats());
  reference::groupNormCoefficients(k);
  k.source[0] = {moments.deviceFloats(), chunks, c.shape.channels};
  k.gamma = gamma.deviceFloats();
  k.beta = beta.deviceFloats();
  k.coefficients = reinterpret_cast<ChannelCoefficients*>(coefficients.deviceFloats());
  launchGroupNormCoefficients(k, nullptr);
  expectClose(coefficients, coefficients, 1e-3, name + " moments");
}

TEST_F(WideConv, AgreesWithTheReferenceInEveryType) {
  for (const ElementType type : {ElementType::BFloat16, ElementType::Float16, ElementType::Float32})
    check({{1, 5, 34, 9, 64}, 64, type});
}

TEST_F(WideConv, SeveralBlocksOfChannelsAndADataGradient) {
  check({{1, 3, 5, 8, 128}, 64, ElementType::BFloat16});
  check({{1, 3, 5, 8, 64}, 128, ElementType::BFloat16, ConvolutionPass::DataGradient});
}

TEST_F(WideConv, ReadsWeightsThatWerePackedBefore) {
  Case c{{1, 3, 4, 8, 64}, 64, ElementType::BFloat16};
  c.through[0] = 64;
  c.again = true;
  check(c);
}

TEST_F(WideConv, AddsWhatComesThroughAPointwiseConvolution) {
  Case c{{1, 5, 34, 9, 64}, 64, ElementType::BFloat16};
  c.bias = c.moments = true;
  c.through[0] = 128;
  c.through[1] = 64;
  check(c);
  c.shape = {1, 3, 4, 8, 128};
  c.type = ElementType::Float32;
  c.through[0] = 64;
  c.through[1] = 0;
  check(c);
}

TEST_F(WideConv, BiasAddendAndMomentsOfABatch) {
  Case c{{2, 4, 33, 7, 64}, 64, ElementType::BFloat16};
  c.bias = c.addend = c.moments = c.channelsLastWeight = true;
  check(c);
  c.type = ElementType::Float32;
  c.shape = {2, 1, 3, 9, 64};
  check(c);
}

void checkWeightGradient(const VolumeShape& shape, int inputs, ElementType type) {
  const auto voxels = static_cast<std::size_t>(shape.batch * shape.voxels()), outputs = static_cast<std::size_t>(shape.channels);
  Array x(type, randomValues(voxels * static_cast<std::size_t>(inputs), 1)), dy(type, randomValues(voxels * outputs, 2)),
      gradient(ElementType::Float32, 27 * outputs * static_cast<std::size_t>(inputs));
  WideWeightGradient p{shape, inputs, type, x.host(), dy.host(), gradient.hostFloats(), std::int64_t{27} * inputs, 27, 1};
  reference::wideWeightGradient(p);
  p.x = x.device();
  p.dy = dy.device();
  p.weightGradient = gradient.deviceFloats();
  p.blocks = wideWeightGradientBlocks(p, deviceMultiprocessors());
  const DeviceBytes workspace(static_cast<std::size_t>(wideWeightGradientWorkspace(p)) * sizeof(float));
  p.workspace = static_cast<float*>(workspace.data());
  launchWideWeightGradient(p, nullptr);
  expectSuccess(cudaDeviceSynchronize());
  expectClose(gradient, gradient, 1e-5, nameOf(type) + " weight gradient " + std::to_string(inputs) + "->" + std::to_string(shape.channels));
}

TEST_F(WideConv, WeightGradientAgreesWithTheReference) {
  checkWeightGradient({1, 3, 33, 9, 64}, 64, ElementType::BFloat16);
  checkWeightGradient({2, 2, 5, 8, 128}, 64, ElementType::Float16);
  checkWeightGradient({1, 1, 3, 5, 64}, 128, ElementType::BFloat16);
}

} // namespace
} // namespace voxlab
