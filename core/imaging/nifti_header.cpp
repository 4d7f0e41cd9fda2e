// SPDX-License-Identifier: Apache-2.0
#include "core/imaging/nifti_header.h"
#include "core/base/text.h"
#include "core/imaging/byte_fields.h"
#include "core/imaging/geometry.h"
#include "core/imaging/nifti_record.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace voxlab {
namespace {
constexpr std::int32_t kHeader1 = 348, kHeader2 = 540;

void parseCommon1(const ByteFields& f, NiftiHeader& h) {
  for (std::size_t i = 0; i < 8; ++i) {
    h.dim[i] = f.get<std::int16_t>(40 + 2 * i);
    h.pixdim[i] = f.get<float>(76 + 4 * i);
  }
  h.datatype = f.get<std::int16_t>(70);
  h.voxelOffset = f.get<float>(108);
  h.slope = f.get<float>(112);
  h.intercept = f.get<float>(116);
  h.calMax = f.get<float>(124);
  h.calMin = f.get<float>(128);
  h.glMax = f.get<std::int32_t>(140);
  h.glMin = f.get<std::int32_t>(144);
  h.description = f.text(148, 80);
}

void parseNifti1(const ByteFields& f, NiftiHeader& h) {
  parseCommon1(f, h);
  h.singleFile = f.magicIs(344, "n+1");
  h.dimInfo = f.get<std::uint8_t>(39);
  h.intentCode = f.get<std::int16_t>(68);
  h.sliceStart = f.get<std::int16_t>(74);
  h.sliceEnd = f.get<std::int16_t>(120);
  h.sliceCode = f.get<std::uint8_t>(122);
  h.sliceDuration = f.get<float>(132);
  h.timeOffset = f.get<float>(136);
  h.auxiliaryFile = f.text(228, 24);
  h.intentName = f.text(328, 16);
  h.units = f.get<std::uint8_t>(123);
  h.qformCode = f.get<std::int16_t>(252);
  h.sformCode = f.get<std::int16_t>(254);
  for (std::size_t i = 0; i < 3; ++i) {
    h.intentParameters[i] = f.get<float>(56 + 4 * i);
    h.quatern[i] = f.get<float>(256 + 4 * i);
    h.qoffset[i] = f.get<float>(268 + 4 * i);
    for (std::size_t j = 0; j < 4; ++j)
      h.srow[i][j] = f.get<float>(280 + 16 * i + 4 * j);
  }
}

void parseAnalyze(const ByteFields& f, NiftiHeader& h) {
  parseCommon1(f, h);
  h.singleFile = false;
  for (std::size_t i = 0; i < 3; ++i)
    h.spmOrigin[i] = f.get<std::int16_t>(253 + 2 * i);
}

void parseNifti2(const ByteFields& f, NiftiHeader& h) {
  h.singleFile = f.magicIs(4, "n+2");
  h.datatype = f.get<std::int16_t>(12);
  for (std::size_t i = 0; i < 8; ++i) {
    h.dim[i] = f.get<std::int64_t>(16 + 8 * i);
    h.pixdim[i] = f.get<double>(104 + 8 * i);
  }
  h.voxelOffset = static_cast<double>(f.get<std::int64_t>(168));
  h.slope = f.get<double>(176);
  h.intercept = f.get<double>(184);
  h.calMax = f.get<double>(192);
  h.calMin = f.get<double>(200);
  h.sliceDuration = f.get<double>(208);
  h.timeOffset = f.get<double>(216);
  h.sliceStart = f.get<std::int64_t>(224);
  h.sliceEnd = f.get<std::int64_t>(232);
  h.description = f.text(240, 80);
  h.auxiliaryFile = f.text(320, 24);
  h.qformCode = f.get<std::int32_t>(344);
  h.sformCode = f.get<std::int32_t>(348);
  for (std::size_t i = 0; i < 3; ++i) {
    h.intentParameters[i] = f.get<double>(80 + 8 * i);
    h.quatern[i] = f.get<double>(352 + 8 * i);
    h.qoffset[i] = f.get<double>(376 + 8 * i);
    for (std::size_t j = 0; j < 4; ++j)
      h.srow[i][j] = f.get<double>(400 + 32 * i + 8 * j);
  }
  h.sliceCode = f.get<std::int32_t>(496);
  h.units = f.get<std::int32_t>(500);
  h.intentCode = f.get<std::int32_t>(504);
  h.intentName = f.text(508, 16);
  h.dimInfo = f.get<std::uint8_t>(524);
}

struct Datatype {
  std::int64_t code;
  RawType type;
};
constexpr std::array<Datatype, 14> kDatatypes{{{2, RawType::UInt8},
                                               {4, RawType::Int16},
                                               {8, RawType::Int32},
                                               {16, RawType::Float32},
                                               {32, RawType::Complex64},
                                               {64, RawType::Float64},
                                               {128, RawType::Rgb24},
                                               {256, RawType::Int8},
                                               {512, RawType::UInt16},
                                               {768, RawType::UInt32},
                                               {1024, RawType::Int64},
                                               {1280, RawType::UInt64},
                                               {1792, RawType::Complex128},
                                               {2304, RawType::Rgba32}}};

tl::unexpected<Error> bad(const std::string& name, const std::string& why) {
  return fail(ExitCode::Data, "Could not read " + name + ": " + why + ".");
}

Status checkFields(const NiftiHeader& h, const std::string& name) {
  if (h.kind == NiftiKind::Nifti2 && h.intentCode >= 3000 && h.intentCode < 3100)
    return bad(name, "it is CIFTI, which holds values along the brain's surface and no volume");
  if (h.dim[0] < 1 || h.dim[0] > 7)
    return bad(name, "its header says it has " + std::to_string(h.dim[0]) + " dimensions");
  for (std::size_t i = 1; i <= static_cast<std::size_t>(h.dim[0]); ++i)
    if (h.dim[i] < 0 || (h.dim[i] == 0 && i <= 3))
      return bad(name, "its header gives dimension " + std::to_string(i) + " the size " + std::to_string(h.dim[i]));
  if (rawTypeOf(h) == RawType::Unknown)
    return bad(name, "its voxel type (NIfTI code " + std::to_string(h.datatype) + ") is not supported");
  if (!(h.voxelOffset >= 0 && h.voxelOffset <= 0x1p52))
    return bad(name, "its header puts the voxels at an impossible place");
  return {};
}

// Spacing is a length: signs are dropped, and 0 (usual for axes that a file does not have) becomes 1.
void repairSpacing(NiftiHeader& h) {
  for (std::size_t i = 1; i <= 3; ++i)
    h.pixdim[i] = h.pixdim[i] == 0 ? 1 : std::abs(h.pixdim[i]);
}

void takeScaling(const NiftiHeader& h, VolumeHeader& out) {
  const RawType type = rawTypeOf(h);
  if (type == RawType::Rgb24 || type == RawType::Rgba32)
    return;
  if (std::isfinite(h.slope) && h.slope != 0) {
    out.slope = h.slope;
    out.intercept = std::isfinite(h.intercept) ? h.intercept : 0;
    if (!std::isfinite(h.intercept))
      out.notes.push_back("The intercept in the header is not a number; 0 was used.");
  } else if (h.kind == NiftiKind::Analyze && h.glMax != h.glMin && h.calMax != h.calMin && std::isfinite(h.calMax - h.calMin)) {
    // As SPM does it for Analyze files without a scale factor.
    out.slope = (h.calMax - h.calMin) / static_cast<double>(h.glMax - h.glMin);
    out.intercept = h.calMin - out.slope * static_cast<double>(h.glMin);
  }
}

// Of the file's unit of length.
double millimetres(const NiftiHeader& h) {
  const std::int64_t code = h.units & 7;
  return code == 1 ? 1000 : code == 3 ? 0.001 : 1;
}

Affine sformOf(const NiftiHeader& h) {
  Affine a = kIdentityAffine;
  for (std::size_t i = 0; i < 3; ++i)
    a[i] = h.srow[i];
  return a;
}

// Method 2 of nifti1.h: a unit quaternion, positive spacing, and qfac = −1 for a left-handed grid.
Affine qformOf(const NiftiHeader& h) {
  auto [b, c, d] = h.quatern;
  double a = 1 - (b * b + c * c + d * d);
  if (a < 1e-7) { // a rotation by 180°, up to rounding
    const double scale = 1 / std::sqrt(b * b + c * c + d * d);
    b *= scale;
    c *= scale;
    d *= scale;
    a = 0;
  } else {
    a = std::sqrt(a);
  }
  const std::array<std::array<double, 3>, 3> r{{{a * a + b * b - c * c - d * d, 2 * b * c - 2 * a * d, 2 * b * d + 2 * a * c},
                                                {2 * b * c + 2 * a * d, a * a + c * c - b * b - d * d, 2 * c * d - 2 * a * b},
                                                {2 * b * d - 2 * a * c, 2 * c * d + 2 * a * b, a * a + d * d - c * c - b * b}}};
  const double qfac = h.pixdim[0] < 0 ? -1 : 1;
  Affine out = kIdentityAffine;
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = {r[i][0] * h.pixdim[1], r[i][1] * h.pixdim[2], r[i][2] * h.pixdim[3] * qfac, h.qoffset[i]};
  }
  return out;
}

