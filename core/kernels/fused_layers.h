// SPDX-License-Identifier: Apache-2.0
// The network's layers on the fused kernels, with gradients. Volumes are (N, C, D, H, W) in channels-last memory, stored as
// float32, bfloat16 or float16; parameters are float32 leaves (convolution weights may be of the storage type already, which
// saves casting them in inference). Biases are added where a tensor is read or written
// anyway.
#pragma once
#include "core/kernels/fused_calls.h"
#include <memory>

namespace voxlab::fused {

// A volume and the partial moments of its channels (see group_norm.h), undefined where they are not known yet. Whoever writes a
// volume may take its moments on the way; every norm that reads it then needs one pass less.
struct Volume {
  at::Tensor tensor, moments;
};
// The same volume with its moments.
Volume withMoments(const Volume& x);

struct Norm {
  at::Tensor gamma, beta; // (C)
  std::int64_t groups = 32;
  double epsilon = 1e-5;
};
struct Convolution {
  at::Tensor weight; // (Cout, Cin, k, k, k)
  at::Tensor bias;   // (Cout) float32
  std::shared_ptr<PackedWeight> packed = nullptr; // of a weight that stays as it is; null for others
};

enum class Activate { None, SiLU };

// a + b
Volume add(const at::Tensor& a, const at::Tensor& b);

// act(norm(x))
at::Tensor normalise(const Volume& x, const Norm& norm, Activate activate);

// Trilinear, every side doubled.
at::Tensor upsample(const at::Tensor& x);

// Who computes 3³ convolutions between wide volumes: LibTorch (cuDNN), or own kernels for the shapes and devices that they
// are made for.
enum class ConvolutionEngine { Unknown, LibTorch, Own };

// Products in TF32: operands that a norm writes are rounded to it on the way; others lose their last bits in the tensor cores, which makes
// every product a little too small, unless a pass of its own rounds a copy of them.
enum class Operands { AsStored, Rounded };

// A convolution with kernel 3³ or 1³ of a wide volume.
Volume convolve(const at::Tensor& x, const Convolution& convolution, std::int64_t stride, ConvolutionEngine engine, Operands operands = Operands::AsStored);

// 3³ from at most eight channels to many: the network's first layer. x: float32; result: of this type.
at::Tensor stem(const at::Tensor& x, const Convolution& convolution, at::ScalarType type);

// conv(SiLU(norm(x))) to at most eight channels, float32: the network's last layers.
at::Tensor head(const Volume& x, const Norm& norm, const Convolution& convolution);

// h = conv(SiLU(norm([x, skip]))) + shift; conv(SiLU(norm(h))) + [x, skip], which goes through a 1³ convolution where the
// width changes. skip: undefined, or what is concatenated behind x; the concatenation is never written. shift: (N, Cout) float32.
// Keeps x, skip and h for the backward pass, which computes both activations again.
struct Residual {
  Norm inNorm;
  Convolution inConvolution;
  Norm outNorm;
  Convolution outConvolution;
  std::optional<Convolution> skip; // its bias may be part of outConvolution's, and is undefined then
  ConvolutionEngine engine = ConvolutionEngine::Own;
  Operands operands = Operands::AsStored; // of the 1³ convolution
};
Volume residual(const Volume& x, const Volume& skip, const at::Tensor& shift, const Residual& block);

} // namespace voxlab::fused
