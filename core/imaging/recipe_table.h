// SPDX-License-Identifier: Apache-2.0
// The recipes' own functions, one a .cpp; preprocess.cpp lists them. For use within this room.
#pragma once
#include "core/imaging/preprocess.h"

namespace voxlab {

Result<PreparedCase> prepareByVolume(const CaseFiles& files, const PreprocessSettings& settings);
Result<PreparedCase> prepareAsPublished(const CaseFiles& files, const PreprocessSettings& settings);
Result<PreparedCase> prepareAsPublishedBrats(const CaseFiles& files, const PreprocessSettings& settings);

// --- shared ----------------------------------------------------------------------------------------------------------
// Replaces NaN and infinities; returns how many there were.
std::uint64_t replaceNonFinite(std::vector<float>& values, float by);
// "image.nii.gz and mask.nii.gz do not lie on the same grid (…)", or nothing.
std::optional<std::string> gridDifference(const Grid& image, const Grid& mask);
// Appends indicator·(1 − background) + background.
void appendCondition(std::span<const float> indicator, double background, ChannelBlock& condition);

} // namespace voxlab
