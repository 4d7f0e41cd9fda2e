// SPDX-License-Identifier: Apache-2.0
// How the runs of a report are made again, as lines for a shell. Runs that one `voxlab-worker experiment` makes are found by their
// specifications, whoever made them, and told as that one command.
#pragma once
#include "core/analysis/comparison_set.h"

namespace voxlab {

struct RunAgain {
  std::vector<std::string> sentences, commands;
};
// Paths below `home` are told by "$HOME": they work here, and name nobody elsewhere.
RunAgain runAgain(const std::vector<ComparisonInput>& inputs, const std::string& baseline, const std::filesystem::path& home);

// One line to paste into a shell, with such paths, at the beginning of a word or behind its "=".
std::string shellCommandBelowHome(const std::vector<std::string>& words, const std::filesystem::path& home);

} // namespace voxlab
