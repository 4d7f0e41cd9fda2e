// SPDX-License-Identifier: Apache-2.0
// The sources as they stand, against tests/architecture/layers.txt.
#include "tests/architecture/rules/checks.h"
#include "tests/support/paths.h"
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace voxlab;
using namespace voxlab::architecture;

namespace {

Rules readRules() {
  std::ifstream in(sourceFolder() / "tests/architecture/layers.txt");
  return parseRules({std::istreambuf_iterator<char>(in), {}});
}

std::string inWords(const Findings& findings) {
  std::string text;
  for (const auto& [rule, file, message] : findings)
    text += "\n  [" + rule + "] " + file + ": " + message;
  return text;
}

} // namespace

TEST(Repository, KeepsItsRules) {
  const Rules rules = readRules();
  const auto files = readSourceTree(sourceFolder());
  ASSERT_GT(files.size(), 50u) << "the sources were not found in " << sourceFolder();
  Findings findings;
  for (const auto& found : {checkRooms(rules, files), checkLibraries(rules, files), checkIncludes(files), checkCycles(rules, files),
                            checkLength(rules, files), checkLicences(rules, files), checkWords(rules, files), checkHeaders(files),
                            checkTop(rules, topNames(sourceFolder()))})
    findings.insert(findings.end(), found.begin(), found.end());
  findings = applyExemptions(rules, findings);
  EXPECT_TRUE(findings.empty()) << inWords(findings);
}
