// SPDX-License-Identifier: Apache-2.0
#include "core/diffusion/dataset.h"
#include "core/base/failure.h"
#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/stack.h>
#include <algorithm>

namespace voxlab {
namespace {
// (C, D, H, W) over the block's memory: valid as long as the block lives.
at::Tensor viewOf(const ChannelBlock& block) {
  const auto& size = block.size; // X, Y, Z
  return at::from_blob(const_cast<float*>(block.values.data()), {block.channels, size[2], size[1], size[0]}, at::kFloat);
}

std::uint64_t bytesOf(const PreparedCase& prepared) {
  return (prepared.image.values.size() + prepared.condition.values.size()) * sizeof(float);
}
} // namespace

Dataset::Dataset(std::vector<DatasetCase> cases, DatasetSettings settings)
    : m_cases(std::move(cases)), m_settings(std::move(settings)) {
  if (m_cases.empty())
    throw Failure(ExitCode::Data, "There is no case to train on.");
}

Dataset::~Dataset() = default;

std::int64_t Dataset::caseOfVolume(std::int64_t volume) const {
  const std::int64_t pass = volume / size(), place = volume % size();
  const RandomKey key{m_settings.seed, Purpose::Shuffle, 0, static_cast<std::uint32_t>(pass)};
  return randomPermutation(key, size())[static_cast<std::size_t>(place)];
}

std::shared_ptr<const PreparedCase> Dataset::prepared(std::int64_t index) {
  {
    const std::lock_guard guard(m_mutex);
    const auto it = std::find_if(m_kept.begin(), m_kept.end(), [&](const Kept& k) { return k.index == index; });
    if (it != m_kept.end()) {
      m_kept.splice(m_kept.begin(), m_kept, it);
      return it->prepared;
    }
  }
  auto made = valueOrThrow(prepareCase(m_cases[static_cast<std::size_t>(index)].files, m_settings.preprocess));
  auto shared = std::make_shared<const PreparedCase>(std::move(made));
  keep(index, shared);
  return shared;
}

void Dataset::keep(std::int64_t index, std::shared_ptr<const PreparedCase> prepared) {
  const std::lock_guard guard(m_mutex);
  const std::uint64_t bytes = bytesOf(*prepared);
  m_kept.push_front({index, std::move(prepared), bytes});
  m_keptBytes += bytes;
  while (m_keptBytes > m_settings.cacheBytes && m_kept.size() > 1) {
    m_keptBytes -= m_kept.back().bytes;
    m_kept.pop_back();
  }
}

ImageBatch Dataset::assemble(const BatchPlace& place) {
  std::vector<at::Tensor> images, conditions;
  const double background = m_settings.preprocess.conditionBackground;
  for (std::int64_t k = place.firstSample; k < place.firstSample + place.count; ++k) {
    const auto subject = prepared(caseOfVolume(place.step * place.samplesPerStep + k));
    at::Tensor image = viewOf(subject->image), condition;
    if (subject->condition.channels > 0)
      condition = viewOf(subject->condition);
    const RandomKey key{m_settings.seed, Purpose::Augmentation, static_cast<std::uint32_t>(k),
                        static_cast<std::uint32_t>(place.step)};
    if (m_settings.augmentation.any())
      augment(drawAugmentation(m_settings.augmentation, key), background, image, condition);
    // stack copies, so that nothing points into the cache afterwards
    images.push_back(at::stack({padTo(image, m_settings.paddedSize, -1)}));
    if (condition.defined())
      conditions.push_back(at::stack({padTo(condition, m_settings.paddedSize, background)}));
  }
  ImageBatch batch{at::cat(images), {}};
  if (!conditions.empty())
    batch.condition = at::cat(conditions);
  if (m_settings.memory == HostMemory::Pinned) {
    batch.image = batch.image.pin_memory();
    batch.condition = batch.condition.defined() ? batch.condition.pin_memory() : batch.condition;
  }
  return batch;
}

ImageBatch Dataset::batch(const BatchPlace& place, const BatchPlace& next) {
  ImageBatch result;
  if (m_ahead.valid() && m_aheadPlace == place)
    result = m_ahead.get();
  else {
    if (m_ahead.valid())
      m_ahead.wait();
    m_ahead = {};
    result = assemble(place);
  }
  m_aheadPlace = next;
  m_ahead = std::async(std::launch::async, [this, next] { return assemble(next); });
  return result;
}

} // namespace voxlab
