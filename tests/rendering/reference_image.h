// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a picture with the PNG of that name in tests/data/rendering. On failure the picture and the difference are left
// in the build folder (pictures/); VOXLAB_WRITE_REFERENCES=1 writes the references instead.
#pragma once
#include "rendering/slice_scene.h"
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace voxlab {

void writePng(const Picture& picture, const std::filesystem::path& file);

// Passes where the mean absolute difference of the channels (0…255) stays below `tolerance`.
testing::AssertionResult matchesReference(const Picture& picture, const std::string& name, double tolerance);

} // namespace voxlab
