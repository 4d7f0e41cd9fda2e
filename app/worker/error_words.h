// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/result.h"
#include <exception>

namespace voxlab {

// Any exception as an exit code and a sentence: out of memory with what to lower, a missing device, a Failure's own words, and
// the first lines of everything else.
Error errorFrom(const std::exception_ptr& exception);

} // namespace voxlab
