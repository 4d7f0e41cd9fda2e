// SPDX-License-Identifier: Apache-2.0
// One training step: losses and gradients of its micro-batches, then clipping, Adam and the moving average. Everything
// stays on the device; nothing here waits for it.
#pragma once
#include "core/diffusion/gradient_scaler.h"
#include "core/diffusion/process.h"
#include "core/diffusion/work_runner.h"
#include <map>
#include <memory>

namespace voxlab {

// Mean: over all elements. DividedByBatch: that, divided by the batch size once more, as the published code does; with Adam
// the steps hardly change.
enum class LossScaling { Unknown, Mean, DividedByBatch };

// How Adam runs: Lists, one operation over all tensors after the other, as PyTorch does by default on CUDA; Fused, one kernel;
// OnePass, the own kernel, which also unscales and clips on the way. Equal up to rounding. Lists cannot skip a step without asking
// the host, so a scaler needs one of the others.
enum class AdamKind { Unknown, Lists, Fused, OnePass };

struct TrainSettings {
  LossKind loss = LossKind::L1;
  LossScaling lossScaling = LossScaling::Mean;
  int batchSize = 1;         // of the settings, not of a shorter last batch
  int accumulate = 2;        // micro-batches a step
  double learningRate = 1e-5;
  int warmupSteps = 0;       // learning rate rises linearly to its value at this step
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  AdamKind adam = AdamKind::Fused;
  double clipNorm = 0;       // largest gradient norm; 0: off
  double emaDecay = 0.995;
  int emaEvery = 10;         // steps between updates of the average; 1 or more
  std::int64_t emaStart = 2000; // before this step an update copies the weights
};

struct MicroBatch {
  at::Tensor image;     // x0 (N, Ci, D, H, W) float32
  at::Tensor condition; // (N, Cc, D, H, W) float32, or undefined
  at::Tensor timesteps; // (N) int64
  at::Tensor noise;     // as image
};

// Draws time steps and noise for the image that is in the batch already: element n is volume firstSample + n of the step.
void drawNoise(MicroBatch& batch, std::uint64_t seed, std::int64_t step, std::int64_t firstSample, int timesteps);

// Scalars on the device.
struct StepOutcome {
  at::Tensor gradientNorm; // before clipping
  at::Tensor skipped;      // 1 where 16-bit gradients overflowed and the weights were left alone; undefined without a scaler
};

class TrainStep {
public:
  // parameters: the leaves that are trained, float32 (they get requires_grad); average: their moving average, the same names
  // and shapes, updated in place. predictor computes with those parameters. process has to outlive this. scaler: for float16,
  // else null. runner: records and replays the two halves of a step, else null.
  TrainStep(NamedTensors parameters, NamedTensors average, const DiffusionProcess& process, Predictor predictor, TrainSettings settings,
            std::unique_ptr<GradientScaler> scaler = nullptr, std::unique_ptr<WorkRunner> runner = nullptr);

  // Adds the gradients of one micro-batch; returns its mean loss (scalar, on the device, without gradient).
  at::Tensor accumulate(const MicroBatch& batch);
  // Clips, updates weights and average, clears the gradients, counts the step.
  StepOutcome update();

  std::int64_t step() const { return m_step; } // finished steps
  double learningRate() const;                 // of the step that comes
  const GradientScaler* scaler() const { return m_scaler.get(); }
  const TrainSettings& settings() const { return m_settings; }
  const NamedTensors& parameters() const { return m_parameters; }
  const NamedTensors& average() const { return m_average; }

  // Adam's moments "exp_avg.<parameter>", "exp_avg_sq.<parameter>", its counter "adam_step" and the scaler's state: with
  // weights, average and step all that resuming needs. The tensors themselves, not copies.
  NamedTensors optimizerState() const;
  // Copies the state in. Throws c10::Error when a name or shape does not fit.
  void restore(const NamedTensors& optimizerState, std::int64_t step);

private:
  at::Tensor forward(const MicroBatch& batch) const;
  at::Tensor backward(const MicroBatch& batch);
  struct KeptBatch {
    MicroBatch batch;
    std::string recording;
  };
  KeptBatch& keep(const MicroBatch& batch);
  StepOutcome optimise();
  void clearGradients();
  std::vector<at::Tensor> gradients() const;
  at::Tensor clip(const std::vector<at::Tensor>& gradients) const;
  void adam(const std::vector<at::Tensor>& gradients);
  void adamByLists(const std::vector<at::Tensor>& gradients);
  StepOutcome optimiseInOnePass(const std::vector<at::Tensor>& gradients);
  void updateAverage();

  NamedTensors m_parameters, m_average;
  const DiffusionProcess& m_process;
  Predictor m_predictor;
  TrainSettings m_settings;
  std::int64_t m_elements = 0; // of all weights
  std::unique_ptr<GradientScaler> m_scaler;
  std::unique_ptr<WorkRunner> m_runner;
  std::map<std::string, KeptBatch> m_kept; // with a runner: where micro-batches of each shape are copied to
  at::Tensor m_loss;                       // likewise the results
  StepOutcome m_outcome;
  std::int64_t m_accumulated = 0; // micro-batches since the last update
  std::vector<at::Tensor> m_weights, m_averages, m_moments1, m_moments2; // in the order of the names
  at::Tensor m_state;                            // (7) float32 on the device, see optimiser_step.h; of it:
  at::Tensor m_rate, m_inverseScale, m_adamStep; // (1)
  std::int64_t m_step = 0;
};

} // namespace voxlab
