// SPDX-License-Identifier: Apache-2.0
// Pictures of volumes without a display: for reports.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace voxlab {

// A grey picture as a PNG file's bytes, rows from the top.
std::string encodePng(std::span<const std::uint8_t> grey, std::uint32_t width, std::uint32_t height);

// The middle axial slice, anterior up, the patient's right at the left (radiological), in pixels of equal spacing; grey from the
// volume's robust range. Fails with Data.
Result<std::string> middleSlicePng(const std::filesystem::path& volume);

} // namespace voxlab
