// SPDX-License-Identifier: Apache-2.0
// Plain loops in FP64: what the kernels are tested against, and what runs where there is no GPU.
#include "core/kernels/element_access.h"
#include "core/kernels/group_norm.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace voxlab::reference {
namespace {

// Channel c of voxel v of batch entry n in one of two tensors that stand side by side.
struct Place {
  int source;
  std::int64_t index;
};
Place place(const int (&channels)[2], std::int64_t voxels, std::int64_t n, std::int64_t v, int c) {
  const int source = c < channels[0] ? 0 : 1;
  const int within = source == 0 ? c : c - channels[0];
  return {source, (n * voxels + v) * channels[source] + within};
}

double shiftOf(const GroupNormCoefficients& p, std::int64_t n, int c) {
  return (p.shift ? static_cast<double>(p.shift[n * p.channels() + c]) : 0.0) + (p.bias ? static_cast<double>(p.bias[c]) : 0.0);
}

double sigmoid(double z) { return 1.0 / (1.0 + std::exp(-z)); }
double activate(Activation a, double z) { return a == Activation::SiLU ? z * sigmoid(z) : z; }
double activationSlope(Activation a, double z) { return a == Activation::SiLU ? sigmoid(z) * (1.0 + z * (1.0 - sigmoid(z))) : 1.0; }

} // namespace

void channelMoments(const ChannelMoments& p) {
  const int C = p.shape.channels;
  const std::int64_t S = p.shape.voxels(), length = (S + p.chunks - 1) / p.chunks;
  const ConstElements x(p.x, p.type), addend(p.addend, p.type);
  const Elements sum(p.sum, p.type);
  if (sum)
    for (std::int64_t i = 0; i < p.shape.elements(); ++i)
      sum.set(i, x[i] + (p.bias ? static_cast<double>(p.bias[i % C]) : 0.0) + (addend ? addend[i] : 0.0));
  const ConstElements values(p.sum ? p.sum : p.x, p.type);
  for (std::int64_t n = 0; n < p.shape.batch; ++n)
    for (int k = 0; k < p.chunks; ++k) {
      float* row = p.moments + (n * p.chunks + k) * (1 + 2 * C);
      const std::int64_t begin = std::min(S, k * length), end = std::min(S, begin + length), count = end - begin;
      row[0] = static_cast<float>(count);
      for (int c = 0; c < C; ++c) {
        double mean = 0, squares = 0;
        for (std::int64_t v = begin; v < end; ++v)
          mean += values[(n * S + v) * C + c] / static_cast<double>(count);
        for (std::int64_t v = begin; v < end; ++v)
          squares += std::pow(values[(n * S + v) * C + c] - mean, 2);
        row[1 + c] = static_cast<float>(mean);
        row[1 + C + c] = static_cast<float>(squares);
      }
    }
}

void groupNormCoefficients(const GroupNormCoefficients& p) {
  const int C = p.channels(), perGroup = C / p.groups;
  struct Item {
    double count, mean, squares;
  };
  std::vector<Item> items;
  for (std::int64_t n = 0; n < p.batch; ++n)
    for (int g = 0; g < p.groups; ++g) {
      items.clear();
      for (int c = g * perGroup; c < (g + 1) * perGroup; ++c) {
        const PartialMoments& s = p.source[c < p.source[0].channels ? 0 : 1];
        const int within = c < p.source[0].channels ? c : c - p.source[0].channels;
        const double shift = shiftOf(p, n, c);
        for (int k = 0; k < s.chunks; ++k) {
          const float* row = s.data + (n * s.chunks + k) * (1 + 2 * s.channels);
          if (row[0] > 0)
            items.push_back({row[0], row[1 + within] + shift, row[1 + s.channels + within]});
        }
      }
      double count = 0, mean = 0, squares = 0;
      for (const Item& i : items)
        count += i.count;
      for (const Item& i : items)
        mean += i.count / count * i.mean;
      for (const Item& i : items)
        squares += i.squares + i.count * (i.mean - mean) * (i.mean - mean);
      const double r = 1.0 / std::sqrt(squares / count + static_cast<double>(p.epsilon));
      for (int c = g * perGroup; c < (g + 1) * perGroup; ++c) {
        const double center = mean - shiftOf(p, n, c), scale = p.gamma[c] * r;
        p.coefficients[n * C + c] = {static_cast<float>(scale), static_cast<float>(p.beta[c] - scale * center), static_cast<float>(center),
                                     static_cast<float>(r)};
      }
    }
}

