// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/nifti_encode.h"
#include "core/imaging/geometry.h"
#include "core/imaging/nifti_record.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

static_assert(std::endian::native == std::endian::little, "NIfTI files are written little-endian, as the machine stores numbers");

namespace voxlab {
namespace {
struct StoredType {
  VoxelType type;
  std::int16_t code; // NIfTI datatype
  std::size_t bytes;
};
constexpr std::array<StoredType, 10> kStored{{{VoxelType::UInt8, 2, 1},
                                              {VoxelType::Int16, 4, 2},
                                              {VoxelType::Int32, 8, 4},
                                              {VoxelType::Float32, 16, 4},
                                              {VoxelType::Float64, 64, 8},
                                              {VoxelType::Int8, 256, 1},
                                              {VoxelType::UInt16, 512, 2},
                                              {VoxelType::UInt32, 768, 4},
                                              {VoxelType::Int64, 1024, 8},
                                              {VoxelType::UInt64, 1280, 8}}};

const StoredType* storedType(VoxelType type) {
  const auto it = std::find_if(kStored.begin(), kStored.end(), [&](const StoredType& row) { return row.type == type; });
  return it == kStored.end() ? nullptr : &*it;
}

class HeaderWriter {
public:
  template <class T> void put(std::size_t at, T value) { std::memcpy(m_bytes.data() + at, &value, sizeof value); }
  void text(std::size_t at, const std::string& value, std::size_t longest) {
    std::memcpy(m_bytes.data() + at, value.data(), std::min(value.size(), longest));
  }
  const std::array<std::byte, kNifti1VoxelOffset>& bytes() const { return m_bytes; }

private:
  std::array<std::byte, kNifti1VoxelOffset> m_bytes{};
};

struct Qform {
  double qfac = 1;
  std::array<double, 3> quatern{}; // b, c, d
};

// nifti_mat44_to_quatern of the NIfTI-1 reference code.
Qform qformFrom(const Affine& affine) {
  auto r = closestRotation(affine);
  Qform out;
  out.qfac = determinant(affine) < 0 ? -1 : 1;
  if (out.qfac < 0)
    for (auto& row : r)
      row[2] = -row[2];
  double a = r[0][0] + r[1][1] + r[2][2] + 1, b, c, d;
  if (a > 0.5) {
    a = 0.5 * std::sqrt(a);
    b = 0.25 * (r[2][1] - r[1][2]) / a;
    c = 0.25 * (r[0][2] - r[2][0]) / a;
    d = 0.25 * (r[1][0] - r[0][1]) / a;
  } else {
    const double xd = 1 + r[0][0] - (r[1][1] + r[2][2]);
    const double yd = 1 + r[1][1] - (r[0][0] + r[2][2]);
    const double zd = 1 + r[2][2] - (r[0][0] + r[1][1]);
    if (xd > 1) {
      b = 0.5 * std::sqrt(xd);
      c = 0.25 * (r[0][1] + r[1][0]) / b;
      d = 0.25 * (r[0][2] + r[2][0]) / b;
      a = 0.25 * (r[2][1] - r[1][2]) / b;
    } else if (yd > 1) {
      c = 0.5 * std::sqrt(yd);
      b = 0.25 * (r[0][1] + r[1][0]) / c;
      d = 0.25 * (r[1][2] + r[2][1]) / c;
      a = 0.25 * (r[0][2] - r[2][0]) / c;
    } else {
      d = 0.5 * std::sqrt(zd);
      b = 0.25 * (r[0][2] + r[2][0]) / d;
      c = 0.25 * (r[1][2] + r[2][1]) / d;
      a = 0.25 * (r[1][0] - r[0][1]) / d;
    }
    if (a < 0) {
      b = -b;
      c = -c;
      d = -d;
    }
  }
  out.quatern = {b, c, d};
  return out;
}

// What a reader will make of spacing and rotation alone.
Affine withoutShear(const Affine& affine) {
  const auto r = closestRotation(affine);
  const Vec3 spacing = spacingOf(affine);
  Affine out = affine;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      out[i][j] = r[i][j] * spacing[j];
  return out;
}

template <class T> T toInteger(double value) {
  if (std::isnan(value))
    return 0;
  const double rounded = std::nearbyint(value);
  if (rounded <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  if (rounded >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(rounded);
}

template <class T> T storedFrom(float value, const NiftiStorage& storage) {
  if constexpr (std::is_same_v<T, float>)
    if (storage.slope == 1 && storage.intercept == 0)
      return value;
  const double unscaled = (static_cast<double>(value) - static_cast<double>(storage.intercept)) / static_cast<double>(storage.slope);
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(unscaled);
  else
    return toInteger<T>(unscaled);
}

template <class T> void append(std::span<const float> values, const NiftiStorage& storage, std::vector<std::byte>& out) {
  const std::size_t start = out.size();
  out.resize(start + values.size() * sizeof(T));
  std::byte* to = out.data() + start;
  for (const float value : values) {
    const T stored = storedFrom<T>(value, storage);
    std::memcpy(to, &stored, sizeof stored);
    to += sizeof stored;
  }
}

// Reading does this sum in double, too. Beyond 2^24 a float no longer says which integer the file held.
template <class T> bool comeBack(std::span<const float> values, const NiftiStorage& storage) {
  const double slope = static_cast<double>(storage.slope), intercept = static_cast<double>(storage.intercept);
  return std::all_of(values.begin(), values.end(), [&](float value) {
    const double stored = static_cast<double>(storedFrom<T>(value, storage));
    return static_cast<float>(stored * slope + intercept) == value && std::abs(stored) <= 0x1p24;
  });
}

// Calls visit with a value of the C++ type.
template <class Visit> auto withType(VoxelType type, Visit visit) {
  switch (type) {
  case VoxelType::UInt8: return visit(std::uint8_t{});
  case VoxelType::Int8: return visit(std::int8_t{});
  case VoxelType::UInt16: return visit(std::uint16_t{});
  case VoxelType::Int16: return visit(std::int16_t{});
  case VoxelType::UInt32: return visit(std::uint32_t{});
  case VoxelType::Int32: return visit(std::int32_t{});
  case VoxelType::UInt64: return visit(std::uint64_t{});
  case VoxelType::Int64: return visit(std::int64_t{});
  case VoxelType::Float64: return visit(double{});
  case VoxelType::Float32:
  case VoxelType::Unknown: break;
  }
  return visit(float{});
}

// The space that the affine leads to: what the file said of it, else that it is another image's.
std::int64_t spaceCode(const VolumeHeader& header) {
  if (!header.nifti)
    return 2;
  const bool byQform = header.qform && header.grid.affine == *header.qform;
  const std::int64_t code = header.nifti->sformCode > 0 && !byQform ? header.nifti->sformCode : header.nifti->qformCode;
  return code > 0 ? code : 2;
}

void putGeometry(const VolumeHeader& header, HeaderWriter& out) {
  const Grid& grid = header.grid;
  const Qform qform = qformFrom(grid.affine);
  const Vec3 spacing = spacingOf(grid.affine);
  const bool qformFits = sameGrid(grid, {grid.size, withoutShear(grid.affine)}, 0.01);
  out.put(76, static_cast<float>(qform.qfac));
  out.put<std::int16_t>(252, static_cast<std::int16_t>(qformFits ? spaceCode(header) : 0));
  out.put<std::int16_t>(254, static_cast<std::int16_t>(spaceCode(header)));
  for (std::size_t i = 0; i < 3; ++i) {
    out.put(80 + 4 * i, static_cast<float>(spacing[i]));
    out.put(256 + 4 * i, static_cast<float>(qform.quatern[i]));
    out.put(268 + 4 * i, static_cast<float>(grid.affine[i][3]));
    for (std::size_t j = 0; j < 4; ++j)
      out.put(280 + 16 * i + 4 * j, static_cast<float>(grid.affine[i][j]));
  }
}

// As the file had it that the volume was read from. pixdim belongs to the qform; without one it follows the affine.
void putGeometryAgain(const NiftiRecord& record, HeaderWriter& out) {
  out.put<std::int16_t>(252, static_cast<std::int16_t>(record.qformCode));
  out.put<std::int16_t>(254, static_cast<std::int16_t>(record.sformCode));
  out.put<std::uint8_t>(39, static_cast<std::uint8_t>(record.dimInfo));
  out.put<std::int16_t>(74, static_cast<std::int16_t>(record.sliceStart));
  out.put<std::int16_t>(120, static_cast<std::int16_t>(record.sliceEnd));
  out.put<std::uint8_t>(122, static_cast<std::uint8_t>(record.sliceCode));
  if (record.qformCode <= 0)
    return;
  out.put(76, static_cast<float>(record.pixdim[0]));
  for (std::size_t i = 0; i < 3; ++i) {
    out.put(80 + 4 * i, static_cast<float>(record.pixdim[i + 1]));
    out.put(256 + 4 * i, static_cast<float>(record.quatern[i]));
    out.put(268 + 4 * i, static_cast<float>(record.qoffset[i]));
  }
}

// Steps and unit of time: an unknown one is 0, without a unit.
void putTimes(const VolumeHeader& header, HeaderWriter& out) {
  constexpr std::uint8_t kMillimetres = 2, kSeconds = 8;
  const NiftiRecord* record = header.nifti.get();
  if (record && record->timePoints == header.timePoints) {
    for (std::size_t i = 4; i < 8; ++i)
      out.put(76 + 4 * i, static_cast<float>(record->pixdim[i]));
    out.put(123, static_cast<std::uint8_t>(record->units));
    out.put(132, static_cast<float>(record->sliceDuration));
    out.put(136, static_cast<float>(record->timeOffset));
    return;
  }
  const bool isKnown = header.timePoints > 1 && header.timeStep_s.has_value();
  for (std::size_t i = 4; i < 8; ++i)
    out.put(76 + 4 * i, 1.0f);
  if (header.timePoints > 1)
    out.put(92, static_cast<float>(header.timeStep_s.value_or(0)));
  out.put<std::uint8_t>(123, isKnown ? kMillimetres | kSeconds : kMillimetres);
}

void putMeaning(const NiftiRecord& record, HeaderWriter& out) {
  for (std::size_t i = 0; i < 3; ++i)
    out.put(56 + 4 * i, static_cast<float>(record.intentParameters[i]));
  out.put<std::int16_t>(68, static_cast<std::int16_t>(record.intentCode));
  out.put(124, static_cast<float>(record.calMax));
  out.put(128, static_cast<float>(record.calMin));
  out.text(228, record.auxiliaryFile, 23);
  out.text(328, record.intentName, 15);
}

// dim, and dim[4…7] as the file had them that the volume was read from.
Status putDimensions(const VolumeHeader& header, HeaderWriter& out) {
  const auto& size = header.grid.size;
  std::array<std::int64_t, 7> dim{size[0], size[1], size[2], header.timePoints, 1, 1, 1};
  if (header.nifti && header.nifti->timePoints == header.timePoints)
    std::copy(header.nifti->upperDimensions.begin(), header.nifti->upperDimensions.end(), dim.begin() + 3);
  std::int16_t dimensions = 3;
  for (std::size_t i = 0; i < dim.size(); ++i) {
    if (dim[i] < 1 || dim[i] > 32767)
      return fail(ExitCode::Data, "The volume cannot be written as NIfTI-1: a side of " + std::to_string(dim[i]) + " voxels is outside 1 to 32767.");
    if (dim[i] > 1)
      dimensions = std::max(dimensions, static_cast<std::int16_t>(i + 1));
    out.put(42 + 2 * i, static_cast<std::int16_t>(dim[i]));
  }
  out.put(40, dimensions);
  return {};
}
} // namespace

std::size_t voxelBytes(VoxelType type) {
  const auto* row = storedType(type);
  return row ? row->bytes : 0;
}

Result<std::array<std::byte, kNifti1VoxelOffset>> encodeNifti1(const VolumeHeader& header, const NiftiStorage& storage) {
  const auto* stored = storedType(storage.type);
  if (!stored)
    return fail(ExitCode::Internal, "NIfTI cannot store this voxel type.");
  if (!isUsable(header.grid.affine))
    return fail(ExitCode::Data, "The volume cannot be written as NIfTI: its affine is not usable.");
  HeaderWriter out;
  out.put<std::int32_t>(0, 348);
  out.put<char>(38, 'r');
  if (auto status = putDimensions(header, out); !status)
    return fail(status.error());
  out.put<std::int16_t>(70, stored->code);
  out.put<std::int16_t>(72, static_cast<std::int16_t>(8 * stored->bytes));
  out.put(108, static_cast<float>(kNifti1VoxelOffset));
  out.put(112, storage.slope);
  out.put(116, storage.intercept);
  out.text(148, header.description, 79);
  putTimes(header, out);
  putGeometry(header, out);
  if (header.nifti && header.nifti->grid == header.grid) {
    putGeometryAgain(*header.nifti, out);
    putMeaning(*header.nifti, out);
  }
  out.text(344, "n+1", 3);
  return out.bytes();
}

void encodeVoxels(std::span<const float> values, const NiftiStorage& storage, std::vector<std::byte>& out) {
  withType(storage.type, [&](auto type) { append<decltype(type)>(values, storage, out); });
}

bool survive(std::span<const float> values, const NiftiStorage& storage) {
  return std::isfinite(storage.slope) && storage.slope != 0 && std::isfinite(storage.intercept) &&
         withType(storage.type, [&](auto type) { return comeBack<decltype(type)>(values, storage); });
}

} // namespace voxlab
