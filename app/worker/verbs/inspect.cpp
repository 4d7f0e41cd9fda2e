// SPDX-License-Identifier: Apache-2.0
// voxlab-worker inspect FILE: what a volume, checkpoint, weight file, trace, page of counters or run holds, in words.
#include "app/worker/verbs.h"
#include "app/worker/verbs/import_profile.h"
#include "core/analysis/ncu_report.h"
#include "core/analysis/run_history.h"
#include "core/analysis/trace_reader.h"
#include "core/base/failure.h"
#include "core/base/safetensors.h"
#include "core/base/text.h"
#include "core/diffusion/checkpoint.h"
#include "core/diffusion/preparation_record.h"
#include "core/imaging/geometry.h"
#include "core/imaging/importers.h"
#include "core/imaging/volume_io.h"
#include "core/imaging/volume_words.h"
#include <cstdio>

namespace voxlab {
namespace {
namespace fs = std::filesystem;

// One description for both outputs: JSON with plain values, printed as "name: value" lines.
Json volumeFacts(const fs::path& file) {
  const VolumeHeader h = valueOrThrow(readVolumeHeader(file));
  const Vec3 spacing = spacingOf(h.grid.affine);
  return {{"kind", "volume"},
          {"format", h.format},
          {"size", h.grid.size},
          {"time_points", h.timePoints},
          {"components", h.components},
          {"spacing_mm", spacing},
          {"axes", axisCodes(h.grid.affine)},
          {"affine", h.grid.affine},
          {"slope", h.slope},
          {"intercept", h.intercept},
          {"description", h.description},
          {"notes", h.notes}};
}

Json networkFacts(const fs::path& file) {
  const fs::path source = valueOrThrow(weightsPath(file));
  const Weights weights = valueOrThrow(loadWeights(source, WhichWeights::Ema));
  const FoundPreparation preparation = preparationOf(weights);
  Json facts{{"kind", isCheckpointFolder(source) ? "checkpoint" : "weights"},
             {"file", source.string()},
             {"parameters", elementCount(weights.parameters)},
             {"tensors", weights.parameters.size()},
             {"network", toJson(weights.network)}};
  if (weights.timesteps)
    facts["timesteps"] = *weights.timesteps;
  if (weights.step)
    facts["step"] = *weights.step;
  facts.update(describe(preparation.record));
  facts["description"] = weights.description;
  facts["description"].erase("data");
  facts["notes"] = preparation.guesses;
  return facts;
}

Json tensorFileFacts(const fs::path& file) {
  const auto reader = valueOrThrow(SafetensorsReader::open(file));
  Json tensors = Json::array();
  for (const TensorInfo& t : reader.tensors())
    tensors.push_back({{"name", t.name}, {"type", tensorTypeName(t.type)}, {"shape", t.shape}});
  return {{"kind", "tensors"}, {"metadata", reader.metadata()}, {"tensors", tensors}};
}

Json traceFacts(const fs::path& file) {
  const Trace trace = valueOrThrow(readTrace(file));
  Json devices = Json::array();
  for (const auto& device : trace.devices)
    devices.push_back(device.name);
  return {{"kind", "trace"},
          {"producer", trace.producer},
          {"devices", devices},
          {"steps", trace.steps.size()},
          {trace.hasGpu() ? "gpu_events" : "operators", trace.gpu.size()},
          {"host_events", trace.host.size()},
          {"notes", trace.notes}};
}

Json counterFacts(const fs::path& file) {
  const NcuReport report = valueOrThrow(readNcuReport({file}));
  return {{"kind", "counters"}, {"device", report.deviceName}, {"launches", report.launches.size()}, {"notes", report.notes}};
}

Json runFacts(const fs::path& folder) {
  const RunDirectory run(folder);
  const RunInfo info = valueOrThrow(run.info());
  const RunState state = valueOrThrow(readRunState(run));
  return {{"kind", "run"},
          {"job", info.kind},
          {"mode", info.mode},
          {"created", info.created},
          {"title", info.title},
          {"outcome", nameOf(run.outcome())},
          {"step", state.step()},
          {"starts", state.starts().size()},
          {"samples", state.samples().size()},
          {"checkpoints", run.finishedCheckpoints().size()}};
}

Json factsOf(const fs::path& file) {
  std::error_code ec;
  if (!fs::exists(file, ec))
    throw Failure(ExitCode::Data, "There is no file " + file.string() + ".");
  if (RunDirectory::looksLikeRun(file))
    return runFacts(file);
  const bool isFolder = fs::is_directory(file, ec);
  if (!isFolder && !fs::is_regular_file(file, ec))
    throw Failure(ExitCode::Data, file.string() + " is neither a file nor a folder.");
  if (!isFolder && fs::file_size(file, ec) == 0)
    throw Failure(ExitCode::Data, file.string() + " is empty.");
  if (isFolder && fs::exists(file / "state.json", ec) && !isCheckpointFolder(file))
    throw Failure(ExitCode::Data, file.string() + " is an unfinished checkpoint: it has no file DONE.");
  if (isFolder ? !isCheckpointFolder(file) : importerFor(file).has_value())
    return volumeFacts(file); // of folders, DICOM series
  const ImportedFile kind = isFolder ? ImportedFile::Weights : kindOfImport(file);
  if (kind == ImportedFile::Trace)
    return traceFacts(file);
  if (kind == ImportedFile::Counters)
    return counterFacts(file);
  if (file.extension() == ".safetensors" && !loadWeights(file, WhichWeights::Ema))
    return tensorFileFacts(file);
  return networkFacts(file);
}

void printLines(const Json& facts, const std::string& indent) {
  for (const auto& [key, value] : facts.items()) {
    if (value.is_object() && !value.empty()) {
      std::printf("%s%s:\n", indent.c_str(), key.c_str());
      printLines(value, indent + "  ");
    } else if (!(value.is_string() && value.get<std::string>().empty()) && !(value.is_array() && value.empty())) {
      std::printf("%s%s: %s\n", indent.c_str(), key.c_str(),
                  value.is_string() ? value.get<std::string>().c_str() : compactJson(value).c_str());
    }
  }
}
} // namespace

ExitCode inspect(const Path& file, OutputFormat format) {
  const Json facts = factsOf(file);
  if (format == OutputFormat::JsonDocument)
    std::printf("%s\n", facts.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
  else if (facts["kind"] == "volume")
    std::printf("%s", headerInWords(valueOrThrow(readVolumeHeader(file))).c_str());
  else
    printLines(facts, "");
  return ExitCode::Finished;
}

} // namespace voxlab
