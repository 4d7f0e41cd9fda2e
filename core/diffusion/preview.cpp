// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/preview.h"
#include "core/protocol/progress.h"
#include <ATen/ops/from_blob.h>

namespace voxlab {

at::Tensor tensorOf(const ChannelBlock& block) {
  const auto& size = block.size; // X, Y, Z
  return at::from_blob(const_cast<float*>(block.values.data()), {block.channels, size[2], size[1], size[0]}, at::kFloat).clone();
}

Preview::Preview(RunSession& session, Dataset& data, GeneratorMaker makeGenerator, PreviewSettings settings)
    : m_session(session), m_data(data), m_makeGenerator(std::move(makeGenerator)), m_settings(std::move(settings)) {}

SampleDescription Preview::record(std::int64_t number, std::int64_t caseIndex, std::int64_t step, const std::string& checkpoint) const {
  const DatasetCase& subject = m_data.cases()[static_cast<std::size_t>(caseIndex)];
  SampleDescription record;
  record.seed = m_settings.seed + static_cast<std::uint64_t>(number);
  record.name = subject.subject + "_seed" + std::to_string(record.seed);
  record.channelNames = m_settings.channelNames;
  record.step = step;
  record.sampler = m_settings.sampler;
  record.checkpoint = checkpoint;
  record.mode = m_settings.mode;
  record.mask = subject.files.mask.string();
  record.more = {{"subject", subject.subject}, {"weights", "ema"}};
  return record;
}

PreviewEnd Preview::draw(std::int64_t step, const std::string& checkpoint, const std::set<std::string>& announced) {
  const auto folder = m_session.run().samples(step);
  const RandomKey key{m_settings.seed, Purpose::SampleChoice, 0, 0};
  std::unique_ptr<Generator> generator;
  Progress progress(m_session, "samples", m_settings.count);
  const auto order = randomPermutation(key, m_data.size());
  for (std::int64_t number = 0; number < m_settings.count; ++number) {
    const std::int64_t caseIndex = order[static_cast<std::size_t>(number % m_data.size())];
    const SampleDescription prepared = record(number, caseIndex, step, checkpoint);
    if (announced.count(samplePath(m_session.run(), folder, prepared)))
      continue;
    progress.tell(number);
    if (!generator)
      generator = m_makeGenerator();
    const auto tellStep = [&](const SamplerStep& s) { progress.tellPart(number, static_cast<double>(s.index + 1) / s.count); };
    if (!drawOne(*generator, prepared, folder, caseIndex, tellStep))
      return PreviewEnd::Stopped;
  }
  progress.tell(m_settings.count);
  return PreviewEnd::Done;
}

bool Preview::drawOne(const Generator& generator, SampleDescription record, const std::filesystem::path& folder, std::int64_t caseIndex,
                      const std::function<void(const SamplerStep&)>& tellStep) {
  const auto subject = m_data.prepared(caseIndex);
  const auto& size = m_data.settings().preprocess.size;
  const double begin_s = m_session.secondsSinceStart();
  const at::Tensor condition = subject->condition.channels > 0 ? tensorOf(subject->condition) : at::Tensor();
  TrajectoryWriter trajectory(folder, record, subject->grid, m_settings.recordEvery);
  const auto volume = generator.draw(condition, {size[2], size[1], size[0]}, {record.seed, 0}, [&](const SamplerStep& step) {
    tellStep(step);
    trajectory.look(step);
    return m_session.stopRequested() ? SamplerVerdict::Stop : SamplerVerdict::Continue;
  });
  if (!volume)
    return false;
  record.samplerSteps = generator.steps();
  record.duration_ms = (m_session.secondsSinceStart() - begin_s) * 1000;
  if (!trajectory.written().empty())
    record.more["trajectory"] = trajectory.written();
  writeSample(m_session, folder, *volume, subject->grid, subject->grid, record);
  return true;
}

} // namespace voxlab