// No orientation in the file: x to the left, origin in the middle (or where SPM's Analyze says), as SPM and nibabel do.
Affine affineFromSpacing(const NiftiHeader& h, const std::array<std::int64_t, 3>& size, std::vector<std::string>& notes) {
  Affine out = kIdentityAffine;
  bool useOrigin = h.kind == NiftiKind::Analyze && h.spmOrigin != std::array<std::int64_t, 3>{};
  for (std::size_t i = 0; i < 3; ++i)
    useOrigin = useOrigin && h.spmOrigin[i] > -size[i] && h.spmOrigin[i] < 2 * size[i];
  for (std::size_t i = 0; i < 3; ++i) {
    const double step = h.pixdim[i + 1];
    const double origin = useOrigin ? static_cast<double>(h.spmOrigin[i] - 1) : static_cast<double>(size[i] - 1) / 2;
    out[i][i] = i == 0 ? -step : step;
    out[i][3] = -origin * out[i][i];
  }
  notes.push_back("The file does not say how it is oriented; x was taken to run to the left, y to the front, z up.");
  return out;
}

void scaleToMillimetres(const NiftiHeader& h, VolumeHeader& out) {
  const double factor = millimetres(h);
  if (factor == 1)
    return;
  const auto scale = [&](Affine& affine) {
    for (std::size_t i = 0; i < 3; ++i)
      for (auto& value : affine[i])
        value *= factor;
  };
  scale(out.grid.affine);
  if (out.sform)
    scale(*out.sform);
  if (out.qform)
    scale(*out.qform);
  out.notes.push_back(std::string("The file counts in ") + (factor > 1 ? "metres" : "micrometres") + "; converted to millimetres.");
}

