// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/float16.h"
#include "core/base/safetensors.h"
#include "tests/support/temporary_folder.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace voxlab;

namespace {
std::string fileOf(const std::string& header, std::size_t dataBytes) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + std::string(dataBytes, '\1');
}

std::string messageFor(const std::string& bytes) {
  TemporaryFolder folder;
  EXPECT_TRUE(writeFileAtomically(folder / "x.safetensors", bytes));
  const auto reader = SafetensorsReader::open(folder / "x.safetensors");
  if (reader)
    return "";
  EXPECT_EQ(reader.error().code, ExitCode::Data);
  return reader.error().message;
}
} // namespace

TEST(Safetensors, EveryTypeSurvivesARoundTrip) {
  TemporaryFolder folder;
  const std::vector<std::int8_t> bytes{-128, 127, 3};
  const std::vector<double> doubles{1.0 / 3, -2e300};
  const std::vector<float> floats{0.1f, -0.0f, 3e38f, 7};
  const std::vector<std::uint16_t> halves{0x3c00, 0xc000}; // 1, -2
  const std::vector<std::int64_t> longs{std::numeric_limits<std::int64_t>::min()};
  const std::vector<TensorView> views{{{"small", TensorType::I8, {3}}, bytes.data()},   {{"d", TensorType::F64, {2, 1}}, doubles.data()},
                                      {{"f", TensorType::F32, {2, 2}}, floats.data()},  {{"h", TensorType::F16, {2}}, halves.data()},
                                      {{"b", TensorType::BF16, {2}}, halves.data()},    {{"scalar", TensorType::I64, {}}, longs.data()},
                                      {{"none", TensorType::F32, {0, 5}}, floats.data()}};
  ASSERT_TRUE(writeSafetensors(folder / "t.safetensors", views, {{"format", "pt"}}));
  const auto reader = SafetensorsReader::open(folder / "t.safetensors");
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(reader->metadata().at("format"), "pt");
  ASSERT_EQ(reader->tensors().size(), 7u);
  for (const auto& tensor : reader->tensors())
    EXPECT_EQ(tensor.offset % elementBytes(tensor.type), 0u) << tensor.name;
  EXPECT_EQ(reader->values<double>("d").value(), doubles);
  EXPECT_EQ(reader->values<float>("f").value(), floats);
  EXPECT_EQ(reader->values<float>("h").value(), (std::vector<float>{1, -2}));
  EXPECT_EQ(reader->values<std::int64_t>("small").value(), (std::vector<std::int64_t>{-128, 127, 3}));
  EXPECT_EQ(reader->values<std::int64_t>("scalar").value(), longs);
  EXPECT_TRUE(reader->values<float>("none").value().empty());
  EXPECT_EQ(reader->find("f")->shape, (std::vector<std::int64_t>{2, 2}));
  EXPECT_FALSE(reader->values<float>("absent"));
}

TEST(Safetensors, AnUnfinishedFileLeavesNothing) {
  TemporaryFolder folder;
  {
    auto writer = SafetensorsWriter::create(folder / "t.safetensors", {{"a", TensorType::F32, {1}}});
    ASSERT_TRUE(writer);
    EXPECT_EQ(writer->finish().error().code, ExitCode::Internal);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Safetensors, LyingHeadersGiveSentences) {
  EXPECT_NE(messageFor("").find("truncated"), std::string::npos);
  EXPECT_NE(messageFor(std::string(7, 'x')).find("truncated"), std::string::npos);
  EXPECT_NE(messageFor(std::string(8, '\xff') + "{}").find("truncated"), std::string::npos);
  EXPECT_NE(messageFor(fileOf("{\"a\":", 0)).find("JSON"), std::string::npos);
  EXPECT_NE(messageFor(fileOf("[1]", 0)).find("object"), std::string::npos);
  EXPECT_NE(messageFor(fileOf(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 7)).find("beyond"), std::string::npos);
  EXPECT_NE(messageFor(fileOf(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 8)).find("agree"), std::string::npos);
  EXPECT_NE(messageFor(fileOf(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8)).find("agree"), std::string::npos);
  EXPECT_NE(messageFor(fileOf(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 8)).find("agree"), std::string::npos);
  EXPECT_NE(messageFor(fileOf(R"({"a":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}})", 2)).find("F8_E4M3"), std::string::npos);
  EXPECT_NE(messageFor(fileOf(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})", 3)).find("overlaps"),
            std::string::npos);
  EXPECT_NE(messageFor(fileOf(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", 3)).find("no tensor"), std::string::npos);
  EXPECT_NE(messageFor(fileOf(R"({"a":3})", 3)).find("incomplete"), std::string::npos);
  EXPECT_EQ(messageFor(fileOf("{}", 0)), "");
}

TEST(Safetensors, FoldersAndMissingFilesGiveSentences) {
  TemporaryFolder folder;
  EXPECT_EQ(SafetensorsReader::open(folder / "none").error().code, ExitCode::Data);
  EXPECT_NE(SafetensorsReader::open(folder.path()).error().message.find("regular file"), std::string::npos);
}

TEST(Float16, EveryHalfSurvivesARoundTrip) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = floatFromHalf(static_cast<std::uint16_t>(bits));
    if (!std::isnan(value)) {
      ASSERT_EQ(halfFromFloat(value), bits);
    } else {
      ASSERT_TRUE(std::isnan(floatFromHalf(halfFromFloat(value))));
    }
  }
}

TEST(Float16, RoundsToNearestEven) {
  EXPECT_EQ(halfFromFloat(2049), halfFromFloat(2048));
  EXPECT_EQ(halfFromFloat(2051), halfFromFloat(2052));
  EXPECT_EQ(floatFromHalf(halfFromFloat(65519)), 65504);
  EXPECT_TRUE(std::isinf(floatFromHalf(halfFromFloat(65520))));
  EXPECT_EQ(floatFromHalf(halfFromFloat(std::ldexp(1.0f, -25))), 0);
  EXPECT_EQ(floatFromHalf(halfFromFloat(std::ldexp(1.5f, -25))), std::ldexp(1.0f, -24));
  EXPECT_EQ(floatFromBfloat16(bfloat16FromFloat(1.0f + std::ldexp(1.0f, -8))), 1);
  EXPECT_EQ(floatFromBfloat16(bfloat16FromFloat(1.0f + std::ldexp(3.0f, -8))), 1 + std::ldexp(1.0f, -6));
  EXPECT_TRUE(std::isnan(floatFromBfloat16(bfloat16FromFloat(NAN))));
}
