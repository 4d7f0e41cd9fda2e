// SPDX-License-Identifier: Apache-2.0
// Comparison with the golden numbers, one function a kind of file. Tolerances are those of tests/data/parity/README.md.
#pragma once
#include "core/diffusion/named_tensors.h"
#include "core/diffusion/unet.h"
#include "tests/support/parity.h"

namespace voxlab {

// Columns "CPU float32" and "GPU float32, TF32 off" of the table.
struct ParityTolerance {
  double outputL2, outputMax, activationL2, loss, gradientL2, gradientNorm;
  double weightRms, weightMax, weightFloor; // of the learning rate; the floor is absolute
  double sampleL2, sampleMax;
};
ParityTolerance parityTolerance(at::Device device);

void checkSchedules();
void checkTimestepEmbedding();
void checkManifests();
void checkNetworks(at::Device device);
void checkTraining(at::Device device);
void checkSampling(at::Device device);
void checkUpstreamCheckpoints();

NetworkSpec parityNetworkSpec(const Json& config);
// The tag in a case's "weights" or "initial_weights" text ("fill, tag pA"); that of the manifests if there is none.
std::string parityTag(const std::string& description);
NamedTensors parityWeights(const NetworkSpec& spec, const std::string& tag, at::Device device);
at::Tensor parityTensor(const SafetensorsReader& reader, const std::string& name, at::Device device); // int8 becomes float32
at::Tensor filledTensor(const std::string& key, const std::vector<std::int64_t>& shape, double scale);
std::vector<double> parityNumbers(const at::Tensor& tensor); // every element, row-major
std::vector<double> everyNth(const at::Tensor& tensor, std::int64_t stride);

} // namespace voxlab
