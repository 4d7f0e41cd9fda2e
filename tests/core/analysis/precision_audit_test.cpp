// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/precision_audit.h"
#include "tests/core/analysis/trace_text.h"
#include <gtest/gtest.h>

using namespace voxlab;

TEST(PrecisionAudit, ByHand) {
  TraceText text;
  const std::string inputs =
      R"("Input Dims":[[1,64,16,16,16],[64,64,3,3,3],[],[],[],[]],"Input type":["float","float","","","",""],"Concrete Inputs":["","","[1, 1, 1]","[1, 1, 1]","[1, 1, 1]","1"])";
  text.range("train_step", 0, 10000).range("block", 0, 500);
  text.op("aten::cudnn_convolution", 1, 50, 1, inputs)
      .kernel("nchwToNhwcKernel<float>", 2, 10, 8)
      .kernel("sm90_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize64x64x32_x", 4, 20, 60)
      .kernel("nhwcToNchwKernel<float>", 6, 90, 9);
  text.op("aten::mm", 100, 50, 1, "")
      .kernel("cutlass_80_simt_sgemm_128x32_8x5_nn_align1", 110, 120, 20)
      .kernel("silu_elementwise", 130, 150, 3);
  const Trace trace = text.read();
  const KernelIndex index(trace);
  const auto tf32 = auditPrecision(trace, index, Precision::Tf32);
  ASSERT_EQ(tf32.rows.size(), 2u);
  EXPECT_EQ(tf32.rows[0].arithmetic, KernelArithmetic::Tf32);
  EXPECT_EQ(tf32.rows[0].match, PrecisionMatch::AsAsked);
  EXPECT_EQ(tf32.rows[0].module, "block");
  EXPECT_EQ(tf32.rows[1].match, PrecisionMatch::Wider);
  EXPECT_DOUBLE_EQ(tf32.products_ms, 0.080);
  EXPECT_DOUBLE_EQ(tf32.tensorCores_ms, 0.060);
  EXPECT_DOUBLE_EQ(tf32.asAsked_ms, 0.060);
  EXPECT_DOUBLE_EQ(tf32.layout.time_ms, 0.017);
  EXPECT_DOUBLE_EQ(tf32.layout.share, 17.0 / (153 - 10)) << "of the step, from its first kernel's start to its last one's end";
  EXPECT_EQ(tf32.layout.launches, 2u);
  // Input and output are 64 × 16³ × 4 B, the two largest tensors; each conversion reads and writes one.
  EXPECT_DOUBLE_EQ(tf32.layout.bytes, 2 * 2 * 64 * 4096 * 4.0);
  EXPECT_EQ(tf32.sentence, "Asked for TF32: 75 % of the products' time ran in it; 0.0200 ms a step did not, most of it in aten::mm "
                           "(FP32, CUTLASS gemm FP32 "
                           "128x32_8x5_nn_align1). 75 % of it used tensor cores. Layout conversions take 0.0170 ms a step (12 % of it).");
  EXPECT_EQ(auditPrecision(trace, index, Precision::Fp32).rows[0].match, PrecisionMatch::Narrower);
  EXPECT_EQ(auditPrecision(trace, index, std::nullopt).rows[0].match, PrecisionMatch::Unknown);
}

TEST(PrecisionAudit, RecordedTraces) {
  const Trace baseline = readTrace(recorded("trace_baseline_128.json.gz")).value(),
              opt1 = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const auto asked = auditPrecision(baseline, KernelIndex(baseline), Precision::Fp32);
  EXPECT_DOUBLE_EQ(asked.asAsked_ms, asked.products_ms);
  EXPECT_EQ(asked.tensorCores_ms, 0);
  const auto tf32 = auditPrecision(opt1, KernelIndex(opt1), Precision::Tf32);
  EXPECT_GT(tf32.asAsked_ms, 0.98 * tf32.products_ms);
  EXPECT_NEAR(tf32.layout.time_ms, 19.31, 0.01);
}

TEST(PrecisionAudit, NothingToJudge) {
  const Trace trace = TraceText().kernel("silu_elementwise", 0, 10, 5).read();
  EXPECT_EQ(auditPrecision(trace, KernelIndex(trace), Precision::Bf16).sentence, "No convolution or matrix product ran on a GPU in this recording.");
}

// A product whose kernel's name names no arithmetic: 5 µs of matrix products are there, and not judged.
TEST(PrecisionAudit, ProductsOfUntoldArithmeticAreNotDenied) {
  TraceText text;
  text.range("train_step", 0, 100).op("aten::mm", 1, 50).kernel("gemm", 2, 10, 5);
  const Trace trace = text.read();
  const auto audit = auditPrecision(trace, KernelIndex(trace), Precision::Fp32);
  EXPECT_DOUBLE_EQ(audit.untold_ms, 0.005);
  EXPECT_EQ(audit.products_ms, 0);
  EXPECT_EQ(audit.sentence, "Convolutions and matrix products take 0.00500 ms a step, but the names of their kernels do not say in which arithmetic: their precision is not judged.");
}

// Without a GPU the types of the operators' inputs tell: 60 µs in BF16, 20 µs in FP32.
TEST(PrecisionAudit, OfAProcessor) {
  const auto inputs = [](const std::string& type) {
    return R"("Input Dims":[[1,64,16,16,16],[64,64,3,3,3],[]],"Input type":[")" + type + R"(",")" + type + R"(",""],"Concrete Inputs":["","","[1, 1, 1]"])";
  };
  const Trace trace = TraceText()
                          .range("train_step", 0, 200)
                          .op("aten::mkldnn_convolution", 10, 60, 1, inputs("c10::BFloat16"))
                          .op("aten::addmm", 80, 20, 1, inputs("float"))
                          .op("aten::silu", 110, 30, 1, inputs("float"))
                          .read();
  const KernelIndex index(trace);
  const auto audit = auditPrecision(trace, index, Precision::Bf16);
  EXPECT_EQ(audit.evidence, PrecisionEvidence::InputTypes);
  ASSERT_EQ(audit.rows.size(), 2u);
  EXPECT_EQ(audit.rows[0].arithmetic, KernelArithmetic::Bf16);
  EXPECT_EQ(audit.rows[0].match, PrecisionMatch::AsAsked);
  EXPECT_EQ(audit.rows[1].match, PrecisionMatch::Wider);
  EXPECT_DOUBLE_EQ(audit.products_ms, 0.080);
  EXPECT_DOUBLE_EQ(audit.asAsked_ms, 0.060);
  EXPECT_EQ(audit.tensorCores_ms, 0);
  EXPECT_EQ(audit.sentence, "Asked for BF16: 75 % of the products' time ran in it; 0.0200 ms a step did not, most of it in aten::addmm (FP32, aten::addmm). "
                            "Told by the types of the operators' inputs, as no GPU was recorded. Layout conversions take 0 ms a step (0 % of it).");
  EXPECT_EQ(auditPrecision(trace, index, Precision::Tf32).rows[1].match, PrecisionMatch::AsAsked) << "a processor has FP32 for TF32";
}

TEST(PrecisionAudit, OfAProcessorWithoutTypes) {
  const Trace trace = TraceText().range("train_step", 0, 200).op("aten::mkldnn_convolution", 10, 60).read();
  const auto audit = auditPrecision(trace, KernelIndex(trace), Precision::Fp32);
  EXPECT_EQ(audit.evidence, PrecisionEvidence::Unknown);
  EXPECT_NE(audit.sentence.find("their precision is not judged"), std::string::npos) << audit.sentence;
}
