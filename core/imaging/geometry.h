// SPDX-License-Identifier: Apache-2.0
// Where voxels lie: affines (voxel index → millimetres, RAS+), spacing, axis names, and grids made from grids.
#pragma once
#include "core/imaging/volume.h"

namespace voxlab {

using Vec3 = std::array<double, 3>;

// --- affines ---------------------------------------------------------------------------------------------------------
Vec3 applyAffine(const Affine& affine, const Vec3& point);
Affine compose(const Affine& outer, const Affine& inner); // x ↦ outer(inner(x))
double determinant(const Affine& affine);                 // of the 3×3 part
bool isFinite(const Affine& affine);
// Finite, last row (0, 0, 0, 1), and axes that span space (no axis within about 1e-6 of the plane of the others).
bool isUsable(const Affine& affine);
std::optional<Affine> inverse(const Affine& affine); // nullopt unless isUsable
Affine rasFromLps(const Affine& affine);             // also LPS from RAS: x and y change sign

Vec3 spacingOf(const Affine& affine);        // length of the step along i, j, k in mm
double shearDegrees(const Affine& affine);   // largest departure of an angle between two axes from 90°
bool isLeftHanded(const Affine& affine);
// Where i, j and k point to, by the closest anatomical axes: "RAS", "LPS", "LIA".
std::string axisCodes(const Affine& affine);
// The rotation closest to the axes' directions (polar decomposition, as in the NIfTI-1 reference code): row-major 3×3,
// its determinant has the sign of the affine's.
std::array<Vec3, 3> closestRotation(const Affine& affine);

// --- grids -----------------------------------------------------------------------------------------------------------
// Largest distance in mm between equal corner voxels of two grids of the same size; nullopt if sizes differ.
std::optional<double> cornerDistance(const Grid& a, const Grid& b);
// Same size, and corners that agree to a fraction of the smallest spacing.
bool sameGrid(const Grid& a, const Grid& b, double toleranceVoxels = 0.01);
// Another number of voxels over the same field of view: outer faces stay where they are, so that
// index' = (index + ½)·size'/size − ½.
Grid scaledGrid(const Grid& grid, const std::array<std::int64_t, 3>& size);

// --- reorientation: axes exchanged and flipped, no interpolation -----------------------------------------------------
struct AxisOrder {
  std::array<int, 3> source{0, 1, 2};            // new axis a runs along old axis source[a] …
  std::array<bool, 3> flipped{false, false, false}; // … backwards
  bool isIdentity() const { return source == std::array{0, 1, 2} && flipped == std::array{false, false, false}; }
};
AxisOrder orderTowards(const Affine& affine, const std::string& codes); // "RAS": closest canonical; codes as axisCodes gives them
Grid reoriented(const Grid& grid, const AxisOrder& order);
Volume reoriented(const Volume& volume, const AxisOrder& order);

// Oddities of the affine in words: left-handed, sheared, very uneven or unlikely spacing.
std::vector<std::string> geometryNotes(const Grid& grid);

} // namespace voxlab
