// SPDX-License-Identifier: Apache-2.0
// The headers of NIfTI-1, NIfTI-2 and Analyze 7.5 as numbers: bytes → fields → geometry, and back. No files here.
// Field positions: nifti1.h (Cox et al. 2004), nifti2.h (2011), the Analyze 7.5 format description (Mayo, 1986).
#pragma once
#include "core/base/result.h"
#include "core/imaging/voxel_sink.h"
#include <span>

namespace voxlab {

enum class NiftiKind { Unknown, Analyze, Nifti1, Nifti2 };

struct NiftiHeader {
  NiftiKind kind = NiftiKind::Unknown;
  ByteOrder order = ByteOrder::Native;
  bool singleFile = true; // voxels follow in the same file
  std::array<std::int64_t, 8> dim{};
  std::int64_t datatype = 0;
  std::array<double, 8> pixdim{};
  double voxelOffset = 0, slope = 0, intercept = 0;
  double calMax = 0, calMin = 0;              // Analyze: scaling of last resort, with glMax and glMin
  std::int64_t glMax = 0, glMin = 0;
  std::array<std::int64_t, 3> spmOrigin{};    // Analyze as SPM writes it: voxel of the origin, counted from 1
  std::int64_t units = 0;                     // xyzt_units
  std::int64_t dimInfo = 0, sliceStart = 0, sliceEnd = 0, sliceCode = 0, intentCode = 0;
  double sliceDuration = 0, timeOffset = 0;
  std::array<double, 3> intentParameters{};
  std::string intentName, auxiliaryFile;
  std::int64_t qformCode = 0, sformCode = 0;
  std::array<double, 3> quatern{}, qoffset{};
  std::array<std::array<double, 4>, 3> srow{};
  std::string description;
};

inline constexpr std::size_t kNiftiProbeBytes = 540; // enough of a file's start to tell and parse each kind

// What the first bytes of a file say it is; Analyze has no magic and needs its name to be believed.
NiftiKind niftiKindOf(std::span<const std::byte> start);
// `name` stands in messages. Fails with Data on sizes below 1, more than 7 dimensions, unknown voxel types, offsets out of range.
Result<NiftiHeader> parseNiftiHeader(std::span<const std::byte> start, const std::string& name);
// Sizes, type, scaling and affine in the words of this room. Fails with Data when no affine is usable.
Result<VolumeHeader> interpret(const NiftiHeader& header, const std::string& name);
RawType rawTypeOf(const NiftiHeader& header);
RawLayout layoutOf(const NiftiHeader& header, const VolumeHeader& meaning);

} // namespace voxlab
