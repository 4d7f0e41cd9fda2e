// SPDX-License-Identifier: Apache-2.0
// Format: FreeSurfer wiki, "MghFormat": big-endian, 284 bytes of header, then the voxels, first axis fastest.
#include "core/imaging/mgh_io.h"
#include "core/imaging/byte_fields.h"
#include "core/imaging/geometry.h"
#include <bit>

namespace voxlab {
namespace {
constexpr std::size_t kHeaderBytes = 284;
constexpr ByteOrder kBigEndian = std::endian::native == std::endian::little ? ByteOrder::Swapped : ByteOrder::Native;

tl::unexpected<Error> bad(const std::filesystem::path& file, const std::string& why) {
  return fail(ExitCode::Data, "Could not read " + file.string() + ": " + why + ".");
}

RawType rawTypeOf(std::int32_t code) {
  switch (code) {
  case 0: return RawType::UInt8;
  case 1: return RawType::Int32;
  case 3: return RawType::Float32;
  case 4: return RawType::Int16;
  case 10: return RawType::UInt16;
  default: return RawType::Unknown;
  }
}

bool recognises(const FileProbe& probe) {
  if (probe.start.size() < kHeaderBytes)
    return false;
  // There is no magic: version 1, sizes and a type that make sense.
  const ByteFields fields(probe.start, kBigEndian);
  for (const std::size_t at : {4, 8, 12, 16}) {
    const auto side = fields.get<std::int32_t>(at);
    if (side < 1 || side > 1 << 20)
      return false;
  }
  return fields.get<std::int32_t>(0) == 1 && rawTypeOf(fields.get<std::int32_t>(20)) != RawType::Unknown &&
         (fields.get<std::int16_t>(28) == 0 || fields.get<std::int16_t>(28) == 1);
}

// From the directions of the axes and the position of the centre; the file's default is coronal, as FreeSurfer conforms.
Affine affineOf(const ByteFields& fields, const std::array<std::int64_t, 3>& size) {
  Vec3 spacing{1, 1, 1}, centre{};
  std::array<Vec3, 3> direction{Vec3{-1, 0, 0}, Vec3{0, 0, -1}, Vec3{0, 1, 0}}; // of i, j, k in RAS
  if (fields.get<std::int16_t>(28) != 0)
    for (std::size_t a = 0; a < 3; ++a) {
      spacing[a] = fields.get<float>(30 + 4 * a);
      centre[a] = fields.get<float>(78 + 4 * a);
      for (std::size_t w = 0; w < 3; ++w)
        direction[a][w] = fields.get<float>(42 + 12 * a + 4 * w);
    }
  Affine out = kIdentityAffine;
  for (std::size_t w = 0; w < 3; ++w) {
    out[w][3] = centre[w];
    for (std::size_t a = 0; a < 3; ++a) {
      out[w][a] = direction[a][w] * spacing[a];
      out[w][3] -= out[w][a] * static_cast<double>(size[a]) / 2;
    }
  }
  return out;
}

Result<VolumeHeader> interpret(std::span<const std::byte> start, const std::filesystem::path& file, RawLayout& layout) {
  const ByteFields fields(start, kBigEndian);
  if (const auto version = fields.get<std::int32_t>(0); version != 1)
    return bad(file, "it is no MGH file, or of an unknown version (" + std::to_string(version) + ")");
  VolumeHeader out;
  out.format = "MGH";
  for (std::size_t a = 0; a < 3; ++a)
    out.grid.size[a] = fields.get<std::int32_t>(4 + 4 * a);
  out.timePoints = fields.get<std::int32_t>(16);
  if (!checkedVoxelCount(out.grid.size, out.timePoints))
    return bad(file, "its header announces an impossible number of voxels");
  layout.type = rawTypeOf(fields.get<std::int32_t>(20));
  if (layout.type == RawType::Unknown)
    return bad(file, "its voxel type (MGH code " + std::to_string(fields.get<std::int32_t>(20)) + ") is not supported");
  layout.order = kBigEndian;
  layout.firstByte = kHeaderBytes;
  layout.voxelsPerTimePoint = static_cast<std::uint64_t>(out.grid.voxelCount());
  layout.timePoints = out.timePoints;
  out.storedType = voxelTypeOf(layout.type);
  if (fields.get<std::int16_t>(28) == 0)
    out.notes.push_back("The file does not say how it is oriented; FreeSurfer's default (coronal) was taken.");
  out.grid.affine = affineOf(fields, out.grid.size);
  if (!isUsable(out.grid.affine))
    return bad(file, "its axes or spacing are not usable");
  for (auto& note : geometryNotes(out.grid))
    out.notes.push_back(std::move(note));
  return out;
}

Result<VolumeHeader> readMgh(const std::filesystem::path& file, const ReadOptions& options, VoxelSink* sink) {
  return readWithFixedHeader(file, kHeaderBytes, interpret, options, sink);
}
} // namespace

Importer mghImporter() { return {"MGH", {".mgz", ".mgh.gz", ".mgh"}, recognises, readMgh}; }

} // namespace voxlab
