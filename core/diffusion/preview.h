// SPDX-License-Identifier: Apache-2.0
// Volumes drawn while training: the same masks and seeds every time, so that they can be compared from step to step.
#pragma once
#include "core/diffusion/dataset.h"
#include "core/diffusion/generator.h"
#include "core/diffusion/sample_writer.h"
#include <set>

namespace voxlab {

struct PreviewSettings {
  std::int64_t count = 1;
  std::uint64_t seed = 0;
  std::string sampler, mode;
  std::vector<std::string> channelNames; // of the image channels, where there are several
  std::int64_t recordEvery = 0;          // see TrajectoryWriter
};

enum class PreviewEnd { Unknown, Done, Stopped };

// A generator that computes with the moving average as it is now.
using GeneratorMaker = std::function<std::unique_ptr<Generator>()>;

class Preview {
public:
  Preview(RunSession& session, Dataset& data, GeneratorMaker makeGenerator, PreviewSettings settings);

  // Draws the volumes of that step that are not in `announced` (paths relative to the run) and writes them under
  // samples/step_…. Stopped: the session was asked to stop meanwhile; the volume that was being drawn is not written.
  PreviewEnd draw(std::int64_t step, const std::string& checkpoint, const std::set<std::string>& announced);

private:
  bool drawOne(const Generator& generator, SampleDescription record, const std::filesystem::path& folder, std::int64_t caseIndex,
               const std::function<void(const SamplerStep&)>& tellStep);
  SampleDescription record(std::int64_t number, std::int64_t caseIndex, std::int64_t step, const std::string& checkpoint) const;

  RunSession& m_session;
  Dataset& m_data;
  GeneratorMaker m_makeGenerator;
  PreviewSettings m_settings;
};

// (channels, D, H, W) float32 of its own.
at::Tensor tensorOf(const ChannelBlock& block);

} // namespace voxlab
