// SPDX-License-Identifier: Apache-2.0
#include "core/base/csv.h"
#include <gtest/gtest.h>

using namespace voxlab;
using Row = std::vector<std::string>;

namespace {
Result<std::vector<Row>> rows(std::string_view text) {
  auto source = byteSourceFromText(text, "table");
  CsvReader csv(*source);
  std::vector<Row> all;
  for (Row row;;) {
    const auto more = csv.next(row);
    if (!more)
      return fail(more.error());
    if (!*more)
      return all;
    all.push_back(row);
  }
}
} // namespace

TEST(Csv, QuotesCommasAndLineEnds) {
  EXPECT_EQ(rows("a,b\r\n\"x,y\",\"he said \"\"no\"\"\"\n\n1,\"two\nlines\"\n,").value(),
            (std::vector<Row>{{"a", "b"}, {"x,y", "he said \"no\""}, {"1", "two\nlines"}, {"", ""}}));
  EXPECT_TRUE(rows("").value().empty());
  EXPECT_EQ(rows("last line without end").value().size(), 1u);
}

TEST(Csv, AnOpenQuoteNamesItsLine) {
  const auto broken = rows("a,b\n1,\"never closed\n2,3\n");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().message.find("line 2"), std::string::npos) << broken.error().message;
}

TEST(Csv, EndlessFieldsAreRefused) {
  EXPECT_FALSE(rows(std::string(3u << 20, 'x')));
  EXPECT_FALSE(rows(std::string(300000, ',')));
}

TEST(Csv, SkipsToTheHeader) {
  const std::string text = "\xef\xbb\xbf==LOG== \"unbalanced\nanother line, with commas\n\"ID\",\"Name\"\n1,x\n";
  auto source = byteSourceFromText(text, "table");
  CsvReader csv(*source);
  EXPECT_TRUE(csv.skipToLineStarting({"\"ID\","}).value());
  Row row;
  EXPECT_TRUE(csv.next(row).value());
  EXPECT_EQ(row, (Row{"ID", "Name"}));
  EXPECT_EQ(csv.line(), 3u);
  EXPECT_TRUE(csv.next(row).value());
  EXPECT_EQ(row, (Row{"1", "x"}));
  EXPECT_FALSE(csv.skipToLineStarting({"\"ID\","}).value());
}

TEST(Csv, WritesWhatItReads) {
  const Row row{"plain", "a,b", "quote \" inside", "", "two\nlines"};
  EXPECT_EQ(rows(csvLine(row)).value(), std::vector<Row>{row});
}
