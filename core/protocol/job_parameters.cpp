// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/job_parameters.h"
#include "core/protocol/switch_table.h"

namespace voxlab {
namespace {
using T = ParameterType;
using Kinds = std::vector<std::string>;

const Kinds kAll{"train", "sample", "bench", "profile", "verify", "quality"};
const Kinds kNetworkJobs{"train", "sample", "bench", "profile", "verify"};
const Kinds kQuality{"quality"};
const Kinds kTrain{"train"};
const Kinds kSample{"sample"};
const Kinds kNetwork{"train", "bench", "profile", "verify"}; // sampling takes the network from its checkpoint
const Kinds kSampling{"train", "sample", "bench", "profile"};

class Table {
public:
  Parameter& add(std::string key, std::string title, T type, Json defaultValue, Kinds kinds, std::string explanation) {
    Parameter p;
    p.key = std::move(key);
    p.title = std::move(title);
    p.type = type;
    p.defaultValue = std::move(defaultValue);
    p.kinds = std::move(kinds);
    p.explanation = std::move(explanation);
    p.group = m_group;
    m_parameters.push_back(std::move(p));
    return m_parameters.back();
  }
  void group(std::string name) { m_group = std::move(name); }
  std::vector<Parameter> take() { return std::move(m_parameters); }

private:
  std::vector<Parameter> m_parameters;
  std::string m_group;
};

void range(Parameter& p, std::optional<double> minimum, std::optional<double> maximum, std::string unit = {}) {
  p.minimum = minimum;
  p.maximum = maximum;
  p.unit = std::move(unit);
}
Parameter& advanced(Parameter& p) {
  p.advanced = true;
  return p;
}
Parameter& choices(Parameter& p, std::vector<Choice> list) {
  p.choices = std::move(list);
  return p;
}

void addData(Table& t, const CatalogChoices& c) {
  t.group("Data");
  t.add("data.images", "Images", T::Folder, nullptr, kTrain,
        "Folder of MRI volumes (NIfTI, MGH, NRRD, MetaImage), subfolders included. Images and masks are paired by subject name.");
  t.add("data.masks", "Masks", T::Folder, "", kTrain, "Folder of label volumes, one a subject, on the grid of its image. Empty: beside the images, told by names such as _seg or _mask.");
  advanced(t.add("data.modalities", "Modalities", T::Text, "", kTrain,
                 "Which image of a subject goes to which channel, by the words in the file names, separated by commas: t1,t1ce,t2,flair. "
                 "Empty: found out, where the names leave no doubt."));
  choices(t.add("data.preprocessing", "Preprocessing", T::Choice, "volume", kTrain,
                "How intensities are scaled and volumes brought to size."),
          c.preprocessing);
  auto& labels = t.add("data.labels", "Labels", T::IntegerList, Json::array(), {"train", "sample"},
                       "Label values of the masks that become condition channels, in this order; empty: 1, 2, … up to the number of "
                       "condition channels. With two channels and the published recipe, 1 is brain and 2 is tumour.");
  range(labels, -1, 65535);
  auto& size = t.add("data.size", "Volume size", T::IntegerList, Json::array({128, 128, 128}), {"train", "bench", "profile", "verify"},
                     "Voxels along X, Y and Z that the network sees; volumes are resampled to it, and padded to what the levels need.");
  range(size, 4, 1024, "voxels");
  advanced(t.add("data.condition_background", "Condition background", T::Number, -1.0, {"train", "bench", "profile", "verify"},
                 "Value of a condition channel outside its label: -1 as whole-head weights expect, 0 as BraTS weights do."));
  advanced(t.add("data.augment_flip", "Random left–right flips", T::Boolean, false, kTrain, "Flips half of the training volumes along X."));
  auto& shift = advanced(t.add("data.augment_shift", "Random shift", T::Integer, 0, kTrain, "Largest shift along each axis."));
  range(shift, 0, 64, "voxels");
  auto& contrast = advanced(t.add("data.augment_contrast", "Random contrast", T::Number, 0.0, kTrain,
                                  "Largest relative change of the intensity exponent, drawn anew for each volume."));
  range(contrast, 0, 1);
}

void addModel(Table& t) {
  t.group("Model");
  auto& start = t.add("train.start", "Start from", T::File, "", kTrain,
                      "Checkpoint folder, .safetensors or published .pt whose weights training starts from; empty: random weights. "
                      "The network's shape is then taken from it.");
  (void)start;
  range(t.add("model.image_channels", "Image channels", T::Integer, 1, kNetwork, "Modalities that are synthesised together: 1 for T1, 4 for BraTS."), 1, 64);
  range(t.add("model.condition_channels", "Condition channels", T::Integer, 2, kNetwork, "Label classes that steer the synthesis, one channel each."), 0, 256);
  range(t.add("model.base_channels", "Base channels", T::Integer, 64, kNetwork, "Width of the first level; a multiple of 32."), 32, 512);
  range(advanced(t.add("model.multipliers", "Level multipliers", T::NumberList, Json::array({1, 1, 2, 3, 4}), kNetwork,
                       "Width of each level as a multiple of the base channels; each further level halves the resolution.")), 0.125, 16);
  range(advanced(t.add("model.residual_blocks", "Residual blocks per level", T::Integer, 1, kNetwork, "1 in the whole-head network, 2 in BraTS's.")), 1, 8);
  range(advanced(t.add("model.attention_factors", "Attention at", T::IntegerList, Json::array({8}), kNetwork,
                       "Down-sampling factors whose levels have attention; the middle block always has.")), 1, 128);
  t.group("Diffusion");
  range(t.add("diffusion.timesteps", "Diffusion steps", T::Integer, 250, kNetwork, "Length T of the noise schedule (cosine)."), 2, 10000, "steps");
  choices(t.add("diffusion.loss", "Loss", T::Choice, "l1", {"train", "bench", "profile"}, "Distance between true and predicted noise."),
          {{"l1", "L1", "Mean absolute error, as published.", "", Json::object()}, {"l2", "L2", "Mean squared error.", "", Json::object()}});
}

void addTraining(Table& t) {
  t.group("Training");
  range(t.add("train.steps", "Training steps", T::Integer, 20000, kTrain,
              "Optimiser steps (the published code calls these epochs). Each uses batch × accumulation volumes."), 1, 1e8, "steps");
  range(t.add("train.passes", "Passes over the data", T::Number, 0.0, kTrain, "If above 0, sets the number of steps from the number of volumes."), 0, 1e6, "passes");
  range(t.add("train.batch", "Batch", T::Integer, 1, {"train", "bench", "profile", "verify"}, "Volumes a forward pass."), 1, 1024, "volumes");
  range(t.add("train.accumulate", "Gradient accumulation", T::Integer, 2, kTrain, "Forward passes whose gradients are added before a step."), 1, 1024);
  range(t.add("train.learning_rate", "Learning rate", T::Number, 1e-5, {"train", "bench", "profile"}, "Adam's step size."), 0, 1);
  range(advanced(t.add("train.warmup_steps", "Learning-rate warm-up", T::Integer, 0, kTrain, "Steps over which the learning rate rises from 0.")), 0, 1e7, "steps");
  range(advanced(t.add("train.clip_norm", "Gradient clipping", T::Number, 0.0, kTrain, "Largest gradient norm; 0 is off, as published.")), 0, 1e6);
  range(advanced(t.add("train.ema_decay", "EMA decay", T::Number, 0.995, kTrain, "Weight of the old average each time the moving average of the weights is updated.")), 0, 1);
  range(advanced(t.add("train.ema_every", "EMA every", T::Integer, 10, kTrain, "Steps between updates of the moving average.")), 1, 1e6, "steps");
  range(advanced(t.add("train.ema_start", "EMA starts at", T::Integer, 2000, kTrain, "Until this step the average is a copy of the weights.")), 0, 1e8, "steps");
  range(t.add("train.checkpoint_every", "Checkpoint every", T::Integer, 1000, kTrain, "Full state, written before sampling; also at the end and on stop."), 1, 1e8, "steps");
  range(advanced(t.add("train.keep_checkpoints", "Keep checkpoints", T::Integer, 3, kTrain, "Newest that are kept; 0 keeps all.")), 0, 1e6);
  range(t.add("train.sample_every", "Sample every", T::Integer, 1000, kTrain, "Draws volumes at fixed seeds with the moving average; 0 is off."), 0, 1e8, "steps");
  range(advanced(t.add("train.sample_count", "Samples each time", T::Integer, 1, kTrain, "Volumes drawn, each with its own fixed seed and mask.")), 1, 64, "volumes");
  range(advanced(t.add("train.log_every", "Log every", T::Integer, 10, kTrain, "Steps between readings of the loss; reading it makes the GPU wait.")), 1, 1e6, "steps");
  advanced(t.add("train.live_breakdown", "Live breakdown", T::Boolean, true, kTrain,
                 "Records one light step now and then, so that the monitor shows where the time goes while it trains; less than 1 % of its time."));
  range(advanced(t.add("train.live_breakdown_every", "Live breakdown every", T::Integer, 0, kTrain,
                       "Steps between light recordings, whatever they cost; 0: as often as half a percent of the run's time allows.")), 0, 1e8, "steps");
  advanced(t.add("train.reference_compatible", "Reference-compatible loss", T::Boolean, false, kTrain,
                 "Divides the loss by the batch size once more, as the published code does."));
}

void addSampling(Table& t, const CatalogChoices& c) {
  t.group("Sampling");
  t.add("sample.checkpoint", "Checkpoint", T::File, nullptr, kSample, "Checkpoint folder, .safetensors or published .pt to draw from.");
  advanced(choices(t.add("sample.weights", "Weights", T::Choice, "ema", kSample, "Which of a checkpoint's weights draw the samples."),
                   {{"ema", "Moving average", "As the published sampler does.", "", Json::object()}, {"model", "Latest", "The weights being trained.", "", Json::object()}}));
  t.add("sample.masks", "Masks", T::File, "", kSample, "One label volume or a folder of them; each is synthesised on its own grid.");
  auto& size = advanced(t.add("sample.size", "Network's grid", T::IntegerList, Json::array(), kSample,
                              "Voxels along X, Y and Z at which the network works; empty: as it was trained."));
  range(size, 4, 1024, "voxels");
  range(t.add("sample.count", "Volumes per mask", T::Integer, 1, kSample, "Each has its own seed: seed, seed + 1, …"), 1, 1e6, "volumes");
  choices(t.add("sample.sampler", "Sampler", T::Choice, "ddpm", kSampling, "How noise is turned into a volume."), c.samplers);
  range(t.add("sample.steps", "Sampling steps", T::Integer, 0, kSampling, "Network evaluations per volume; 0: all diffusion steps."), 0, 10000, "steps");
  range(advanced(t.add("sample.eta", "Fresh noise η", T::Number, kDefaultEta, kSampling,
                       "What DDIM and DPM-Solver++ add after each step: 0 nothing (deterministic), 1 as much as ancestral sampling. With few steps and a "
                       "cosine schedule 0 keeps the error of the first estimates as noise in the volume.")), 0, 1);
  advanced(t.add("sample.clamp", "Clamp x₀", T::Boolean, true, kSampling, "Limits every prediction of the clean volume to [-1, 1], as published."));
  advanced(choices(t.add("sample.grid", "Output grid", T::Choice, "mask", kSample, "Grid of the written volume."),
                   {{"mask", "The mask's", "Resampled back to the mask's grid, spacing and orientation.", "", Json::object()},
                    {"network", "The network's", "As the network made it, with the affine scaled to match.", "", Json::object()}}));
  range(advanced(t.add("sample.record_every", "Record every", T::Integer, 0, kSampling, "Writes the predicted clean volume every k-th step (at most 64 files); 0 is off.")), 0, 10000, "steps");
}

void addMeasuring(Table& t, const CatalogChoices& c) {
  t.group("Measuring");
  auto& modes = t.add("bench.modes", "Modes", T::ChoiceList, Json::array({"baseline"}), {"bench"}, "Modes to compare, run in turn.");
  modes.choices = c.modes;
  auto& what = t.add("bench.what", "What", T::ChoiceList, Json::array({"train", "sample"}), {"bench", "profile"}, "Training steps, sampling steps or both.");
  what.choices = {{"train", "Training step", "Forward, backward and Adam on one micro-batch.", "", Json::object()},
                  {"sample", "Sampling step", "One network evaluation and the sampler's update.", "", Json::object()}};
  range(t.add("bench.steps", "Steps", T::Integer, 10, {"bench", "profile"}, "Timed steps of each mode."), 1, 10000, "steps");
  range(advanced(t.add("bench.turns", "Turns", T::Integer, 3, {"bench"}, "How often each mode comes up, the order reversed every time, so that drifting clocks favour none.")), 1, 100);
  advanced(t.add("bench.trace", "Trace a step", T::Boolean, false, {"bench"}, "Ends with one traced step of each mode: how long kernels run, and how long the GPU waits between them."));
  range(advanced(t.add("bench.warmup", "Warm-up steps", T::Integer, 3, {"bench", "profile"}, "Steps before timing starts.")), 0, 1000, "steps");
  range(t.add("verify.tolerance", "Tolerance", T::Number, 0.0, {"verify"}, "Relative difference of the prediction from Baseline's that passes; 0: what the mode's precision explains."), 0, 1);
  t.add("profile.counters", "Hardware counters", T::Boolean, false, {"profile"},
        "Has Nsight Compute collect counters of the kernels that matter, about a second each, from the first kind of step. Needs a GPU, "
        "ncu and the driver's permission; otherwise estimates from shapes take their place.");
  range(advanced(t.add("profile.counter_kernels", "Counted kernels", T::Integer, 100, {"profile"},
                       "Most kernels with counters, largest share of the time first; fewer when 92 % of the kernel time is covered.")),
        1, 10000);
}

void addQuality(Table& t) {
  t.group("Quality");
  t.add("quality.synthetic", "Synthetic volumes", T::File, nullptr, kQuality,
        "A sampling or training run (its newest samples), a folder of volumes, or one volume.");
  t.add("quality.real", "Real volumes", T::File, "", kQuality,
        "Folder of real volumes. Volumes of one case are paired by name or mask.");
  t.add("quality.reference", "Equal seeds of", T::File, "", kQuality,
        "What Baseline (or another mode) drew from the same seeds for the same masks: a run, or a folder of volumes. Only the mode tells the pairs apart.");
  t.add("quality.training", "Training volumes", T::Folder, "", kQuality, "What the network was trained on, to look for copies; empty: the real volumes.");
  t.add("quality.masks", "Masks", T::Folder, "", kQuality, "Label volumes by case; empty: those that the synthetic volumes were drawn for.");
  auto& measures = t.add("quality.measures", "Measures", T::ChoiceList,
                         Json::array({"voxel", "equal_seeds", "histogram", "fidelity", "nearest", "mmd", "frechet", "diversity"}), kQuality,
                         "What is measured. Distributions (MMD, Fréchet, diversity) need 30 subjects on either side.");
  measures.choices = {
      {"voxel", "Voxel by voxel", "MAE, PSNR, SSIM and MS-SSIM against the real volume of the same case.", "", Json::object()},
      {"equal_seeds", "Equal seeds", "PSNR and SSIM to the volume that another mode drew from the same seed for the same mask.", "", Json::object()},
      {"histogram", "Intensity histogram", "Wasserstein distance between the intensities of both sets.", "", Json::object()},
      {"fidelity", "Mask fidelity", "Dice of a segmentation with the mask that was asked for.", "", Json::object()},
      {"nearest", "Nearest training volume", "Whether the network has copied what it was trained on.", "", Json::object()},
      {"mmd", "Maximum mean discrepancy", "Distance between the sets' features.", "", Json::object()},
      {"frechet", "Fréchet distance", "Distance between normal distributions of the features.", "", Json::object()},
      {"diversity", "Diversity", "Mean MS-SSIM of pairs within a set.", "", Json::object()}};
  choices(t.add("quality.intensities", "Intensities", T::Choice, "percentiles", kQuality, "How intensities are made comparable."),
          {{"percentiles", "By percentiles", "0.5 and 99.5 percentile of each volume to -1 and 1, as training's default recipe.", "", Json::object()},
           {"stored", "As stored", "For volumes of one origin, such as two modes at equal seeds.", "", Json::object()}});
  range(t.add("quality.size", "Grid", T::IntegerList, Json::array(), kQuality, "Voxels along X, Y and Z at which volumes are compared; empty: those of the first synthetic volume."),
        11, 1024, "voxels");
  advanced(t.add("quality.modality", "Modality", T::Text, "", kQuality, "Which images, by the words in their names: t1, flair, …; empty: all."));
  advanced(t.add("quality.features", "Feature network", T::File, "", kQuality, "TorchScript file that takes (1, 1, D, H, W); empty: the built-in untrained network voxlab-random-v1."));
  advanced(t.add("quality.segmenter", "Segmentation network", T::File, "", kQuality, "TorchScript file from (1, 1, D, H, W) to (1, labels, D, H, W), for mask fidelity; empty: by intensity."));
  advanced(choices(t.add("quality.kernel", "MMD kernel", T::Choice, "gaussian", kQuality, "Kernel of the maximum mean discrepancy."),
                   {{"gaussian", "Gaussian", "exp(-|x - y|²/2σ²).", "", Json::object()}, {"polynomial", "Polynomial", "(x·y/d + 1)³, as for KID.", "", Json::object()}}));
  range(advanced(t.add("quality.bandwidth", "Bandwidth σ", T::Number, 0.0, kQuality, "Of the Gaussian kernel; 0: median distance between real volumes' features.")), 0, 1e12);
  range(advanced(t.add("quality.resamples", "Bootstrap resamples", T::Integer, 1000, kQuality, "Of subjects, for confidence intervals; 0 is off.")), 0, 100000);
  range(advanced(t.add("quality.pairs", "Pairs for diversity", T::Integer, 500, kQuality, "Most pairs of volumes that diversity looks at.")), 1, 1000000);
}

std::vector<Choice> switchChoices() {
  std::vector<Choice> list;
  for (const NamedSwitch& s : switchTable())
    list.push_back({s.name, s.title, s.explanation, "", Json::object()});
  return list;
}

void addExecution(Table& t, const CatalogChoices& c) {
  t.group("Execution");
  choices(t.add("mode", "Mode", T::Choice, "baseline", {"train", "sample", "profile", "verify"}, "Optimisation mode: a named set of switches."), c.modes);
  advanced(choices(t.add(kModeSwitchesKey, "Added to the mode", T::ChoiceList, Json::array(), {"train", "sample", "profile", "verify"},
                         "Switches that are set on top of the mode's own: any combination, in this order."),
                   switchChoices()));
  choices(t.add("device", "Device", T::Choice, "auto", kAll, "Where it runs; auto takes the first GPU, or the CPU when there is none."), c.devices);
  advanced(choices(t.add("backend", "Backend", T::Choice, "eager", kNetworkJobs, "Engine that evaluates the network."), c.backends));
  range(advanced(t.add("gpu_every_ms", "GPU figures every", T::Integer, 500, kNetworkJobs, "How often load, power, clocks and temperature of the GPU are noted; 0 is never.")), 0, 3600000, "ms");
  range(t.add("seed", "Seed", T::Integer, 0, kAll, "Equal seeds give equal noise in every mode and on every device."), 0, 4294967295.0);
  range(advanced(t.add("threads", "CPU threads", T::Integer, 0, kAll, "0: one a core. Recorded, since results on the CPU are bit-identical only at one count.")), 0, 4096);
  advanced(t.add("deterministic", "Deterministic", T::Boolean, false, kNetworkJobs, "Bit-identical results on CUDA: fixed algorithms, no floating-point atomics; slower."));
}

Preset preset(std::string kind, std::string name, std::string title, std::string explanation, Json values) {
  return {std::move(name), std::move(title), std::move(explanation), std::move(kind), std::move(values)};
}
} // namespace

std::vector<Parameter> jobParameters(const CatalogChoices& c) {
  Table t;
  addData(t, c);
  addModel(t);
  addTraining(t);
  addSampling(t, c);
  addMeasuring(t, c);
  addQuality(t);
  addExecution(t, c);
  return t.take();
}

std::vector<Preset> jobPresets() {
  return {
      preset("train", "published", "Published Med-DDPM", "The original hyper-parameters: 100 000 steps, learning rate 1e-5, EMA 0.995 every 10 steps.",
             {{"data.preprocessing", "published"}, {"train.steps", 100000}, {"train.passes", 0.0}, {"train.batch", 1}, {"train.accumulate", 2}, {"train.learning_rate", 1e-5},
              {"train.ema_decay", 0.995}, {"train.ema_every", 10}, {"train.ema_start", 2000}, {"diffusion.timesteps", 250}, {"diffusion.loss", "l1"},
              {"train.checkpoint_every", 1000}, {"train.sample_every", 1000}, {"sample.sampler", "ddpm"}, {"sample.steps", 0}}),
      preset("train", "paper", "Profiling paper", "25 passes over the data, batch 1, 128³, as in the 2026 profiling study.",
             {{"train.passes", 25.0}, {"train.batch", 1}, {"data.size", Json::array({128, 128, 128})}}),
      preset("train", "brats", "BraTS, four modalities", "Network and preprocessing of the published BraTS program: 192×192×144, four images, four masks.",
             {{"data.preprocessing", "published_brats"}, {"data.size", Json::array({192, 192, 144})}, {"data.condition_background", 0.0}, {"model.image_channels", 4},
              {"model.condition_channels", 4}, {"model.residual_blocks", 2}, {"model.attention_factors", Json::array()}}),
      preset("train", "demo", "Demonstration", "A small network at 64³ that a laptop trains within minutes.",
             {{"data.size", Json::array({64, 64, 64})}, {"model.base_channels", 32}, {"model.multipliers", Json::array({1, 1, 2, 3})}, {"model.attention_factors", Json::array({8})},
              {"train.steps", 20}, {"train.accumulate", 1}, {"train.learning_rate", 1e-5}, {"train.log_every", 1}, {"train.checkpoint_every", 20},
              {"train.sample_every", 20}, {"sample.sampler", "dpm_solver"}, {"sample.steps", 20}}),
  };
}

} // namespace voxlab
