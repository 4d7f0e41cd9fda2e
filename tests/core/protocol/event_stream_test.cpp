// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/event_stream.h"
#include "tests/support/temporary_folder.h"
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <thread>

using namespace voxlab;
namespace fs = std::filesystem;

namespace {
void write(const fs::path& file, const std::string& text, std::ios::openmode mode = std::ios::app) {
  std::ofstream(file, std::ios::binary | mode) << text;
}
std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
Json numbered(int n) {
  return {{"n", n}};
}
} // namespace

TEST(LineWriter, AppendsWholeLines) {
  TemporaryFolder folder;
  auto writer = LineWriter::open(folder / "e.jsonl");
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->append(numbered(1)));
  ASSERT_TRUE(writer->append({{"text", "two\nlines"}}));
  EXPECT_EQ(contents(folder / "e.jsonl"), "{\"n\":1}\n{\"text\":\"two\\nlines\"}\n");
  EXPECT_TRUE(writer->flushToDisk());
}

TEST(LineWriter, CutsOffATornLastLine) {
  TemporaryFolder folder;
  write(folder / "e.jsonl", "{\"n\":1}\n{\"n\":");
  auto writer = LineWriter::open(folder / "e.jsonl");
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->append(numbered(2)));
  EXPECT_EQ(contents(folder / "e.jsonl"), "{\"n\":1}\n{\"n\":2}\n");
}

TEST(LineWriter, CutsOffATornOnlyLineLongerThanABlock) {
  TemporaryFolder folder;
  write(folder / "e.jsonl", std::string(3 << 20, 'x'));
  ASSERT_TRUE(LineWriter::open(folder / "e.jsonl"));
  EXPECT_EQ(fs::file_size(folder / "e.jsonl"), 0u);
}

TEST(LineWriter, MissingFolderGivesASentence) {
  const auto writer = LineWriter::open("/nonexistent-folder/e.jsonl");
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ExitCode::Data);
  EXPECT_NE(writer.error().message.find("/nonexistent-folder/e.jsonl"), std::string::npos);
}

TEST(LineWriter, AFullDiskLeavesNoHalfLine) {
  TemporaryFolder folder;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  auto writer = LineWriter::open(folder / "e.jsonl");
  ASSERT_TRUE(writer->append(numbered(1)));
  const auto before = fs::file_size(folder / "e.jsonl");
  rlimit small = old;
  small.rlim_cur = before + 5;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto status = writer->append(numbered(123456789));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("No space left"), std::string::npos) << status.error().message;
  EXPECT_EQ(fs::file_size(folder / "e.jsonl"), before);
}

TEST(LineWriter, TwoWritersNeverMixLines) {
  TemporaryFolder folder;
  const auto work = [&](int from) {
    auto writer = LineWriter::open(folder / "e.jsonl");
    for (int i = 0; i < 500; ++i)
      ASSERT_TRUE(writer->append({{"n", from + i}, {"padding", std::string(200, 'p')}}));
  };
  std::thread first(work, 0), second(work, 1000);
  first.join();
  second.join();
  LineReader reader(folder / "e.jsonl");
  EXPECT_EQ(reader.poll()->size(), 1000u);
  EXPECT_EQ(reader.skippedLines(), 0u);
}

TEST(LineReader, AbsentFileIsEmptyAndFoundLater) {
  TemporaryFolder folder;
  LineReader reader(folder / "e.jsonl");
  EXPECT_TRUE(reader.poll()->empty());
  EXPECT_TRUE(reader.atEnd());
  write(folder / "e.jsonl", "{\"n\":1}\n");
  EXPECT_EQ(reader.poll()->size(), 1u);
}

TEST(LineReader, HalfALastLineMeansNotYet) {
  TemporaryFolder folder;
  LineReader reader(folder / "e.jsonl");
  write(folder / "e.jsonl", "{\"n\":1}\n{\"n\"");
  EXPECT_EQ(reader.poll()->size(), 1u);
  EXPECT_TRUE(reader.poll()->empty());
  EXPECT_TRUE(reader.atEnd());
  write(folder / "e.jsonl", ":2}");
  EXPECT_TRUE(reader.poll()->empty());
  write(folder / "e.jsonl", "\n");
  EXPECT_EQ(reader.poll()->front()["n"], 2);
  EXPECT_EQ(reader.skippedLines(), 0u);
}

TEST(LineReader, BadLinesAreSkippedAndCounted) {
  TemporaryFolder folder;
  write(folder / "e.jsonl", "{\"n\":1}\nnonsense\n[1,2]\n\n" + std::string(10, '\0') + "\n\xff\xfe\n{\"n\":2}\n");
  LineReader reader(folder / "e.jsonl");
  EXPECT_EQ(reader.poll()->size(), 2u);
  EXPECT_EQ(reader.skippedLines(), 4u);
}

TEST(LineReader, AtMostSoManyLinesAndNoneLost) {
  TemporaryFolder folder;
  for (int i = 0; i < 10; ++i)
    write(folder / "e.jsonl", compactJson(numbered(i)) + "\n");
  LineReader reader(folder / "e.jsonl");
  std::vector<int> seen;
  do {
    const auto lines = reader.poll(3);
    ASSERT_LE(lines->size(), 3u);
    for (const Json& line : *lines)
      seen.push_back(line["n"]);
  } while (!reader.atEnd());
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(LineReader, LinesLongerThanABlock) {
  TemporaryFolder folder;
  const std::string text(5 << 20, 'x');
  write(folder / "e.jsonl", compactJson({{"text", text}}) + "\n{\"n\":2}\n");
  LineReader reader(folder / "e.jsonl");
  const auto lines = reader.poll();
  ASSERT_EQ(lines->size(), 2u);
  EXPECT_EQ(lines->front()["text"].get<std::string>().size(), text.size());
}

TEST(LineReader, AFileWithoutNewlinesDoesNotFillTheMemory) {
  TemporaryFolder folder;
  std::ofstream(folder / "e.jsonl").put('x');
  fs::resize_file(folder / "e.jsonl", 130u << 20); // sparse
  write(folder / "e.jsonl", "\n{\"n\":2}\n");
  LineReader reader(folder / "e.jsonl");
  const auto lines = reader.poll();
  ASSERT_EQ(lines->size(), 1u);
  EXPECT_EQ(reader.skippedLines(), 1u);
}

TEST(LineReader, AShorterFileIsReadFromItsStart) {
  TemporaryFolder folder;
  write(folder / "e.jsonl", "{\"n\":1}\n{\"n\":2}\n");
  LineReader reader(folder / "e.jsonl");
  EXPECT_EQ(reader.poll()->size(), 2u);
  write(folder / "e.jsonl", "{\"n\":3}\n", std::ios::trunc);
  EXPECT_EQ(reader.poll()->front()["n"], 3);
  EXPECT_EQ(reader.restarts(), 1u);
}

TEST(LineReader, AFolderInItsPlaceIsAnError) {
  TemporaryFolder folder;
  fs::create_directory(folder / "e.jsonl");
  LineReader reader(folder / "e.jsonl");
  const auto lines = reader.poll();
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().code, ExitCode::Data);
}
