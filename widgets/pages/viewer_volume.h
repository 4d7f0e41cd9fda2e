// SPDX-License-Identifier: GPL-3.0-or-later
// A volume made ready for the viewer: read, measured and told apart (image or labels), off the GUI thread.
#pragma once
#include "core/imaging/display_range.h"
#include "core/imaging/label_table.h"
#include "core/imaging/volume_io.h"
#include "rendering/slice_scene.h"
#include <map>
#include <memory>
#include <optional>

namespace voxlab {

struct DicomSeries;
struct RenderVolume;
struct LabelSurfaces;

// A volume that the network predicted on the way to a sample.
struct TrajectoryStep {
  std::filesystem::path file;
  std::int64_t step = 0, timestep = 0; // the sampler's step from 1, and the diffusion's time that it stands for
};

struct ViewerVolume {
  std::filesystem::path path; // empty for a volume that was made in memory
  std::string title;  // the file's name without its ending
  std::string origin; // how a sample was made: "step 10, fused_bf16, ddpm 250"; empty for what is no sample of Voxlab's
  std::filesystem::path condition; // the mask that a sample was made from, where it is there still
  std::vector<std::filesystem::path> files; // of a DICOM series: all of them
  std::string longTitle() const { return origin.empty() ? title : title + " · " + origin; }
  std::shared_ptr<const Volume> volume;
  Histogram summary;                      // of the first time point
  DisplayRange commonScale;               // 0.5th and 99.5th percentile of its voxels, background and all: what becomes 0 and 1 where scales are unlike
  std::optional<DisplayRange> overTime;   // least and greatest value of all time points, where there are several
  double least() const { return overTime ? overTime->low : summary.minimum; }
  double greatest() const { return overTime ? overTime->high : summary.maximum; }
  LayerKind kind = LayerKind::Image;
  LabelTable labels;                             // of the values that occur
  std::map<std::int64_t, std::int64_t> counts;   // voxels by label
  std::shared_ptr<const RenderVolume> forRayCasting;
  std::string leftOut;                           // what was not opened so that it fits into the memory budget; empty if all was
  std::optional<Grid> fileGrid;                  // of a file that was opened in a smaller form
  std::vector<TrajectoryStep> trajectory;        // of a sample whose steps were recorded
  std::optional<DisplayRange> chosenRange;       // typed, drawn in the histogram, automatic again: on purpose, and so worth keeping
  double loadTime_ms = 0;
  std::int64_t timePoints() const { return volume ? std::max<std::int64_t>(1, volume->header.timePoints * volume->header.components) : 1; }
};

// Volumes beyond it are opened in a smaller form, with a note: a quarter of the machine's memory.
std::uint64_t memoryBudgetBytes(); // or VOXLAB_VOLUME_MEMORY_MB of the environment, in millions of bytes

struct PrepareOptions {
  std::uint64_t memoryBudget_bytes = memoryBudgetBytes();
  std::int64_t rayCastVoxelLimit = 8'000'000;
  std::optional<LayerKind> kind; // nullopt: told by the voxels
  enum class SeriesFile { OpensSeries, OpensAlone } seriesFile = SeriesFile::OpensSeries;
};

// Fails with Data where the voxels cannot be shown (none, or an affine that cannot be inverted).
Result<ViewerVolume> prepareViewerVolume(std::shared_ptr<const Volume> volume, const std::filesystem::path& path, const PrepareOptions& options);
// Of one file of a DICOM series the whole series is read, and a note says so. A 4D file beyond the budget gives its first time point, one beyond it after that every n-th voxel along each axis.
Result<ViewerVolume> readViewerVolume(const std::filesystem::path& path, const ReadOptions& read, const PrepareOptions& options);

// Fails with OutOfMemory beyond the budget. `chosen` is what the user pointed at: a folder, or one of the series' files.
Result<ViewerVolume> readViewerSeries(const DicomSeries& series, const std::filesystem::path& chosen, const ReadOptions& read, const PrepareOptions& options);

// Where the header says a second time where the volume lies, and differently: "qform" while the sform is in force, or the reverse.
struct OtherForm {
  std::string name;
  Affine affine;
};
std::optional<OtherForm> otherFormOf(const VolumeHeader& header);
Volume inOtherForm(const Volume& volume, const OtherForm& form); // a copy that lies there and says so in its notes

// The steps that NAME.json beside a sample tells of; of several channels, those of the file's own. Empty where there are none.
std::vector<TrajectoryStep> trajectoryOf(const std::filesystem::path& sample);

// Step of the training, mode, sampler and steps that NAME.json beside a sample tells of, as "step 10, fused_bf16, ddpm 250";
// empty where it tells none.
std::string originOf(const std::filesystem::path& sample);

// The condition mask that NAME.json beside a sample names; empty where it names none, or it is gone.
std::filesystem::path conditionOf(const std::filesystem::path& sample);

// That so many voxels are NaN or infinite, in words; empty for 0.
// What is odd about its header, in sentences: for the file panel all that there is, but for the count of what is no number, which
// differs from time point to time point; for a notice without what is usual.
enum class Oddities { All, Remarkable };
std::vector<std::string> odditiesOf(const ViewerVolume& volume, Oddities which);

std::string notNumbersText(std::int64_t count);

// Millilitres that the voxels of a label fill.
double labelVolume_ml(const ViewerVolume& volume, std::int64_t value);

// The voxel of a label that is closest to the label's centre of gravity, in world millimetres; nullopt if it does not occur.
std::optional<Vec3d> middleOfLabel(const Volume& volume, std::int64_t value);

} // namespace voxlab
