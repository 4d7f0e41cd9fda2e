// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/find_run.h"
#include "core/base/files.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using testing::HasSubstr;

TEST(FindRun, TellsRunsFromOtherThingsAndWhatToDo) {
  const TemporaryFolder folder;
  const auto examples = sourceFolder() / "resources" / "examples";
  EXPECT_TRUE(findRun(examples / "baseline"));
  EXPECT_TRUE(findRun(examples / "baseline" / ""));
  ASSERT_TRUE(writeFileAtomically(folder / "a.voxrun", "PK"));
  const std::pair<std::filesystem::path, const char*> others[] = {{folder / "nowhere", "there is nothing of that name"},
                                                                  {folder.path(), "there is no run.json in it. Name the folder of a run"},
                                                                  {folder / "a.voxrun", "Open it with voxlab-worker unpack"},
                                                                  {examples / "CLAIMS.md", "there is no run.json in it"},
                                                                  {"", "no run folder"}};
  for (const auto& [path, words] : others) {
    const Status found = findRun(path);
    ASSERT_FALSE(found) << path;
    EXPECT_EQ(found.error().code, ExitCode::Data) << path;
    EXPECT_THAT(found.error().message, HasSubstr(words));
    EXPECT_THAT(found.error().message, HasSubstr(path.string()));
  }
}
