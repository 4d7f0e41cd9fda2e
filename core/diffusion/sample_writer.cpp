// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/sample_writer.h"
#include "core/base/failure.h"
#include "core/diffusion/padding.h"
#include "core/imaging/geometry.h"
#include "core/imaging/volume_io.h"
#include <cstdio>

namespace voxlab {
namespace {
constexpr float kOutside = -1; // the lowest intensity, where the network's grid does not reach

Volume channelVolume(const at::Tensor& volume, std::int64_t channel, const Grid& grid, const Grid& target) {
  Volume out;
  out.header.grid = grid;
  out.header.storedType = VoxelType::Float32;
  const at::Tensor one = volume.select(0, channel).contiguous();
  const float* values = one.const_data_ptr<float>();
  out.voxels.assign(values, values + one.numel()); // D, H, W with W fastest is X fastest
  return sameGrid(grid, target) ? out : resampled(out, target, Interpolation::Linear, kOutside);
}

std::string channelFile(const SampleDescription& record, std::size_t channel, std::size_t channels) {
  if (channels == 1)
    return safeFileName(record.name) + ".nii.gz";
  const std::string name = channel < record.channelNames.size() ? record.channelNames[channel] : std::to_string(channel + 1);
  return safeFileName(record.name + "_" + name) + ".nii.gz";
}

Json description(const SampleDescription& record, const std::vector<std::string>& files, const Grid& networkGrid, const Grid& target) {
  Json json{
      {"schema", schemaVersion()},        {"seed", record.seed}, {"sampler", record.sampler}, {"steps", record.samplerSteps},
      {"checkpoint", record.checkpoint},  {"mode", record.mode}, {"mask", record.mask},       {"files", files},
      {"network_size", networkGrid.size}, {"size", target.size}, {"affine", target.affine},   {"duration_ms", record.duration_ms}};
  if (record.step)
    json["step"] = *record.step;
  json.update(record.more);
  return json;
}
} // namespace

std::string safeFileName(const std::string& text) {
  std::string name = text;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.' && c != '_')
      c = '_';
  return name.empty() || name.front() == '.' ? "_" + name : name;
}

TrajectoryWriter::TrajectoryWriter(std::filesystem::path folder, const SampleDescription& record, Grid grid, std::int64_t every)
    : m_folder(std::move(folder)), m_record(record), m_grid(std::move(grid)), m_every(every) {}

void TrajectoryWriter::look(const SamplerStep& step) {
  if (m_every <= 0)
    return;
  const std::int64_t stride = std::max(m_every, (step.count + kMaximumTrajectory - 1) / kMaximumTrajectory);
  const bool last = step.index + 1 == step.count;
  if ((step.index + 1) % stride != 0 && !last)
    return;
  const auto& size = m_grid.size; // X, Y, Z
  const at::Tensor estimate =
      cropTo(step.cleanEstimate.detach().select(0, 0), {size[2], size[1], size[0]}).to(at::kCPU, at::kFloat);
  SampleDescription record = m_record;
  char name[40];
  std::snprintf(name, sizeof name, "%04d_t%04d", step.index + 1, step.timestep);
  record.name = name;
  const std::filesystem::path steps = safeFileName(m_record.name) + "_steps";
  std::error_code ec;
  std::filesystem::create_directories(m_folder / steps, ec);
  const auto channels = static_cast<std::size_t>(estimate.size(0));
  Json files = Json::array();
  for (std::size_t c = 0; c < channels; ++c) {
    const auto file = steps / channelFile(record, c, channels);
    valueOrThrow(writeNifti(m_folder / file, channelVolume(estimate, static_cast<std::int64_t>(c), m_grid, m_grid)));
    files.push_back(file.string());
  }
  m_written.push_back({{"step", step.index + 1}, {"timestep", step.timestep}, {"files", std::move(files)}});
}

std::string samplePath(const RunDirectory& run, const std::filesystem::path& folder, const SampleDescription& record) {
  return run.relative(folder / channelFile(record, 0, std::max<std::size_t>(1, record.channelNames.size()))).string();
}

void writeSample(RunSession& session, const std::filesystem::path& folder, const at::Tensor& volume, const Grid& grid,
                 const Grid& target, const SampleDescription& record) {
  std::error_code ec;
  std::filesystem::create_directories(folder, ec);
  const auto channels = static_cast<std::size_t>(volume.size(0));
  std::vector<std::string> files;
  for (std::size_t c = 0; c < channels; ++c) {
    files.push_back(channelFile(record, c, channels));
    valueOrThrow(writeNifti(folder / files.back(), channelVolume(volume, static_cast<std::int64_t>(c), grid, target)));
  }
  const auto info = folder / (safeFileName(record.name) + ".json");
  valueOrThrow(writeJsonFile(info, description(record, files, grid, target)));
  for (const std::string& file : files) {
    Json fields{{"path", session.run().relative(folder / file).string()},
                {"info_path", session.run().relative(info).string()},
                {"seed", record.seed},
                {"sampler", record.sampler},
                {"sampler_steps", record.samplerSteps},
                {"mask", record.mask},
                {"duration_ms", record.duration_ms}};
    if (record.step)
      fields["step"] = *record.step;
    session.emit(event::kSample, std::move(fields));
  }
}

} // namespace voxlab
