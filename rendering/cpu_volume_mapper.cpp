// SPDX-License-Identifier: GPL-3.0-or-later
#include "rendering/cpu_volume_mapper.h"
#include <vtkImageData.h>
#include <vtkObjectFactory.h>

namespace voxlab {

vtkStandardNewMacro(CpuVolumeMapper);

void CpuVolumeMapper::Render(vtkRenderer* renderer, vtkVolume* volume) {
  vtkDataSet* input = GetInput();
  if (input && (input != SavedGradientsInput || input->GetMTime() > SavedGradientsMTime.GetMTime())) {
    const int threads = GetNumberOfThreads();
    SetNumberOfThreads(1);
    PerVolumeInitialization(renderer, volume);
    SetNumberOfThreads(threads);
  }
  Superclass::Render(renderer, volume);
}

} // namespace voxlab
