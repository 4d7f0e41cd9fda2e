// SPDX-License-Identifier: Apache-2.0
// What breaks a rule. Each check looks at all files and returns every finding.
#pragma once
#include "tests/architecture/rules/rules.h"
#include "tests/architecture/rules/source_tree.h"

namespace voxlab::architecture {

struct Finding {
  std::string rule; // room, library, include, cycle, length, licence, word, once, top
  std::string file;
  std::string message; // a sentence
};
using Findings = std::vector<Finding>;

Findings checkRooms(const Rules& rules, const std::vector<SourceFile>& files);     // a room includes only what it may
Findings checkLibraries(const Rules& rules, const std::vector<SourceFile>& files); // a heavy library has its owners
Findings checkIncludes(const std::vector<SourceFile>& files);                      // "…" names a file, from the root
Findings checkCycles(const Rules& rules, const std::vector<SourceFile>& files);    // among files, among rooms in the table
Findings checkLength(const Rules& rules, const std::vector<SourceFile>& files);
Findings checkLicences(const Rules& rules, const std::vector<SourceFile>& files); // first line (second after #!)
Findings checkWords(const Rules& rules, const std::vector<SourceFile>& files);
Findings checkHeaders(const std::vector<SourceFile>& files); // #pragma once
Findings checkTop(const Rules& rules, const std::vector<std::string>& names);

// Takes the exempted findings out and adds one for every exemption that let nothing pass.
Findings applyExemptions(const Rules& rules, Findings findings);

} // namespace voxlab::architecture
