// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_worker/fake_catalog.h"
#include "core/protocol/job_parameters.h"
#include "core/protocol/version.h"

namespace voxlab::fake {

Catalog catalog() {
  CatalogChoices c;
  c.modes = {
      {"baseline", "Baseline", "32-bit, nothing switched on.", "", {{"precision", "fp32"}}},
      {"opt1", "TF32", "Tensor cores with shortened mantissas.", "", {{"precision", "tf32"}}},
      {"opt12", "TF32, channels last", "TF32 and channels-last memory.", "", {{"precision", "tf32"}, {"layout", "channels_last"}}},
      {"fused_bf16", "Fused BF16", "Own kernels in 16-bit.", "It needs a GPU of compute capability 8.0.", {{"precision", "bf16"}}}};
  c.samplers = {{"ddpm", "Ancestral (DDPM)", "All steps, as published.", "", Json::object()},
                {"ddim", "DDIM", "Fewer steps, deterministic.", "", Json::object()},
                {"dpm_solver", "DPM-Solver++(2M)", "About 20 steps.", "", Json::object()}};
  c.backends = {{"eager", "LibTorch", "Operator by operator.", "", Json::object()}};
  c.devices = {{"auto", "Automatic", "The first GPU, or the CPU.", "", Json::object()},
               {"cpu", "CPU", "Made up, 2 cores.", "", {{"memory_bytes", 8000000000}}},
               {"cuda:0", "Fake GPU", "Made up, for tests.", "", {{"memory_bytes", 24000000000}}}};
  c.preprocessing = {{"volume", "Volume-wise", "Scaled over the whole volume.", "", Json::object()},
                     {"published", "Published", "As the whole-head program does.", "", Json::object()},
                     {"published_brats", "Published BraTS", "As the BraTS program does.", "", Json::object()}};
  Catalog catalog;
  catalog.versions = {{"voxlab", "0.0-fake"}, {"torch", "none"}, {"protocol", schemaVersion()}};
  catalog.parameters = jobParameters(c);
  catalog.presets = jobPresets();
  return catalog;
}

} // namespace voxlab::fake
