// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/voxel_sink.h"
#include "core/base/text.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace voxlab {
namespace {
constexpr std::size_t kBlockBytes = 4 << 20;
constexpr std::uint64_t kDrainBytes = 64ull << 20; // what may follow the voxels before the checksum is left alone
constexpr std::uint64_t kMostVoxels = 1ull << 40;

struct TypeRow {
  RawType raw;
  VoxelType component;
  int components;
  std::size_t bytes;
};
constexpr std::array<TypeRow, 14> kTypes{{{RawType::UInt8, VoxelType::UInt8, 1, 1},
                                          {RawType::Int8, VoxelType::Int8, 1, 1},
                                          {RawType::UInt16, VoxelType::UInt16, 1, 2},
                                          {RawType::Int16, VoxelType::Int16, 1, 2},
                                          {RawType::UInt32, VoxelType::UInt32, 1, 4},
                                          {RawType::Int32, VoxelType::Int32, 1, 4},
                                          {RawType::UInt64, VoxelType::UInt64, 1, 8},
                                          {RawType::Int64, VoxelType::Int64, 1, 8},
                                          {RawType::Float32, VoxelType::Float32, 1, 4},
                                          {RawType::Float64, VoxelType::Float64, 1, 8},
                                          {RawType::Rgb24, VoxelType::UInt8, 3, 3},
                                          {RawType::Rgba32, VoxelType::UInt8, 4, 4},
                                          {RawType::Complex64, VoxelType::Float32, 2, 8},
                                          {RawType::Complex128, VoxelType::Float64, 2, 16}}};

const TypeRow* rowOf(RawType type) {
  const auto it = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& row) { return row.raw == type; });
  return it == kTypes.end() ? nullptr : &*it;
}

template <class Stored> Stored load(const std::byte* bytes, ByteOrder order) {
  std::array<std::byte, sizeof(Stored)> raw;
  std::memcpy(raw.data(), bytes, sizeof(Stored));
  if (order == ByteOrder::Swapped)
    std::reverse(raw.begin(), raw.end());
  Stored value;
  std::memcpy(&value, raw.data(), sizeof value);
  return value;
}

// Calls f(value) for each voxel of the block, value already a number but without slope and intercept.
template <class Stored, class F> void eachScalar(const RawBlock& block, F&& f) {
  if (sizeof(Stored) == 1 || block.order == ByteOrder::Native) {
    for (std::size_t n = 0; n < block.count; ++n)
      f(load<Stored>(block.bytes + n * sizeof(Stored), ByteOrder::Native));
  } else {
    for (std::size_t n = 0; n < block.count; ++n)
      f(load<Stored>(block.bytes + n * sizeof(Stored), ByteOrder::Swapped));
  }
}
template <class F> void eachColour(const RawBlock& block, std::size_t bytes, F&& f) {
  for (std::size_t n = 0; n < block.count; ++n) {
    const auto* c = block.bytes + n * bytes;
    f(0.2126 * std::to_integer<int>(c[0]) + 0.7152 * std::to_integer<int>(c[1]) + 0.0722 * std::to_integer<int>(c[2]));
  }
}
template <class Part, class F> void eachComplex(const RawBlock& block, F&& f) {
  for (std::size_t n = 0; n < block.count; ++n) {
    const auto* c = block.bytes + n * 2 * sizeof(Part);
    f(std::hypot(load<Part>(c, block.order), load<Part>(c + sizeof(Part), block.order)));
  }
}
template <class F> void eachVoxel(const RawBlock& block, F&& f) {
  switch (block.type) {
  case RawType::UInt8: return eachScalar<std::uint8_t>(block, f);
  case RawType::Int8: return eachScalar<std::int8_t>(block, f);
  case RawType::UInt16: return eachScalar<std::uint16_t>(block, f);
  case RawType::Int16: return eachScalar<std::int16_t>(block, f);
  case RawType::UInt32: return eachScalar<std::uint32_t>(block, f);
  case RawType::Int32: return eachScalar<std::int32_t>(block, f);
  case RawType::UInt64: return eachScalar<std::uint64_t>(block, f);
  case RawType::Int64: return eachScalar<std::int64_t>(block, f);
  case RawType::Float32: return eachScalar<float>(block, f);
  case RawType::Float64: return eachScalar<double>(block, f);
  case RawType::Rgb24: return eachColour(block, 3, f);
  case RawType::Rgba32: return eachColour(block, 4, f);
  case RawType::Complex64: return eachComplex<float>(block, f);
  case RawType::Complex128: return eachComplex<double>(block, f);
  case RawType::Unknown: return;
  }
}

std::string sizeInWords(std::uint64_t bytes) { return formatBytes(static_cast<double>(bytes)); }
std::uint64_t wantedVoxels(const RawLayout& layout, const ReadOptions& options) {
  return layout.voxelsPerTimePoint * (options.timePoint ? 1 : static_cast<std::uint64_t>(layout.timePoints));
}
} // namespace

std::size_t rawBytes(RawType type) {
  const auto* row = rowOf(type);
  return row ? row->bytes : 0;
}
VoxelType voxelTypeOf(RawType type) {
  const auto* row = rowOf(type);
  return row ? row->component : VoxelType::Unknown;
}
int componentsOf(RawType type) {
  const auto* row = rowOf(type);
  return row ? row->components : 0;
}

std::vector<std::string> storageNotes(RawType type) {
  if (type == RawType::Rgb24 || type == RawType::Rgba32)
    return {"Colours were turned into brightness."};
  if (componentsOf(type) == 2)
    return {"Complex numbers were turned into their magnitude."};
  return {};
}

