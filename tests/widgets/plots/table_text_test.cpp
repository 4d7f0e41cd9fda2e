// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/table_text.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/support/temporary_folder.h"
#include <gtest/gtest.h>

using namespace voxlab;

TEST(TableText, JsonHasTheNumbersAndKeepsUnknownApartFromZero) {
  const QString csv = csvRow({"mode", "time, ms"}) + csvRow({"a \"quoted\", name", "1.5"}) + csvRow({"zero", "0"}) + csvRow({"unknown", ""});
  const auto json = parseJson(csvAsJson(csv).toStdString(), "table");
  ASSERT_TRUE(json);
  ASSERT_EQ(json->size(), 3u);
  EXPECT_EQ((*json)[0]["mode"], "a \"quoted\", name");
  EXPECT_EQ((*json)[0]["time, ms"], 1.5);
  EXPECT_EQ((*json)[1]["time, ms"], 0);
  EXPECT_TRUE((*json)[2]["time, ms"].is_null());
}

TEST(TableText, TheSuffixTellsTheFormat) {
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return QString::fromStdString((folder / name).string()); };
  ASSERT_TRUE(writeTable("a,b\n1,2\n", path("t.csv")));
  EXPECT_EQ(readTextFile(folder / "t.csv").value(), "a,b\n1,2\n");
  ASSERT_TRUE(writeTable("a,b\n1,2\n", path("t.json")));
  EXPECT_EQ(writeTable("a", path("t.xlsx")).error().code, ExitCode::Usage);
}
