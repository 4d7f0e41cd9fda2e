// SPDX-License-Identifier: Apache-2.0
#include "core/base/byte_source.h"
#include "core/base/files.h"
#include "tests/support/temporary_folder.h"
#include <gtest/gtest.h>
#include <zlib.h>

using namespace voxlab;

namespace {
std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(text.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Result<std::string> readAll(const std::filesystem::path& file) {
  const auto source = openByteSource(file);
  if (!source)
    return fail(source.error());
  std::string text;
  std::vector<char> buffer(1000);
  for (;;) {
    const auto n = (*source)->read(buffer);
    if (!n)
      return fail(n.error());
    if (*n == 0)
      return text;
    text.append(buffer.data(), *n);
    EXPECT_GE((*source)->fractionRead(), 0);
    EXPECT_LE((*source)->fractionRead(), 1);
  }
}

std::string longText() {
  std::string text;
  for (int i = 0; i < 20000; ++i)
    text += std::to_string(i * i) + ",";
  return text;
}
} // namespace

TEST(ByteSource, PlainAndGzipGiveTheSame) {
  TemporaryFolder folder;
  const std::string text = longText();
  ASSERT_TRUE(writeFileAtomically(folder / "a", text));
  ASSERT_TRUE(writeFileAtomically(folder / "b", gzipped(text)));
  EXPECT_EQ(readAll(folder / "a").value(), text);
  EXPECT_EQ(readAll(folder / "b").value(), text);
}

TEST(ByteSource, SeveralMembersAreOneStream) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder / "a", gzipped("one ") + gzipped("two")));
  EXPECT_EQ(readAll(folder / "a").value(), "one two");
}

TEST(ByteSource, EmptyFile) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder / "a", ""));
  EXPECT_EQ(readAll(folder / "a").value(), "");
}

TEST(ByteSource, CutOffAndCorruptGzipFail) {
  TemporaryFolder folder;
  std::string bytes = gzipped(longText());
  ASSERT_TRUE(writeFileAtomically(folder / "cut", bytes.substr(0, bytes.size() / 2)));
  const auto cut = readAll(folder / "cut");
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ExitCode::Data);
  EXPECT_NE(cut.error().message.find("cut off"), std::string::npos) << cut.error().message;
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 50; ++i)
    bytes[i] = static_cast<char>(~bytes[i]);
  ASSERT_TRUE(writeFileAtomically(folder / "corrupt", bytes));
  EXPECT_FALSE(readAll(folder / "corrupt"));
}

TEST(ByteSource, MissingFileAndFolderGiveSentences) {
  TemporaryFolder folder;
  EXPECT_EQ(openByteSource(folder / "none").error().code, ExitCode::Data);
  EXPECT_NE(openByteSource(folder.path()).error().message.find("it is a folder"), std::string::npos);
}
