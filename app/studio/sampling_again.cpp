// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sampling_again.h"
#include "core/protocol/switch_table.h"
#include <QCoreApplication>

namespace voxlab {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("SamplingAgain", text); }

// What a run says about all of its samples: mode, device, fresh noise, how often predictions are kept.
void takeRun(const RunListing& run, const Catalog& catalog, JobSpec& spec) {
  for (const Parameter* parameter : catalog.forKind("sample"))
    if (run.spec.has(parameter->key))
      spec.set(parameter->key, run.spec.value(parameter->key));
}

// What the sample itself says, by the names that its JSON has for it.
void takeSample(const Json& sample, JobSpec& spec) {
  if (const auto mode = jsonGet<std::string>(sample, "mode"); mode && *mode != spec.get<std::string>("mode"))
    spec.remove("mode_switches"); // which were another mode's
  for (const auto& [key, name] : {std::pair{"sample.sampler", "sampler"}, {"sample.steps", "steps"}, {"sample.checkpoint", "checkpoint"}, {"sample.weights", "weights"}, {"sample.eta", "eta"},
                                  {"sample.clamp", "clamp"}, {"sample.grid", "grid"}, {"sample.size", "network_size"}, {"mode", "mode"}, {"seed", "seed"}})
    if (const auto value = sample.find(name); value != sample.end())
      spec.set(key, *value);
}

// Where a run keeps its own, the sample names it from there.
QString takeCheckpoint(const RunListing* run, JobSpec& spec) {
  std::filesystem::path checkpoint = spec.get<std::string>("sample.checkpoint");
  if (checkpoint.empty())
    return tr("No weights are known to sample with: choose them.");
  if (checkpoint.is_relative() && run)
    checkpoint = run->path / checkpoint;
  std::error_code ec;
  const bool isThere = std::filesystem::exists(checkpoint, ec);
  const bool hasOther = !isThere && run && run->hasCheckpoint();
  spec.set("sample.checkpoint", (hasOther ? run->newestCheckpoint : checkpoint).string());
  return isThere ? QString() : tr("The weights %1 that drew this sample are gone: choose others.").arg(QString::fromStdString(checkpoint.filename().string()));
}

} // namespace

SamplingAgain samplingAgain(const Json& sample, const RunListing* run, const Catalog& catalog, const QString& mask) {
  SamplingAgain again{JobSpec("sample"), {}};
  const bool isSampling = run && run->spec.kind() == "sample";
  if (run && (isSampling || !sample.empty()))
    takeRun(*run, catalog, again.spec);
  takeSample(sample, again.spec);
  again.spec.set("sample.masks", mask.toStdString());
  again.spec.set("sample.count", 1);
  if (sample.empty() && !isSampling)
    again.lacks = tr("No sample is shown whose settings could be used: choose them.");
  else
    again.lacks = takeCheckpoint(run, again.spec);
  again.spec.fillDefaults(catalog);
  joinModeSwitches(again.spec);
  if (const auto problems = again.spec.problems(catalog); again.lacks.isEmpty() && !problems.empty())
    again.lacks = QString::fromStdString(problems.front().message);
  return again;
}

QString samplingSettings(const JobSpec& spec) {
  const auto steps = spec.get<std::int64_t>("sample.steps");
  QStringList parts{QString::fromStdString(spec.get<std::string>("sample.sampler")), steps > 0 ? tr("%1 steps").arg(steps) : tr("all steps")};
  if (const auto size = spec.get<std::vector<int>>("sample.size"); size.size() == 3)
    parts << QStringLiteral("%1 × %2 × %3").arg(size[0]).arg(size[1]).arg(size[2]);
  parts << tr("seed %1").arg(spec.get<std::int64_t>("seed"));
  return parts.join(QStringLiteral(", "));
}

} // namespace voxlab
