// SPDX-License-Identifier: Apache-2.0
// A program that is run to its end, its output read line by line.
#pragma once
#include "core/base/result.h"
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace voxlab {

struct ChildHooks {
  std::function<void(const std::string& line)> line; // of stdout and stderr together, without the line's end
  std::function<bool()> stop;                        // asked several times a second; true ends the program and its children
};

// The exit code; 128 + signal for a program that was killed. `command`: the program and its arguments. Fails with Data when it cannot
// be started, with Stopped when it was ended on request.
Result<int> runProgram(const std::vector<std::string>& command, const ChildHooks& hooks = {});

// The first executable of this name on PATH; empty when there is none.
std::filesystem::path onPath(const std::string& program);

} // namespace voxlab
