// SPDX-License-Identifier: Apache-2.0
// A job of kind train.
#include "app/worker/engine.h"
#include "app/worker/environment.h"
#include "app/worker/jobs.h"
#include "app/worker/log.h"
#include "app/worker/registry.h"
#include "app/worker/training_data.h"
#include "app/worker/training_profiler.h"
#include "core/analysis/network_plan.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/preparation_record.h"
#include "core/diffusion/trainer.h"
#include <algorithm>

namespace voxlab {
namespace {
struct StartingPoint {
  NetworkSpec network;
  NamedTensors weights; // float32 on the CPU
};

StartingPoint startingPoint(RunSession& session, const JobSpec& spec) {
  const auto source = spec.get<std::string>("train.start");
  if (source.empty()) {
    const NetworkSpec network = valueOrThrow(networkSpecFrom(spec));
    return {network, initialWeights(network, spec.get<std::uint64_t>("seed"))};
  }
  Weights weights = valueOrThrow(loadWeights(valueOrThrow(weightsPath(source)), WhichWeights::Ema));
  const int timesteps = spec.get<int>("diffusion.timesteps");
  if (weights.timesteps && *weights.timesteps != timesteps)
    session.warn("The weights in " + source + " were trained with " + std::to_string(*weights.timesteps) +
                 " diffusion steps, this job uses " + std::to_string(timesteps) +
                 "; at first the network has to learn the new ones.");
  log::info("The weights come from " + source + ".");
  return {std::move(weights.network), std::move(weights.parameters)};
}

void tellFindings(RunSession& session, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings)
    if (finding.severity == Severity::Error || finding.severity == Severity::Warning) {
      const std::string words = inWords(finding);
      finding.severity == Severity::Error ? session.warn(words) : log::warning(words);
    }
}

// Every file is looked at before the night begins, after each start alike, so that a resumed training has the same subjects. Errors
// of single subjects are told and the others used; without any the job ends before it begins.
DatasetIndex checkedIndex(RunSession& session, const JobSpec& spec, const NetworkSpec& network) {
  DatasetIndex index =
      valueOrThrow(trainingIndex(spec, network, spec.get<std::string>("data.images"), spec.get<std::string>("data.masks")));
  const PreflightReport report = valueOrThrow(preflight(index, trainingPreflight(spec, network)));
  tellFindings(session, report.findings);
  std::erase_if(index.cases, [&](const DatasetCase& c) {
    return std::any_of(report.findings.begin(), report.findings.end(),
                       [&](const Finding& f) { return f.severity == Severity::Error && f.subject == c.subject; });
  });
  if (!index.cases.empty())
    return index;
  const auto first = std::find_if(report.findings.begin(), report.findings.end(), [](const Finding& f) { return f.severity == Severity::Error; });
  throw Failure(ExitCode::Data, "There is no subject with everything that the network needs. " +
                                    (first == report.findings.end() ? std::string() : first->message));
}

PreparationRecord recordOf(const DatasetSettings& settings, const DatasetIndex& index) {
  const PreprocessSettings& p = settings.preprocess;
  return {p.size, p.recipe, p.labels, p.conditionBackground, index.modalities};
}

// What a step costs, and the least time that the device needs for it, where that is known.
void addCost(TrainerHooks& hooks, const TrainingPlan& plan, const SpatialSize& size, const Engine& engine) {
  const auto layers = planNetwork(plan.network, size, plan.step.batchSize);
  if (!layers)
    return;
  hooks.flopsPerStep = layers->flops(StepKind::Train) * plan.step.accumulate;
  if (const auto bound_ms = engine.bound_ms(*layers, StepKind::Train))
    hooks.bound_ms = *bound_ms * plan.step.accumulate;
}

Json summaryOf(const Trainer& trainer, const TrainingPlan& plan, const TrainStep& step, std::int64_t cases) {
  Json summary{{"steps", step.step()},
               {"total_steps", plan.totalSteps},
               {"passes", plan.passesAfter(step.step(), cases)},
               {"subjects", cases},
               {"training_time_s", trainer.trainingTime_s()}};
  if (trainer.firstLoss())
    summary["first_loss"] = *trainer.firstLoss();
  if (trainer.lastLoss())
    summary["last_loss"] = *trainer.lastLoss();
  return summary;
}
DatasetSettings dataSettings(const JobSpec& spec, const NetworkSpec& network, c10::Device device) {
  DatasetSettings settings = datasetSettingsFrom(spec, network);
  settings.cacheBytes = static_cast<std::uint64_t>(memoryBytes()) / 4;
  settings.memory = device.is_cuda() ? HostMemory::Pinned : HostMemory::Pageable;
  return settings;
}

// Everything a trainer works with, in the order in which one needs the other.
struct Workshop {
  Workshop(JobContext& context, StartingPoint start, const DatasetIndex& index)
      : plan(trainingPlanFrom(context.spec, static_cast<std::int64_t>(index.cases.size()))), engine(context.engine),
        network(start.network), settings(dataSettings(context.spec, network, engine.device())), preparation(recordOf(settings, index)),
        data(index.cases, settings), weights(engine.place(start.weights)), average(engine.place(start.weights)),
        backend(engine.backend(network, weights, BackendUse::Training)), process(plan.timesteps, engine.device()),
        step(weights, average, process, backend->predictor(), stepSettings(), engine.gradientScaler(),
             engine.workRunner()) {
    plan.network = network;
  }

