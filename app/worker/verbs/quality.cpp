// SPDX-License-Identifier: Apache-2.0
// A job of kind quality: synthetic volumes measured against real ones; the result is quality.json in the run folder.
#include "app/worker/environment.h"
#include "app/worker/jobs.h"
#include "app/worker/log.h"
#include "core/analysis/run_history.h"
#include "core/analysis/statistics.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/evaluation/evaluate.h"
#include "core/protocol/control_point.h"
#include "core/protocol/progress.h"
#include <algorithm>

namespace voxlab {
namespace {
LoadOrder loadOrder(const JobSpec& spec, ControlPoint& control) {
  LoadOrder order;
  if (const auto size = spec.get<std::vector<std::int64_t>>("quality.size"); size.size() == 3)
    order.size = {size[0], size[1], size[2]};
  order.scaling = spec.get<std::string>("quality.intensities") == "stored" ? IntensityScaling::AsStored : IntensityScaling::Percentiles;
  order.goOn = [&control] {
    do
      control.poll("running");
    while (control.paused());
    return !control.stopRequested();
  };
  return order;
}

// What the mode that is compared with drew. Where that is not to be had, the other measures are: the reason takes its place.
std::optional<EqualSeeds> loadEqualSeeds(const JobSpec& spec, const VolumeSet& synthetic, LoadOrder order) {
  const auto source = spec.get<std::string>("quality.reference");
  const auto measures = spec.get<std::vector<std::string>>("quality.measures");
  if (source.empty() || std::find(measures.begin(), measures.end(), "equal_seeds") == measures.end())
    return std::nullopt;
  EqualSeeds sets;
  auto files = evaluatedFiles(source, spec.get<std::string>("quality.modality"));
  if (!files) {
    sets.missing = files.error().message;
    return sets;
  }
  const auto memory_bytes = static_cast<std::uint64_t>(memoryBytes());
  order.size = synthetic.size;
  order.scaling = IntensityScaling::AsStored;
  sets.drawn = valueOrThrow(loadVolumes(synthetic.files, order, memory_bytes));
  sets.reference = valueOrThrow(loadVolumes(std::move(*files), order, memory_bytes));
  return sets;
}

EvaluationSets loadSets(const JobSpec& spec, LoadOrder order) {
  const auto modality = spec.get<std::string>("quality.modality");
  const auto files = [&](const std::string& key) {
    const std::filesystem::path source = spec.get<std::string>(key);
    return source.empty() ? std::vector<EvaluatedFile>() : valueOrThrow(evaluatedFiles(source, modality));
  };
  const auto load = [&](std::vector<EvaluatedFile> list) {
    return list.empty() ? VolumeSet() : valueOrThrow(loadVolumes(std::move(list), order, static_cast<std::uint64_t>(memoryBytes())));
  };
  EvaluationSets sets;
  sets.synthetic = load(files("quality.synthetic"));
  order.size = sets.synthetic.size;
  sets.real = load(files("quality.real"));
  sets.training = spec.get<std::string>("quality.training").empty() ? sets.real : load(files("quality.training"));
  sets.masks = valueOrThrow(masksByCase(spec.get<std::string>("quality.masks"), sets.synthetic.files));
  sets.equalSeeds = loadEqualSeeds(spec, sets.synthetic, order);
  return sets;
}

// A volume's time as a comparison has it, for those who have this result without the run.
std::optional<double> volumeTime_ms(const std::filesystem::path& synthetic) {
  const RunDirectory run(synthetic);
  const auto state = RunDirectory::looksLikeRun(synthetic) ? readRunState(run) : Result<RunState>(RunState());
  const Spread times_ms = spreadOf(state ? settledVolumeTimes_ms(*state) : std::vector<double>());
  return times_ms.count > 0 ? std::optional(times_ms.median) : std::nullopt;
}

EvaluationOrder evaluationOrder(const JobContext& context, const LoadOrder& load) {
  const JobSpec& spec = context.spec;
  EvaluationOrder order;
  for (const auto& measure : spec.get<std::vector<std::string>>("quality.measures"))
    order.measures.insert(measure);
  order.scaling = load.scaling;
  order.features = spec.get<std::string>("quality.features");
  order.segmenter = spec.get<std::string>("quality.segmenter");
  order.kernel = mmdKernelFrom(spec.get<std::string>("quality.kernel"));
  order.bandwidth = spec.get<double>("quality.bandwidth");
  order.resamples = spec.get<std::int64_t>("quality.resamples");
  order.pairs = spec.get<std::int64_t>("quality.pairs");
  order.seed = spec.get<std::uint64_t>("seed");
  order.device = context.engine.device();
  return order;
}

std::string line(const QualityMeasure& m) {
  if (!m.value)
    return m.title + ": " + m.refused;
  std::string text = m.title + " " + formatSignificant(*m.value) + (m.unit.empty() ? "" : " " + m.unit);
  if (m.interval)
    text += " (95 %: " + formatSignificant(m.interval->low) + " to " + formatSignificant(m.interval->high) + ")";
  if (m.realBaseline)
    text += ", real to real " + formatSignificant(*m.realBaseline);
  return text + (m.direction.empty() ? "" : ", " + m.direction + " is better") + "; " + std::to_string(m.count) + " " + m.countOf + ".";
}
} // namespace

JobOutcome quality(JobContext& context) {
  ControlPoint control(context.session, {});
  context.session.emitState("running");
  Progress progress(context.session, "measures", 100);
  const LoadOrder load = loadOrder(context.spec, control);
  EvaluationOrder order = evaluationOrder(context, load);
  order.tell = [&](const std::string&, double part) {
    progress.tellPart(static_cast<std::int64_t>(100 * part), 0);
    return load.goOn();
  };
  EvaluationSets sets;
  QualityResult result;
  try {
    sets = loadSets(context.spec, load);
    result = evaluate(sets, order);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::Stopped)
      throw;
    return {ExitCode::Stopped, failure.what(), Json::object()};
  }
  if (const auto volume_ms = volumeTime_ms(context.spec.get<std::string>("quality.synthetic")))
    result.of["volume_ms"] = *volume_ms;
  const auto tellSet = [&](const char* name, const VolumeSet& set, const char* source) {
    if (const std::string id = setIdOf(context.spec.get<std::string>(source), set.files); !id.empty())
      result.of[name] = id;
  };
  tellSet("set", sets.synthetic, "quality.synthetic");
  tellSet("real_set", sets.real, "quality.real");
  valueOrThrow(writeJsonFile(context.session.run().path() / "quality.json", toJson(result)));
  progress.tell(100);
  Json values = Json::object();
  std::int64_t measured = 0;
  for (const QualityMeasure& m : result.measures) {
    m.value ? log::info(line(m)) : log::warning(line(m));
    values[m.name] = m.value ? Json(*m.value) : Json();
    measured += m.value.has_value();
  }
  for (const std::string& note : result.notes)
    context.session.warn(note);
  if (measured == 0)
    return {ExitCode::Data, "Nothing could be measured: " + (result.measures.empty() ? "no measure was asked for. Name some in quality.measures." : result.measures.front().refused), std::move(values)};
  return {ExitCode::Finished, "Measured " + std::to_string(measured) + " of " + std::to_string(result.measures.size()) + " measures on " +
                                  std::to_string(result.volumes.size()) + " synthetic volumes.", std::move(values)};
}

} // namespace voxlab
