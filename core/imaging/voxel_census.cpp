// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/importers.h"
#include "core/imaging/preflight.h"
#include <algorithm>
#include <cmath>
#include <new>
#include <unordered_set>

namespace voxlab {
namespace {
class CensusSink final : public VoxelSink {
public:
  std::size_t bytesPerVoxel() const override { return 0; } // nothing is kept
  void reserve(std::size_t) override {}
  void append(const RawBlock& block) override {
    m_chunk.voxelsTaken.clear();
    m_chunk.append(block);
    for (const float v : m_chunk.voxelsTaken)
      count(v);
    m_nonFinite = m_chunk.nonFinite();
  }
  VoxelCensus census() const {
    VoxelCensus out = m_census;
    out.nonFinite = m_nonFinite;
    if (!m_tooMany) {
      out.labels.assign(m_labels.begin(), m_labels.end());
      std::sort(out.labels.begin(), out.labels.end());
    }
    return out;
  }

private:
  void count(float v) {
    if (!std::isfinite(v))
      return;
    m_census.minimum = m_census.finite == 0 ? v : std::min<double>(m_census.minimum, v);
    m_census.maximum = m_census.finite == 0 ? v : std::max<double>(m_census.maximum, v);
    ++m_census.finite;
    const float rounded = std::nearbyint(v);
    m_census.fractional += std::abs(v - rounded) > 1e-3f;
    if (m_tooMany || rounded == m_last)
      return;
    m_last = rounded;
    constexpr std::size_t kMostLabels = 4096;
    m_tooMany = std::abs(rounded) > 1e15f || (m_labels.insert(static_cast<std::int64_t>(rounded)).second && m_labels.size() > kMostLabels);
  }

  VectorSink<float> m_chunk;
  VoxelCensus m_census;
  std::unordered_set<std::int64_t> m_labels;
  float m_last = NAN; // neighbours are mostly equal: spares the look-up
  bool m_tooMany = false;
};
} // namespace

Result<Examined> examineVolume(const std::filesystem::path& file, const std::stop_token& cancel) {
  const auto importer = importerFor(file);
  if (!importer)
    return fail(importer.error());
  ReadOptions options;
  options.cancel = cancel;
  try {
    CensusSink sink;
    auto header = (*importer)->read(file, options, &sink);
    if (!header)
      return fail(header.error());
    return Examined{std::move(*header), sink.census()};
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::OutOfMemory, "There is not enough memory to look at " + file.string() + ".");
  }
}

} // namespace voxlab
