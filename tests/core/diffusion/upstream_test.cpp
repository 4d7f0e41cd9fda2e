// SPDX-License-Identifier: Apache-2.0
// Published checkpoints: files that are damaged or hostile end in a sentence; the parity tests read the real one.
#include "core/base/files.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/pickle_machine.h"
#include "core/diffusion/upstream_export.h"
#include "core/diffusion/upstream_import.h"
#include "core/diffusion/zip_archive.h"
#include "core/diffusion/zip_format.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tiny_network.h"
#include <ATen/ops/equal.h>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
using namespace std::string_literals;

std::span<const std::byte> bytesOf(const std::string& text) { return std::as_bytes(std::span(text.data(), text.size())); }

// Pieces of pickles.
std::string global(const std::string& module, const std::string& name) { return "c" + module + "\n" + name + "\n"; }
std::string text(const std::string& value) {
  std::string bytes = "X";
  zip::append<std::uint32_t>(bytes, static_cast<std::uint32_t>(value.size()));
  return bytes + value;
}
std::string integer(std::int32_t value) {
  std::string bytes = "J";
  zip::append<std::uint32_t>(bytes, static_cast<std::uint32_t>(value));
  return bytes;
}
const std::string kStart = "\x80\x02";
std::string storage(const std::string& key, std::int32_t count) {
  return "(" + text("storage") + global("torch", "FloatStorage") + text(key) + text("cuda:0") + integer(count) + "tQ";
}
std::string tuple(std::initializer_list<std::int32_t> values) {
  std::string bytes = "(";
  for (const std::int32_t v : values)
    bytes += integer(v);
  return bytes + "t";
}
std::string tensor(const std::string& stored, std::int32_t offset, const std::string& sizes, const std::string& strides) {
  return global("torch._utils", "_rebuild_tensor_v2") + "(" + stored + integer(offset) + sizes + strides + "\x89" +
         global("collections", "OrderedDict") + ")RtR";
}
std::string dictionary(const std::string& items) { return "}(" + items + "u"; }

std::string problemOf(const std::string& pickle) {
  const auto document = PickleDocument::parse(pickle, "x.pt");
  return document ? "" : document.error().message;
}

class Upstream : public testing::Test {
protected:
  // An archive as torch.save makes it, with this pickle and one storage of four values.
  fs::path archive(const std::string& pickle, const std::vector<float>& values = {1, 2, 3, 4}, const std::string& order = "little") {
    const fs::path file = m_folder / ("f" + std::to_string(m_count++) + ".pt");
    auto zip = ZipWriter::create(file);
    EXPECT_TRUE(zip->add("archive/data.pkl", bytesOf(pickle)));
    EXPECT_TRUE(zip->add("archive/byteorder", bytesOf(order)));
    EXPECT_TRUE(zip->add("archive/data/0", std::as_bytes(std::span(values))));
    EXPECT_TRUE(zip->finish());
    return file;
  }
  fs::path plainFile(const std::string& content) {
    const fs::path file = m_folder / ("f" + std::to_string(m_count++) + ".pt");
    EXPECT_TRUE(writeFileAtomically(file, content));
    return file;
  }
  static std::string problemIn(const fs::path& file) {
    const auto checkpoint = readUpstreamCheckpoint(file);
    if (checkpoint)
      return "";
    EXPECT_EQ(checkpoint.error().code, ExitCode::Data);
    EXPECT_TRUE(checkpoint.error().message.ends_with(".")) << checkpoint.error().message;
    return checkpoint.error().message;
  }
  TemporaryFolder m_folder;
  int m_count = 0;
};

TEST_F(Upstream, ViewsOfOneStorageAndBareDictionaries) {
  const std::string whole = tensor(storage("0", 4), 0, tuple({2, 2}), tuple({2, 1}));
  const std::string transposed = tensor(storage("0", 4), 0, tuple({2, 2}), tuple({1, 2}));
  const std::string last = tensor(storage("0", 4), 3, tuple({1}), tuple({1}));
  const auto checkpoint = readUpstreamCheckpoint(archive(kStart + dictionary(text("a") + whole + text("b") + transposed + text("c") + last) + "."));
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  ASSERT_EQ(checkpoint->model.size(), 3u);
  EXPECT_EQ(checkpoint->model[0].tensor[0][1].item<float>(), 2);
  EXPECT_EQ(checkpoint->model[1].tensor[0][1].item<float>(), 3);
  EXPECT_EQ(checkpoint->model[2].tensor[0].item<float>(), 4);
  EXPECT_EQ(checkpoint->ema.size(), 3u);
  EXPECT_FALSE(checkpoint->step);
  EXPECT_FALSE(checkpoint->timesteps);
}

