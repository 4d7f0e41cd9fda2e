// SPDX-License-Identifier: Apache-2.0
// A job of kind train.
#include "app/worker/jobs.h"
#include "app/worker/log.h"
#include "app/worker/registry.h"
#include "core/analysis/network_plan.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/trainer.h"
#include "core/diffusion/weights_source.h"

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
  TrainedNetwork trained = valueOrThrow(readTrainedNetwork(source));
  if (trained.timesteps != spec.get<int>("diffusion.timesteps"))
    session.warn("The weights in " + source + " were trained with " + std::to_string(trained.timesteps) +
                 " diffusion steps, this job uses " + spec.value("diffusion.timesteps").dump() +
                 "; the first steps will teach the network the new ones.");
  log::info("The weights come from the " + trained.kind + " " + trained.file.string() + ".");
  return {trained.network, std::move(trained.average)};
}

DatasetIndex indexOf(const JobSpec& spec, const NetworkSpec& network) {
  IndexOptions options;
  options.imageChannels = network.imageChannels;
  options.masks = network.conditionChannels > 0 ? MaskUse::Required : MaskUse::Ignored;
  for (const std::string& word : split(spec.get<std::string>("data.modalities"), ','))
    if (!trimmed(word).empty())
      options.modalities.push_back(trimmed(word));
  return valueOrThrow(indexDataset(spec.get<std::string>("data.images"), spec.get<std::string>("data.masks"), options));
}

// Errors of single subjects are told and the others used; without any the job ends before it begins.
void tellFindings(RunSession& session, const DatasetIndex& index) {
  for (const Finding& finding : index.findings)
    if (finding.severity == Severity::Error || finding.severity == Severity::Warning) {
      session.warn(finding.message);
      log::warning(finding.message);
    }
  if (index.cases.empty())
    throw Failure(ExitCode::Data, "There is no subject with everything that the network needs. " +
                                      (index.findings.empty() ? std::string() : index.findings.front().message));
}

PreparationRecord preparationOf(const DatasetSettings& settings, const DatasetIndex& index) {
  const PreprocessSettings& p = settings.preprocess;
  return {p.size, p.recipe, p.labels, p.conditionBackground, index.modalities};
}

std::optional<double> flopsPerStep(const TrainingPlan& plan, const SpatialSize& size) {
  const auto layers = planNetwork(plan.network, size, plan.step.batchSize);
  return layers ? std::optional(layers->flops(StepKind::Train) * plan.step.accumulate) : std::nullopt;
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
} // namespace

JobOutcome train(JobContext& context) {
  const JobSpec& spec = context.spec;
  RunSession& session = context.session;
  const Engine& engine = context.engine;
  StartingPoint start = startingPoint(session, spec);
  const DatasetIndex index = indexOf(spec, start.network);
  tellFindings(session, index);
  TrainingPlan plan = trainingPlanFrom(spec, static_cast<std::int64_t>(index.cases.size()));
  plan.network = start.network;
  const DatasetSettings dataSettings = datasetSettingsFrom(spec, start.network);
  const PreparationRecord preparation = preparationOf(dataSettings, index);
  Dataset data(index.cases, dataSettings);

  plan.step.adam = engine.adamKind();
  const NamedTensors weights = engine.place(start.weights), average = engine.place(start.weights);
  const auto network = engine.backend(start.network, weights, BackendUse::Training);
  // Its weights change while training, so it keeps no copies of them.
  const auto averageNetwork = engine.backend(start.network, average, BackendUse::Training);
  const DiffusionProcess process(plan.timesteps, engine.device());
  TrainStep step(weights, average, process, network->predictor(), plan.step, engine.gradientScaler());
  const Generator generator({start.network, plan.timesteps, plan.sampling, preparation.conditionBackground},
                            averageNetwork->predictor(), makeSampler(plan.sampler), engine.device());
  Preview preview(session, data, generator, {plan.sampleCount, plan.seed, plan.sampler, engine.mode().name, index.modalities});

  TrainerHooks hooks;
  hooks.memory = [&engine] { return engine.memory(); };
  hooks.flopsPerStep = flopsPerStep(plan, dataSettings.paddedSize);
  hooks.precision = precisionName(engine.mode().switches.precision);
  hooks.checkpointNotes = describeNetwork(start.network, plan.timesteps, preparation);
  Trainer trainer({session, data, step, &preview, engine.device()}, plan, std::move(hooks));
  if (const auto newest = session.run().newestCheckpoint(); newest && context.mode == StartMode::Resume)
    trainer.resume(*newest);
  log::info(formatCount(plan.totalSteps) + " steps over " + formatCount(data.size()) + " subjects, " +
            formatSignificant(plan.passesAfter(plan.totalSteps, data.size())) + " passes.");
  const TrainingEnd end = trainer.run();
  const Json summary = summaryOf(trainer, plan, step, data.size());
  if (end == TrainingEnd::Stopped)
    return {ExitCode::Stopped,
            "Stopped at step " + formatCount(step.step()) + " of " + formatCount(plan.totalSteps) + "; the state is saved.",
            summary};
  return {ExitCode::Finished, "Trained " + formatCount(step.step()) + " steps.", summary};
}

} // namespace voxlab
