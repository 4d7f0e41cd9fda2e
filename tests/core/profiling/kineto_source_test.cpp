// SPDX-License-Identifier: Apache-2.0
#include "core/profiling/kineto_source.h"
#include "core/analysis/profile_summary.h"
#include "core/analysis/trace_reader.h"
#include "core/base/failure.h"
#include "tests/support/temporary_folder.h"
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/record_function.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

using namespace voxlab;
using testing::HasSubstr;

namespace {
struct Range {
  explicit Range(const char* name) : function(at::RecordScope::USER_SCOPE) { function.before(name); }
  at::RecordFunction function;
};

// Two steps of one matrix product each, in a module of a phase.
void work() {
  for (int i = 0; i < 2; ++i) {
    const Range step("train_step"), phase("forward"), module("input_blocks.0.0");
    const at::Tensor a = at::ones({48, 32}), b = at::ones({32, 16});
    at::matmul(a, b);
  }
}

Trace recorded(TraceDetail detail, const std::filesystem::path& file) {
  KinetoWindow window(detail, c10::kCPU);
  work();
  const Status saved = window.save(file);
  EXPECT_TRUE(saved) << saved.error().message;
  auto trace = readTrace(file);
  EXPECT_TRUE(trace) << trace.error().message;
  return trace ? std::move(*trace) : Trace();
}
} // namespace

TEST(KinetoSource, ARecordingHasStepsPhasesModulesAndShapes) {
  const TemporaryFolder folder;
  const Trace trace = recorded(TraceDetail::Operators, folder / "t.json.gz");
  EXPECT_EQ(trace.steps.size(), 2u);
  std::set<std::uint32_t> products;
  for (const GpuEvent& event : trace.gpu)
    if (trace.name(event.name) == "aten::mm") {
      products.insert(event.op);
      EXPECT_EQ(trace.name(event.module), "input_blocks.0.0");
      EXPECT_EQ(event.phase, Phase::Forward);
      const auto inputs = operatorInputs(trace.name(trace.host[event.op].inputs));
      ASSERT_GE(inputs.size(), 2u);
      EXPECT_EQ(inputs[0].shape(), (std::vector<std::int64_t>{48, 32}));
      EXPECT_EQ(inputs[1].shape(), (std::vector<std::int64_t>{32, 16}));
    }
  EXPECT_EQ(products.size(), 2u);
  const Json summary = profileSummary(trace, KernelIndex(trace));
  double sum = 0;
  for (const auto& [name, ms] : summary["categories_ms"].items())
    sum += ms.get<double>();
  EXPECT_NEAR(sum, summary["wall_ms_per_step"].get<double>(), 1e-6);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1); // nothing half written is left
}

TEST(KinetoSource, ALightRecordingHasTheSameStepsWithoutShapes) {
  const TemporaryFolder folder;
  const Trace trace = recorded(TraceDetail::KernelsOnly, folder / "t.json");
  EXPECT_EQ(trace.steps.size(), 2u);
  for (const HostEvent& event : trace.host)
    EXPECT_EQ(event.inputs, 0u);
}

TEST(KinetoSource, FiftyWindowsAfterEachOther) {
  const TemporaryFolder folder;
  for (int i = 0; i < 50; ++i)
    ASSERT_EQ(recorded(TraceDetail::KernelsOnly, folder / "t.json").steps.size(), 2u) << i;
}

TEST(KinetoSource, OnlyOneWindowAtATimeAndDroppedOnesLeaveNothingBehind) {
  const TemporaryFolder folder;
  {
    const KinetoWindow window(TraceDetail::Operators, c10::kCPU);
    EXPECT_THAT(recordingMissing(), HasSubstr("under way"));
    EXPECT_THROW(KinetoWindow(TraceDetail::Operators, c10::kCPU), Failure);
  }
  EXPECT_EQ(recordingMissing(), "");
  EXPECT_EQ(recorded(TraceDetail::Operators, folder / "t.json").steps.size(), 2u);
}

TEST(KinetoSource, WithoutAGpuNoKernelTakesTime) {
  KinetoWindow window(TraceDetail::KernelsOnly, c10::kCPU);
  work();
  const KernelTime time = window.kernelTime();
  EXPECT_EQ(time.launches, 0u);
  EXPECT_EQ(time.busy_ms, 0);
  EXPECT_EQ(recordingMissing(), "");
}

TEST(KinetoSource, UnderAnotherProfilerNothingIsRecorded) {
  ::setenv("NVTX_INJECTION64_PATH", "/usr/lib/libinjection.so", 1);
  EXPECT_THAT(recordingMissing(), HasSubstr("Another profiler"));
  EXPECT_THROW(KinetoWindow(TraceDetail::Operators, c10::kCPU), Failure);
  ::unsetenv("NVTX_INJECTION64_PATH");
}

TEST(KinetoSource, AFolderThatCannotBeWrittenIsNamed) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  KinetoWindow window(TraceDetail::KernelsOnly, c10::kCPU);
  work();
  const Status saved = window.save(folder / "file" / "t.json");
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().message, HasSubstr((folder / "file").string()));
  EXPECT_EQ(recordingMissing(), "");
}
