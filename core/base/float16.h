// SPDX-License-Identifier: Apache-2.0
// 16-bit floating point as stored in files: IEEE binary16 and bfloat16.
#pragma once
#include <cstdint>

namespace voxlab {

float floatFromHalf(std::uint16_t bits);
float floatFromBfloat16(std::uint16_t bits);
std::uint16_t halfFromFloat(float value);     // rounds to nearest even; beyond 65504 becomes infinity
std::uint16_t bfloat16FromFloat(float value); // rounds to nearest even

} // namespace voxlab
