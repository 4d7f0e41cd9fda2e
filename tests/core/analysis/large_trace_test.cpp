// SPDX-License-Identifier: Apache-2.0
// Traces that are longer than anything one would keep in a repository.
#include "core/analysis/breakdown.h"
#include "core/analysis/trace_reader.h"
#include "tests/core/analysis/trace_text.h"
#include "tests/support/process_memory.h"
#include "tests/support/repeated_trace.h"
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
Json recordedJson() {
  auto source = openByteSource(recorded("trace_opt1_128.json.gz")).value();
  std::string text;
  std::vector<char> buffer(1u << 20);
  for (std::size_t n = source->read(buffer).value(); n > 0; n = source->read(buffer).value())
    text.append(buffer.data(), n);
  return parseJson(text, "the recorded trace").value();
}

double peakMemory_bytes() { return static_cast<double>(processMemory_bytes(ProcessMemory::Peak)); }
} // namespace

TEST(LargeTrace, RepetitionsAreRead) {
  RepeatedTrace source(recordedJson(), 5);
  const Trace t = readTrace(source).value();
  EXPECT_EQ(t.steps.size(), 10u);
  EXPECT_EQ(t.gpu.size(), 5u * 3324);
  const Breakdown b = breakDown(t, KernelIndex(t));
  EXPECT_NEAR(b.mean.kernel_ms, 226.68, 0.23);
  EXPECT_LT(t.names.size(), 3000u) << "names and shapes are stored once";
}

// Three million events and a gigabyte of text take half a minute: only on request.
TEST(LargeTrace, AGigabyteInBoundedMemory) {
  if (!std::getenv("VOXLAB_LARGE_TESTS"))
    GTEST_SKIP() << "set VOXLAB_LARGE_TESTS=1 to run it";
  RepeatedTrace source(recordedJson(), 115);
  const double before = peakMemory_bytes();
  const auto start = std::chrono::steady_clock::now();
  const Trace t = readTrace(source).value();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::cout << source.eventsRead() << " events, " << static_cast<double>(source.bytesRead()) / 1e9 << " GB in " << seconds
            << " s; memory before " << before / 1e6 << " MB, at its peak " << peakMemory_bytes() / 1e6 << " MB\n";
  EXPECT_GE(source.eventsRead(), 3000000u);
  EXPECT_GE(source.bytesRead(), 1000000000u);
  EXPECT_LT(peakMemory_bytes(), 1e9);
  EXPECT_EQ(t.steps.size(), 230u);
}

TEST(LargeTrace, CancelsAtTheNextBlock) {
  RepeatedTrace source(recordedJson(), 1000);
  std::stop_source stop;
  TraceOptions options;
  options.cancel = stop.get_token();
  std::uint64_t atRequest = 0;
  options.progress = [&](double) {
    if (source.bytesRead() > 5000000 && atRequest == 0) {
      atRequest = source.bytesRead();
      stop.request_stop();
    }
  };
  EXPECT_EQ(readTrace(source, options).error().code, ExitCode::Stopped);
  EXPECT_LT(source.bytesRead(), atRequest + 1000000) << "a megabyte takes a few hundredths of a second";
}
