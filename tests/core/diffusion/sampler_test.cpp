// SPDX-License-Identifier: Apache-2.0
// Samplers on Gaussian data, where the right answer is known: for voxels N(mean, deviation^2) the best prediction of the noise
// is sqrt(1 - abar) (x - sqrt(abar) mean) / v with v = abar deviation^2 + 1 - abar, and the probability-flow solution moves x
// along mean sqrt(abar) + c sqrt(v) with c constant.
#include "core/diffusion/sampler.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full_like.h>
#include <cmath>
#include <gtest/gtest.h>

namespace voxlab {
namespace {
constexpr std::array<std::int64_t, 4> kShape{1, 16, 16, 16};

struct Gaussian {
  double mean = 0.2, deviation = 0.15;
  Denoiser denoiser(const Schedule& schedule) const {
    return [*this, &schedule](const at::Tensor& x, const at::Tensor& timesteps) {
      const double abar = schedule.alphasCumprod[static_cast<std::size_t>(timesteps[0].item<std::int64_t>())];
      return (x - std::sqrt(abar) * mean) * (std::sqrt(1 - abar) / (abar * deviation * deviation + 1 - abar));
    };
  }
  at::Tensor flowEnd(const Schedule& schedule, const at::Tensor& start) const {
    const double abar = schedule.alphasCumprod.back();
    return (start - std::sqrt(abar) * mean) * (deviation / std::sqrt(abar * deviation * deviation + 1 - abar)) + mean;
  }
};

SeededNoise noiseOf(std::vector<SampleKey> keys) { return {std::move(keys), kShape, at::kCPU}; }

at::Tensor draw(const Sampler& sampler, const Gaussian& data, int steps, std::vector<SampleKey> keys, double eta = 0, int timesteps = 250) {
  const Schedule schedule(timesteps);
  SamplerSettings settings;
  settings.steps = steps;
  settings.eta = eta;
  settings.clamp = Clamp::None;
  SeededNoise noise = noiseOf(std::move(keys));
  return *sampler.run(schedule, settings, data.denoiser(schedule), noise);
}

std::vector<std::pair<const char*, std::unique_ptr<Sampler>>> samplers() {
  std::vector<std::pair<const char*, std::unique_ptr<Sampler>>> list;
  list.emplace_back("ddpm", makeDdpmSampler());
  list.emplace_back("ddim", makeDdimSampler());
  list.emplace_back("dpm_solver", makeDpmSolverSampler());
  return list;
}

double rms(const at::Tensor& t) { return t.square().mean().sqrt().item<double>(); }

TEST(Sampler, AllEndAtTheOneVolumeThereIs) {
  for (const auto& [name, sampler] : samplers())
    for (const int steps : {0, 1, 2, 10})
      EXPECT_LT(rms(draw(*sampler, {0.4, 0}, steps, {{1, 0}}) - 0.4), 1e-3) << name << " " << steps;
}

TEST(Sampler, TheKernelsUpdateIsTheOperations) {
  const Schedule schedule(50);
  const Gaussian data{0.9, 0.3}; // the clamp acts
  for (const auto& [name, sampler] : samplers())
    for (const Clamp clamp : {Clamp::Unit, Clamp::None}) {
      SamplerSettings settings;
      settings.steps = 7;
      settings.eta = 0.5;
      settings.clamp = clamp;
      std::vector<at::Tensor> results, estimates;
      for (const UpdateKind update : {UpdateKind::Operations, UpdateKind::OneKernel}) {
        settings.update = update;
        SeededNoise noise = noiseOf({{5, 0}, {6, 3}});
        results.push_back(*sampler->run(schedule, settings, data.denoiser(schedule), noise, [&](const SamplerStep& step) {
          if (step.index == 3)
            estimates.push_back(step.cleanEstimate);
          return SamplerVerdict::Continue;
        }));
      }
      EXPECT_LT(rms(results[0] - results[1]), 1e-5 * rms(results[0])) << name;
      EXPECT_LT(rms(estimates[0] - estimates[1]), 1e-5 * rms(estimates[0])) << name;
    }
}

// Every step is x <- a x + b + sigma z, so the mean and the variance of ancestral samples can be followed exactly.
struct Moments {
  double mean = 0, variance = 1;
};
Moments ancestralMoments(const Gaussian& data, const Schedule& schedule, const std::vector<int>& times) {
  Moments m;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double abar = schedule.alphasCumprod[static_cast<std::size_t>(times[i])];
    const double next = i + 1 < times.size() ? schedule.alphasCumprod[static_cast<std::size_t>(times[i + 1])] : 1.0;
    const double beta = 1 - abar / next, v = abar * data.deviation * data.deviation + 1 - abar;
    const double c1 = beta * std::sqrt(next) / (1 - abar), c2 = (1 - next) * std::sqrt(1 - beta) / (1 - abar);
    const double slope = std::sqrt(abar) * data.deviation * data.deviation / v; // of the clean estimate
    const double offset = data.mean - slope * std::sqrt(abar) * data.mean;
    m.mean = (c1 * slope + c2) * m.mean + c1 * offset;
    m.variance = std::pow(c1 * slope + c2, 2) * m.variance + beta * (1 - next) / (1 - abar);
  }
  return m;
}

TEST(Sampler, AncestralSamplesHaveTheMomentsOfTheirChain) {
  const Gaussian data;
  const Schedule schedule(250);
  for (const int steps : {0, 50}) {
    const at::Tensor x = draw(*makeDdpmSampler(), data, steps, {{1, 0}, {2, 0}, {3, 0}, {4, 0}});
    const Moments expected = ancestralMoments(data, schedule, makeDdpmSampler()->timesteps(schedule, steps));
    const double n = static_cast<double>(x.numel()), deviation = std::sqrt(expected.variance);
    EXPECT_NEAR(x.mean().item<double>(), expected.mean, 5 * deviation / std::sqrt(n));
    EXPECT_NEAR(x.std().item<double>(), deviation, 5 * deviation / std::sqrt(2 * n));
    EXPECT_NEAR(expected.mean, data.mean, 1e-3);
    EXPECT_NEAR(deviation, data.deviation, (steps == 0 ? 0.05 : 0.2) * data.deviation) << "what the chain itself leaves out";
  }
}

TEST(Sampler, DdimWithFullNoiseIsAncestral) {
  const Gaussian data;
  EXPECT_LT(rms(draw(*makeDdimSampler(), data, 0, {{7, 0}}, 1.0) - draw(*makeDdpmSampler(), data, 0, {{7, 0}})), 1e-5);
  EXPECT_LT(rms(draw(*makeDdimSampler(), data, 20, {{7, 0}}, 1.0) - draw(*makeDdpmSampler(), data, 20, {{7, 0}})), 1e-5);
}

TEST(Sampler, DeterministicSamplersFollowTheFlow) {
  const Gaussian data;
  const Schedule schedule(1000);
  const at::Tensor end = data.flowEnd(schedule, noiseOf({{5, 0}}).initial());
  const auto error = [&](const Sampler& sampler, int steps) { return rms(draw(sampler, data, steps, {{5, 0}}, 0, 1000) - end) / data.deviation; };
  const double ddim20 = error(*makeDdimSampler(), 20), ddim100 = error(*makeDdimSampler(), 100);
  const double dpm20 = error(*makeDpmSolverSampler(), 20), dpm100 = error(*makeDpmSolverSampler(), 100);
  EXPECT_LT(ddim100, 0.5 * ddim20);
  EXPECT_LT(dpm20, 0.5 * ddim20) << "second order";
  EXPECT_LT(dpm100, 0.03);
  EXPECT_LT(error(*makeDdimSampler(), 0), 0.03);
}

TEST(Sampler, StochasticDpmSolverHasTheMomentsOfTheData) {
  const Gaussian data;
  const at::Tensor x = draw(*makeDpmSolverSampler(), data, 20, {{1, 0}, {2, 0}, {3, 0}, {4, 0}}, 1.0);
  EXPECT_NEAR(x.mean().item<double>(), data.mean, 0.05 * data.deviation);
  EXPECT_NEAR(x.std().item<double>(), data.deviation, 0.1 * data.deviation);
  EXPECT_LT(rms(draw(*makeDpmSolverSampler(), data, 2, {{7, 0}}, 1.0) - draw(*makeDdimSampler(), data, 2, {{7, 0}}, 1.0)), 1e-6)
      << "two steps leave nothing to extrapolate";
}

// A network that is 2 % wrong where there is hardly any signal: its first estimates are clamped error.
TEST(Sampler, FreshNoiseForgetsTheErrorOfTheFirstEstimates) {
  const Gaussian data;
  const Schedule schedule(250);
  const Denoiser right = data.denoiser(schedule);
  const Denoiser wrong = [&](const at::Tensor& x, const at::Tensor& timesteps) {
    return right(x, timesteps) * (timesteps[0].item<std::int64_t>() >= 240 ? 0.98 : 1.0);
  };
  for (const auto& make : {makeDdimSampler, makeDpmSolverSampler}) {
    const auto error = [&](double eta) { // what the wrong estimates change in the volume
      const auto end = [&](const Denoiser& denoiser) {
        SeededNoise noise = noiseOf({{1, 0}});
        return *make()->run(schedule, {.steps = 20, .eta = eta}, denoiser, noise);
      };
      return rms(end(wrong) - end(right)) / data.deviation;
    };
    EXPECT_GT(error(0.0), 0.02);
    EXPECT_LT(error(1.0), 0.25 * error(0.0)) << error(0.0);
  }
}

TEST(Sampler, RepeatsBitForBitAndSeedsDiffer) {
  for (const auto& [name, sampler] : samplers()) {
    const at::Tensor a = draw(*sampler, {}, 10, {{1, 0}}, 0.5);
    EXPECT_TRUE(at::equal(a, draw(*sampler, {}, 10, {{1, 0}}, 0.5))) << name;
    EXPECT_GT(rms(a - draw(*sampler, {}, 10, {{2, 0}}, 0.5)), 0.05) << name;
    EXPECT_GT(rms(a - draw(*sampler, {}, 10, {{1, 1}}, 0.5)), 0.05) << name;
  }
}

TEST(Sampler, ABatchOfTwoIsTwoBatchesOfOne) {
  for (const auto& [name, sampler] : samplers()) {
    const at::Tensor both = draw(*sampler, {}, 12, {{1, 0}, {9, 3}}, 0.5);
    const at::Tensor apart = at::cat({draw(*sampler, {}, 12, {{1, 0}}, 0.5), draw(*sampler, {}, 12, {{9, 3}}, 0.5)});
    EXPECT_TRUE(at::equal(both, apart)) << name;
  }
}

TEST(Sampler, TimeStepsFallFromTheLastToZeroWithoutRepeats) {
  for (const auto& [name, sampler] : samplers())
    for (const int total : {2, 20, 250, 1000})
      for (const int steps : {0, 1, 2, 3, 19, 20, 50, 249, 250, 5000}) {
        const std::vector<int> times = sampler->timesteps(Schedule(total), steps);
        EXPECT_EQ(static_cast<int>(times.size()), steps == 0 ? total : std::min(steps, total)) << name;
        EXPECT_EQ(times.front(), total - 1) << name;
        EXPECT_TRUE(times.size() == 1 || times.back() == 0) << name;
        for (std::size_t i = 1; i < times.size(); ++i)
          EXPECT_LT(times[i], times[i - 1]) << name << " T " << total << " steps " << steps;
      }
}

TEST(Sampler, ReportsEachStepAndStopsWhenTold) {
  const Schedule schedule(20);
  const Gaussian data;
  for (const auto& [name, sampler] : samplers()) {
    SeededNoise noise = noiseOf({{1, 0}});
    std::vector<int> seen;
    const auto result = sampler->run(schedule, {}, data.denoiser(schedule), noise, [&](const SamplerStep& step) {
      EXPECT_EQ(step.index, static_cast<int>(seen.size()));
      EXPECT_EQ(step.count, 20);
      EXPECT_EQ(step.x.sizes(), step.cleanEstimate.sizes());
      EXPECT_LE(step.cleanEstimate.abs().max().item<double>(), 1.0) << "clamped by default";
      seen.push_back(step.timestep);
      return seen.size() == 5 ? SamplerVerdict::Stop : SamplerVerdict::Continue;
    });
    EXPECT_FALSE(result) << name;
    EXPECT_EQ(seen.size(), 5u) << name;
  }
}

TEST(Sampler, NeedsNoGradientsAndKeepsFloat32) {
  const Schedule schedule(5);
  SeededNoise noise = noiseOf({{1, 0}});
  const Denoiser half = [](const at::Tensor& x, const at::Tensor&) { return x.to(at::kBFloat16); };
  const auto x = makeDdpmSampler()->run(schedule, {}, half, noise);
  EXPECT_EQ(x->scalar_type(), at::kFloat);
  EXPECT_FALSE(x->requires_grad());
}

TEST(Sampler, ClampedDdimStaysConsistentWithItsEstimate) {
  const Schedule schedule(50);
  SeededNoise noise = noiseOf({{3, 0}});
  const Denoiser wild = [](const at::Tensor& x, const at::Tensor&) { return at::full_like(x, 3.0); };
  SamplerSettings settings;
  settings.steps = 10;
  const auto x = makeDdimSampler()->run(schedule, settings, wild, noise);
  EXPECT_LE(x->abs().max().item<double>(), 1.0);
}

} // namespace
} // namespace voxlab
