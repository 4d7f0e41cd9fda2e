// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/scrub.h"
#include "core/base/byte_source.h"
#include "core/base/files.h"
#include "tests/support/paths.h"
#include "tests/support/temporary_folder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace voxlab;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

namespace {
std::string unpacked(const std::filesystem::path& file) {
  const auto source = openByteSource(file).value();
  std::string text(1u << 26, '\0');
  std::size_t size = 0;
  while (const std::size_t count = source->read(std::span(text).subspan(size)).value())
    size += count;
  return text.substr(0, size);
}
} // namespace

TEST(WithoutPaths, LeavesSentencesAlone) {
  EXPECT_EQ(withoutPaths("/home/ann/data/x.nii: none"), "…/x.nii: none");
  EXPECT_EQ(withoutPaths("/home/ann/my data/x.nii"), "…/x.nii");
  EXPECT_EQ(withoutPaths("/tmp"), "/tmp");
  EXPECT_EQ(withoutPaths("loss and/or 3 km/h"), "loss and/or 3 km/h");
  EXPECT_EQ(withoutPaths("samples/step_1/x.nii.gz"), "samples/step_1/x.nii.gz");
  EXPECT_EQ(withoutPaths("Could not read '/data/a/b' here"), "Could not read '…/b' here");
}

TEST(WithoutPaths, AHomeNamesSomebody) {
  EXPECT_EQ(withoutPaths("/home/ann"), "…");
  EXPECT_EQ(withoutPaths("/home/ann/"), "…");
  EXPECT_EQ(withoutPaths("in /Users/ann, nothing"), "in …, nothing");
  EXPECT_EQ(withoutPaths("/home/ann/x"), "…/x");
}

TEST(WithoutPaths, TracesAreScrubbedStringByString) {
  TemporaryFolder folder;
  const auto file = folder / "trace.json";
  ASSERT_TRUE(writeFileAtomically(file, R"x({"traceName": "/home/ann/t.json", "user":"ann", "args": {"host" : "anns-desk", "n": 3},
 "a": ["/home/ann/b/c.py", "at \n/home/ann/d.py", "\/home\/ann\/e \"q\"", "void f<float*>(int / 2)"], "cut": "/home/ann)x"));
  const std::string text = withoutPathsInFile(file).value();
  EXPECT_EQ(text, R"x({"traceName": "…/t.json", "user":"", "args": {"host" : "", "n": 3},
 "a": ["…/c.py", "at \n…/d.py", "…/e \"q\"", "void f<float*>(int / 2)"], "cut": "")x");
}

TEST(WithoutPaths, RecordedTracesStayWhatTheyAre) {
  const auto recorded = sourceFolder() / "resources/examples/opt1/profiles/01_train.json.gz";
  TemporaryFolder folder;
  const std::string bytes = withoutPathsInFile(recorded).value();
  EXPECT_THAT(bytes, StartsWith("\x1f\x8b"));
  ASSERT_TRUE(writeFileAtomically(folder / "again.json.gz", bytes));
  EXPECT_EQ(unpacked(folder / "again.json.gz"), unpacked(recorded));
}

TEST(WithoutPaths, CutFilesFail) {
  TemporaryFolder folder;
  const std::string whole = readTextFile(sourceFolder() / "resources/examples/opt1/profiles/01_train.json.gz").value();
  ASSERT_TRUE(writeFileAtomically(folder / "cut.json.gz", whole.substr(0, whole.size() / 2)));
  EXPECT_EQ(withoutPathsInFile(folder / "cut.json.gz").error().code, ExitCode::Data);
  EXPECT_EQ(withoutPathsInFile(folder / "none.csv").error().code, ExitCode::Data);
}
