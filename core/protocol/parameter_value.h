// SPDX-License-Identifier: Apache-2.0
// One parameter's value: from text, to text, and what is wrong with it in words.
#pragma once
#include "core/protocol/catalog.h"

namespace voxlab {

// Reads "0.5", "true", "1,2,3" as the parameter's type wants it. Fails with Usage.
Result<Json> valueFromText(const Parameter& parameter, const std::string& text);
// The inverse, as it stands behind `--set key=`.
std::string valueToText(const Json& value);
// Type, range, choices; empty when the value is fine.
std::string problemWith(const Parameter& parameter, const Json& value);

} // namespace voxlab
