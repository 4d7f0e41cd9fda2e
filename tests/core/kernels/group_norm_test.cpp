// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/group_norm.h"
#include "tests/core/kernels/kernel_test.h"
#include <cstring>
#include <limits>

namespace voxlab {
namespace {

// Everything that one normalisation of one or two tensors needs, and both implementations of it.
struct Case {
  VolumeShape shape; // channels: of both tensors
  int second = 0;    // channels of the second tensor
  ElementType type = ElementType::Float32;
  int groups = 32;
  Activation activation = Activation::SiLU;
  bool shift = false, addend = false;
  int chunks = 1;
  double mean = 0, deviation = 1;

  std::string name() const {
    return nameOf(type) + " N" + std::to_string(shape.batch) + " " + std::to_string(shape.depth) + "x" + std::to_string(shape.height) + "x" +
           std::to_string(shape.width) + " C" + std::to_string(shape.channels) + "(" + std::to_string(second) + ") chunks " + std::to_string(chunks);
  }
};

class Trial {
public:
  explicit Trial(const Case& c, unsigned seed = 1)
      : m_case(c), m_first(c.shape.channels - c.second), x0(c.type, values(m_first, seed)), x1(c.type, values(c.second, seed + 1)),
        dy(c.type, randomValues(count(c.shape.channels), seed + 2)), addend0(c.type, randomValues(count(m_first), seed + 3)),
        addend1(c.type, randomValues(count(c.second), seed + 4)), gamma(ElementType::Float32, randomValues(channels(), seed + 5, 1, 0.3)),
        beta(ElementType::Float32, randomValues(channels(), seed + 6)), shift(ElementType::Float32, randomValues(rows(), seed + 7)), bias(ElementType::Float32, randomValues(channels(), seed + 8)),
        moments0(ElementType::Float32, momentsSize(m_first)), moments1(ElementType::Float32, momentsSize(c.second)),
        coefficients(ElementType::Float32, 4 * rows()), y(c.type, count(c.shape.channels)), dx0(c.type, count(m_first)), dx1(c.type, count(c.second)),
        dGamma(ElementType::Float32, channels()), dBeta(ElementType::Float32, channels()), dShift(ElementType::Float32, rows()) {}

  void forward() {
    const auto moments = [&](Array& x, Array& m, int channelCount, bool onDevice) {
      ChannelMoments p;
      p.shape = m_case.shape;
      p.shape.channels = channelCount;
      p.type = m_case.type;
      p.x = onDevice ? x.device() : x.host();
      p.moments = onDevice ? m.deviceFloats() : m.hostFloats();
      p.chunks = m_case.chunks;
      if (channelCount > 0)
        onDevice ? launchChannelMoments(p, nullptr) : reference::channelMoments(p);
    };
    for (const bool onDevice : {false, true}) {
      moments(x0, moments0, m_first, onDevice);
      moments(x1, moments1, m_case.second, onDevice);
      const auto at = [&](Array& a) { return onDevice ? a.deviceFloats() : a.hostFloats(); };
      GroupNormCoefficients k;
      k.batch = m_case.shape.batch;
      k.groups = m_case.groups;
      k.source[0] = {at(moments0), m_case.chunks, m_first};
      if (m_case.second)
        k.source[1] = {at(moments1), m_case.chunks, m_case.second};
      k.shift = m_case.shift ? at(shift) : nullptr;
      k.bias = m_case.shift ? at(bias) : nullptr;
      k.gamma = at(gamma);
      k.beta = at(beta);
      k.coefficients = reinterpret_cast<ChannelCoefficients*>(at(coefficients));
      onDevice ? launchGroupNormCoefficients(k, nullptr) : reference::groupNormCoefficients(k);
      ScaleShift s;
      s.shape = m_case.shape;
      s.type = m_case.type;
      s.activation = m_case.activation;
      fill(s, onDevice);
      s.y = onDevice ? y.device() : y.host();
      onDevice ? launchScaleShift(s, nullptr) : reference::scaleShift(s);
    }
  }

  void backward() {
    for (const bool onDevice : {false, true}) {
      const auto at = [&](Array& a) { return onDevice ? a.device() : a.host(); };
      ScaleShiftBackward b;
      b.shape = m_case.shape;
      b.type = m_case.type;
      b.activation = m_case.activation;
      b.groups = m_case.groups;
      fill(b, onDevice);
      b.gamma = static_cast<float*>(at(gamma));
      b.dy = at(dy);
      if (m_case.addend) {
        b.addend[0] = at(addend0);
        b.addend[1] = at(addend1);
      }
      b.dx[0] = at(dx0);
      b.dx[1] = at(dx1);
      b.dGamma = static_cast<float*>(at(dGamma));
      b.dBeta = static_cast<float*>(at(dBeta));
      b.dShift = static_cast<float*>(at(dShift));
      b.chunks = m_case.chunks;
      if (!onDevice) {
        reference::scaleShiftBackward(b);
        continue;
      }
      const DeviceBytes workspace(static_cast<std::size_t>(scaleShiftBackwardWorkspace(b)) * sizeof(float));
      b.workspace = static_cast<float*>(workspace.data());
      launchScaleShiftBackward(b, nullptr);
      expectSuccess(cudaDeviceSynchronize());
    }
  }

