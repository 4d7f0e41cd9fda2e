// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/cpu_volume_mapper.h"
#include "rendering/parallel.h"
#include <algorithm>
#include <cmath>
#include <vtkDataArray.h>
#include <vtkDirectionEncoder.h>
#include <vtkImageData.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>

namespace voxlab {
namespace {

// Central differences of a volume as VTK has them: in mean voxel sizes, with the voxel itself for a neighbour beyond the edge.
struct Gradients {
  const unsigned short* voxels;
  int size[3];
  double spacing[3]; // twice, in mean voxel sizes
  float scale;      // of the magnitude, to 0…255

  explicit Gradients(vtkImageData& image, vtkDataArray& scalars) : voxels(static_cast<const unsigned short*>(scalars.GetVoidPointer(0))) {
    double mm[3], range[2];
    image.GetDimensions(size);
    image.GetSpacing(mm);
    scalars.GetRange(range, 0);
    for (int axis = 0; axis < 3; ++axis)
      spacing[axis] = 2 * mm[axis] / ((mm[0] + mm[1] + mm[2]) / 3);
    scale = range[1] > range[0] ? static_cast<float>(255 / (0.25 * (range[1] - range[0]))) : 1.0f;
  }
  int at(int x, int y, int z) const {
    const auto in = [&](int place, int axis) { return static_cast<std::ptrdiff_t>(std::clamp(place, 0, size[axis] - 1)); };
    return voxels[(in(z, 2) * size[1] + in(y, 1)) * size[0] + in(x, 0)];
  }
  void slice(int z, vtkDirectionEncoder& encoder, unsigned short* normals, unsigned char* magnitudes) const {
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x) {
        const int across[3] = {at(x - 1, y, z) - at(x + 1, y, z), at(x, y - 1, z) - at(x, y + 1, z), at(x, y, z - 1) - at(x, y, z + 1)};
        float normal[3];
        for (int axis = 0; axis < 3; ++axis)
          normal[axis] = static_cast<float>(across[axis] / spacing[axis]);
        const float length = std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (float& part : normal)
          part = length > 0 ? part / length : 0;
        *magnitudes++ = static_cast<unsigned char>(std::min(length * scale, 255.0f) + 0.5f);
        *normals++ = static_cast<unsigned short>(encoder.GetEncodedDirection(normal));
      }
  }
};

} // namespace

vtkStandardNewMacro(CpuVolumeMapper);

void CpuVolumeMapper::mendGradients() {
  auto* image = static_cast<vtkImageData*>(GetInput());
  const Gradients gradients(*image, *CurrentScalars);
  const int threads = GetNumberOfThreads();
  parallelFor(1, threads, 1, [&](std::int64_t first, std::int64_t last) { // the last one's end is the volume's
    for (std::int64_t share = first; share < last; ++share)
      if (const int end = static_cast<int>(static_cast<float>(share) / static_cast<float>(threads) * static_cast<float>(gradients.size[2])); end > 0)
        gradients.slice(end - 1, *DirectionEncoder, GradientNormal[end - 1], GradientMagnitude[end - 1]);
  });
}

void CpuVolumeMapper::Render(vtkRenderer* renderer, vtkVolume* volume) {
  vtkDataSet* input = GetInput();
  vtkDataArray* scalars = input ? input->GetPointData()->GetScalars() : nullptr;
  if (scalars && (input != SavedGradientsInput || scalars != CurrentScalars || input->GetMTime() > SavedGradientsMTime.GetMTime())) {
    CurrentScalars = scalars;
    if (UpdateGradients(volume) && scalars->GetDataType() == VTK_UNSIGNED_SHORT && scalars->GetNumberOfComponents() == 1)
      mendGradients();
  }
  Superclass::Render(renderer, volume);
}

} // namespace voxlab
