// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/support/temporary_folder.h"
#include <gtest/gtest.h>

using namespace voxlab;

TEST(Files, WrittenWholeAndNothingLeftBeside) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder / "a" / "b.txt", "one"));
  ASSERT_TRUE(writeFileAtomically(folder / "a" / "b.txt", "two"));
  EXPECT_EQ(readTextFile(folder / "a" / "b.txt").value(), "two");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "a"), {}), 1);
}

TEST(Files, MissingFolderAndLargeFileGiveSentences) {
  TemporaryFolder folder;
  EXPECT_EQ(readTextFile(folder / "none").error().code, ExitCode::Data);
  EXPECT_NE(readTextFile(folder.path()).error().message.find("it is a folder"), std::string::npos);
  ASSERT_TRUE(writeFileAtomically(folder / "big", "12345"));
  EXPECT_NE(readTextFile(folder / "big", 4).error().message.find("limit"), std::string::npos);
}

TEST(Files, UnwritablePlaceKeepsTheOldFile) {
  TemporaryFolder folder;
  EXPECT_FALSE(writeFileAtomically(folder / "x" / std::string(300, 'n'), "text"));
}

TEST(Json, BadDeepAndWronglyTyped) {
  EXPECT_FALSE(parseJson("{\"a\":", "text"));
  EXPECT_FALSE(parseJson(std::string(100000, '['), "text"));
  EXPECT_TRUE(parseJson("\"" + std::string(1000, '[') + "\"", "text"));
  const Json json = parseJson(R"({"n": 3.0, "f": 3.5, "s": "x", "null": null})", "text").value();
  EXPECT_EQ(jsonGet<int>(json, "n"), 3);
  EXPECT_EQ(jsonGet<int>(json, "f"), std::nullopt);
  EXPECT_EQ(jsonGet<double>(json, "f"), 3.5);
  EXPECT_EQ(jsonGet<int>(json, "s"), std::nullopt);
  EXPECT_EQ(jsonGet<std::string>(json, "null"), std::nullopt);
  EXPECT_EQ(jsonGet<bool>(Json(3), "n"), std::nullopt);
}
