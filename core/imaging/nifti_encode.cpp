// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/nifti_encode.h"
#include "core/imaging/geometry.h"
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

template <class T> T toInteger(float value) {
  if (std::isnan(value))
    return 0;
  const double rounded = std::nearbyint(static_cast<double>(value));
  if (rounded <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  if (rounded >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(rounded);
}

template <class T> void append(std::span<const float> values, std::vector<std::byte>& out) {
  const std::size_t start = out.size();
  out.resize(start + values.size() * sizeof(T));
  std::byte* to = out.data() + start;
  for (const float value : values) {
    T stored;
    if constexpr (std::is_floating_point_v<T>)
      stored = static_cast<T>(value);
    else
      stored = toInteger<T>(value);
    std::memcpy(to, &stored, sizeof stored);
    to += sizeof stored;
  }
}
} // namespace

std::size_t voxelBytes(VoxelType type) {
  const auto* row = storedType(type);
  return row ? row->bytes : 0;
}

Result<std::array<std::byte, kNifti1VoxelOffset>> encodeNifti1(const VolumeHeader& header, VoxelType type) {
  const auto* stored = storedType(type);
  if (!stored)
    return fail(ExitCode::Internal, "NIfTI cannot store this voxel type.");
  const Grid& grid = header.grid;
  if (!isUsable(grid.affine))
    return fail(ExitCode::Data, "The volume cannot be written as NIfTI: its affine is not usable.");
  HeaderWriter out;
  out.put<std::int32_t>(0, 348);
  out.put<char>(38, 'r');
  const std::int16_t dimensions = header.timePoints > 1 ? 4 : 3;
  out.put<std::int16_t>(40, dimensions);
  const std::array<std::int64_t, 7> dim{grid.size[0], grid.size[1], grid.size[2], header.timePoints, 1, 1, 1};
  for (std::size_t i = 0; i < dim.size(); ++i) {
    if (dim[i] < 1 || dim[i] > 32767)
      return fail(ExitCode::Data, "The volume cannot be written as NIfTI-1: a side of " + std::to_string(dim[i]) +
                                      " voxels is outside 1 to 32767.");
    out.put(42 + 2 * i, static_cast<std::int16_t>(dim[i]));
  }
  out.put<std::int16_t>(70, stored->code);
  out.put<std::int16_t>(72, static_cast<std::int16_t>(8 * stored->bytes));
  const Qform qform = qformFrom(grid.affine);
  const Vec3 spacing = spacingOf(grid.affine);
  out.put(76, static_cast<float>(qform.qfac));
  for (std::size_t i = 0; i < 7; ++i)
    out.put(80 + 4 * i, i < 3 ? static_cast<float>(spacing[i]) : 1.0f);
  out.put(108, static_cast<float>(kNifti1VoxelOffset));
  out.put(112, 1.0f); // slope
  out.put<std::uint8_t>(123, dimensions == 4 ? 2 | 8 : 2); // millimetres, seconds
  out.text(148, header.description, 79);
  const bool qformFits = sameGrid(grid, {grid.size, withoutShear(grid.affine)}, 0.01);
  out.put<std::int16_t>(252, qformFits ? 2 : 0); // aligned to the anatomy of another volume
  out.put<std::int16_t>(254, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    out.put(256 + 4 * i, static_cast<float>(qform.quatern[i]));
    out.put(268 + 4 * i, static_cast<float>(grid.affine[i][3]));
    for (std::size_t j = 0; j < 4; ++j)
      out.put(280 + 16 * i + 4 * j, static_cast<float>(grid.affine[i][j]));
  }
  out.text(344, "n+1", 3);
  return out.bytes();
}

void encodeVoxels(std::span<const float> values, VoxelType type, std::vector<std::byte>& out) {
  switch (type) {
  case VoxelType::UInt8: return append<std::uint8_t>(values, out);
  case VoxelType::Int8: return append<std::int8_t>(values, out);
  case VoxelType::UInt16: return append<std::uint16_t>(values, out);
  case VoxelType::Int16: return append<std::int16_t>(values, out);
  case VoxelType::UInt32: return append<std::uint32_t>(values, out);
  case VoxelType::Int32: return append<std::int32_t>(values, out);
  case VoxelType::UInt64: return append<std::uint64_t>(values, out);
  case VoxelType::Int64: return append<std::int64_t>(values, out);
  case VoxelType::Float32: return append<float>(values, out);
  case VoxelType::Float64: return append<double>(values, out);
  case VoxelType::Unknown: return;
  }
}

} // namespace voxlab
