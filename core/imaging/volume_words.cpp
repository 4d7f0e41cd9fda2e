// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/volume_words.h"
#include "core/base/text.h"
#include "core/imaging/geometry.h"
#include <cmath>

namespace voxlab {
namespace {
std::string joined(const Vec3& values, const char* separator) {
  return formatSignificant(values[0]) + separator + formatSignificant(values[1]) + separator + formatSignificant(values[2]);
}

std::string directionInWords(char code) {
  switch (code) {
  case 'R': return "right";
  case 'L': return "left";
  case 'A': return "front";
  case 'P': return "back";
  case 'S': return "top";
  default: return "bottom";
  }
}

std::string axesInWords(const std::string& codes) {
  return codes + " (i to the " + directionInWords(codes[0]) + ", j to the " + directionInWords(codes[1]) + ", k to the " + directionInWords(codes[2]) + ")";
}

std::string storageInWords(const VolumeHeader& header) {
  std::string text = voxelTypeInWords(header.storedType);
  if (header.components > 1)
    text += ", " + std::to_string(header.components) + " a voxel";
  if (header.slope != 1 || header.intercept != 0)
    text += ", times " + formatSignificant(header.slope, 6) + (header.intercept < 0 ? " minus " : " plus ") +
            formatSignificant(std::abs(header.intercept), 6);
  return text;
}
} // namespace

const char* voxelTypeInWords(VoxelType type) {
  switch (type) {
  case VoxelType::UInt8: return "8-bit unsigned integers";
  case VoxelType::Int8: return "8-bit integers";
  case VoxelType::UInt16: return "16-bit unsigned integers";
  case VoxelType::Int16: return "16-bit integers";
  case VoxelType::UInt32: return "32-bit unsigned integers";
  case VoxelType::Int32: return "32-bit integers";
  case VoxelType::UInt64: return "64-bit unsigned integers";
  case VoxelType::Int64: return "64-bit integers";
  case VoxelType::Float32: return "32-bit floating point";
  case VoxelType::Float64: return "64-bit floating point";
  case VoxelType::Unknown: break;
  }
  return "voxels of an unknown type";
}

std::string sizeInWords(const Grid& grid) {
  return std::to_string(grid.size[0]) + " × " + std::to_string(grid.size[1]) + " × " + std::to_string(grid.size[2]);
}

std::string headerInWords(const VolumeHeader& header) {
  const Grid& grid = header.grid;
  const Vec3 spacing = spacingOf(grid.affine);
  Vec3 extent;
  for (std::size_t a = 0; a < 3; ++a)
    extent[a] = spacing[a] * static_cast<double>(grid.size[a]);
  std::string text = "Format: " + header.format + "\n";
  text += "Size: " + sizeInWords(grid) + " voxels" + (header.timePoints > 1 ? ", " + std::to_string(header.timePoints) + " time points" : "") + "\n";
  text += "Spacing: " + joined(spacing, " × ") + " mm, " + joined(extent, " × ") + " mm in all\n";
  text += "Axes: " + axesInWords(axisCodes(grid.affine)) + "\n";
  text += "First voxel: at " + joined(applyAffine(grid.affine, {0, 0, 0}), ", ") + " mm (right, front, top)\n";
  text += "Stored as: " + storageInWords(header) + "\n";
  if (!header.description.empty())
    text += "Description: " + header.description + "\n";
  for (const auto& note : header.notes)
    text += "Note: " + note + "\n";
  return text;
}

} // namespace voxlab
