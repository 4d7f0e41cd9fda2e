// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_volume.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/imaging/dicom_importer.h"
#include "core/imaging/geometry.h"
#include "core/imaging/intensity.h"
#include "rendering/image_bridge.h"
#include "widgets/pages/sample_description.h"
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace voxlab {
namespace {

std::string titleOf(const std::filesystem::path& path) {
  std::string name = path.filename().string();
  for (const std::string ending : {".gz", ".nii", ".mgz", ".mgh", ".nrrd", ".nhdr", ".mha", ".mhd", ".img", ".hdr"})
    if (name.size() > ending.size() && name.ends_with(ending))
      name.resize(name.size() - ending.size());
  return name;
}

// "every 2nd voxel" of the reader's note.
std::string shareIn(const std::string& note) {
  const auto from = note.find("every "), to = note.find(" along");
  return from == std::string::npos || to == std::string::npos ? std::string("every few voxels") : note.substr(from, to - from);
}

void prepareLabels(ViewerVolume& result) {
  result.counts = countLabels(timePointOf(*result.volume, 0));
  std::vector<std::int64_t> values;
  for (const auto& [value, count] : result.counts)
    values.push_back(value);
  std::optional<LabelTable> names;
  if (!result.path.empty())
    names = findLabelTableBeside(result.path);
  if (!names)
    names = fittingPreset(values);
  result.labels = tableFor(values, names.value_or(LabelTable{}));
}

} // namespace

std::uint64_t memoryBudgetBytes() {
  if (const char* told = std::getenv("VOXLAB_VOLUME_MEMORY_MB")) {
    std::uint64_t megabytes = 0;
    const std::string_view text(told);
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), megabytes);
    if (problem == std::errc() && end == text.data() + text.size() && megabytes > 0)
      return megabytes * 1'000'000;
  }
  const auto pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
  constexpr std::uint64_t kUnknownMachine_bytes = 2'000'000'000;
  return pages > 0 && page_bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes) / 4 : kUnknownMachine_bytes;
}

