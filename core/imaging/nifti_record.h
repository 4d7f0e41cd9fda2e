// SPDX-License-Identifier: Apache-2.0
// What a NIfTI header says beside grid, type and scaling, kept so that a copy says it again. Fields as nifti1.h names them.
#pragma once
#include "core/imaging/volume.h"

namespace voxlab {

struct NiftiRecord {
  Grid grid;                                    // as it was read, in millimetres: another grid needs another qform
  std::int64_t timePoints = 1;                  // the product of `upperDimensions`
  std::array<std::int64_t, 4> upperDimensions{1, 1, 1, 1}; // dim[4…7]
  bool isBigEndian = false;
  std::int64_t sformCode = 0, qformCode = 0;    // 1 scanner, 2 aligned, 3 Talairach, 4 MNI 152, 5 another template
  std::array<double, 8> pixdim{};               // [0] is qfac, [1…3] millimetres, above 0
  std::array<double, 3> quatern{}, qoffset{};
  std::int64_t units = 0;                       // xyzt_units
  std::int64_t dimInfo = 0, sliceStart = 0, sliceEnd = 0, sliceCode = 0;
  double sliceDuration = 0, timeOffset = 0;     // in the file's unit of time
  double slope = 0, intercept = 0;              // scl_slope, scl_inter as they stand there; 0 or NaN where there is none
  double calMin = 0, calMax = 0;
  std::int64_t intentCode = 0;
  std::array<double, 3> intentParameters{};
  std::string intentName, auxiliaryFile;
};

// "scanner", "aligned to another image", "Talairach", "MNI 152", "another template", "none" for 0, "code 9" for what nifti1.h has no word for.
std::string formCodeInWords(std::int64_t code);
// "mm and s", "mm", "not said"; "ms" is named so, though VolumeHeader counts in seconds.
std::string unitsInWords(std::int64_t units);
// "label", "Z score"; empty for 0, "code 3001" for what is rare.
std::string intentInWords(std::int64_t code);

} // namespace voxlab
