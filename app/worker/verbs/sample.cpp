// SPDX-License-Identifier: Apache-2.0
// A job of kind sample: volumes drawn from a trained network, each on its mask's own grid.
#include "app/worker/engine.h"
#include "app/worker/jobs.h"
#include "app/worker/log.h"
#include "app/worker/registry.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/diffusion/preparation_record.h"
#include "core/diffusion/preview.h"
#include "core/diffusion/training_plan.h"
#include "core/imaging/importers.h"
#include "core/imaging/preflight.h"
#include "core/imaging/volume_io.h"
#include "core/protocol/control_point.h"
#include "core/protocol/progress.h"

namespace voxlab {
namespace {
namespace fs = std::filesystem;

std::vector<fs::path> maskFiles(const JobSpec& spec, const NetworkSpec& network) {
  if (network.conditionChannels == 0)
    return {fs::path()};
  const fs::path masks = spec.get<std::string>("sample.masks");
  if (masks.empty())
    throw Failure(ExitCode::Usage, "The network has condition channels: sample.masks has to name a mask or a folder of masks.");
  std::error_code ec;
  const bool isSeries = fs::is_directory(masks, ec) && readVolumeHeader(masks).has_value(); // DICOM
  const auto files =
      fs::is_directory(masks, ec) && !isSeries ? valueOrThrow(volumeFilesBelow(masks)) : std::vector<fs::path>{masks};
  if (files.empty())
    throw Failure(ExitCode::Data, "There is no volume in " + masks.string() + ".");
  return files;
}

PreprocessSettings preprocessFor(const JobSpec& spec, const PreparationRecord& how, const NetworkSpec& network) {
  PreprocessSettings settings;
  settings.recipe = how.recipe;
  settings.size = how.size;
  settings.labels = how.labels;
  settings.conditionBackground = how.conditionBackground;
  if (const auto size = spec.get<std::vector<std::int64_t>>("sample.size"); size.size() == 3)
    settings.size = {size[0], size[1], size[2]};
  if (const auto labels = spec.get<std::vector<std::int64_t>>("data.labels"); !labels.empty())
    settings.labels = labels;
  if (static_cast<int>(settings.labels.size()) != network.conditionChannels)
    throw Failure(ExitCode::Usage, "data.labels has " + std::to_string(settings.labels.size()) + " entries, but the network has " +
                                       std::to_string(network.conditionChannels) + " condition channels.");
  return settings;
}

std::set<std::string> announcedSamples(const RunDirectory& run) {
  std::set<std::string> paths;
  EventReader reader(run.eventsFile());
  do {
    const auto events = valueOrThrow(reader.poll());
    for (const Event& e : events)
      if (e.type == event::kSample)
        paths.insert(jsonGet<std::string>(e.fields, "path").value_or(""));
  } while (!reader.atEnd());
  return paths;
}

// The grid of a volume without a mask: centred, 1 mm.
PreparedCase emptyCase(const GridSize& size) {
  PreparedCase nothing;
  nothing.grid.size = size;
  for (std::size_t axis = 0; axis < 3; ++axis)
    nothing.grid.affine[axis][3] = -0.5 * static_cast<double>(size[axis] - 1);
  nothing.sourceGrid = nothing.grid;
  return nothing;
}

class SamplingJob {
public:
  explicit SamplingJob(JobContext& context)
      : m_session(context.session), m_spec(context.spec), m_engine(context.engine),
        m_source(valueOrThrow(weightsPath(m_spec.get<std::string>("sample.checkpoint")))),
        m_weights(valueOrThrow(
            loadWeights(m_source, m_spec.get<std::string>("sample.weights") == "model" ? WhichWeights::Model : WhichWeights::Ema))),
        m_preparation(preparationOf(m_weights)), m_preprocess(preprocessFor(m_spec, m_preparation.record, m_weights.network)),
        m_masks(maskFiles(m_spec, m_weights.network)),
        m_backend(m_engine.backend(m_weights.network, m_engine.place(m_weights.parameters), BackendUse::Inference)),
        m_generator(
            {m_weights.network, m_weights.timesteps.value_or(250), m_engine.withUpdate(samplerSettingsFrom(m_spec)), m_preprocess.conditionBackground},
            m_backend->predictor(), makeSampler(m_spec.get<std::string>("sample.sampler")), m_engine.device()),
        m_control(m_session, {}), m_sync(m_engine.stepSync()), m_perMask(m_spec.get<std::int64_t>("sample.count", 1)),
        m_progress(m_session, "volumes", static_cast<std::int64_t>(m_masks.size()) * m_perMask) {
    if (context.mode == StartMode::Resume)
      m_announced = announcedSamples(m_session.run());
  }

