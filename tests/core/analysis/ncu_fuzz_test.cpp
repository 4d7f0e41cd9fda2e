// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/priority.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>
#include <random>

using namespace voxlab;

namespace {
std::string beginningOf(const std::string& name, std::size_t lines) {
  auto source = openByteSource(recorded(name)).value();
  std::string text(3u << 20, '\0');
  text.resize(source->read(text).value());
  std::size_t at = 0;
  for (std::size_t i = 0; i < lines; ++i)
    at = text.find('\n', at) + 1;
  return text.substr(0, at);
}

void expectSane(const std::string& text) {
  NcuReport report;
  auto source = byteSourceFromText(text, "fuzzed page");
  const auto status = addNcuPage(report, *source);
  if (!status) {
    EXPECT_EQ(status.error().code, ExitCode::Data);
    EXPECT_TRUE(status.error().message.ends_with('.') || status.error().message.ends_with('?')) << status.error().message;
    return;
  }
  for (const auto& item : rankPriorities(report))
    EXPECT_LE(item.saving, 1);
  aggregateCounters(report);
}
} // namespace

TEST(NcuFuzz, CutOffFlippedAndRepeated) {
  for (const std::string& page : {beginningOf("ncu_raw_opt1_128.csv.gz", 8), beginningOf("ncu_details_opt1_128.csv.gz", 200)}) {
    expectSane(page);
    for (std::size_t i = 0; i < 100; ++i)
      expectSane(page.substr(0, page.size() * i / 100));
    std::mt19937 random(7);
    for (int i = 0; i < 150; ++i) {
      std::string flipped = page;
      for (int k = 0; k < 1 + i % 10; ++k)
        flipped[random() % flipped.size()] ^= static_cast<char>(1u << (random() % 8));
      expectSane(flipped);
    }
    expectSane(page + page);
  }
}

TEST(NcuFuzz, HostileTables) {
  expectSane("\"ID\",\"Kernel Name\"\n");
  expectSane("\"ID\",\"Kernel Name\"\n\"\",\"\"\n\"1e308\",\"k\"\n");
  expectSane("\"ID\",\"ID\",\"Kernel Name\",\"Kernel Name\",\"a.b\"\n,,,,\n1,2,3,4,1e999\n1,2,3,4,5\n");
  expectSane("\"ID\",\"Kernel Name\",\"Metric Name\"\n1,k,m\n-5,k,m\n");
  expectSane("\"ID\"," + std::string(200000, '"') + "\n");
  expectSane("ID,Kernel Name,Grid Size,Block Size,x__y\n,,,,byte\n1,k,\"(99999999999999, -1)\",garbage,5\n");
}