template <class T> void VectorSink<T>::append(const RawBlock& block) {
  const std::size_t start = voxelsTaken.size();
  voxelsTaken.resize(start + block.count);
  T* to = voxelsTaken.data() + start;
  if (block.slope == 1 && block.intercept == 0)
    eachVoxel(block, [&](auto value) { *to++ = static_cast<T>(value); });
  else
    eachVoxel(block, [&](auto value) { *to++ = static_cast<T>(static_cast<double>(value) * block.slope + block.intercept); });
  for (const T* v = voxelsTaken.data() + start; v != to; ++v)
    m_nonFinite += !std::isfinite(*v);
}
template class VectorSink<float>;
template class VectorSink<double>;

std::optional<std::uint64_t> checkedVoxelCount(const std::array<std::int64_t, 3>& size, std::int64_t timePoints) {
  std::uint64_t count = 1;
  for (const std::int64_t side : {size[0], size[1], size[2], timePoints}) {
    if (side < 1 || static_cast<std::uint64_t>(side) > kMostVoxels / count)
      return std::nullopt;
    count *= static_cast<std::uint64_t>(side);
  }
  return count;
}

Status checkAgainstFile(const FileBytes& source, const RawLayout& layout) {
  const std::uint64_t needed =
      layout.firstByte + layout.voxelsPerTimePoint * static_cast<std::uint64_t>(layout.timePoints) * rawBytes(layout.type);
  if (needed <= source.mostBytes())
    return {};
  const std::string has = source.compressed() ? "cannot hold more than " : "has ";
  return fail(ExitCode::Data, "Could not read " + source.file().string() + ": its header announces " + sizeInWords(needed) +
                                  ", but the file " + has + sizeInWords(source.mostBytes()) +
                                  "; it is truncated or its header is wrong.");
}

Status checkOptions(const FileBytes& source, const RawLayout& layout, const ReadOptions& options, const VoxelSink& sink) {
  if (options.timePoint && (*options.timePoint < 0 || *options.timePoint >= layout.timePoints))
    return fail(ExitCode::Data, "There is no time point " + std::to_string(*options.timePoint) + " in " + source.file().string() +
                                    ", which has " + std::to_string(layout.timePoints) + ", counted from 0.");
  const std::uint64_t needed = wantedVoxels(layout, options) * sink.bytesPerVoxel();
  if (needed <= options.memoryLimitBytes)
    return {};
  return fail(ExitCode::OutOfMemory, "Opening " + source.file().string() + " takes " + sizeInWords(needed) + ", and the limit is " +
                                         sizeInWords(options.memoryLimitBytes) +
                                         (layout.timePoints > 1 && !options.timePoint ? "; open a single time point instead." : "."));
}

Status readOrCheck(FileBytes& source, const RawLayout& layout, const ReadOptions& options, VoxelSink* sink) {
  if (auto status = checkAgainstFile(source, layout); !status || !sink)
    return status;
  if (auto status = checkOptions(source, layout, options, *sink); !status)
    return status;
  return readRawVoxels(source, layout, options, *sink);
}

Status readRawVoxels(FileBytes& source, const RawLayout& layout, const ReadOptions& options, VoxelSink& sink) {
  const std::size_t voxelBytes = rawBytes(layout.type);
  const std::uint64_t total = wantedVoxels(layout, options);
  const std::uint64_t first =
      layout.firstByte + (options.timePoint ? static_cast<std::uint64_t>(*options.timePoint) * layout.voxelsPerTimePoint * voxelBytes : 0);
  if (auto status = source.skip(first - source.position(), options.cancel); !status)
    return status;
  // A compressed file that does not itself claim to be so long gets its memory as its voxels arrive.
  if (source.announcedBytes() >= first + total * voxelBytes)
    sink.reserve(static_cast<std::size_t>(total));
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(total * voxelBytes, kBlockBytes / voxelBytes * voxelBytes)));
  for (std::uint64_t done = 0; done < total;) {
    if (options.cancel.stop_requested())
      return fail(ExitCode::Stopped, "Reading " + source.file().string() + " was cancelled.");
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(total - done, buffer.size() / voxelBytes));
    const auto got = source.read({buffer.data(), count * voxelBytes});
    if (!got)
      return fail(got.error());
    if (*got < count * voxelBytes)
      return fail(ExitCode::Data, "Could not read " + source.file().string() + ": it ends after " +
                                      formatCount(static_cast<std::int64_t>(done + *got / voxelBytes)) + " of " +
                                      formatCount(static_cast<std::int64_t>(total)) + " voxels; the file is truncated.");
    sink.append({layout.type, layout.order, layout.slope, layout.intercept, buffer.data(), count});
    done += count;
    if (options.progress)
      options.progress(static_cast<double>(done) / static_cast<double>(total));
  }
  return options.timePoint ? Status{} : source.drain(kDrainBytes, options.cancel);
}

Result<VolumeHeader> readWithFixedHeader(const std::filesystem::path& file, std::size_t headerBytes, InterpretHeader interpret, const ReadOptions& options,
                                         VoxelSink* sink) {
  auto source = FileBytes::open(file);
  if (!source)
    return fail(source.error());
  std::vector<std::byte> start(headerBytes);
  const auto got = source->read(start);
  if (!got)
    return fail(got.error());
  if (*got < headerBytes)
    return fail(ExitCode::Data, "Could not read " + file.string() + ": it ends within its header; the file is truncated.");
  RawLayout layout;
  auto header = interpret(start, file, layout);
  if (!header)
    return header;
  if (auto status = readOrCheck(*source, layout, options, sink); !status)
    return fail(status.error());
  return header;
}

} // namespace voxlab