// ": they swap left and right, so that one of them shows a mirror image", or nothing where both turn the volume the same way.
std::string turnsInWords(const Affine& sform, const Affine& qform) {
  constexpr std::array<std::array<const char*, 2>, 3> kSides{{{"LR", "left and right"}, {"AP", "front and back"}, {"IS", "top and bottom"}}};
  const std::string one = axisCodes(sform), other = axisCodes(qform);
  std::string swapped;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const auto& [letters, words] : kSides) {
      const std::string_view pair(letters);
      if (one[axis] != other[axis] && pair.find(one[axis]) != pair.npos && pair.find(other[axis]) != pair.npos)
        swapped += (swapped.empty() ? "" : ", ") + std::string(words);
      else if (one[axis] != other[axis] && pair.find(one[axis]) != pair.npos)
        return ": the axes run to " + one + " by the sform and to " + other + " by the qform"; // exchanged
    }
  if (swapped.empty())
    return {};
  return ": they swap " + swapped + (isLeftHanded(sform) != isLeftHanded(qform) ? ", so that one of them shows a mirror image" : "");
}

// "2.00 × 2.00 × 2.00 mm"
std::string sizeInMillimetres(const Vec3& spacing, double unit_mm) {
  return formatSignificant(spacing[0] * unit_mm) + " × " + formatSignificant(spacing[1] * unit_mm) + " × " + formatSignificant(spacing[2] * unit_mm) + " mm";
}

// Where pixdim gives the voxels another size than the sform, which is in force: by how much, in words that go on with `tail`.
std::string otherSizeInWords(const NiftiHeader& h, const VolumeHeader& out, const char* other, const char* tail) {
  const Vec3 used = spacingOf(out.grid.affine), stated{h.pixdim[1], h.pixdim[2], h.pixdim[3]};
  const auto differs = [&](std::size_t axis) { return out.grid.size[axis] > 1 && std::abs(stated[axis] - used[axis]) > 0.01 * used[axis]; };
  if (!differs(0) && !differs(1) && !differs(2))
    return {};
  return sizeInMillimetres(used, millimetres(h)) + " by the sform and " + sizeInMillimetres(stated, millimetres(h)) + " by " + other + tail;
}