  TrainSettings stepSettings() const {
    TrainSettings withAdam = plan.step;
    withAdam.adam = engine.adamKind();
    return withAdam;
  }

  // The average changes while training, and backends may keep copies: a new one each time.
  std::unique_ptr<Generator> makeGenerator() const {
    const std::shared_ptr<Backend> inference = engine.backend(network, average, BackendUse::Inference);
    const Predictor predictor = [inference](const at::Tensor& x, const at::Tensor& c, const at::Tensor& t) {
      return inference->predict(x, c, t);
    };
    return std::make_unique<Generator>(GeneratorSettings{network, plan.timesteps, engine.withUpdate(plan.sampling), preparation.conditionBackground},
                                       predictor, makeSampler(plan.sampler), engine.device());
  }

  TrainerHooks hooks() const {
    TrainerHooks hooks;
    hooks.memory = [this] { return engine.memory(); };
    hooks.afterStep = [sync = engine.stepSync()] { sync.afterStep(); };
    addCost(hooks, plan, settings.paddedSize, engine);
    hooks.precision = precisionName(engine.mode().switches.precision);
    hooks.description = describe(preparation);
    return hooks;
  }

  TrainingPlan plan;
  const Engine& engine;
  NetworkSpec network;
  DatasetSettings settings;
  PreparationRecord preparation;
  Dataset data;
  NamedTensors weights, average;
  std::unique_ptr<Backend> backend;
  DiffusionProcess process;
  TrainStep step;
};

TrainingProfilerSettings profilerSettings(const JobContext& context) {
  return {context.engine.mode().name, context.engine.device(), context.spec.get<bool>("train.live_breakdown"),
          context.spec.get<std::int64_t>("train.live_breakdown_every"),
          context.engine.mode().switches.cudaGraphs && context.engine.device().is_cuda()};
}
// From the newest checkpoint, if there is one. Going back to an older one costs steps and pictures: the user decides that.
void goOnFrom(Trainer& trainer, const RunDirectory& run) {
  const auto checkpoints = run.finishedCheckpoints();
  if (checkpoints.empty())
    return;
  try {
    trainer.resume(checkpoints.back());
  } catch (const Failure& failure) {
    if (checkpoints.size() < 2)
      throw;
    throw Failure(failure.code(), std::string(failure.what()) + " The checkpoint before is " + checkpoints[checkpoints.size() - 2].string() +
                                      ": move " + checkpoints.back().filename().string() + " away to go on from it.");
  }
}
} // namespace

JobOutcome train(JobContext& context) {
  RunSession& session = context.session;
  StartingPoint start = startingPoint(session, context.spec);
  const DatasetIndex index = checkedIndex(session, context.spec, start.network);
  Workshop shop(context, std::move(start), index);
  const TrainingPlan& plan = shop.plan;
  Preview preview(session, shop.data, [&shop] { return shop.makeGenerator(); },
                  {plan.sampleCount, plan.seed, plan.sampler, shop.engine.mode().name, channelNames(shop.preparation, shop.network),
                   plan.recordEvery});
  TrainingProfiler profiler(session, profilerSettings(context));
  TrainerHooks hooks = shop.hooks();
  hooks.beforeStep = [&profiler](std::int64_t step) { profiler.beforeStep(step); };
  hooks.stepDone = [&profiler](std::int64_t step) { profiler.afterStep(step); };
  hooks.profileNext = [&profiler](std::int64_t steps) { profiler.request(steps); };
  Trainer trainer({session, shop.data, shop.step, &preview, shop.engine.device()}, plan, std::move(hooks));
  if (context.mode == StartMode::Resume)
    goOnFrom(trainer, session.run());
  log::info(formatCount(plan.totalSteps) + " steps over " + formatCount(shop.data.size()) + " subjects, " +
            formatSignificant(plan.passesAfter(plan.totalSteps, shop.data.size())) + " passes, on " + shop.engine.device().str() +
            ".");
  const TrainingEnd end = trainer.run();
  Json summary = summaryOf(trainer, plan, shop.step, shop.data.size());
  if (const auto overhead = profiler.liveOverhead_percent()) {
    summary["live_breakdowns"] = profiler.liveWindows();
    summary["live_breakdown_overhead_percent"] = *overhead;
  }
  if (end == TrainingEnd::Stopped)
    return {ExitCode::Stopped,
            "Stopped at step " + formatCount(shop.step.step()) + " of " + formatCount(plan.totalSteps) + "; the state is saved.",
            summary};
  return {ExitCode::Finished, "Trained " + formatCount(shop.step.step()) + " steps.", summary};
}

} // namespace voxlab
