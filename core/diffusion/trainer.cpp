// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/trainer.h"
#include "core/base/failure.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/diffusion/checkpoint.h"
#include "core/diffusion/profiler_range.h"
#include <ATen/TensorOperators.h>

namespace voxlab {
namespace {
class StopWatch {
public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count(); }

private:
  std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

std::set<std::string> announcedPaths(const RunDirectory& run) {
  std::set<std::string> paths;
  EventReader reader(run.eventsFile());
  std::vector<Event> events;
  do {
    auto batch = valueOrThrow(reader.poll());
    std::move(batch.begin(), batch.end(), std::back_inserter(events));
  } while (!reader.atEnd());
  for (const Event& e : effectiveEvents(std::move(events)))
    if (e.type == event::kSample || e.type == event::kCheckpoint)
      paths.insert(jsonGet<std::string>(e.fields, "path").value_or(""));
  return paths;
}

std::set<std::string_view> supportedRequests(const TrainingParts& parts, const TrainerHooks& hooks) {
  std::set<std::string_view> supported{command::kCheckpointNow};
  if (parts.preview)
    supported.insert(command::kSampleNow);
  if (hooks.profileNext)
    supported.insert(command::kProfileNext);
  return supported;
}
} // namespace

Trainer::Trainer(TrainingParts parts, TrainingPlan plan, TrainerHooks hooks)
    : m_parts(parts), m_plan(std::move(plan)), m_hooks(std::move(hooks)),
      m_control(parts.session, supportedRequests(m_parts, m_hooks)), m_runAhead(parts.device) {}

void Trainer::resume(const std::filesystem::path& checkpoint) {
  const Checkpoint saved = valueOrThrow(readCheckpoint(checkpoint));
  copyValues(saved.model, m_parts.step.parameters());
  copyValues(saved.ema, m_parts.step.average());
  m_parts.step.restore(saved.optimizer, saved.step);
  const Json& state = saved.state;
  if (state.contains("loss_log"))
    m_losses.restore(state["loss_log"], m_parts.device);
  m_firstLoss = jsonGet<double>(state, "first_loss");
  m_lastLoss = jsonGet<double>(state, "last_loss");
  m_savedStep = m_parts.step.step();
}

TrainingEnd Trainer::run() {
  m_parts.session.setStep(m_parts.step.step());
  m_parts.session.emitState("running", {{"total_steps", m_plan.totalSteps}});
  catchUp();
  bool goOn = sampleIfDue();
  while (goOn && m_parts.step.step() < m_plan.totalSteps) {
    goOn = lookUp();
    if (!goOn)
      break;
    if (m_hooks.beforeStep)
      m_hooks.beforeStep(m_parts.step.step());
    trainOnce();
    if (m_hooks.stepDone)
      m_hooks.stepDone(m_parts.step.step());
    logIfDue();
    saveIfDue();
    goOn = sampleIfDue();
  }
  if (m_savedStep != m_parts.step.step())
    save();
  return goOn ? TrainingEnd::Finished : TrainingEnd::Stopped;
}

void Trainer::catchUp() {
  if (!m_savedStep)
    return;
  m_announced = announcedPaths(m_parts.session.run());
  if (!m_announced.count(checkpointPath()))
    m_parts.session.emit(event::kCheckpoint, {{"step", *m_savedStep}, {"path", checkpointPath()}});
}

bool Trainer::lookUp() {
  do {
    const ControlWishes wishes = m_control.poll("running");
    if (wishes.checkpoint)
      save();
    if (wishes.sample && !sampleNow())
      return false;
    if (wishes.profileSteps > 0)
      m_hooks.profileNext(wishes.profileSteps);
  } while (m_control.paused());
  return !m_control.stopRequested();
}

BatchPlace Trainer::place(std::int64_t step, std::int64_t part) const {
  return {step, part * m_plan.step.batchSize, m_plan.step.batchSize, m_plan.samplesPerStep()};
}

MicroBatch Trainer::load(const BatchPlace& here, const BatchPlace& next) const {
  const ProfilerRange range("data");
  const ImageBatch images = m_parts.data.batch(here, next);
  return {copyTo(images.image, m_parts.device), copyTo(images.condition, m_parts.device), {}, {}};
}

void Trainer::trainOnce() {
  const ProfilerRange range("train_step");
  const StopWatch whole;
  const std::int64_t step = m_parts.step.step();
  at::Tensor loss;
  for (int part = 0; part < m_plan.step.accumulate; ++part) {
    const StopWatch loading;
    const bool lastPart = part + 1 == m_plan.step.accumulate;
    const BatchPlace here = place(step, part), next = lastPart ? place(step + 1, 0) : place(step, part + 1);
    MicroBatch batch = load(here, next);
    m_data_s += loading.seconds();
    const StopWatch computing;
    drawNoise(batch, m_plan.seed, step, here.firstSample, m_plan.timesteps);
    const at::Tensor share = m_parts.step.accumulate(batch) / static_cast<double>(m_plan.step.accumulate);
    loss = loss.defined() ? loss + share : share;
    m_compute_s += computing.seconds();
  }
  const StopWatch computing;
  m_learningRate = m_parts.step.learningRate();
  const StepOutcome outcome = m_parts.step.update();
  m_losses.add(loss, outcome.gradientNorm, outcome.skipped);
  m_runAhead.enqueued();
  if (m_hooks.afterStep)
    m_hooks.afterStep();
  m_compute_s += computing.seconds();
  m_parts.session.setStep(step + 1);
  m_window_s += whole.seconds();
  m_trainingTime_s += whole.seconds();
}

void Trainer::logIfDue() {
  const std::int64_t step = m_parts.step.step();
  if (step % m_plan.logEvery != 0 && step != m_plan.totalSteps)
    return;
  const StopWatch waiting;
  const LossReading reading = m_losses.take();
  const double waited_s = waiting.seconds(); // for the device, which was still at work
  m_compute_s += waited_s;
  m_window_s += waited_s;
  m_trainingTime_s += waited_s;
  emitStep(reading);
  if (!reading.finite())
    throw Failure(ExitCode::Internal, LossWatch::explainNotFinite(reading, step, m_hooks.precision));
  m_firstLoss = m_firstLoss ? m_firstLoss : reading.loss;
  m_lastLoss = reading.loss;
  if (const std::string warning = m_watch.look(reading, step); !warning.empty())
    m_parts.session.warn(warning, {{"step", step}});
  valueOrThrow(m_parts.session.writeStatus());
}

void Trainer::emitStep(const LossReading& reading) {
  const auto steps = static_cast<double>(reading.steps);
  const double step_s = m_window_s / steps, volumes = static_cast<double>(m_plan.samplesPerStep());
  const auto& size = m_parts.data.settings().paddedSize;
  // JSON knows no NaN: a loss that is none is null, which readers draw as a gap.
  Json fields{{"step", m_parts.step.step()},
              {"loss", reading.loss},
              {"loss_smoothed", reading.smoothed},
              {"learning_rate", m_learningRate},
              {"step_time_ms", step_s * 1000},
              {"data_ms", m_data_s / steps * 1000},
              {"compute_ms", m_compute_s / steps * 1000},
              {"host_ms", std::max(0.0, m_window_s - m_data_s - m_compute_s) / steps * 1000},
              {"volumes_per_s", volumes / step_s},
              {"voxels_per_s", volumes * static_cast<double>(size[0] * size[1] * size[2]) / step_s},
              {"passes", m_plan.passesAfter(m_parts.step.step(), m_parts.data.size())}};
  if (reading.gradientNorm)
    fields["gradient_norm"] = *reading.gradientNorm;
  if (m_hooks.flopsPerStep)
    fields["flops_per_s"] = *m_hooks.flopsPerStep / step_s;
  if (m_hooks.bound_ms)
    fields["bound_percent"] = 100 * *m_hooks.bound_ms / (step_s * 1000);
  if (const GradientScaler* scaler = m_parts.step.scaler())
    fields["loss_scale"] = scaler->scale().item<double>();
  m_parts.session.emit(event::kStep, std::move(fields));
  if (m_hooks.memory) {
    Json memory = m_hooks.memory();
    memory["step"] = m_parts.step.step();
    m_parts.session.emit(event::kMemory, std::move(memory));
  }
  if (m_hooks.whenLogging)
    m_hooks.whenLogging();
  m_window_s = m_data_s = m_compute_s = 0;
}

std::string Trainer::checkpointPath() const {
  const RunDirectory& run = m_parts.session.run();
  return run.relative(run.checkpoint(m_parts.step.step())).string();
}

void Trainer::saveIfDue() {
  const std::int64_t step = m_parts.step.step();
  if (step % m_plan.checkpointEvery == 0 || step == m_plan.totalSteps)
    save();
}

// Finite losses and gradients up to now mean finite weights.
void Trainer::refuseToSaveNonsense() {
  if (m_losses.steps() == 0)
    return; // looked at when it was logged
  const LossReading reading = m_losses.look();
  if (!reading.finite())
    throw Failure(ExitCode::Internal, LossWatch::explainNotFinite(reading, m_parts.step.step(), m_hooks.precision));
}

void Trainer::save() {
  const std::int64_t step = m_parts.step.step();
  if (m_savedStep == step)
    return;
  const RunDirectory& run = m_parts.session.run();
  m_parts.session.emitState("checkpointing");
  refuseToSaveNonsense();
  const StopWatch writing;
  Checkpoint checkpoint{step,
                        m_plan.network,
                        m_plan.timesteps,
                        m_hooks.description,
                        Json::object(),
                        m_parts.step.parameters(),
                        m_parts.step.average(),
                        m_parts.step.optimizerState()};
  checkpoint.state = {{"loss_log", m_losses.state()},
                      {"first_loss", m_firstLoss ? Json(*m_firstLoss) : Json(nullptr)},
                      {"last_loss", m_lastLoss ? Json(*m_lastLoss) : Json(nullptr)}};
  valueOrThrow(m_parts.session.flushToDisk()); // the events up to here belong to the checkpoint
  if (const Status written = writeCheckpoint(run.checkpoint(step), checkpoint); !written) {
    const auto newest = run.newestCheckpoint();
    throw Failure(written.error().code,
                  "The checkpoint of step " + formatCount(step) + " could not be written. " + written.error().message +
                      (newest ? " " + newest->filename().string() + " is whole; free some space and go on from it." : ""));
  }
  m_savedStep = step;
  m_parts.session.emit(event::kCheckpoint, {{"step", step}, {"path", checkpointPath()}, {"duration_ms", writing.seconds() * 1000}});
  prune();
  m_parts.session.emitState("running");
}

// The newest always stays. DONE goes first: half a checkpoint must not look whole.
void Trainer::prune() const {
  const RunDirectory& run = m_parts.session.run();
  removeTemporaries(run.checkpoints(), Below::Folder);
  const auto finished = run.finishedCheckpoints();
  std::error_code ec;
  for (std::size_t i = 0; m_plan.keepCheckpoints > 0 && i + static_cast<std::size_t>(m_plan.keepCheckpoints) < finished.size();
       ++i) {
    std::filesystem::remove(finished[i] / "DONE", ec);
    std::filesystem::remove_all(finished[i], ec);
  }
}

bool Trainer::sampleIfDue() {
  const std::int64_t step = m_parts.step.step();
  const bool due =
      m_parts.preview && m_plan.sampleEvery > 0 && step > 0 && (step % m_plan.sampleEvery == 0 || step == m_plan.totalSteps);
  return !due || sampleNow();
}

bool Trainer::sampleNow() {
  save(); // a failure while sampling must not cost the training
  m_parts.session.emitState("sampling");
  const PreviewEnd end = m_parts.preview->draw(m_parts.step.step(), checkpointPath(), m_announced);
  if (end == PreviewEnd::Stopped)
    return false;
  m_parts.session.emitState("running");
  return true;
}

} // namespace voxlab