void noteConflict(const NiftiHeader& h, VolumeHeader& out) {
  const bool hasQform = out.qform && isUsable(*out.qform);
  const Vec3 spacing = spacingOf(*out.sform);
  const double apart = hasQform ? *cornerDistance({out.grid.size, *out.sform}, {out.grid.size, *out.qform}) : 0;
  if (apart > 0.1 * std::min({spacing[0], spacing[1], spacing[2]})) {
    const std::string sizes = otherSizeInWords(h, out, "the qform", ";");
    out.notes.push_back("sform and qform disagree" + turnsInWords(*out.sform, *out.qform) + (sizes.empty() ? std::string(";") : "; voxels measure " + sizes) +
                        " they lie up to " + formatSignificant(apart * millimetres(h)) + " mm apart. The sform is used.");
  } else if (const std::string sizes = otherSizeInWords(h, out, "pixdim", "."); !sizes.empty()) {
    // pixdim has no say where the sform is in force, but there are programs that read nothing else.
    out.notes.push_back("The header gives the voxels two sizes: " + sizes + " The sform is used; programs that read pixdim disagree with it about lengths and volumes.");
  }
}

// sform if its code is above 0, else qform, else the spacing alone.
Status takeAffine(const NiftiHeader& h, const std::string& name, VolumeHeader& out) {
  if (h.sformCode > 0)
    out.sform = sformOf(h);
  if (h.qformCode > 0)
    out.qform = qformOf(h);
  if (out.sform && !isFinite(*out.sform))
    return bad(name, "its sform holds values that are not numbers");
  if (out.sform && isUsable(*out.sform)) {
    out.grid.affine = *out.sform;
    noteConflict(h, out);
    return {};
  }
  if (out.sform)
    out.notes.push_back("The sform maps all voxels into a plane and was not used.");
  if (out.qform) {
    if (!isFinite(*out.qform))
      return bad(name, "its qform holds values that are not numbers");
    if (!isUsable(*out.qform))
      return bad(name, "its affine maps all voxels into a plane");
    out.grid.affine = *out.qform;
    return {};
  }
  out.grid.affine = affineFromSpacing(h, out.grid.size, out.notes);
  if (!isUsable(out.grid.affine))
    return bad(name, "its spacing is not usable");
  return {};
}
// What a copy of the file is to say again. After the scaling to millimetres.
std::shared_ptr<const NiftiRecord> recordOf(const NiftiHeader& h, const VolumeHeader& meaning) {
  auto record = std::make_shared<NiftiRecord>();
  record->grid = meaning.grid;
  record->timePoints = meaning.timePoints;
  for (std::size_t i = 4; i <= static_cast<std::size_t>(h.dim[0]); ++i)
    record->upperDimensions[i - 4] = std::max<std::int64_t>(h.dim[i], 1);
  record->isBigEndian = (h.order == ByteOrder::Swapped) == (std::endian::native == std::endian::little);
  record->sformCode = h.sformCode;
  record->qformCode = h.qformCode;
  record->pixdim = h.pixdim;
  record->quatern = h.quatern;
  record->qoffset = h.qoffset;
  record->units = h.units;
  if (const double factor = millimetres(h); factor != 1) {
    for (std::size_t i = 0; i < 3; ++i) {
      record->pixdim[i + 1] *= factor;
      record->qoffset[i] *= factor;
    }
    record->units = (h.units & ~std::int64_t{7}) | 2;
  }
  record->dimInfo = h.dimInfo;
  record->sliceStart = h.sliceStart;
  record->sliceEnd = h.sliceEnd;
  record->sliceCode = h.sliceCode;
  record->sliceDuration = h.sliceDuration;
  record->timeOffset = h.timeOffset;
  record->slope = h.slope;
  record->intercept = h.intercept;
  record->calMin = h.calMin;
  record->calMax = h.calMax;
  record->intentCode = h.intentCode;
  record->intentParameters = h.intentParameters;
  record->intentName = h.intentName;
  record->auxiliaryFile = h.auxiliaryFile;
  return record;
}

// pixdim[4] where its unit is one of time; many files leave 0 or 1 there without a unit.
std::optional<double> timeStepOf(const NiftiHeader& h) {
  const std::int64_t unit = h.units & 56;
  const double seconds = unit == 8 ? 1 : unit == 16 ? 1e-3 : unit == 24 ? 1e-6 : 0;
  if (h.dim[0] < 4 || h.dim[4] < 2 || !(h.pixdim[4] * seconds > 0) || !std::isfinite(h.pixdim[4]))
    return std::nullopt;
  return h.pixdim[4] * seconds;
}
} // namespace

