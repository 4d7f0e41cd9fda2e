// SPDX-License-Identifier: Apache-2.0
// The checks catch what they are there for: tried on files that break one rule each.
#include "tests/architecture/rules/checks.h"
#include <gtest/gtest.h>
#include <stdexcept>

using namespace voxlab::architecture;

namespace {

Rules rules() {
  return parseRules("# comment\n"
                    "room core/base:\n"
                    "room core/imaging: core/base\n"
                    "room rendering: core/imaging\n"
                    "room rendering/qt: rendering\n"
                    "room tests/support: core/base\n"
                    "library itk ^itk[A-Z] : core/imaging/*.cpp\n"
                    "library json ^nlohmann/ : core/base/json.h\n"
                    "licence Apache-2.0: core tests\n"
                    "licence GPL-3.0-or-later: rendering\n"
                    "longest 3\n"
                    "word TODO\n"
                    "test-word sleep_for\n"
                    "top core\n");
}

std::vector<SourceFile> one(std::string path, std::vector<std::string> lines) {
  return {{std::move(path), std::move(lines)}};
}

} // namespace

TEST(Rules, LongestFolderIsTheRoomAndTestsMirrorIt) {
  EXPECT_EQ(roomOf(rules(), "rendering/qt/vtk_view.h"), "rendering/qt");
  EXPECT_EQ(roomOf(rules(), "rendering/scene.h"), "rendering");
  EXPECT_EQ(roomOf(rules(), "tests/rendering/scene_test.cpp"), "tests/rendering");
  EXPECT_EQ(roomOf(rules(), "tests/support/paths.h"), "tests/support");
  EXPECT_EQ(roomOf(rules(), "tests/nowhere/x_test.cpp"), "");
  EXPECT_EQ(allowedFrom(rules(), "tests/core/imaging"),
            (std::set<std::string>{"tests/core/imaging", "core/imaging", "core/base", "tests/support"}));
}

TEST(Rules, NonsenseIsRefusedWithItsLine) {
  EXPECT_THROW(parseRules("rooms core/base:\n"), std::runtime_error);
  EXPECT_THROW(parseRules("room core/base\n"), std::runtime_error);
  EXPECT_THROW(parseRules("room core/base: core/nowhere\n"), std::runtime_error);
  EXPECT_THROW(parseRules("library torch ^torch/\n"), std::runtime_error);
}

TEST(Checks, RoomsKeepTheirDirection) {
  EXPECT_TRUE(checkRooms(rules(), one("rendering/scene.cpp", {"#include \"core/imaging/volume.h\""})).empty());
  EXPECT_EQ(checkRooms(rules(), one("core/imaging/volume.cpp", {"#include \"rendering/scene.h\""})).size(), 1u);
  EXPECT_EQ(checkRooms(rules(), one("rendering/scene.cpp", {"#  include \"core/base/text.h\""})).size(), 1u)
      << "not told to be allowed";
  EXPECT_EQ(checkRooms(rules(), one("tests/core/base/x_test.cpp", {"#include \"core/imaging/volume.h\""})).size(), 1u);
  EXPECT_EQ(checkRooms(rules(), one("core/attic/x.cpp", {})).size(), 1u) << "a room that nobody described";
}

TEST(Checks, LibrariesHaveOwners) {
  EXPECT_TRUE(checkLibraries(rules(), one("core/imaging/nrrd.cpp", {"#include <itkImage.h>"})).empty());
  EXPECT_EQ(checkLibraries(rules(), one("core/imaging/nrrd.h", {"#include <itkImage.h>"})).size(), 1u) << "only in .cpp files";
  EXPECT_EQ(checkLibraries(rules(), one("core/base/files.cpp", {"#include <nlohmann/json.hpp>"})).size(), 1u);
  EXPECT_TRUE(checkLibraries(rules(), one("core/base/json.h", {"#include <nlohmann/json.hpp>"})).empty());
}

TEST(Checks, IncludesNameFilesFromTheRoot) {
  const std::vector<SourceFile> files{{"core/base/a.h", {}},
                                      {"core/base/a.cpp", {"#include \"a.h\"", "#include \"core/base/a.h\""}}};
  EXPECT_EQ(checkIncludes(files).size(), 1u);
}

TEST(Checks, CyclesAreFoundAmongFilesAndRooms) {
  const std::vector<SourceFile> round{{"core/base/a.h", {"#include \"core/base/b.h\""}},
                                      {"core/base/b.h", {"#include \"core/base/a.h\""}}};
  ASSERT_EQ(checkCycles(rules(), round).size(), 1u);
  EXPECT_NE(checkCycles(rules(), round)[0].message.find("core/base/a.h → core/base/b.h → core/base/a.h"), std::string::npos);
  EXPECT_EQ(checkCycles(parseRules("room a: b\nroom b: a\n"), {}).size(), 1u);
  EXPECT_TRUE(checkCycles(rules(), {}).empty());
}

TEST(Checks, LengthLicenceWordsAndHeaders) {
  EXPECT_EQ(checkLength(rules(), one("core/base/a.cpp", {"", "", "", ""})).size(), 1u);
  EXPECT_TRUE(checkLength(rules(), one("core/base/a.cpp", {"", "", ""})).empty());
  EXPECT_TRUE(checkLicences(rules(), one("rendering/a.cpp", {"// SPDX-License-Identifier: GPL-3.0-or-later"})).empty());
  EXPECT_EQ(checkLicences(rules(), one("rendering/a.cpp", {"// SPDX-License-Identifier: Apache-2.0"})).size(), 1u);
  EXPECT_TRUE(checkLicences(rules(), one("core/a.sh", {"#!/bin/sh", "# SPDX-License-Identifier: Apache-2.0"})).empty());
  EXPECT_EQ(checkLicences(rules(), one("elsewhere/a.sh", {"# SPDX-License-Identifier: Apache-2.0"})).size(), 1u);
  EXPECT_EQ(checkWords(rules(), one("core/base/a.cpp", {"int a; // TODO later"})).size(), 1u);
  EXPECT_TRUE(checkWords(rules(), one("core/base/a.cpp", {"int aTODO, TODO_list;"})).empty());
  EXPECT_TRUE(checkWords(rules(), one("core/base/a.cpp", {"sleep_for(1s);"})).empty());
  EXPECT_EQ(checkWords(rules(), one("tests/core/base/a_test.cpp", {"sleep_for(1s);"})).size(), 1u);
  EXPECT_EQ(checkHeaders(one("core/base/a.h", {"int a;"})).size(), 1u);
  EXPECT_EQ(checkTop(rules(), {"core", "attic"}).size(), 1u);
}

TEST(Exemptions, LetOneFindingPassAndFailWhenTheyAreNotNeeded) {
  Rules exempting = rules();
  exempting.exemptions = {{"length", "core/base/a.cpp"}};
  const auto findings = checkLength(exempting, one("core/base/a.cpp", {"", "", "", ""}));
  EXPECT_TRUE(applyExemptions(exempting, findings).empty());
  ASSERT_EQ(applyExemptions(exempting, {}).size(), 1u);
  EXPECT_NE(applyExemptions(exempting, {})[0].message.find("not needed any more"), std::string::npos);
}
