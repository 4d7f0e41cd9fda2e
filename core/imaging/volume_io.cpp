// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/volume_io.h"
#include "core/base/text.h"
#include "core/imaging/importers.h"
#include "core/imaging/thinning_sink.h"
#include <new>

namespace voxlab {
namespace {
template <class T> struct Filled {
  VolumeHeader header;
  std::vector<T> voxels;
};

template <class T, class Sink> Result<Filled<T>> readThrough(const Importer& importer, const std::filesystem::path& file, const ReadOptions& options, Sink& sink) {
  auto header = importer.read(file, options, &sink);
  if (!header)
    return fail(header.error());
  if (options.timePoint)
    header->timePoints = 1;
  if (sink.nonFinite() > 0)
    header->notes.push_back(formatCount(static_cast<std::int64_t>(sink.nonFinite())) + " voxels are NaN or infinite.");
  return Filled<T>{std::move(*header), std::move(sink.voxelsTaken)};
}

std::string ordinal(std::int64_t n) {
  const std::int64_t last = n % 10, tens = n / 10 % 10;
  const char* ending = tens == 1 ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
  return std::to_string(n) + ending;
}

template <class T> Result<Filled<T>> readThinned(const Importer& importer, const std::filesystem::path& file, const ReadOptions& options, const VolumeHeader& header) {
  const GridSize size = header.grid.size;
  const std::int64_t timePoints = options.timePoint ? 1 : header.timePoints;
  const Thinning thinning = thinningFor(size, timePoints, sizeof(T), options.memoryLimitBytes);
  ThinningSink<T> sink(size, thinning);
  auto filled = readThrough<T>(importer, file, options, sink);
  if (!filled)
    return filled;
  const double wholeBytes = static_cast<double>(header.grid.voxelCount() * timePoints) * sizeof(T);
  filled->header.grid = thinned(header.grid, thinning);
  filled->header.sform.reset(); // they described the whole grid
  filled->header.qform.reset();
  filled->header.notes.push_back("Only every " + ordinal(thinning.step) + " voxel along each axis was opened: the whole volume takes " +
                                 formatBytes(wholeBytes) + ", and the limit is " + formatBytes(static_cast<double>(options.memoryLimitBytes)) + ".");
  return filled;
}

template <class T> Result<Filled<T>> readInto(const std::filesystem::path& file, const ReadOptions& options) {
  const auto importer = importerFor(file);
  if (!importer)
    return fail(importer.error());
  try {
    if (options.whenTooLarge == WhenTooLarge::Thin) {
      const auto header = (*importer)->read(file, {}, nullptr);
      if (!header)
        return fail(header.error());
      const std::int64_t timePoints = options.timePoint ? 1 : header->timePoints;
      if (static_cast<std::uint64_t>(header->grid.voxelCount() * timePoints) * sizeof(T) > options.memoryLimitBytes)
        return readThinned<T>(**importer, file, options, *header);
    }
    VectorSink<T> sink;
    return readThrough<T>(**importer, file, options, sink);
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
