// SPDX-License-Identifier: GPL-3.0-or-later
// VTK's ray caster on the CPU, without the bands that it draws on machines of many cores.
#pragma once
#include <vtkFixedPointVolumeRayCastMapper.h>

namespace voxlab {

// VTK's threads share the volume's slices, and each takes the end of its share for the end of the volume: the gradients across the
// slices are halved there, and as many bands of wrong light and opacity lie over the picture as there are threads. Here one thread
// makes the gradients, once for each volume; all of them cast the rays.
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
};

} // namespace voxlab