  void check() {
    forward();
    backward();
    const double digits = 4e-6 * (1 + std::abs(m_case.mean) / m_case.deviation); // FP32's, less those that the mean takes
    const double tolerance = std::max(storageTolerance(m_case.type), digits);
    expectClose(y, y, tolerance, m_case.name() + " y");
    expectClose(dx0, dx0, tolerance, m_case.name() + " dx0");
    if (m_case.second)
      expectClose(dx1, dx1, tolerance, m_case.name() + " dx1");
    expectClose(dGamma, dGamma, 5 * digits, m_case.name() + " dGamma");
    expectClose(dBeta, dBeta, 5 * digits, m_case.name() + " dBeta");
  }

private:
  std::size_t count(int channelCount) const {
    return static_cast<std::size_t>(m_case.shape.batch * m_case.shape.voxels() * channelCount);
  }
  std::size_t channels() const { return static_cast<std::size_t>(m_case.shape.channels); }
  std::size_t rows() const { return static_cast<std::size_t>(m_case.shape.batch) * channels(); }
  std::size_t momentsSize(int channelCount) const {
    return channelCount ? static_cast<std::size_t>(partialMomentsSize(m_case.shape.batch, m_case.chunks, channelCount)) : 0;
  }
  std::vector<double> values(int channelCount, unsigned seed) const { return randomValues(count(channelCount), seed, m_case.mean, m_case.deviation); }
  template <class P> void fill(P& p, bool onDevice) {
    p.x[0] = onDevice ? x0.device() : x0.host();
    p.x[1] = onDevice ? x1.device() : x1.host();
    p.channels[0] = m_first;
    p.channels[1] = m_case.second;
    p.coefficients = reinterpret_cast<const ChannelCoefficients*>(onDevice ? coefficients.deviceFloats() : coefficients.hostFloats());
  }

  Case m_case;
  int m_first;

public:
  Array x0, x1, dy, addend0, addend1, gamma, beta, shift, bias, moments0, moments1, coefficients, y, dx0, dx1, dGamma, dBeta, dShift;
};

class GroupNorm : public KernelTest {};

constexpr ElementType kTypes[] = {ElementType::Float32, ElementType::BFloat16, ElementType::Float16};

TEST_F(GroupNorm, AgreesWithTheReferenceOnOddSizes) {
  for (const ElementType type : kTypes)
    for (const std::int64_t side : {1, 3, 5})
      for (const int channels : {32, 64, 96, 512}) {
        Case c;
        c.shape = {1, side, side, side == 1 ? 17 : side, channels};
        c.type = type;
        c.chunks = side == 5 ? 3 : 1;
        Trial(c).check();
      }
}

TEST_F(GroupNorm, NormalisesAConcatenationThatIsNeverWritten) {
  for (const ElementType type : kTypes) {
    Case c;
    c.shape = {2, 3, 5, 4, 320}; // ten channels a group: one group lies across the border at 192
    c.second = 128;
    c.type = type;
    c.chunks = 4;
    c.shift = c.addend = true;
    Trial(c).check();
  }
}

TEST_F(GroupNorm, ShiftsAddendsAndPlainNormalisation) {
  for (const ElementType type : kTypes) {
    Case c;
    c.shape = {2, 5, 3, 17, 64};
    c.type = type;
    c.chunks = 7;
    c.shift = c.addend = true;
    c.activation = Activation::None;
    Trial run(c);
    run.check();
    expectClose(run.dShift, run.dShift, std::max(2e-4, storageTolerance(type)), c.name() + " dShift");
  }
}

TEST_F(GroupNorm, KeepsItsDigitsWhereTheMeanIsAHundredDeviations) {
  Case c;
  c.shape = {1, 9, 9, 9, 64};
  c.mean = 100;
  c.chunks = 5;
  Trial(c).check();
}

TEST_F(GroupNorm, MoreChunksThanVoxels) {
  Case c;
  c.shape = {1, 1, 1, 3, 64};
  c.chunks = 3;
  Trial(c).check();
}

TEST_F(GroupNorm, SumsAndTakesMomentsInOnePass) {
  for (const ElementType type : kTypes)
    for (const bool withAddend : {true, false}) {
      const VolumeShape shape{2, 3, 5, 7, 96};
      const auto size = static_cast<std::size_t>(shape.elements());
      Array x(type, randomValues(size, 1)), addend(type, randomValues(size, 2)), bias(ElementType::Float32, randomValues(96, 3)), sum(type, size),
          moments(ElementType::Float32, static_cast<std::size_t>(partialMomentsSize(2, 3, 96)));
      ChannelMoments p{shape, type, x.host(), withAddend ? addend.host() : nullptr, bias.hostFloats(), sum.host(), moments.hostFloats(), 3};
      reference::channelMoments(p);
      p.x = x.device();
      p.addend = withAddend ? addend.device() : nullptr;
      p.bias = bias.deviceFloats();
      p.sum = sum.device();
      p.moments = moments.deviceFloats();
      launchChannelMoments(p, nullptr);
      expectClose(sum, sum, storageTolerance(type), nameOf(type) + " sum");
      expectClose(moments, moments, std::max(1e-5, storageTolerance(type) * 0.1), nameOf(type) + " moments");
    }
}

TEST_F(GroupNorm, NanAndInfinitySpreadOverTheirGroupOnly) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    Case c;
    c.shape = {1, 3, 3, 3, 64};
    std::vector<double> values = randomValues(static_cast<std::size_t>(c.shape.elements()), 9);
    values[5 * 64 + 7] = bad; // channel 7: group 3, channels 6 and 7
    Trial run(c);
    expectSuccess(cudaMemcpy(run.x0.device(), std::vector<float>(values.begin(), values.end()).data(), values.size() * 4, cudaMemcpyHostToDevice));
    run.forward();
    const std::vector<double> y = run.y.deviceValues();
    for (std::size_t i = 0; i < y.size(); ++i)
      EXPECT_EQ(std::isnan(y[i]), i % 64 / 2 == 3) << i;
  }
}