TEST_F(Upstream, PrefixAndScheduleAreToldApart) {
  const std::string weight = tensor(storage("0", 4), 0, tuple({4}), tuple({1}));
  const std::string state = dictionary(text("betas") + weight + text("denoise_fn.out.2.bias") + weight);
  const auto checkpoint = readUpstreamCheckpoint(archive(kStart + dictionary(text("step") + integer(41) + text("ema") + state) + "."));
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  EXPECT_EQ(checkpoint->step, 41);
  EXPECT_EQ(checkpoint->timesteps, 4);
  ASSERT_EQ(checkpoint->model.size(), 1u) << "only ema is there: it serves as both";
  EXPECT_EQ(checkpoint->model[0].name, "out.2.bias");
}

TEST_F(Upstream, NoOtherPythonObjectIsTouched) {
  for (const auto& [module, name] : {std::pair{"os", "system"}, {"posix", "system"}, {"builtins", "eval"}, {"torch", "load"},
                                     {"torch._utils", "_rebuild_parameter"}, {"collections", "defaultdict"}, {"torch", "HalfStorage"}}) {
    const std::string call = kStart + global(module, name) + "(" + text("touch /tmp/owned") + "tR.";
    const std::string message = problemOf(call);
    EXPECT_NE(message.find(std::string(module) + " " + name), std::string::npos) << message;
    EXPECT_NE(message.find("may be harmful"), std::string::npos);
  }
  EXPECT_NE(problemIn(archive(kStart + global("os", "system") + "(" + text("id") + "tR.")), "");
}

TEST_F(Upstream, MalformedPicklesAreRefused) {
  const std::string good = tensor(storage("0", 4), 0, tuple({4}), tuple({1}));
  const std::vector<std::string> bad{
      "", ".", "\x80", "\x80\x05.", kStart, kStart + "}", kStart + "N", kStart + "(.", kStart + "}}.", kStart + "\x93.",
      kStart + "X\xff\xff\xff\xff.", kStart + "X\x05\x00\x00\x00" "ab."s, kStart + "h\x01.", kStart + "q", kStart + "q\x01.", kStart + "t.", kStart + "\x87.",
      kStart + "u.", kStart + "}(" + text("a") + "u.", kStart + "}(NNu.", kStart + "s.", kStart + "R.", kStart + ")R.", kStart + "N)R.",
      kStart + global("collections", "OrderedDict") + "NR.", kStart + global("collections", "OrderedDict") + "N\x85R.",
      kStart + global("torch._utils", "_rebuild_tensor_v2") + ")R.", kStart + global("torch", "FloatStorage") + ")R.", kStart + "NQ.",
      kStart + ")Q.", kStart + "b.", kStart + "Nb.", kStart + "}Nb.", kStart + "(e.", kStart + "}(Ne.", kStart + "\x8a\x09.", kStart + "\x8a\x08" "abc",
      kStart + "Gabc", kStart + "cos", kStart + "cos\nsystem", kStart + "K", kStart + "M\x01",
      kStart + storage("0", -1) + ".", kStart + tensor(storage("0", 4), 0, tuple({5}), tuple({1})) + ".",
      kStart + tensor(storage("0", 4), 1, tuple({4}), tuple({1})) + ".", kStart + tensor(storage("0", 4), -1, tuple({4}), tuple({1})) + ".",
      kStart + tensor(storage("0", 4), 0, tuple({2, 2}), tuple({1})) + ".", kStart + tensor(storage("0", 4), 0, tuple({-1}), tuple({1})) + ".",
      kStart + tensor(storage("0", 4), 0, tuple({2147483647, 2147483647, 2147483647}), tuple({0, 0, 0})) + ".",
      kStart + tensor(storage("0", 4), 0, tuple({2, 2}), tuple({2147483647, 2147483647})) + ".",
      kStart + tensor(storage("0", 4), 0, tuple({1, 1, 1, 1, 1, 1, 1, 1, 1}), tuple({1, 1, 1, 1, 1, 1, 1, 1, 1})) + "."};
  for (std::size_t i = 0; i < bad.size(); ++i)
    EXPECT_NE(problemOf(bad[i]), "") << "pickle " << i;
  EXPECT_EQ(problemOf(kStart + good + "."), "");
}

