// SPDX-License-Identifier: Apache-2.0
// Generated volumes as files: NAME.nii.gz (NAME_MODALITY.nii.gz, one a channel, when there are several) and NAME.json, which
// says how the volume came about and is written last.
#pragma once
#include "core/diffusion/sampler.h"
#include "core/imaging/preprocess.h"
#include "core/protocol/run_session.h"

namespace voxlab {

struct SampleDescription {
  std::string name;                      // file name without its ending; made safe for a file system
  std::vector<std::string> channelNames; // empty, or one a channel
  std::optional<std::int64_t> step;      // training step, where there is one
  std::uint64_t seed = 0;
  std::string sampler;
  int samplerSteps = 0;
  std::string checkpoint, mode, mask; // checkpoint: relative to the run or absolute
  double duration_ms = 0;
  Json more = Json::object(); // further members of NAME.json
};

// "images/Sub 1.nii.gz" → "images_Sub_1": only letters, digits, dots, dashes and underscores stay.
std::string safeFileName(const std::string& text);

// Writes the volume (C, D, H, W; float32, CPU, contiguous), which lies on `grid`, into the folder, resampled onto `target` if that
// is another one, and announces it by events. Throws Failure when it cannot be written.
void writeSample(RunSession& session, const std::filesystem::path& folder, const at::Tensor& volume, const Grid& grid,
                 const Grid& target, const SampleDescription& record);

// The predicted clean volume on its way from noise to sample, on the network's grid: NAME_steps/0001_t0249.nii.gz, …, written
// every k-th sampler step and at the last, but never more than kMaximumTrajectory files.
inline constexpr std::int64_t kMaximumTrajectory = 64;
class TrajectoryWriter {
public:
  // size: D, H, W of the grid, to which the padded estimates are cropped. every 0: writes nothing.
  TrajectoryWriter(std::filesystem::path folder, const SampleDescription& record, Grid grid, std::int64_t every);
  void look(const SamplerStep& step); // throws Failure when a file cannot be written
  // Steps written so far, for NAME.json: [{"step", "timestep", "files"}], paths relative to the sample's folder.
  const Json& written() const { return m_written; }

private:
  std::filesystem::path m_folder;
  SampleDescription m_record;
  Grid m_grid;
  std::int64_t m_every;
  Json m_written = Json::array();
};

// Path (relative to the run) by which the sample of that name is announced; the first channel's file.
std::string samplePath(const RunDirectory& run, const std::filesystem::path& folder, const SampleDescription& record);

} // namespace voxlab
