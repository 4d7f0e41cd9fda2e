// SPDX-License-Identifier: Apache-2.0
// The training loop: steps, log, checkpoints (always before sampling), previews, requests, and the end. Everything that
// resuming needs lies in the checkpoint; a resumed run repeats the uninterrupted one bit for bit (on the CPU with the same
// number of threads, on CUDA with deterministic algorithms).
#pragma once
#include "core/diffusion/loss_log.h"
#include "core/diffusion/preview.h"
#include "core/diffusion/run_ahead.h"
#include "core/diffusion/training_plan.h"
#include "core/protocol/control_point.h"

namespace voxlab {

// What the trainer works with; it owns none of it.
struct TrainingParts {
  RunSession& session;
  Dataset& data;
  TrainStep& step;
  Preview* preview = nullptr; // null: never samples
  at::Device device;
};

struct TrainerHooks {
  std::function<Json()> memory;      // fields of a memory event; empty: none
  std::function<void()> whenLogging; // GPU figures, say
  std::function<void(std::int64_t finishedSteps)> beforeStep, stepDone; // a profiler's
  std::function<void(std::int64_t steps)> profileNext; // asked to record the next steps; empty: such requests are refused
  std::function<void()> afterStep;   // waits for the device where a mode wants that
  std::optional<double> flopsPerStep, bound_ms; // of a step: its arithmetic, and the least time that the device needs
  std::string precision;             // of the mode, for advice
  Json description = Json::object(); // travels with the weights of every checkpoint: see PreparationRecord
};

enum class TrainingEnd { Unknown, Finished, Stopped };

class Trainer {
public:
  Trainer(TrainingParts parts, TrainingPlan plan, TrainerHooks hooks);

  // Goes on from a checkpoint of the same run.
  void resume(const std::filesystem::path& checkpoint);
  // Trains to the plan's last step, or until the session is asked to stop; the state is saved in both cases. Throws Failure:
  // data that cannot be read, a checkpoint that cannot be written, a loss that is not a number.
  TrainingEnd run();

  std::optional<double> firstLoss() const { return m_firstLoss; }
  std::optional<double> lastLoss() const { return m_lastLoss; }
  double trainingTime_s() const { return m_trainingTime_s; } // of this start, without sampling and checkpoints

private:
  bool lookUp(); // obeys requests; false: stop
  MicroBatch load(const BatchPlace& here, const BatchPlace& next) const;
  void trainOnce();
  void logIfDue();
  void emitStep(const LossReading& reading);
  void saveIfDue();
  void save();
  void prune() const;
  void refuseToSaveNonsense();
  bool sampleIfDue();
  bool sampleNow();
  void catchUp();                     // what an earlier start did not get to announce
  std::string checkpointPath() const; // of the current step, relative to the run
  BatchPlace place(std::int64_t step, std::int64_t part) const;

  TrainingParts m_parts;
  TrainingPlan m_plan;
  TrainerHooks m_hooks;
  ControlPoint m_control;
  LossLog m_losses;
  LossWatch m_watch;
  RunAhead m_runAhead;
  std::set<std::string> m_announced; // paths of samples and checkpoints
  std::optional<std::int64_t> m_savedStep;
  std::optional<double> m_firstLoss, m_lastLoss;
  double m_learningRate = 0; // of the newest step
  double m_trainingTime_s = 0;
  double m_window_s = 0, m_data_s = 0, m_compute_s = 0; // since the last log line
};

} // namespace voxlab
