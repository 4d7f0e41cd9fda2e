// SPDX-License-Identifier: Apache-2.0
// Format: Guy's Image Processing Lab: big-endian, 256 bytes of header, then the voxels. No directions: LPS axes, as ITK
// takes them.
#include "core/imaging/gipl_io.h"
#include "core/imaging/byte_fields.h"
#include "core/imaging/geometry.h"
#include <bit>

namespace voxlab {
namespace {
constexpr std::size_t kHeaderBytes = 256;
constexpr ByteOrder kBigEndian = std::endian::native == std::endian::little ? ByteOrder::Swapped : ByteOrder::Native;

tl::unexpected<Error> bad(const std::filesystem::path& file, const std::string& why) {
  return fail(ExitCode::Data, "Could not read " + file.string() + ": " + why + ".");
}

bool hasMagic(std::span<const std::byte> start) {
  const auto magic = ByteFields(start, kBigEndian).get<std::uint32_t>(252);
  return magic == 719555000u || magic == 4026526128u;
}

RawType rawTypeOf(std::uint16_t code) {
  switch (code) {
  case 7: return RawType::Int8;
  case 8: return RawType::UInt8;
  case 15: return RawType::Int16;
  case 16: return RawType::UInt16;
  case 31: return RawType::UInt32;
  case 32: return RawType::Int32;
  case 64: return RawType::Float32;
  case 65: return RawType::Float64;
  default: return RawType::Unknown;
  }
}

Result<VolumeHeader> interpret(std::span<const std::byte> start, const std::filesystem::path& file, RawLayout& layout) {
  if (!hasMagic(start))
    return bad(file, "it is no GIPL file");
  const ByteFields fields(start, kBigEndian);
  VolumeHeader out;
  out.format = "GIPL";
  out.description = fields.text(26, 80);
  Affine lps = kIdentityAffine;
  for (std::size_t a = 0; a < 3; ++a) {
    out.grid.size[a] = std::max<std::int64_t>(1, fields.get<std::uint16_t>(2 * a));
    const double step = fields.get<float>(10 + 4 * a);
    lps[a][a] = step == 0 ? 1 : step;
    lps[a][3] = fields.get<double>(204 + 8 * a);
  }
  out.timePoints = std::max<std::int64_t>(1, fields.get<std::uint16_t>(6));
  out.grid.affine = rasFromLps(lps);
  layout.type = rawTypeOf(fields.get<std::uint16_t>(8));
  if (layout.type == RawType::Unknown)
    return bad(file, "its voxel type (GIPL code " + std::to_string(fields.get<std::uint16_t>(8)) + ") is not supported");
  if (!isUsable(out.grid.affine) || !checkedVoxelCount(out.grid.size, out.timePoints))
    return bad(file, "its sizes or spacing are not usable");
  layout.order = kBigEndian;
  layout.firstByte = kHeaderBytes;
  layout.voxelsPerTimePoint = static_cast<std::uint64_t>(out.grid.voxelCount());
  layout.timePoints = out.timePoints;
  out.storedType = voxelTypeOf(layout.type);
  for (auto& note : geometryNotes(out.grid))
    out.notes.push_back(std::move(note));
  return out;
}

Result<VolumeHeader> readGipl(const std::filesystem::path& file, const ReadOptions& options, VoxelSink* sink) {
  return readWithFixedHeader(file, kHeaderBytes, interpret, options, sink);
}

bool recognises(const FileProbe& probe) {
  return probe.start.size() >= kHeaderBytes && hasMagic(probe.start);
}
} // namespace

Importer giplImporter() { return {"GIPL", {".gipl.gz", ".gipl"}, recognises, readGipl}; }

} // namespace voxlab