namespace {
// To 10 bits of mantissa, halves away from zero.
double roundedToTf32(double value) {
  const float f = static_cast<float>(value);
  std::uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  if ((bits & 0x7F800000u) == 0x7F800000u) // infinite or NaN
    return f;
  bits = (bits + 0x1000u) & ~0x1FFFu;
  float rounded;
  std::memcpy(&rounded, &bits, sizeof rounded);
  return rounded;
}
} // namespace

void scaleShift(const ScaleShift& p) {
  const std::int64_t S = p.shape.voxels();
  const int C = p.shape.channels;
  const ConstElements x[2] = {{p.x[0], p.type}, {p.x[1], p.type}};
  const Elements y(p.y, p.type);
  for (std::int64_t n = 0; n < p.shape.batch; ++n)
    for (std::int64_t v = 0; v < S; ++v)
      for (int c = 0; c < C; ++c) {
        const Place from = place(p.channels, S, n, v, c);
        const ChannelCoefficients k = p.coefficients ? p.coefficients[n * C + c] : ChannelCoefficients{1, 0, 0, 1};
        const double value = activate(p.activation, static_cast<double>(k.scale) * x[from.source][from.index] + k.offset);
        y.set((n * S + v) * C + c, p.rounding == Rounding::Tf32 && p.type == ElementType::Float32 ? roundedToTf32(value) : value);
      }
}

void scaleShiftBackward(const ScaleShiftBackward& p) {
  const std::int64_t S = p.shape.voxels();
  const int C = p.shape.channels, perGroup = C / p.groups;
  const double count = static_cast<double>(S) * perGroup;
  const ConstElements x[2] = {{p.x[0], p.type}, {p.x[1], p.type}}, dy(p.dy, p.type);
  const ConstElements addend[2] = {{p.addend[0], p.type}, {p.addend[1], p.type}};
  const Elements dx[2] = {{p.dx[0], p.type}, {p.dx[1], p.type}};
  std::fill(p.dGamma, p.dGamma + C, 0.0f);
  std::fill(p.dBeta, p.dBeta + C, 0.0f);
  for (std::int64_t n = 0; n < p.shape.batch; ++n)
    for (int g = 0; g < p.groups; ++g) {
      double weighted = 0, weightedNormal = 0; // sums over the group of gamma dz, gamma dz xhat
      for (int c = g * perGroup; c < (g + 1) * perGroup; ++c) {
        const ChannelCoefficients& k = p.coefficients[n * C + c];
        double sum = 0, sumNormal = 0;
        for (std::int64_t v = 0; v < S; ++v) {
          const Place at = place(p.channels, S, n, v, c);
          const double value = x[at.source][at.index];
          const double dz = dy[(n * S + v) * C + c] * activationSlope(p.activation, static_cast<double>(k.scale) * value + k.offset);
          sum += dz;
          sumNormal += dz * k.r * (value - k.center);
        }
        p.dBeta[c] = static_cast<float>(p.dBeta[c] + sum);
        p.dGamma[c] = static_cast<float>(p.dGamma[c] + sumNormal);
        weighted += p.gamma[c] * sum;
        weightedNormal += p.gamma[c] * sumNormal;
      }
      for (int c = g * perGroup; c < (g + 1) * perGroup; ++c) {
        const ChannelCoefficients& k = p.coefficients[n * C + c];
        double total = 0;
        for (std::int64_t v = 0; v < S; ++v) {
          const Place at = place(p.channels, S, n, v, c);
          const double value = x[at.source][at.index], normal = k.r * (value - k.center);
          const double dz = dy[(n * S + v) * C + c] * activationSlope(p.activation, static_cast<double>(k.scale) * value + k.offset);
          const double d = k.r * (p.gamma[c] * dz - weighted / count - normal * weightedNormal / count);
          total += d;
          dx[at.source].set(at.index, d + (addend[at.source] ? addend[at.source][at.index] : 0.0));
        }
        if (p.dShift)
          p.dShift[n * C + c] = static_cast<float>(total);
      }
    }
}

} // namespace voxlab::reference
