// SPDX-License-Identifier: Apache-2.0
// Slices one by one, as DICOM keeps them, on the even grid that a volume needs: where some are missing, and how far the rest lie off.
#pragma once
#include <cstddef>
#include <vector>

namespace voxlab {

struct SliceSpacing {
  std::vector<std::size_t> steps; // on the grid from each slice to the next; 1 but where slices are missing between them
  double step_mm = 0;             // of the grid; 0 for fewer than two slices
  double off_mm = 0;              // the most that a slice lies off its place on the grid
  bool isEven = true;             // whether every gap is within 5 % of the step times its steps
  std::size_t slices() const;     // of the grid, the missing ones included
};

// Positions on the normal, mm, ascending. The usual gap is their median. If all gaps are whole multiples of it and no more than a fifth
// of the slices are missing, the grid has a place for those; else the slices are spread evenly from the first to the last.
SliceSpacing spacingOfSlices(const std::vector<double>& positions_mm);

} // namespace voxlab
