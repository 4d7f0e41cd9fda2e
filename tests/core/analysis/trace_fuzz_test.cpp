// SPDX-License-Identifier: Apache-2.0
// Broken traces give a sentence or a trace, never a crash or an endless loop.
#include "core/analysis/breakdown.h"
#include "core/analysis/trace_reader.h"
#include "core/base/files.h"
#include "tests/core/analysis/trace_text.h"
#include "tests/support/temporary_folder.h"
#include <gtest/gtest.h>
#include <random>

using namespace voxlab;

namespace {
// Reads and analyses; whatever comes of it has to be well formed.
void expectSane(const Result<Trace>& trace) {
  if (!trace) {
    EXPECT_EQ(trace.error().code, ExitCode::Data);
    EXPECT_TRUE(trace.error().message.ends_with('.')) << trace.error().message;
    return;
  }
  const KernelIndex index(*trace);
  const Breakdown b = breakDown(*trace, index);
  for (const auto& step : b.steps)
    EXPECT_GE(step.wall_ms, 0);
  EXPECT_LE(kernelRows(*trace, index, KernelGrouping::Module).size(), trace->gpu.size());
}

void expectSaneText(const std::string& text) {
  auto source = byteSourceFromText(text, "fuzzed text");
  expectSane(readTrace(*source));
}

std::string unpacked(const std::string& name) {
  auto source = openByteSource(recorded(name)).value();
  std::string text;
  std::vector<char> buffer(1u << 20);
  for (std::size_t n = source->read(buffer).value(); n > 0; n = source->read(buffer).value())
    text.append(buffer.data(), n);
  return text;
}

// The first part of a recorded trace, closed again where an event ends.
std::string beginningOf(const std::string& trace, std::size_t bytes) {
  const auto end = trace.rfind("\n  },", bytes);
  return trace.substr(0, end) + "}]}";
}
} // namespace

TEST(TraceFuzz, CutOffAtEveryHundredth) {
  const std::string whole = readTextFile(recorded("trace_opt1_128.json.gz")).value();
  TemporaryFolder folder;
  for (std::size_t i = 0; i < 100; ++i) {
    ASSERT_TRUE(writeFileAtomically(folder / "cut.json.gz", std::string_view(whole).substr(0, whole.size() * i / 100)));
    const auto trace = readTrace(folder / "cut.json.gz");
    ASSERT_FALSE(trace);
    expectSane(trace);
  }
  const std::string text = beginningOf(unpacked("trace_opt1_128.json.gz"), 400000);
  expectSaneText(text);
  for (std::size_t i = 0; i < 100; ++i) {
    const std::string cut = text.substr(0, text.size() * i / 100);
    auto source = byteSourceFromText(cut, "cut");
    const auto trace = readTrace(*source);
    ASSERT_FALSE(trace);
    expectSane(trace);
  }
}

TEST(TraceFuzz, FlippedBytes) {
  const std::string text = beginningOf(unpacked("trace_baseline_128.json.gz"), 200000);
  std::mt19937 random(20260131);
  for (int i = 0; i < 300; ++i) {
    std::string flipped = text;
    for (int k = 0; k < 1 + i % 20; ++k)
      flipped[random() % flipped.size()] ^= static_cast<char>(1u << (random() % 8));
    expectSaneText(flipped);
  }
}

// Damage that stays JSON: digits for digits, so that times, ids and shapes are wild.
TEST(TraceFuzz, WildNumbers) {
  const std::string text = beginningOf(unpacked("trace_opt1_128.json.gz"), 200000);
  std::mt19937 random(42);
  for (int i = 0; i < 200; ++i) {
    std::string wild = text;
    for (int k = 0; k < 500; ++k) {
      const std::size_t at = random() % wild.size();
      if (std::isdigit(static_cast<unsigned char>(wild[at])) && at > 0 && std::isdigit(static_cast<unsigned char>(wild[at - 1])))
        wild[at] = static_cast<char>('0' + random() % 10);
    }
    expectSaneText(wild);
  }
}

TEST(TraceFuzz, NestingHugeNumbersAndDuplicateKeys) {
  expectSaneText(std::string(1000000, '['));
  expectSaneText(R"({"traceEvents":)" + std::string(1000000, '['));
  std::string nested;
  for (int i = 0; i < 100000; ++i)
    nested += R"({"traceEvents":[)";
  expectSaneText(nested);
  const auto withEvent = [](const std::string& event) {
    return R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","ts":0,"dur":1},)" + event + "]}";
  };
  for (const char* number : {"1e308", "-1e308", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
                             "99999999999999999999999", "4e15", "-4e15", "1e-320"}) {
    const std::string n = number;
    expectSaneText(withEvent(R"({"ph":"X","cat":"kernel","name":"k","ts":)" + n + R"(,"dur":)" + n + "}"));
    expectSaneText(withEvent(R"({"ph":"X","cat":"kernel","name":"k","ts":1,"dur":1,"args":{"correlation":)" + n + R"(,"stream":)" +
                             n + R"(,"device":)" + n + R"(,"bytes":)" + n + R"(,"grid":[)" + n + "," + n + "," + n + "," + n +
                             "]}}"));
    expectSaneText(withEvent(R"({"ph":"X","cat":"cpu_op","name":"k","ts":1,"dur":1,"args":{"Sequence number":)" + n +
                             R"(,"Input Dims":[[)" + n + "]]}}"));
  }
  expectSaneText(
      R"({"traceEvents":[{"ph":"X","ph":"M","ph":"X","cat":"kernel","cat":"kernel","name":"a","name":"b","ts":1,"ts":2,"dur":3,"dur":4}],"traceEvents":[]})");
  expectSaneText(
      R"({"deviceProperties":[{"id":1e99,"name":[1],"numSms":"x"}],"traceEvents":[{"ph":"X","cat":"kernel","name":"a","ts":1,"dur":3}]})");
}