Result<ViewerVolume> prepareViewerVolume(std::shared_ptr<const Volume> volume, const std::filesystem::path& path, const PrepareOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  ViewerVolume result;
  result.path = path;
  result.title = titleOf(path);
  result.volume = std::move(volume);
  if (!SampledVolume::of(result.volume))
    return fail(ExitCode::Data, (path.empty() ? "The volume" : path.filename().string()) +
                                    " cannot be shown: it has no voxels, or its affine puts all of them into one plane.");
  const auto voxels = timePointOf(*result.volume, 0);
  result.summary = histogramOf(voxels);
  result.commonScale = commonScaleOf(voxels);
  if (result.summary.finiteCount == 0)
    return fail(ExitCode::Data, (path.empty() ? "The volume" : path.filename().string()) + " holds no number: every voxel is NaN or infinite.");
  if (result.timePoints() > 1) {
    const IntensitySummary whole = summarise(result.volume->voxels);
    result.overTime = DisplayRange{whole.minimum, whole.maximum};
  }
  result.kind = options.kind.value_or(looksLikeLabels(*result.volume) ? LayerKind::Labels : LayerKind::Image);
  if (result.kind == LayerKind::Labels)
    prepareLabels(result);
  result.forRayCasting = makeRenderVolume(*result.volume, 0, result.summary, options.rayCastVoxelLimit);
  result.loadTime_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

Result<ViewerVolume> readViewerSeries(const DicomSeries& series, const std::filesystem::path& chosen, const ReadOptions& read, const PrepareOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  ReadOptions fitted = read;
  fitted.memoryLimitBytes = options.memoryBudget_bytes;
  auto volume = readDicomSeries(series, fitted);
  if (!volume)
    return fail(volume.error());
  std::error_code ec;
  if (std::filesystem::is_regular_file(chosen, ec) && series.files.size() > 1)
    volume->header.notes.push_back(chosen.filename().string() + " is one of the " + std::to_string(series.files.size()) +
                                   " files of a DICOM series: the whole series was opened. The File panel can open the file alone.");
  auto result = prepareViewerVolume(std::make_shared<const Volume>(std::move(*volume)), chosen, options);
  if (!result)
    return result;
  result->files = series.files;
  if (!series.description.empty())
    result->title = series.description;
  result->loadTime_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

Result<ViewerVolume> readViewerVolume(const std::filesystem::path& path, const ReadOptions& read, const PrepareOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  if (options.seriesFile == PrepareOptions::SeriesFile::OpensSeries && isDicomFile(path))
    if (const auto series = dicomSeriesOf(path, read.cancel); series && series->files.size() > 1)
      return readViewerSeries(*series, path, read, options);
  ReadOptions fitted = read;
  fitted.memoryLimitBytes = options.memoryBudget_bytes;
  fitted.whenTooLarge = WhenTooLarge::Thin;
  std::string note, share; // share: "every 2nd voxel", of one that is too large
  const auto header = std::filesystem::is_directory(path) ? Result<VolumeHeader>{} : readVolumeHeader(path);
  if (header && header->timePoints > 1) {
    const double all_bytes = static_cast<double>(header->grid.voxelCount() * header->timePoints * header->components) * sizeof(float);
    if (all_bytes > static_cast<double>(options.memoryBudget_bytes)) {
      fitted.timePoint = 0;
      note = "Only the first of " + std::to_string(header->timePoints) + " time points is open: all of them take " + formatBytes(all_bytes) +
             ", the budget is " + formatBytes(static_cast<double>(options.memoryBudget_bytes)) + ". ";
    }
  }
  auto volume = readVolume(path, fitted);
  if (!volume)
    return fail(volume.error());
  if (header && header->grid.voxelCount() > volume->grid().voxelCount()) { // the reader says what it left out
    note += volume->header.notes.back() + " Readings, figures and saved files are of these voxels.";
    share = shareIn(volume->header.notes.back());
    volume->header.notes.pop_back();
    volume->header.description = "E" + share.substr(1) + " of " + path.filename().string();
  }
  auto result = prepareViewerVolume(std::make_shared<const Volume>(std::move(*volume)), path, options);
  if (!result)
    return result;
  result->leftOut = note;
  if (!share.empty())
    result->title += " (" + share + ")";
  result->trajectory = trajectoryOf(path);
  result->origin = originOf(path);
  result->condition = conditionOf(path);
  if (header && header->grid.voxelCount() > result->volume->grid().voxelCount())
    result->fileGrid = header->grid;
  result->loadTime_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::optional<OtherForm> otherFormOf(const VolumeHeader& header) {
  constexpr double kSame_mm = 1e-3;
  if (!header.sform || !header.qform)
    return std::nullopt;
  const bool bySform = header.grid.affine == *header.sform;
  OtherForm other{bySform ? "qform" : "sform", bySform ? *header.qform : *header.sform};
  const auto apart = cornerDistance(header.grid, {header.grid.size, other.affine});
  return isUsable(other.affine) && apart.value_or(0) > kSame_mm ? std::optional(other) : std::nullopt;
}

Volume inOtherForm(const Volume& volume, const OtherForm& form) {
  Volume moved = volume;
  moved.header.grid.affine = form.affine;
  std::erase_if(moved.header.notes, [](const std::string& note) { return note.starts_with("Shown by the "); });
  moved.header.notes.push_back("Shown by the " + form.name + " because you asked for it.");
  return moved;
}

std::vector<TrajectoryStep> trajectoryOf(const std::filesystem::path& sample) {
  const SampleDescription description = describedSample(sample);
  const auto recorded = description.json.find("trajectory");
  if (recorded == description.json.end() || !recorded->is_array())
    return {};
  std::vector<TrajectoryStep> steps;
  for (const Json& entry : *recorded) {
    const auto ofStep = jsonGet<std::vector<std::string>>(entry, "files").value_or(std::vector<std::string>{});
    const auto step = jsonGet<std::int64_t>(entry, "step"), timestep = jsonGet<std::int64_t>(entry, "timestep");
    if (description.channel < ofStep.size() && step && timestep)
      steps.push_back({sample.parent_path() / ofStep[description.channel], *step, *timestep});
  }
  return steps;
}

std::string originOf(const std::filesystem::path& sample) {
  const Json description = describedSample(sample).json;
  const std::string mode = jsonGet<std::string>(description, "mode").value_or(std::string());
  std::string sampling = jsonGet<std::string>(description, "sampler").value_or(std::string());
  const std::int64_t steps = jsonGet<std::int64_t>(description, "steps").value_or(0);
  if (!sampling.empty() && steps > 0)
    sampling += " " + std::to_string(steps);
  std::string origin;
  if (const auto step = jsonGet<std::int64_t>(description, "step"))
    origin = "step " + formatCount(*step);
  for (const std::string& part : {mode, sampling})
    if (!part.empty())
      origin += (origin.empty() ? "" : ", ") + part;
  return origin;
}

std::filesystem::path conditionOf(const std::filesystem::path& sample) {
  const std::filesystem::path mask = jsonGet<std::string>(describedSample(sample).json, "mask").value_or(std::string());
  std::error_code ec;
  return mask.is_absolute() && std::filesystem::is_regular_file(mask, ec) ? mask : std::filesystem::path();
}

std::vector<std::string> odditiesOf(const ViewerVolume& volume, Oddities which) {
  std::vector<std::string> oddities = volume.volume->header.notes;
  if (volume.kind == LayerKind::Image && volume.least() == volume.greatest() && volume.summary.finiteCount > 0)
    oddities.insert(oddities.begin(), std::string(volume.summary.otherCount > 0 ? "Every voxel that is a number" : "Every voxel") + " is " +
                                          formatSignificant(volume.least()) + ": there is nothing to tell apart.");
  std::erase_if(oddities, [which](const std::string& note) {
    return note.ends_with("NaN or infinite.") || (which == Oddities::Remarkable && note.starts_with("The axes are left-handed"));
  });
  return oddities;
}

std::string notNumbersText(std::int64_t count) {
  if (count == 0)
    return {};
  return formatCount(count) + (count == 1 ? " voxel is NaN or infinite; it is" : " voxels are NaN or infinite; they are") + " drawn as background.";
}

double labelVolume_ml(const ViewerVolume& volume, std::int64_t value) {
  const auto count = volume.counts.find(value);
  if (count == volume.counts.end())
    return 0;
  const Affine& a = volume.volume->grid().affine;
  const double voxel_mm3 = std::abs(dot(columnOf(a, 0), cross(columnOf(a, 1), columnOf(a, 2))));
  return static_cast<double>(count->second) * voxel_mm3 / 1000;
}

std::optional<Vec3d> middleOfLabel(const Volume& volume, std::int64_t value) {
  const auto voxels = timePointOf(volume, 0);
  const auto& size = volume.grid().size;
  const auto wanted = static_cast<float>(value);
  const auto forEach = [&](auto&& visit) {
    std::size_t index = 0;
    for (std::int64_t k = 0; k < size[2]; ++k)
      for (std::int64_t j = 0; j < size[1]; ++j)
        for (std::int64_t i = 0; i < size[0]; ++i, ++index)
          if (voxels[index] == wanted)
            visit(Vec3d{static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
  };
  Vec3d sum;
  std::int64_t count = 0;
  forEach([&](Vec3d p) {
    sum = sum + p;
    ++count;
  });
  if (count == 0)
    return std::nullopt;
  const Vec3d centre = sum * (1.0 / static_cast<double>(count));
  std::optional<Vec3d> best;
  forEach([&](Vec3d p) {
    if (!best || length(p - centre) < length(*best - centre))
      best = p;
  });
  return transformPoint(volume.grid().affine, *best);
}

} // namespace voxlab