TEST_F(Upstream, PicklesCutAnywhereAreRefused) {
  const std::string pickle = kStart + dictionary(text("a") + tensor(storage("0", 4), 0, tuple({4}), tuple({1}))) + ".";
  ASSERT_EQ(problemOf(pickle), "");
  for (std::size_t length = 0; length < pickle.size(); ++length)
    EXPECT_NE(problemOf(pickle.substr(0, length)), "") << length;
}

TEST_F(Upstream, ValuesMayReferToThemselves) {
  const std::string circle = kStart + "]q\x01(h\x01" "e.";
  EXPECT_EQ(problemOf(circle), "");
  EXPECT_NE(problemIn(archive(circle)), "");
}

TEST_F(Upstream, NumbersOfEveryKind) {
  const auto value = [](const std::string& operation) {
    const auto document = PickleDocument::parse(kStart + operation + ".", "x");
    return document ? document->root().integer : -999;
  };
  EXPECT_EQ(value("K\xff"), 255);
  EXPECT_EQ(value("M\x01\x02"), 513);
  EXPECT_EQ(value("J\xff\xff\xff\xff"), -1);
  EXPECT_EQ(value("\x8a\x00"s), 0);
  EXPECT_EQ(value("\x8a\x01\xff"), -1);
  EXPECT_EQ(value("\x8a\x02\xff\x00"s), 255);
  EXPECT_EQ(value("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"), INT64_MAX);
  EXPECT_EQ(PickleDocument::parse(kStart + "G\x3f\xf8\x00\x00\x00\x00\x00\x00."s, "x")->root().number, 1.5);
}

TEST_F(Upstream, OtherContentsAreNamed) {
  EXPECT_NE(problemIn(m_folder / "absent.pt").find("no such file"), std::string::npos);
  EXPECT_NE(problemIn(m_folder.path()), "");
  EXPECT_NE(problemIn(plainFile("")).find("not a zip archive"), std::string::npos);
  EXPECT_NE(problemIn(plainFile(std::string(100000, 'x'))).find("not a zip archive"), std::string::npos);
  EXPECT_NE(problemIn(archive(kStart + "N.")).find("dictionary"), std::string::npos);
  EXPECT_NE(problemIn(archive(kStart + dictionary(text("a") + "N") + ".")).find("not a tensor"), std::string::npos);
  EXPECT_NE(problemIn(archive(kStart + dictionary(text("model") + "N") + ".")), "");
  const std::string one = kStart + dictionary(text("a") + tensor(storage("0", 4), 0, tuple({4}), tuple({1}))) + ".";
  EXPECT_EQ(problemIn(archive(one)), "");
  EXPECT_NE(problemIn(archive(one, {1, 2, 3})).find("shorter"), std::string::npos);
  EXPECT_NE(problemIn(archive(one, {1, 2, 3, 4}, "big")).find("big-endian"), std::string::npos);
  const std::string missing = kStart + dictionary(text("a") + tensor(storage("7", 4), 0, tuple({4}), tuple({1}))) + ".";
  EXPECT_NE(problemIn(archive(missing)).find("missing"), std::string::npos);
  const std::string twoSizes = kStart + dictionary(text("a") + tensor(storage("0", 4), 0, tuple({4}), tuple({1})) + text("b") +
                                                   tensor(storage("0", 3), 0, tuple({3}), tuple({1}))) + ".";
  EXPECT_NE(problemIn(archive(twoSizes)).find("two ways"), std::string::npos);
}

TEST_F(Upstream, ArchivesCutOrChangedAnywhereDoNotCrash) {
  const std::string one = kStart + dictionary(text("a") + tensor(storage("0", 4), 0, tuple({4}), tuple({1}))) + ".";
  const std::string whole = *readTextFile(archive(one));
  for (std::size_t length = 0; length < whole.size(); length += 7)
    EXPECT_NE(problemIn(plainFile(whole.substr(0, length))), "") << length;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0xFF);
    problemIn(plainFile(changed)); // may still be readable: padding, values
  }
}

