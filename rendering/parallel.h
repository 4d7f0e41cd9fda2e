// SPDX-License-Identifier: GPL-3.0-or-later
// Loops on all cores, on the thread pool that VTK uses too.
#pragma once
#include <cstdint>
#include <functional>

namespace voxlab {

// Calls body(first, last) for parts of [first, last) of about `grain` items, on several threads; returns when all are done.
void parallelFor(std::int64_t first, std::int64_t last, std::int64_t grain, const std::function<void(std::int64_t, std::int64_t)>& body);

} // namespace voxlab