  JobOutcome work() {
    lookAtMasks();
    for (const std::string& guess : m_preparation.guesses)
      m_session.warn(guess);
    m_session.emitState("running");
    for (const fs::path& mask : m_masks) {
      const PreparedCase prepared = prepare(mask);
      for (std::int64_t k = 0; k < m_perMask; ++k) {
        m_progress.tell(m_done);
        if (!lookUp() || !draw(mask, prepared, k))
          return outcome(ExitCode::Stopped);
        ++m_done;
      }
    }
    m_progress.tell(m_done);
    return outcome(ExitCode::Finished);
  }

private:
  // Every mask is looked at before a volume is drawn: what is wrong with the last is told at once, not hours later.
  void lookAtMasks() const {
    DatasetIndex index;
    for (const fs::path& mask : m_masks)
      if (!mask.empty())
        index.cases.push_back({volumeStem(mask), {{}, mask}});
    PreflightOptions looking;
    looking.recipe = m_preprocess.recipe;
    looking.labels = m_preprocess.labels;
    std::vector<std::string> bad;
    for (const Finding& finding : valueOrThrow(preflight(index, looking)).findings) {
      const std::string words = inWords(finding);
      if (finding.severity == Severity::Error && !finding.file.empty())
        bad.push_back(words);
      else if (finding.severity != Severity::Note)
        m_session.warn(words);
    }
    if (!bad.empty())
      throw Failure(ExitCode::Data, bad.front() + (bad.size() > 1 ? " So it is with " + std::to_string(bad.size() - 1) + " more." : "") +
                                        " Nothing was drawn: leave it out, or mend it.");
  }

  bool lookUp() {
    do
      m_control.poll("running");
    while (m_control.paused());
    return !m_control.stopRequested();
  }

  PreparedCase prepare(const fs::path& mask) {
    if (mask.empty())
      return emptyCase(m_preprocess.size);
    PreparedCase prepared = valueOrThrow(prepareCase({{}, mask}, m_preprocess));
    for (const std::string& note : prepared.notes)
      log::warning(note);
    return prepared;
  }

  SampleDescription record(const fs::path& mask, std::int64_t k) const {
    SampleDescription r;
    r.seed = m_spec.get<std::uint64_t>("seed") + static_cast<std::uint64_t>(k);
    r.name = (mask.empty() ? std::string("volume") : volumeStem(mask)) + "_seed" + std::to_string(r.seed);
    r.channelNames = channelNames(m_preparation.record, m_weights.network);
    r.sampler = m_spec.get<std::string>("sample.sampler");
    r.samplerSteps = m_generator.steps();
    r.checkpoint = m_source.string();
    r.mode = m_engine.mode().name;
    r.mask = mask.string();
    r.more = {{"weights", m_spec.get<std::string>("sample.weights")},
              {"eta", m_spec.get<double>("sample.eta")},
              {"clamp", m_spec.get<bool>("sample.clamp")},
              {"grid", m_spec.get<std::string>("sample.grid")}};
    return r;
  }

  // False when the session was asked to stop meanwhile.
  bool draw(const fs::path& mask, const PreparedCase& prepared, std::int64_t k) {
    const fs::path folder = m_session.run().path() / "samples";
    SampleDescription r = record(mask, k);
    if (m_announced.count(samplePath(m_session.run(), folder, r)))
      return true;
    TrajectoryWriter trajectory(folder, r, prepared.grid, m_spec.get<std::int64_t>("sample.record_every"));
    const double begin_s = m_session.secondsSinceStart();
    const GridSize& size = m_preprocess.size;
    const at::Tensor condition = prepared.condition.channels > 0 ? tensorOf(prepared.condition) : at::Tensor();
    const auto volume = m_generator.draw(condition, {size[2], size[1], size[0]}, {r.seed, 0}, [&](const SamplerStep& step) {
      m_progress.tellPart(m_done, static_cast<double>(step.index + 1) / step.count);
      trajectory.look(step);
      m_sync.afterStep();
      return lookUp() ? SamplerVerdict::Continue : SamplerVerdict::Stop;
    });
    if (!volume)
      return false;
    r.duration_ms = (m_session.secondsSinceStart() - begin_s) * 1000;
    if (!trajectory.written().empty())
      r.more["trajectory"] = trajectory.written();
    const bool networkGrid = m_spec.get<std::string>("sample.grid") == "network";
    writeSample(m_session, folder, *volume, prepared.grid, networkGrid ? prepared.grid : prepared.sourceGrid, r);
    log::info(r.name + " took " + formatDuration(r.duration_ms / 1000) + ".");
    valueOrThrow(m_session.writeStatus());
    return true;
  }

  JobOutcome outcome(ExitCode code) const {
    const auto total = static_cast<std::int64_t>(m_masks.size()) * m_perMask;
    const std::string drawn = formatCount(m_done) + " of " + formatCount(total) + " volumes";
    return {code,
            code == ExitCode::Stopped ? "Stopped after " + drawn + "." : "Drew " + drawn + ".",
            {{"volumes", m_done}, {"of", total}}};
  }

  RunSession& m_session;
  const JobSpec& m_spec;
  const Engine& m_engine;
  fs::path m_source;
  Weights m_weights;
  FoundPreparation m_preparation;
  PreprocessSettings m_preprocess;
  std::vector<fs::path> m_masks;
  std::unique_ptr<Backend> m_backend;
  Generator m_generator;
  ControlPoint m_control;
  StepSync m_sync;
  std::int64_t m_perMask;
  Progress m_progress;
  std::set<std::string> m_announced;
  std::int64_t m_done = 0;
};
} // namespace

JobOutcome sample(JobContext& context) {
  return SamplingJob(context).work();
}

} // namespace voxlab