TEST_F(Upstream, ChangedValuesAreNoticed) {
  const fs::path file = archive(kStart + dictionary(text("a") + tensor(storage("0", 4), 0, tuple({4}), tuple({1}))) + ".");
  ASSERT_TRUE(readUpstreamCheckpoint(file));
  std::string bytes = *readTextFile(file);
  const float three = 3;
  const auto at = bytes.find(std::string(reinterpret_cast<const char*>(&three), sizeof three));
  ASSERT_NE(at, std::string::npos);
  bytes[at] ^= 1;
  ASSERT_TRUE(writeFileAtomically(file, bytes));
  const auto damaged = readUpstreamCheckpoint(file);
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().message.find("checksum"), std::string::npos) << damaged.error().message;
}

TEST_F(Upstream, CompressedEntriesAreRefused) {
  std::string bytes = *readTextFile(archive(kStart + "N."));
  const std::size_t central = bytes.find("PK\x01\x02");
  bytes[central + 10] = 8; // deflate
  EXPECT_NE(problemIn(plainFile(bytes)).find("compressed"), std::string::npos);
}

// Directories with zip64 fields, as writers make them for large files.
TEST_F(Upstream, Zip64Directories) {
  std::string bytes = *readTextFile(archive(kStart + dictionary("") + "."));
  const std::size_t end = bytes.rfind("PK\x05\x06");
  const auto start = zip::number<std::uint32_t>(bytes, end + 16), size = zip::number<std::uint32_t>(bytes, end + 12);
  const auto count = zip::number<std::uint16_t>(bytes, end + 10);
  std::string list = bytes.substr(start, size), widened;
  while (!list.empty()) {
    const std::size_t name = zip::number<std::uint16_t>(list, 28), length = 46 + name + zip::number<std::uint16_t>(list, 30);
    std::string entry = list.substr(0, 46 + name), extra;
    zip::append<std::uint16_t>(extra, 1);
    zip::append<std::uint16_t>(extra, 24);
    zip::append<std::uint64_t>(extra, zip::number<std::uint32_t>(entry, 24));
    zip::append<std::uint64_t>(extra, zip::number<std::uint32_t>(entry, 20));
    zip::append<std::uint64_t>(extra, zip::number<std::uint32_t>(entry, 42));
    for (const std::size_t at : {20, 24, 42})
      std::memset(&entry[at], 0xFF, 4);
    entry[30] = static_cast<char>(extra.size());
    entry[31] = 0;
    widened += entry + extra;
    list.erase(0, length);
  }
  bytes.resize(start);
  bytes += widened;
  const std::uint64_t end64 = bytes.size();
  zip::append<std::uint32_t>(bytes, zip::kEnd64);
  zip::append<std::uint64_t>(bytes, 44);
  bytes.append(12, '\0');
  for (const std::uint64_t value : {std::uint64_t{count}, std::uint64_t{count}, std::uint64_t{widened.size()}, std::uint64_t{start}})
    zip::append<std::uint64_t>(bytes, value);
  zip::append<std::uint32_t>(bytes, zip::kEnd64Locator);
  zip::append<std::uint32_t>(bytes, 0);
  zip::append<std::uint64_t>(bytes, end64);
  zip::append<std::uint32_t>(bytes, 1);
  zip::append<std::uint32_t>(bytes, zip::kEnd);
  bytes += std::string(4, '\0') + std::string(12, '\xFF') + std::string(2, '\0');
  const fs::path file = plainFile(bytes);
  EXPECT_EQ(problemIn(file), "");
  EXPECT_EQ(ZipReader::open(file)->entries().size(), count);
}

TEST_F(Upstream, ExportNamesWhatIsMissingAndLeavesNoFile) {
  NamedTensors weights = initialWeights(tinyNetwork(), 1);
  NamedTensors fewer = weights;
  fewer.pop_back();
  const fs::path file = m_folder / "model-1.pt";
  const Status status = writeUpstreamCheckpoint(file, {tinyNetwork(), 250, 7, weights, fewer});
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find(weights.back().name), std::string::npos);
  EXPECT_TRUE(fs::is_empty(m_folder.path()));
  EXPECT_FALSE(writeUpstreamCheckpoint(m_folder / "no" / "folder" / "model-1.pt", {tinyNetwork(), 250, 7, weights, weights}));
}

} // namespace
} // namespace voxlab
