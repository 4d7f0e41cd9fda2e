// SPDX-License-Identifier: Apache-2.0
#include "app/worker/run_facts.h"
#include "core/analysis/run_history.h"
#include "core/base/text.h"
#include "core/protocol/parameter_value.h"
#include <algorithm>
#include <cmath>

namespace voxlab {
namespace {
constexpr std::size_t kLossPoints = 200;

std::vector<double> known(const Series& series) {
  std::vector<double> values;
  std::copy_if(series.y().begin(), series.y().end(), std::back_inserter(values), [](double y) { return std::isfinite(y); });
  return values;
}

std::optional<double> mean(const std::vector<double>& values, std::size_t first, std::size_t last) {
  if (first >= last)
    return std::nullopt;
  double sum = 0;
  for (std::size_t i = first; i < last; ++i)
    sum += values[i];
  return sum / static_cast<double>(last - first);
}

std::optional<double> quantile(std::vector<double> values, double share) {
  if (values.empty())
    return std::nullopt;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void readEnvironment(const RunDirectory& run, RunFacts& facts) {
  const auto lines = LineReader(run.environmentFile()).poll();
  if (!lines || lines->empty())
    return;
  const Json& newest = lines->back();
  facts.host = jsonGet<std::string>(newest, "host").value_or("");
  facts.processor = jsonGet<std::string>(newest, "processor").value_or("");
  facts.device = jsonGet<std::string>(newest, "device").value_or("");
  facts.threads = jsonGet<std::int64_t>(newest, "threads");
  if (newest.contains("versions"))
    facts.versions = newest["versions"];
}

void readState(const RunState& state, RunFacts& facts) {
  facts.starts = static_cast<std::int64_t>(state.starts().size());
  facts.steps = state.step();
  facts.totalSteps = state.totalSteps();
  facts.passes = state.passes();
  facts.message = state.endMessage();
  facts.runTime_s = state.runTime_s();
  facts.warnings = state.warningCount();
  const auto losses = known(state.series(Measure::Loss));
  const std::size_t tenth = std::max<std::size_t>(1, losses.size() / 10);
  facts.firstLoss = mean(losses, 0, std::min(tenth, losses.size()));
  facts.lastLoss = mean(losses, losses.size() - std::min(tenth, losses.size()), losses.size());
  facts.loss = state.series(Measure::Loss).thinned(kLossPoints);
  const auto times = known(state.series(Measure::StepTime));
  facts.stepTime_ms = quantile(times, 0.5);
  facts.stepTimeLow_ms = quantile(times, 0.25);
  facts.stepTimeHigh_ms = quantile(times, 0.75);
  for (const SampleRecord& s : state.samples())
    facts.samples.push_back(s.path);
  for (const CheckpointRecord& c : state.checkpoints())
    facts.checkpoints.push_back(c.path);
}

std::string sizeText(const JobSpec& spec, const std::string& key) {
  std::string text;
  for (const auto side : spec.get<std::vector<std::int64_t>>(key))
    text += (text.empty() ? "" : "×") + std::to_string(side);
  return text;
}

std::string trainingInWords(const JobSpec& spec) {
  const auto text = [&](const char* key) { return valueToText(spec.value(key)); };
  std::string words = "Training of a network with " + text("model.base_channels") + " base channels, levels " +
                      text("model.multipliers") + ", " + text("model.image_channels") + " image and " +
                      text("model.condition_channels") + " condition channels at " + sizeText(spec, "data.size") + " voxels on " +
                      text("data.images") + ", ";
  words += spec.get<double>("train.passes") > 0 ? text("train.passes") + " passes" : text("train.steps") + " steps";
  words += " of " + text("train.batch") + " × " + text("train.accumulate") + " volumes, learning rate " +
           text("train.learning_rate") + ", " + text("diffusion.loss") + " loss, " + text("diffusion.timesteps") +
           " diffusion steps, seed " + text("seed");
  if (const auto start = spec.get<std::string>("train.start"); !start.empty())
    words += ", starting from " + start;
  return words + ".";
}

std::string samplingInWords(const JobSpec& spec) {
  const auto text = [&](const char* key) { return valueToText(spec.value(key)); };
  const auto steps = spec.get<int>("sample.steps");
  return "Sampling of " + text("sample.count") + " volumes a mask from " + text("sample.checkpoint") + " with " +
         text("sample.sampler") + ", " + (steps > 0 ? std::to_string(steps) : "all") + " steps, masks " + text("sample.masks") +
         ", seed " + text("seed") + ".";
}
} // namespace

std::string inWords(const JobSpec& spec) {
  if (spec.kind() == "train")
    return trainingInWords(spec);
  return spec.kind() == "sample" ? samplingInWords(spec) : "";
}

Result<RunFacts> factsOf(const RunDirectory& run) {
  const auto info = run.info();
  if (!info)
    return fail(info.error());
  const auto state = readRunState(run);
  if (!state)
    return fail(state.error());
  RunFacts facts;
  facts.id = info->id;
  facts.title = info->title;
  facts.kind = info->kind;
  facts.mode = info->mode;
  facts.created = info->created;
  facts.outcome = nameOf(run.outcome());
  if (const auto spec = run.spec())
    facts.what = inWords(*spec);
  readEnvironment(run, facts);
  readState(*state, facts);
  return facts;
}

Json toJson(const RunFacts& f) {
  const auto maybe = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"id", f.id},
          {"title", f.title},
          {"kind", f.kind},
          {"mode", f.mode},
          {"created", f.created},
          {"outcome", f.outcome},
          {"message", f.message},
          {"what", f.what},
          {"host", f.host},
          {"processor", f.processor},
          {"device", f.device},
          {"threads", maybe(f.threads)},
          {"versions", f.versions},
          {"starts", f.starts},
          {"steps", f.steps},
          {"total_steps", maybe(f.totalSteps)},
          {"passes", maybe(f.passes)},
          {"first_loss", maybe(f.firstLoss)},
          {"last_loss", maybe(f.lastLoss)},
          {"step_time_ms", maybe(f.stepTime_ms)},
          {"step_time_low_ms", maybe(f.stepTimeLow_ms)},
          {"step_time_high_ms", maybe(f.stepTimeHigh_ms)},
          {"run_time_s", f.runTime_s},
          {"samples", f.samples},
          {"checkpoints", f.checkpoints},
          {"warnings", f.warnings}};
}

} // namespace voxlab
