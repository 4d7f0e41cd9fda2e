// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/volume_io.h"
#include "core/base/text.h"
#include "core/imaging/importers.h"
#include <new>

namespace voxlab {
namespace {
template <class T> struct Filled {
  VolumeHeader header;
  std::vector<T> voxels;
};

template <class T> Result<Filled<T>> readInto(const std::filesystem::path& file, const ReadOptions& options) {
  const auto importer = importerFor(file);
  if (!importer)
    return fail(importer.error());
  VectorSink<T> sink;
  try {
    auto header = (*importer)->read(file, options, &sink);
    if (!header)
      return fail(header.error());
    if (options.timePoint)
      header->timePoints = 1;
    if (sink.nonFinite() > 0)
      header->notes.push_back(formatCount(static_cast<std::int64_t>(sink.nonFinite())) + " voxels are NaN or infinite.");
    return Filled<T>{std::move(*header), std::move(sink.voxelsTaken)};
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::OutOfMemory, "There is not enough memory to open " + file.string() + ".");
  }
}
} // namespace

Result<VolumeHeader> readVolumeHeader(const std::filesystem::path& file) {
  const auto importer = importerFor(file);
  if (!importer)
    return fail(importer.error());
  return (*importer)->read(file, {}, nullptr);
}

Result<Volume> readVolume(const std::filesystem::path& file, const ReadOptions& options) {
  auto filled = readInto<float>(file, options);
  if (!filled)
    return fail(filled.error());
  return Volume{std::move(filled->header), std::move(filled->voxels)};
}

Result<PreciseVolume> readPreciseVolume(const std::filesystem::path& file, const ReadOptions& options) {
  auto filled = readInto<double>(file, options);
  if (!filled)
    return fail(filled.error());
  return PreciseVolume{std::move(filled->header), std::move(filled->voxels)};
}

} // namespace voxlab
