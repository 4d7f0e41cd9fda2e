// SPDX-License-Identifier: GPL-3.0-or-later
// What the worker wrote beside a sample: NAME.json beside NAME.nii.gz, or beside NAME_CHANNEL.nii.gz of several channels.
#pragma once
#include "core/base/json.h"
#include <filesystem>

namespace voxlab {

struct SampleDescription {
  Json json = Json::object(); // empty where none tells of this file
  std::size_t channel = 0;    // that the file holds
};

// Reads a small file; what cannot be read tells nothing.
SampleDescription describedSample(const std::filesystem::path& sample);

} // namespace voxlab
