// SPDX-License-Identifier: GPL-3.0-or-later
// VTK's ray caster on the CPU, without the bands that it draws on machines of many cores.
#pragma once
#include <vtkFixedPointVolumeRayCastMapper.h>

namespace voxlab {

// For volumes of one unsigned short a voxel. VTK's threads share the slices, and each takes the end of its share for the end of the
// volume: the gradients across the slices are halved there, and a band of wrong light and opacity lies over the picture for each
// thread. Here those slices are mended before anything is drawn from them.
class CpuVolumeMapper : public vtkFixedPointVolumeRayCastMapper {
public:
  static CpuVolumeMapper* New();
  vtkTypeMacro(CpuVolumeMapper, vtkFixedPointVolumeRayCastMapper)
  CpuVolumeMapper(const CpuVolumeMapper&) = delete;
  CpuVolumeMapper& operator=(const CpuVolumeMapper&) = delete;
  void Render(vtkRenderer* renderer, vtkVolume* volume) override;

protected:
  CpuVolumeMapper() = default;
  ~CpuVolumeMapper() override = default;

private:
  void mendGradients();
};

} // namespace voxlab
