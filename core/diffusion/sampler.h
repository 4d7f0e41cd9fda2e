// SPDX-License-Identifier: Apache-2.0
// From noise to a volume: what all samplers share. The state is FP32 whatever the network computes in, and nothing in the
// loop waits for the device.
#pragma once
#include "core/diffusion/process.h"
#include "core/diffusion/random.h"
#include <array>
#include <memory>
#include <optional>

namespace voxlab {

// Predicted noise for x (N, C, D, H, W) at one time step for all (N equal entries, int64, on the device).
using Denoiser = std::function<at::Tensor(const at::Tensor& x, const at::Tensor& timesteps)>;
Denoiser conditioned(Predictor predictor, at::Tensor condition);

enum class Clamp { Unknown, None, Unit }; // Unit: every predicted clean volume is limited to [-1, 1], as published

// How x is updated: Operations, by LibTorch's operations one after the other; OneKernel, by the own kernel, which draws the noise
// on the way, where the noise is seeded. Equal up to rounding.
enum class UpdateKind { Unknown, Operations, OneKernel };

struct SamplerSettings {
  int steps = 0;    // network evaluations; 0: all T. Limited to T.
  double eta = 0;   // DDIM and DPM-Solver++: 0 deterministic … 1 as much fresh noise as ancestral sampling
  Clamp clamp = Clamp::Unit;
  UpdateKind update = UpdateKind::Operations;
};

// After each update. x and cleanEstimate (predicted x0, clamped if asked) are the tensors themselves: copy what is kept.
struct SamplerStep {
  int index = 0, count = 0; // 0 … count - 1
  int timestep = 0;         // t of this step
  const at::Tensor& x;
  const at::Tensor& cleanEstimate;
};
enum class SamplerVerdict { Unknown, Continue, Stop };
using SamplerCallback = std::function<SamplerVerdict(const SamplerStep&)>; // may be empty

struct SampleKey {
  std::uint64_t seed = 0;
  std::uint32_t sample = 0;
};

// Where a sampler's noise comes from.
class NoiseSource {
public:
  virtual ~NoiseSource() = default;
  virtual at::Tensor initial() = 0;             // (N, C, D, H, W) float32
  virtual at::Tensor atStep(int timestep) = 0;  // the same; added by the update that leaves time step t
  virtual const std::vector<SampleKey>* keys() const { return nullptr; } // of seeded noise
};

// The noise of voxel i of element n depends on keys[n], the time step and i alone.
class SeededNoise : public NoiseSource {
public:
  SeededNoise(std::vector<SampleKey> keys, std::array<std::int64_t, 4> shape /* C, D, H, W */, at::Device device);
  at::Tensor initial() override;
  at::Tensor atStep(int timestep) override;
  const std::vector<SampleKey>* keys() const override { return &m_keys; }

private:
  at::Tensor draw(Purpose purpose, int step) const;
  std::vector<SampleKey> m_keys;
  std::array<std::int64_t, 4> m_shape;
  at::Device m_device;
};

class Sampler {
public:
  virtual ~Sampler() = default;
  // The volume (N, C, D, H, W), or nothing when the callback said stop. Without gradients.
  std::optional<at::Tensor> run(const Schedule& schedule, const SamplerSettings& settings, const Denoiser& denoiser, NoiseSource& noise,
                                const SamplerCallback& callback = {}) const;
  // The time steps that are visited, first to last.
  virtual std::vector<int> timesteps(const Schedule& schedule, int steps) const = 0;

protected:
  struct Loop;
  // x <- clean x0 + state x + before x0' + sigma z, x0 the estimate of this step and x0' that of the step before
  struct Weights {
    double clean = 0, state = 0, before = 0, sigma = 0;
  };
  virtual Weights weights(const Loop& loop, int i) const = 0;
  static Weights implicitWeights(const Loop& loop, int i); // DDIM's
};

std::unique_ptr<Sampler> makeDdpmSampler();      // ancestral, as published
std::unique_ptr<Sampler> makeDdimSampler();      // Song et al. 2021
std::unique_ptr<Sampler> makeDpmSolverSampler(); // DPM-Solver++(2M), Lu et al. 2022

} // namespace voxlab
