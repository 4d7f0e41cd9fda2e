// SPDX-License-Identifier: Apache-2.0
// Training volumes in an endless, shuffled, reproducible order. Volume number v (counted from the start of training) is a
// function of the seed alone, so resuming needs no state.
#pragma once
#include "core/diffusion/augmentation.h"
#include "core/diffusion/padding.h"
#include "core/imaging/dataset_index.h"
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace voxlab {

enum class HostMemory { Unknown, Pageable, Pinned }; // Pinned: copies to a GPU need not wait for it

struct DatasetSettings {
  PreprocessSettings preprocess;
  AugmentationSettings augmentation;
  SpatialSize paddedSize{}; // what the network gets; at least the preprocessed size (D = Z, H = Y, W = X)
  std::uint64_t seed = 0;
  std::uint64_t cacheBytes = 4ull << 30; // prepared volumes that are kept
  HostMemory memory = HostMemory::Pageable; // of the batches
};

// Which volumes make a micro-batch: sample k of the training step is the batch's element k - firstSample.
struct BatchPlace {
  std::int64_t step = 0;        // 0 for the first
  std::int64_t firstSample = 0; // within the step
  std::int64_t count = 1;       // batch size
  std::int64_t samplesPerStep = 1;
  bool operator==(const BatchPlace&) const = default;
};

struct ImageBatch {
  at::Tensor image;     // (N, Ci, D, H, W) float32 on the CPU
  at::Tensor condition; // (N, Cc, D, H, W), undefined without condition channels
};

class Dataset {
public:
  // At least one case. Nothing is read yet.
  Dataset(std::vector<DatasetCase> cases, DatasetSettings settings);
  ~Dataset();

  std::int64_t size() const { return static_cast<std::int64_t>(m_cases.size()); }
  const std::vector<DatasetCase>& cases() const { return m_cases; }
  const DatasetSettings& settings() const { return m_settings; }
  std::int64_t caseOfVolume(std::int64_t volume) const;

  // Reads, prepares, augments and pads. Throws Failure when a file cannot be used. Starts to prepare `next` in the background.
  ImageBatch batch(const BatchPlace& place, const BatchPlace& next);
  // One case as prepared, without augmentation and padding.
  std::shared_ptr<const PreparedCase> prepared(std::int64_t index);

private:
  ImageBatch assemble(const BatchPlace& place);
  void keep(std::int64_t index, std::shared_ptr<const PreparedCase> prepared);

  std::vector<DatasetCase> m_cases;
  DatasetSettings m_settings;

  std::mutex m_mutex; // guards the cache
  struct Kept {
    std::int64_t index;
    std::shared_ptr<const PreparedCase> prepared;
    std::uint64_t bytes;
  };
  std::list<Kept> m_kept; // newest use first
  std::uint64_t m_keptBytes = 0;

  BatchPlace m_aheadPlace;
  std::future<ImageBatch> m_ahead;
};

} // namespace voxlab
