// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include <exception>

namespace voxlab {

// What to do about too little memory, with a space before it.
inline constexpr const char* kLessMemory =
    " Lower the volume size, the batch or the base channels, choose a 16-bit mode, or close other programs that use the device.";

// Any exception as an exit code and a sentence: out of memory with what to lower, a missing device, a Failure's own words, and
// the first lines of everything else.
Error errorFrom(const std::exception_ptr& exception);

} // namespace voxlab
