// SPDX-License-Identifier: Apache-2.0
// Runs a decoder in a child process: image codecs that stop the program at damaged input then take only the child with them.
#pragma once
#include "core/base/result.h"
#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace voxlab {

// `decode` fills the buffer in a forked child and says whether it could; it must not touch other threads' locks, windows or
// GPUs. What the child prints is dropped. Fails with Data when it could not, crashed or took over a minute
// (`what` begins the sentence), Stopped when cancelled.
Result<std::vector<std::byte>> decodeApart(std::size_t bytes, const std::function<bool(std::span<std::byte>)>& decode, const std::string& what,
                                           const std::stop_token& cancel = {});

} // namespace voxlab