NiftiKind niftiKindOf(std::span<const std::byte> start) {
  if (start.size() < static_cast<std::size_t>(kHeader1))
    return NiftiKind::Unknown;
  const ByteFields native(start, ByteOrder::Native), swapped(start, ByteOrder::Swapped);
  const auto sizeIs = [&](std::int32_t size) { return native.get<std::int32_t>(0) == size || swapped.get<std::int32_t>(0) == size; };
  if (sizeIs(kHeader2) && start.size() >= static_cast<std::size_t>(kHeader2) && (native.magicIs(4, "n+2") || native.magicIs(4, "ni2")))
    return NiftiKind::Nifti2;
  if (native.magicIs(344, "n+1") || native.magicIs(344, "ni1"))
    return NiftiKind::Nifti1;
  return sizeIs(kHeader1) ? NiftiKind::Analyze : NiftiKind::Unknown;
}

Result<NiftiHeader> parseNiftiHeader(std::span<const std::byte> start, const std::string& name) {
  NiftiHeader h;
  h.kind = niftiKindOf(start);
  if (h.kind == NiftiKind::Unknown)
    return bad(name, "it does not begin with a whole NIfTI header");
  // Byte order: by the header's size, or, where a writer left that wrong, by the number of dimensions.
  const ByteFields native(start, ByteOrder::Native);
  const std::int32_t headerBytes = h.kind == NiftiKind::Nifti2 ? kHeader2 : kHeader1;
  const bool sizeFits = native.get<std::int32_t>(0) == headerBytes;
  const bool swappedSizeFits = ByteFields(start, ByteOrder::Swapped).get<std::int32_t>(0) == headerBytes;
  const auto dimensions = native.get<std::int16_t>(40);
  if (!sizeFits && (swappedSizeFits || dimensions < 1 || dimensions > 7))
    h.order = ByteOrder::Swapped;
  const ByteFields fields(start, h.order);
  if (h.kind == NiftiKind::Nifti2)
    parseNifti2(fields, h);
  else if (h.kind == NiftiKind::Nifti1)
    parseNifti1(fields, h);
  else
    parseAnalyze(fields, h);
  if (auto status = checkFields(h, name); !status)
    return fail(status.error());
  repairSpacing(h);
  return h;
}

RawType rawTypeOf(const NiftiHeader& header) {
  for (const auto& row : kDatatypes)
    if (row.code == header.datatype)
      return row.type;
  return RawType::Unknown;
}

Result<VolumeHeader> interpret(const NiftiHeader& h, const std::string& name) {
  VolumeHeader out;
  const auto dimensions = static_cast<std::size_t>(h.dim[0]);
  for (std::size_t i = 0; i < 3; ++i)
    out.grid.size[i] = i < dimensions ? h.dim[i + 1] : 1;
  for (std::size_t i = 4; i <= dimensions; ++i)
    if (__builtin_mul_overflow(out.timePoints, std::max<std::int64_t>(h.dim[i], 1), &out.timePoints))
      return bad(name, "its header announces an impossible number of voxels");
  if (!checkedVoxelCount(out.grid.size, out.timePoints))
    return bad(name, "its header announces an impossible number of voxels");
  if (dimensions > 4 && out.timePoints > 1)
    out.notes.push_back("The file has " + std::to_string(dimensions) + " dimensions; those after the third are shown as time points.");
  const RawType type = rawTypeOf(h);
  out.storedType = voxelTypeOf(type);
  out.components = componentsOf(type);
  for (auto& note : storageNotes(type))
    out.notes.push_back(std::move(note));
  takeScaling(h, out);
  if (auto status = takeAffine(h, name, out); !status)
    return fail(status.error());
  scaleToMillimetres(h, out);
  out.timeStep_s = timeStepOf(h);
  if (h.kind != NiftiKind::Analyze)
    out.nifti = recordOf(h, out);
  out.description = h.description;
  out.format = h.kind == NiftiKind::Nifti2 ? "NIfTI-2" : h.kind == NiftiKind::Nifti1 ? "NIfTI-1" : "Analyze 7.5";
  for (auto& note : geometryNotes(out.grid))
    out.notes.push_back(std::move(note));
  return out;
}

RawLayout layoutOf(const NiftiHeader& h, const VolumeHeader& meaning) {
  RawLayout layout;
  layout.type = rawTypeOf(h);
  layout.order = h.order;
  layout.slope = meaning.slope;
  layout.intercept = meaning.intercept;
  layout.firstByte = static_cast<std::uint64_t>(h.voxelOffset);
  // Some writers leave 0; the voxels then follow the header (and, in NIfTI, the four bytes that announce extensions).
  if (h.singleFile)
    layout.firstByte = std::max<std::uint64_t>(layout.firstByte, h.kind == NiftiKind::Nifti2 ? 544 : 352);
  layout.voxelsPerTimePoint = static_cast<std::uint64_t>(meaning.grid.voxelCount());
  layout.timePoints = meaning.timePoints;
  return layout;
}

} // namespace voxlab
