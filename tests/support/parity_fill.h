// SPDX-License-Identifier: Apache-2.0
// The closed-form numbers of tests/data/parity/README.md: weights and inputs that are computed rather than stored.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace voxlab {

std::uint32_t parityHash(std::string_view key);                    // FNV-1a, 32 bit
double parityUniform(std::uint32_t hash, std::uint64_t index);     // [-1, 1), exact
// Elements 0…count-1, row-major: float32(offset + amplitude · uniform), evaluated in float64.
std::vector<float> parityFill(std::string_view key, std::int64_t count, double offset, double amplitude);

// Offset and amplitude of a parameter from its name (without "denoise_fn.") and shape.
struct ParityScale {
  double offset, amplitude;
};
ParityScale parityScale(std::string_view name, const std::vector<std::int64_t>& shape);

} // namespace voxlab