TEST_F(GroupNorm, RoundsToWhatTensorCoresReadWhereAsked) {
  const VolumeShape shape{1, 2, 3, 5, 64};
  const auto values = randomValues(static_cast<std::size_t>(shape.elements()), 3);
  Array x(ElementType::Float32, values), y(ElementType::Float32, values.size()), coefficients(ElementType::Float32, randomValues(4 * 64, 4));
  ScaleShift p;
  p.shape = shape;
  p.type = ElementType::Float32;
  p.channels[0] = 64;
  p.rounding = Rounding::Tf32;
  for (const bool asItIs : {false, true}) {
    for (const bool onDevice : {false, true}) {
      p.x[0] = onDevice ? x.device() : x.host();
      p.y = onDevice ? y.device() : y.host();
      p.activation = asItIs ? Activation::None : Activation::SiLU;
      p.coefficients = asItIs ? nullptr : reinterpret_cast<const ChannelCoefficients*>(onDevice ? coefficients.deviceFloats() : coefficients.hostFloats());
      onDevice ? launchScaleShift(p, nullptr) : reference::scaleShift(p);
    }
    expectClose(y, y, 1e-4, "rounded"); // a value at the middle may go the other way
    if (asItIs)
      expectClose(x, y, 5e-4, "rounded only");
    const auto bytes = y.deviceBytes();
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::uint32_t bits;
      std::memcpy(&bits, bytes.data() + 4 * i, 4);
      ASSERT_EQ(bits & 0x1FFFu, 0u) << i;
    }
  }
}

TEST_F(GroupNorm, TheSameBitsEveryTime) {
  Case c;
  c.shape = {1, 7, 7, 7, 64};
  c.type = ElementType::BFloat16;
  c.chunks = 6;
  Trial first(c), second(c);
  for (Trial* run : {&first, &second}) {
    run->forward();
    run->backward();
  }
  EXPECT_EQ(first.y.deviceBytes(), second.y.deviceBytes());
  EXPECT_EQ(first.dx0.deviceBytes(), second.dx0.deviceBytes());
  EXPECT_EQ(first.dGamma.deviceBytes(), second.dGamma.deviceBytes());
}

TEST_F(GroupNorm, ChunksFillTheMultiprocessorsAndNoMore) {
  EXPECT_EQ(momentChunks({1, 128, 128, 128, 64}, ElementType::BFloat16, 132), 528);
  EXPECT_EQ(momentChunks({8, 128, 128, 128, 64}, ElementType::BFloat16, 132), 66);
  EXPECT_EQ(momentChunks({1, 1, 1, 1, 64}, ElementType::BFloat16, 132), 1);
  EXPECT_EQ(momentChunks({1, 8, 8, 8, 512}, ElementType::BFloat16, 132), 16);
}

} // namespace
} // namespace voxlab
