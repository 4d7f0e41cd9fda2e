// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_stream.h"
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
class Recorder final : public JsonHandler {
public:
  void beginObject() override { said += "{"; }
  void endObject() override { said += "}"; }
  void beginArray() override { said += "["; }
  void endArray() override { said += "]"; }
  void key(std::string& text) override { said += text + ":"; }
  void string(std::string& text) override {
    said += "'" + text + "' ";
    if (text == "stop")
      m_refusal = "told to stop.";
  }
  void integer(std::int64_t value) override { said += "i" + std::to_string(value) + " "; }
  void number(double, std::string_view text) override { said += "n" + std::string(text) + " "; }
  void boolean(bool value) override { said += value ? "true " : "false "; }
  void null() override { said += "null "; }
  std::string_view refusal() const override { return m_refusal; }
  void replaced(std::uint64_t count) override { replacedCount = count; }
  std::string said;
  std::uint64_t replacedCount = 0;

private:
  std::string m_refusal;
};

Result<std::string> said(std::string_view text, const JsonStreamOptions& options = {}) {
  Recorder recorder;
  auto source = byteSourceFromText(text, "the text");
  if (const auto status = readJsonStream(*source, recorder, options); !status)
    return fail(status.error());
  return recorder.said;
}
} // namespace

TEST(JsonStream, TellsEverythingInOrder) {
  EXPECT_EQ(said(R"({"a": [1, -2, 3.50, 1e5, true, null], "b": {"c": "x\"y"}})").value(),
            "{a:[i1 i-2 n3.50 n1e5 true null ]b:{c:'x\"y' }}");
  EXPECT_EQ(said("[1e-5,2E+3,-0.5e-7]").value(), "[n1e-5 n2E+3 n-0.5e-7 ]");
}

TEST(JsonStream, NumbersThatJsonLacksAreNull) {
  EXPECT_EQ(said(R"([NaN, -Infinity, inf, -nan, Infinity, "NaN", "a\"inf"])").value(),
            "[null null null null null 'NaN' 'a\"inf' ]");
  EXPECT_FALSE(said("[nonsense]"));
  EXPECT_FALSE(said("[truely]"));
}

// Each maximal part of a broken sequence is one U+FFFD, as the Unicode standard advises (table 3-8).
TEST(JsonStream, TextThatIsNoUtf8IsReplaced) {
  EXPECT_EQ(said("[\"a\xff\xfe\xc3\"]").value(), "['a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd' ]");
  EXPECT_EQ(said("[\"\xe0\x80\x80|\xed\xa0\x80|\xf4\x90\x80\x80|\xf0\x9f\x98|\xc1\xbf\"]").value().size(), 5 + 4 + 3 * (3 + 3 + 4 + 1 + 2))
      << "too long, a surrogate, beyond the last, cut off";
  const std::string whole = "\"é → 日本語 \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf \xed\x9f\xbf\"";
  EXPECT_EQ(said("[" + whole + "]").value(), "['" + whole.substr(1, whole.size() - 2) + "' ]") << "what is right stays";
  EXPECT_EQ(said("{\"\xff\": 1}").value(), "{\xef\xbf\xbd:i1 }");
  Recorder recorder;
  ASSERT_TRUE(readJsonStream(*byteSourceFromText("[\"\xff\xff\"]", "the text"), recorder, {}));
  EXPECT_EQ(recorder.replacedCount, 2u);
}

TEST(JsonStream, HugeNumbers) {
  EXPECT_EQ(said("[9223372036854775807]").value(), "[i9223372036854775807 ]");
  EXPECT_EQ(said("[18446744073709551615]").value(), "[n18446744073709551615 ]");
  EXPECT_EQ(said("[123456789012345678901234567890]").value(), "[n123456789012345678901234567890 ]");
  EXPECT_FALSE(said("[1e999]"));
}

TEST(JsonStream, BrokenTextNamesThePlace) {
  const auto cut = said(R"({"a": [1, 2)");
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ExitCode::Data);
  EXPECT_EQ(cut.error().message.find("the text is broken at byte 11"), 0u) << cut.error().message;
  EXPECT_FALSE(said(""));
  EXPECT_FALSE(said("{} {}"));
  EXPECT_FALSE(said("[\xff]"));
  EXPECT_FALSE(said(std::string(3, '\0')));
}

TEST(JsonStream, DeepNestingIsRefusedAndShallowIsNot) {
  const std::string deep(1000000, '[');
  EXPECT_NE(said(deep).error().message.find("nested deeper than 200"), std::string::npos);
  const std::string allowed = std::string(200, '[') + std::string(200, ']');
  EXPECT_TRUE(said(allowed));
}

TEST(JsonStream, OneEndlessValueIsRefused) {
  JsonStreamOptions options;
  options.maximumValueBytes = 1u << 20;
  EXPECT_NE(said("[\"" + std::string(4u << 20, 'x') + "\"]", options).error().message.find("single value"), std::string::npos);
  EXPECT_FALSE(said("[" + std::string(4u << 20, ' ') + "]", options));
  std::string many = "[0";
  for (int i = 0; i < 500000; ++i)
    many += ",12345";
  EXPECT_TRUE(said(many + "]", options)) << "a long document of short values is fine";
}

TEST(JsonStream, CancelProgressAndRefusal) {
  std::stop_source stop;
  JsonStreamOptions options;
  options.cancel = stop.get_token();
  double last = 0;
  options.progress = [&last](double fraction) { last = fraction; };
  EXPECT_TRUE(said("[1]", options));
  EXPECT_EQ(last, 1);
  stop.request_stop();
  EXPECT_EQ(said("[1]", options).error().code, ExitCode::Stopped);
  EXPECT_NE(said(R"(["go", "stop", "further"])").error().message.find("told to stop."), std::string::npos);
}
