// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/operator_cost.h"
#include "core/analysis/priority.h"
#include "core/analysis/profile.h"
#include "core/analysis/roofline.h"
#include "tests/core/analysis/trace_text.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
OperatorCost cost(const std::string& name, const std::string& inputs) {
  const auto found = operatorCost(name, operatorInputs(inputs));
  EXPECT_TRUE(found) << name;
  return found.value_or(OperatorCost());
}
} // namespace

TEST(OperatorCost, ByHand) {
  // 64 → 32 channels, 3³, stride 2, padding 1: 8³ → 4³ outputs.
  const auto conv = cost("aten::cudnn_convolution", "2,64,8,8,8\tfloat\t\n32,64,3,3,3\tfloat\t\n\tScalarList\t[1, 1, "
                                                    "1]\n\tScalarList\t[2, 2, 2]\n\tScalarList\t[1, 1, 1]\n\tScalar\t1");
  EXPECT_DOUBLE_EQ(conv.flops, 2.0 * 2 * 32 * 64 * 64 * 27);
  EXPECT_DOUBLE_EQ(conv.bytes, 4.0 * (2 * 64 * 512 + 32 * 64 * 27 + 2 * 32 * 64));
  EXPECT_DOUBLE_EQ(conv.largest_bytes, 4.0 * 2 * 64 * 512);
  EXPECT_EQ(cost("aten::conv3d",
                 "2,64,8,8,8\tfloat\t\n32,64,3,3,3\tfloat\t\n32\tfloat\t\n\t\t[2, 2, 2]\n\t\t[1, 1, 1]\n\t\t[1, 1, 1]\n\t\t1")
                .flops,
            conv.flops);

  const std::string backward = "1,32,4,4,4\tc10::BFloat16\t\n1,64,4,4,4\tc10::BFloat16\t\n32,64,1,1,1\tc10::BFloat16\t\n\t\t[32]"
                               "\n\t\t[1]\n\t\t[0]\n\t\t[1]\n\t\tFalse\n\t\t[0]\n\t\t1\n\t\t";
  const double products = 2.0 * 32 * 64 * 64, gradient = 2.0 * 32 * 64, input = 2.0 * 64 * 64, weight = 2.0 * 32 * 64;
  EXPECT_DOUBLE_EQ(cost("aten::convolution_backward", backward + "[True, True, True]").flops, 2 * products);
  EXPECT_DOUBLE_EQ(cost("aten::convolution_backward", backward + "[False, True, False]").flops, products);
  EXPECT_DOUBLE_EQ(cost("aten::convolution_backward", backward + "[True, True, False]").bytes, 2 * (gradient + input + weight));

  EXPECT_DOUBLE_EQ(cost("aten::bmm", "3,5,7\tfloat\t\n3,7,11\tfloat\t").flops, 2.0 * 3 * 5 * 7 * 11);
  EXPECT_DOUBLE_EQ(cost("aten::addmm", "11\tfloat\t\n5,7\tfloat\t\n7,11\tfloat\t").flops, 2.0 * 5 * 7 * 11);
  EXPECT_DOUBLE_EQ(cost("aten::addmm_", "5,11\tfloat\t\n5,7\tfloat\t\n7,11\tfloat\t").bytes, 4.0 * (5 * 7 + 7 * 11 + 2 * 5 * 11)) << "the sum so far, too";
  EXPECT_DOUBLE_EQ(cost("aten::linear", "2,5,7\tfloat\t\n11,7\tfloat\t\n11\tfloat\t").flops, 2.0 * 2 * 5 * 7 * 11);
  EXPECT_DOUBLE_EQ(cost("aten::native_group_norm", "1,64,8\tc10::Half\t\n64\tfloat\t").bytes, 3.0 * 64 * 8 * 2);
  EXPECT_DOUBLE_EQ(cost("aten::native_group_norm_backward", "1,64,8\tfloat\t\n1,64,8\tfloat\t").bytes, 5.0 * 64 * 8 * 4);
  EXPECT_DOUBLE_EQ(cost("aten::add", "1,64,8\tfloat\t\n1,64,1\tfloat\t").bytes, 4.0 * (512 + 64 + 512));
  EXPECT_DOUBLE_EQ(cost("aten::cat", "1,64,8;1,32,8\tTensorList\t\n\tScalar\t1").bytes, 2 * 4.0 * (512 + 256));
  EXPECT_DOUBLE_EQ(cost("aten::upsample_trilinear3d", "1,2,4,4,4\tfloat\t\n\t\t[8, 8, 8]\n\t\tFalse").bytes, 4.0 * (128 + 1024));
  EXPECT_DOUBLE_EQ(
      cost("aten::upsample_trilinear3d_backward", "1,2,8,8,8\tfloat\t\n\t\t[8, 8, 8]\n\t\t[1, 2, 4, 4, 4]\n\t\tFalse").bytes,
      4.0 * (1024 + 128));
  EXPECT_DOUBLE_EQ(cost("aten::copy_", "1,8\tc10::Half\t\n1,8\tfloat\t").bytes, 8.0 * (2 + 4));
  EXPECT_DOUBLE_EQ(
      cost("aten::_scaled_dot_product_efficient_attention", "1,1,16,4\tfloat\t\n1,1,32,4\tfloat\t\n1,1,32,4\tfloat\t").flops,
      4.0 * 16 * 4 * 32);
}

TEST(OperatorCost, AttentionByHand) {
  // 512 queries, 128 keys, 3 heads of 64 in 16 bits; once with heads, once with positions outside.
  const std::string q = "1,3,512,64\tc10::BFloat16\t\n", k = "1,3,128,64\tc10::BFloat16\t\n";
  const std::string qFlash = "1,512,3,64\tc10::BFloat16\t\n", kFlash = "1,128,3,64\tc10::BFloat16\t\n";
  const double product = 2.0 * 3 * 512 * 128 * 64, qBytes = 2.0 * 3 * 512 * 64, kBytes = 2.0 * 3 * 128 * 64;
  for (const OperatorCost& forward : {cost("aten::_scaled_dot_product_flash_attention", q + k + k), cost("aten::_flash_attention_forward", qFlash + kFlash + kFlash)}) {
    EXPECT_DOUBLE_EQ(forward.flops, 2 * product);
    EXPECT_DOUBLE_EQ(forward.bytes, 2 * qBytes + 2 * kBytes);
  }
  // The output's gradient comes first; of five products one computes the scores again.
  for (const OperatorCost& backward : {cost("aten::_scaled_dot_product_flash_attention_backward", q + q + k + k + q),
                                       cost("aten::_flash_attention_backward", qFlash + qFlash + kFlash + kFlash + qFlash)}) {
    EXPECT_DOUBLE_EQ(backward.flops, 5 * product);
    EXPECT_DOUBLE_EQ(backward.bytes, 4 * qBytes + 4 * kBytes) << "dy, q, k, v and y in, dq, dk and dv out";
  }
  EXPECT_FALSE(operatorCost("aten::_flash_attention_forward", operatorInputs("512,3,64\tfloat\t\n128,3,64\tfloat\t\n128,3,64\tfloat\t"))) << "sequences of unknown lengths";
  EXPECT_FALSE(operatorCost("aten::_flash_attention_backward", operatorInputs("")));
}

TEST(OperatorCost, ListsAreOfTheSizeThatTheirKernelsCopy) {
  const auto inputs = operatorInputs("64,64;64,32\tTensorList\t\n\tScalar\t1");
  EXPECT_DOUBLE_EQ(operatorCost("aten::cat", inputs)->bytes, 2 * 64 * 96 * 4.0);
  EXPECT_DOUBLE_EQ(operatorCost("aten::cat", inputs, 2)->bytes, 2 * 64 * 96 * 2.0);
  TraceText text;
  text.range("train_step", 0, 1000).op("aten::cat", 1, 50, 1, R"("Input Dims":[[[64,64],[64,32]],[]],"Input type":["TensorList","Scalar"],"Concrete Inputs":["","1"])");
  text.kernel("void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::(anonymous namespace)::OpaqueType<2u>, unsigned int, 2>", 2, 10, 5);
  const Trace trace = text.read();
  const Roofline roof = roofline(trace, KernelIndex(trace), *devicePeaks("NVIDIA H200"));
  ASSERT_EQ(roof.points.size(), 1u);
  EXPECT_DOUBLE_EQ(roof.points[0].bytes, 2 * 64 * 96 * 2.0);
}

TEST(OperatorCost, VoxlabsOwnOperatorsByHand) {
  const std::string wide = "1,64,4,4,4\tc10::BFloat16\t\n";
  const auto conv = cost("voxlab::wide_convolution", wide + "32,64,3,3,3\tfloat\t");
  EXPECT_DOUBLE_EQ(conv.flops, 2.0 * 64 * 27 * 64 * 32);
  EXPECT_DOUBLE_EQ(conv.bytes, 64 * 64 * 2.0 + 32 * 64 * 27 * 4.0 + 64 * 32 * 2.0);
  EXPECT_DOUBLE_EQ(cost("voxlab::wide_convolution", "1,32,4,4,4\tc10::BFloat16\t\n32,64,3,3,3\tfloat\t").flops, conv.flops) << "its gradient";
  const auto weight = cost("voxlab::wide_weight_gradient", wide + "1,32,4,4,4\tc10::BFloat16\t");
  EXPECT_DOUBLE_EQ(weight.flops, conv.flops);
  EXPECT_DOUBLE_EQ(weight.bytes, 64 * 64 * 2.0 + 64 * 32 * 2.0 + 32 * 64 * 27 * 4.0);
  const auto first = cost("voxlab::narrow_to_wide", "1,3,4,4,4\tfloat\t\n3,64,3,3,3\tfloat\t\n\t\t\n\tScalar\tFalse\n\tScalar\t15");
  EXPECT_DOUBLE_EQ(first.flops, 2.0 * 64 * 27 * 3 * 64);
  EXPECT_DOUBLE_EQ(first.bytes, 64 * 3 * 4.0 + 3 * 64 * 27 * 4.0 + 64 * 64 * 2.0);
  EXPECT_DOUBLE_EQ(cost("voxlab::scale_shift", wide + "1,32,4,4,4\tc10::BFloat16\t").bytes, 2 * 64 * 96 * 2.0) << "two parts, read and written";
  EXPECT_DOUBLE_EQ(cost("voxlab::scale_shift_backward", wide + wide + "\t\t").bytes, 5 * 64 * 64 * 2.0);
  const std::string none = "\t\t\n";
  EXPECT_DOUBLE_EQ(cost("voxlab::scale_shift_backward", wide + wide + none + none + none + none + none + wide).bytes, 6 * 64 * 64 * 2.0) << "and a gradient that is added";
  EXPECT_DOUBLE_EQ(cost("voxlab::channel_moments", wide + none + none).bytes, 64 * 64 * 2.0);
  EXPECT_DOUBLE_EQ(cost("voxlab::channel_moments", wide + wide + none).bytes, 3 * 64 * 64 * 2.0) << "the sum is written";
  EXPECT_DOUBLE_EQ(cost("voxlab::channel_moments", wide + none + "64\tfloat\t\n").bytes, 2 * 64 * 64 * 2.0) << "so it is with a bias alone";
  // 64 channels from 64, and 64 + 32 more through a 1³ convolution, which come with an addend of the result's shape.
  const auto through = cost("voxlab::wide_convolution", wide + "64,64,3,3,3\tfloat\t\n64\tfloat\t\n" + wide + wide + "1,32,4,4,4\tc10::BFloat16\t\n64,96,1,1,1\tfloat\t\n");
  EXPECT_DOUBLE_EQ(through.flops, 2.0 * 64 * 64 * (27 * 64 + 96));
  EXPECT_DOUBLE_EQ(through.bytes, 2.0 * 64 * (64 + 64 + 64 + 64 + 32) + 4.0 * 64 * (27 * 64 + 96)) << "x, y, addend and what goes through; two weights";
  const auto coefficients = cost("voxlab::norm_coefficients", "1,8,129\tfloat\t\n1,4,65\tfloat\t\n1,96\tfloat\t\n\t\t\n96\tfloat\t\n96\tfloat\t\n\tScalar\t32");
  EXPECT_DOUBLE_EQ(coefficients.bytes, 4.0 * (8 * 129 + 4 * 65 + 96 + 96 + 96 + 4 * 96));
  EXPECT_DOUBLE_EQ(coefficients.flops, 4.0 * (8 * 129 + 4 * 65));
  const std::string state = "1,1,8,8,8\tfloat\t\n";
  EXPECT_DOUBLE_EQ(cost("voxlab::sampler_update_", state + state + none + none).bytes, 3 * 512 * 4.0) << "the state is read and written";
  EXPECT_DOUBLE_EQ(cost("voxlab::sampler_update_", state + state + state + state).bytes, 5 * 512 * 4.0);
  EXPECT_DOUBLE_EQ(cost("voxlab::upsample_2x", "1,64,4,4,4\tc10::BFloat16\t").bytes, 9 * 64 * 64 * 2.0);
  EXPECT_DOUBLE_EQ(cost("voxlab::upsample_2x_backward", "1,64,8,8,8\tc10::BFloat16\t").bytes, 9 * 64 * 64 * 2.0);
}

TEST(OperatorCost, UnknownIsNotZero) {
  EXPECT_FALSE(operatorCost("aten::something", operatorInputs("1,2\tfloat\t")));
  EXPECT_FALSE(operatorCost("aten::bmm", {}));
  EXPECT_FALSE(operatorCost("aten::bmm", operatorInputs("5\tfloat\t")));
  EXPECT_FALSE(operatorCost("aten::cudnn_convolution", operatorInputs("1,2\tfloat\t\n1\tfloat\t")));
  EXPECT_FALSE(operatorCost("aten::add", operatorInputs("\tScalar\t1\n\tScalar\t2")));
}

TEST(DevicePeaks, FoundByName) {
  EXPECT_EQ(devicePeaks("NVIDIA H200")->name, "NVIDIA H200");
  EXPECT_TRUE(devicePeaks("NVIDIA H200")->half.measured);
  EXPECT_FALSE(devicePeaks("NVIDIA H100 80GB HBM3")->half.measured);
  EXPECT_EQ(devicePeaks("Tesla V100-SXM2-32GB")->of(KernelArithmetic::Tf32).value, 0) << "no TF32 before Ampere";
  EXPECT_EQ(devicePeaks("Some GPU"), nullptr);
}

// Names as drivers give them, with the vendor's figures: FP32, TF32, 16 bits, memory.
TEST(DevicePeaks, EveryVariantHasItsOwnFigures) {
  struct Card {
    const char* driverName;
    double fp32, tf32, half, bandwidth; // TFLOP/s, GB/s
  };
  const Card kCards[] = {{"NVIDIA A100-PCIE-40GB", 19.5, 156, 312, 1555},
                         {"NVIDIA A100-SXM4-40GB", 19.5, 156, 312, 1555},
                         {"A100-SXM4-40GB", 19.5, 156, 312, 1555},
                         {"NVIDIA A100 80GB PCIe", 19.5, 156, 312, 1935},
                         {"NVIDIA A100-SXM4-80GB", 19.5, 156, 312, 2039},
                         {"NVIDIA A40", 37.4, 74.8, 149.7, 696},
                         {"NVIDIA A30", 10.3, 82, 165, 933},
                         {"NVIDIA A10", 31.2, 62.5, 125, 600},
                         {"NVIDIA H100 80GB HBM3", 67, 494.5, 989, 3350},
                         {"NVIDIA H100 PCIe", 51, 378, 756, 2000},
                         {"NVIDIA H100 NVL", 60, 417.5, 835.5, 3900},
                         {"NVIDIA H200 NVL", 60, 417.5, 835.5, 4800},
                         {"NVIDIA L40S", 91.6, 183, 362.05, 864},
                         {"NVIDIA L40", 90.5, 90.5, 181.05, 864},
                         {"NVIDIA L4", 30.3, 60, 121, 300},
                         {"Tesla V100-PCIE-16GB", 14, 0, 112, 900},
                         {"Tesla V100-PCIE-32GB", 14, 0, 112, 900},
                         {"Tesla V100-SXM2-16GB", 15.7, 0, 125, 900},
                         {"Tesla V100-SXM2-32GB", 15.7, 0, 125, 900},
                         {"Tesla V100S-PCIE-32GB", 16.4, 0, 130, 1134},
                         {"Tesla T4", 8.1, 0, 65, 320},
                         {"NVIDIA RTX A6000", 38.7, 77.4, 154.8, 768},
                         {"NVIDIA RTX 6000 Ada Generation", 91.1, 182.1, 364.2, 960},
                         {"NVIDIA GeForce RTX 3090", 35.6, 35.6, 71, 936},
                         {"GeForce RTX 3090", 35.6, 35.6, 71, 936},
                         {"NVIDIA GeForce RTX 3090 Ti", 40, 40, 80, 1008},
                         {"NVIDIA GeForce RTX 4080", 48.7, 48.7, 97.5, 716.8},
                         {"NVIDIA GeForce RTX 4090", 82.6, 82.6, 165.2, 1008},
                         {"NVIDIA GeForce RTX 5080", 56.3, 56.3, 112.6, 960},
                         {"NVIDIA GeForce RTX 5090", 104.8, 104.8, 209.5, 1792}};
  for (const Card& card : kCards) {
    const DevicePeaks* peaks = devicePeaks(card.driverName);
    ASSERT_TRUE(peaks) << card.driverName;
    EXPECT_NEAR(peaks->fp32.value / 1e12, card.fp32, 1e-9) << card.driverName;
    EXPECT_NEAR(peaks->tf32.value / 1e12, card.tf32, 1e-9) << card.driverName;
    EXPECT_NEAR(peaks->half.value / 1e12, card.half, 1e-9) << card.driverName;
    EXPECT_NEAR(peaks->bandwidth.value / 1e9, card.bandwidth, 1e-6) << card.driverName;
  }
}

// Names that go on, or leave open which variant it is: no ceilings are better than another card's.
TEST(DevicePeaks, OthersAreNotTakenForACardOfTheTable) {
  for (const char* name : {"", "NVIDIA", "NVIDIA A100", "NVIDIA A100-SXM4-40GB MIG 1g.5gb", "NVIDIA A10G", "NVIDIA A100X", "NVIDIA H100", "NVIDIA H100 64GB", "NVIDIA L40G", "Tesla V100", "Tesla V100-DGXS-32GB",
                           "NVIDIA T400", "NVIDIA GeForce RTX 4090 D", "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 3090|", "NVIDIA RTX A6000 Laptop GPU"})
    EXPECT_EQ(devicePeaks(name), nullptr) << name;
}

TEST(Roofline, PointsByHand) {
  TraceText text;
  text.range("train_step", 0, 10000);
  text.op("aten::silu", 0, 50, 1, R"("Input Dims":[[1000000]],"Input type":["float"],"Concrete Inputs":[""])")
      .kernel("silu_elementwise_kernel", 1, 10, 4);
  text.op("aten::silu", 60, 50, 1, R"("Input Dims":[[1000000]],"Input type":["float"],"Concrete Inputs":[""])")
      .kernel("silu_elementwise_kernel", 61, 70, 6);
  text.op("aten::unheard_of", 120, 20, 1, R"("Input Dims":[[10]],"Input type":["float"],"Concrete Inputs":[""])")
      .kernel("odd", 121, 130, 10);
  const Trace trace = text.read();
  const Roofline roof = roofline(trace, KernelIndex(trace), *devicePeaks("NVIDIA H200"));
  ASSERT_EQ(roof.points.size(), 1u);
  const RooflinePoint& point = roof.points[0];
  EXPECT_EQ(point.calls, 2u);
  EXPECT_DOUBLE_EQ(point.time_ms, 0.010);
  EXPECT_DOUBLE_EQ(point.bytes, 2 * 8e6);
  EXPECT_EQ(point.bound, RooflineBound::Memory);
  EXPECT_DOUBLE_EQ(point.bound_ms, 16e6 / 4.3e12 * 1e3);
  EXPECT_DOUBLE_EQ(point.bytesPerSecond(), 1.6e12);
  EXPECT_EQ(point.shapes, "1000000");
  EXPECT_DOUBLE_EQ(roof.attributed_ms, 0.010);
  EXPECT_DOUBLE_EQ(roof.total_ms, 0.020);
}

// The whole network's arithmetic: forward and backward of the plan (three products), plus attention computed again.
TEST(Roofline, RecordedTraceHasThePlansArithmetic) {
  const Trace trace = readTrace(recorded("trace_opt1_128.json.gz")).value();
  const Roofline roof = roofline(trace, KernelIndex(trace), *devicePeaks("NVIDIA H200"));
  double products = 0;
  for (const auto& point : roof.points)
    if (point.arithmetic != KernelArithmetic::Unknown)
      products += point.flops;
  const auto plan = planNetwork({}, {128, 128, 128}, 1).value();
  EXPECT_NEAR(products, plan.flops(StepKind::Train), 0.005 * products);
  EXPECT_GT(roof.attributed_ms, 0.99 * roof.total_ms);
}

// Operators whose parts have kernels of their own have a point for each; together they have the operator's arithmetic and traffic.
TEST(Roofline, PartsOfAnOperatorHaveTheirOwnPoints) {
  TraceText text;
  text.range("train_step", 0, 10000);
  text.op("aten::native_group_norm", 0, 50, 1, R"("Input Dims":[[1,64,1000],[64]],"Input type":["float","float"],"Concrete Inputs":["",""])")
      .kernel("RowwiseMomentsCUDAKernel<float>", 1, 10, 8)
      .kernel("ComputeFusedParamsCUDAKernel<float>", 2, 20, 1)
      .kernel("elementwise_kernel<GroupNormKernelImplInternal<float>>", 3, 30, 4);
  text.op("aten::native_group_norm", 60, 50, 1, R"("Input Dims":[[1,32,1000],[32]],"Input type":["float","float"],"Concrete Inputs":["",""])")
      .kernel("triton_group_norm_fused", 61, 70, 2);
  const Trace trace = text.read();
  const KernelIndex index(trace);
  const DevicePeaks& h200 = *devicePeaks("NVIDIA H200");
  const Roofline roof = roofline(trace, index, h200);
  ASSERT_EQ(roof.points.size(), 3u);
  const RooflinePoint &statistics = roof.points[0], &apply = roof.points[1], &fused = roof.points[2];
  EXPECT_EQ(statistics.title(), "aten::native_group_norm, statistics pass");
  EXPECT_DOUBLE_EQ(statistics.time_ms, 0.008);
  EXPECT_DOUBLE_EQ(statistics.bytes, 64 * 1000 * 4.0) << "reads its input";
  EXPECT_EQ(apply.title(), "aten::native_group_norm, apply pass");
  EXPECT_DOUBLE_EQ(apply.time_ms, 0.004);
  EXPECT_DOUBLE_EQ(apply.bytes, 2 * 64 * 1000 * 4.0) << "reads it again and writes as much";
  EXPECT_DOUBLE_EQ(apply.bytesPerSecond(), 512e3 / 4e-6);
  EXPECT_EQ(fused.title(), "aten::native_group_norm") << "one kernel does all of it";
  EXPECT_DOUBLE_EQ(fused.bytes, 3 * 32 * 1000 * 4.0);
  EXPECT_DOUBLE_EQ(roof.attributed_ms, 0.015) << "with the coefficients";

  const OperatorBounds bounds(trace, index, h200);
  ASSERT_EQ(bounds.roofline().points.size(), 3u);
  const auto timeOf = [&](std::size_t event) {
    const RooflinePoint* point = bounds.of(trace, trace.gpu[event], index.of(trace.gpu[event]).part);
    return point ? point->time_ms : 0;
  };
  EXPECT_DOUBLE_EQ(timeOf(0), 0.008);
  EXPECT_EQ(timeOf(1), 0) << "coefficients are no part of the cost";
  EXPECT_DOUBLE_EQ(timeOf(2), 0.004);
  EXPECT_DOUBLE_EQ(timeOf(3), 0.002);

  EventFilter filter;
  filter.text = "RowwiseMoments";
  const Roofline chosen = roofline(trace, index, h200, filter);
  ASSERT_EQ(chosen.points.size(), 1u);
  EXPECT_EQ(chosen.points[0].part, WorkPart::Statistics);
}

// Forward as backward: 64 → 64 channels, 3³, at 16³ are 2 × 64 × 64 × 27 × 4096 = 905.97 MFLOP. The product takes 40 µs, 22.6 TFLOP/s; with the
// conversions around it, 8 and 9 µs, it would be 57 µs and 15.9 TFLOP/s. A copy that only converts has its own traffic to be held against.
TEST(Roofline, ConversionsWithinAnOperatorAreNotItsWork) {
  TraceText text;
  text.range("train_step", 0, 10000);
  text.op("aten::cudnn_convolution", 0, 50, 1, R"("Input Dims":[[1,64,16,16,16],[64,64,3,3,3],[],[],[],[]],"Input type":["float","float","","","",""],"Concrete Inputs":["","","[1, 1, 1]","[1, 1, 1]","[1, 1, 1]","1"])")
      .kernel("nchwToNhwcKernel<float>", 1, 10, 8)
      .kernel("sm90_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize64x64x32_x", 4, 20, 40)
      .kernel("nhwcToNchwKernel<float>", 6, 70, 9);
  const Trace trace = text.read();
  const Roofline roof = roofline(trace, KernelIndex(trace), *devicePeaks("NVIDIA H200"));
  ASSERT_EQ(roof.points.size(), 1u);
  EXPECT_DOUBLE_EQ(roof.points[0].time_ms, 0.040);
  EXPECT_NEAR(roof.points[0].flopsPerSecond(), 2.0 * 64 * 64 * 27 * 4096 / 40e-6, 1e6);
  EXPECT_DOUBLE_EQ(roof.attributed_ms, 0.057);
  EXPECT_DOUBLE_EQ(roof.total_ms, 0.057);
}

// opt1's forward convolutions of 64 → 64 channels at 128³, five a step: 5 × 2 × 64 × 64 × 27 × 128³ = 2.319 TFLOP. Their kernels take 13.0 ms,
// 178 TFLOP/s; with the conversions launched within the operator it was 14.63 ms and 159.
TEST(Roofline, ForwardConvolutionsOfTheExampleByTheirKernelsAlone) {
  const auto profile = loadProfile(profileSourcesOf(RunDirectory(sourceFolder() / "resources" / "examples" / "opt1")).front());
  ASSERT_TRUE(profile) << profile.error().message;
  const auto& points = (*profile)->bounds->roofline().points;
  const auto widest = std::find_if(points.begin(), points.end(), [](const RooflinePoint& p) {
    return p.category == KernelCategory::ConvolutionForward && std::abs(p.flops - 5 * 2.0 * 64 * 64 * 27 * 128 * 128 * 128) < 1e6;
  });
  ASSERT_NE(widest, points.end());
  EXPECT_NEAR(widest->time_ms, 13.0, 0.1);
  EXPECT_NEAR(widest->flopsPerSecond() / 1e12, 178, 1.5);
}

// 1.65 GFLOP in 2 µs are 825 TFLOP/s: 104 % of the 790 that a matrix product of an H200 measured, 83 % of the 989 that its vendor states.
// 12 MB in 2 µs are 6 TB/s, which its memory (4.3 TB/s measured) does not give.
TEST(Roofline, FasterThanTheCeilingIsSaidInWords) {
  const DevicePeaks& h200 = *devicePeaks("NVIDIA H200");
  EXPECT_EQ(h200.half.value, 790e12);
  EXPECT_EQ(h200.half.vendor, 989e12);
  EXPECT_EQ(h200.half.vendor, devicePeaks("NVIDIA H100 80GB HBM3")->half.vendor) << "one chip";
  RooflinePoint product;
  product.arithmetic = KernelArithmetic::Bf16;
  product.time_ms = 2e-3;
  product.flops = 1.65e9;
  setBound(product, h200);
  EXPECT_NEAR(product.ofBound(), 825.0 / 790, 1e-9);
  EXPECT_EQ(aboveCeilingWords(product, h200), " That is faster than the measured ceiling, a large matrix product; the vendor states 989 TFLOP/s.");
  RooflinePoint copy;
  copy.time_ms = 2e-3;
  copy.bytes = 12e6;
  setBound(copy, h200);
  EXPECT_NEAR(copy.ofBound(), 6 / 4.3, 1e-9);
  EXPECT_EQ(aboveCeilingWords(copy, h200), " That is more than memory gives: part of it is served from caches.");
  copy.time_ms = 4e-3; // 3 TB/s
  EXPECT_EQ(aboveCeilingWords(copy, h200), "");
}

// Own weight gradients in 16 bits beat the measured ceiling; what beats it has nothing left to save, never less than nothing.
TEST(Roofline, NothingIsSavedBelowZero) {
  const auto profile = loadProfile(profileSourcesOf(RunDirectory(sourceFolder() / "resources" / "examples" / "fused_bf16")).front());
  ASSERT_TRUE(profile) << profile.error().message;
  const auto& p = **profile;
  const auto& points = p.bounds->roofline().points;
  EXPECT_TRUE(std::any_of(points.begin(), points.end(), [](const RooflinePoint& point) { return point.ofBound() > 1; }));
  for (const auto& item : rankPriorities(p.trace, p.index, &*p.bounds, nullptr))
    EXPECT_TRUE(item.saving >= 0 && item.saving <= 1) << item.title;
}

TEST(OperatorCost, PartsAddUp) {
  const std::string two = "1,64,8,8,8\tfloat\t\n1,64,8,8,8\tfloat\t\n";
  const std::string backward = "1,32,4,4,4\tfloat\t\n1,64,4,4,4\tfloat\t\n32,64,1,1,1\tfloat\t\n\t\t";
  const std::string added = two + "\t\t\n64,4\tfloat\t\n64\tfloat\t\n\tScalar\t8\n\tScalar\tTrue\n1,64,8,8,8\tfloat\t\n\t\t";
  for (const OperatorCost& whole : {cost("aten::convolution_backward", backward + "[True, True, True]"), cost("aten::native_group_norm", two),
                                    cost("aten::native_group_norm_backward", two), cost("voxlab::scale_shift_backward", added)}) {
    ASSERT_EQ(whole.parts.size(), 2u);
    EXPECT_DOUBLE_EQ(whole.parts[0].bytes + whole.parts[1].bytes, whole.bytes);
    EXPECT_DOUBLE_EQ(whole.parts[0].flops + whole.parts[1].flops, whole.flops);
  }
  const double x = 64 * 512 * 4.0;
  EXPECT_DOUBLE_EQ(cost("voxlab::scale_shift_backward", added).parts[1].bytes, 4 * x) << "x, dy and what is added are read, dx is written";
  EXPECT_TRUE(cost("aten::convolution_backward", backward + "[False, True, False]").parts.empty());
  EXPECT_TRUE(cost("aten::silu", two).parts.empty());
}

TEST(Roofline, BoundOfAStep) {
  const auto plan = planNetwork({}, {128, 128, 128}, 1).value();
  ModeSwitches mode;
  const DevicePeaks& h200 = *devicePeaks("NVIDIA H200");
  mode.precision = Precision::Bf16;
  EXPECT_NEAR(*boundTime_ms(plan, StepKind::Sample, mode, h200), 9, 1); // PERFORMANCE's limits: 9 and 27 ms
  EXPECT_NEAR(*boundTime_ms(plan, StepKind::Train, mode, h200), 27, 2);
  mode.precision = Precision::Tf32;
  EXPECT_NEAR(*boundTime_ms(plan, StepKind::Sample, mode, h200), 16, 1); // 16 and 50 ms
  EXPECT_NEAR(*boundTime_ms(plan, StepKind::Train, mode, h200), 50, 2);
  EXPECT_EQ(boundTime_ms(plan, StepKind::Train, mode, *devicePeaks("Tesla V100-SXM2-16GB")), std::nullopt);
}

TEST(OperatorCost, OptimisersOverListsByHand) {
  const std::string all = "1000\tTensorList\t\n", list = "\tTensorList\t\n", number = "\tScalar\t2";
  EXPECT_DOUBLE_EQ(cost("aten::_foreach_mul_", all + number).bytes, 2 * 4000) << "read and written";
  EXPECT_DOUBLE_EQ(cost("aten::_amp_foreach_non_finite_check_and_unscale_", all + "\tfloat\t\n\tfloat\t").bytes, 2 * 4000);
  EXPECT_DOUBLE_EQ(cost("aten::_foreach_div", all + list + number).bytes, 3 * 4000);
  EXPECT_DOUBLE_EQ(cost("aten::_foreach_addcmul_", all + list + list + number).bytes, 4 * 4000);
  EXPECT_DOUBLE_EQ(cost("aten::_foreach_norm", all + number).bytes, 4000);
  EXPECT_DOUBLE_EQ(cost("aten::_foreach_zero_", all).bytes, 4000);
  EXPECT_DOUBLE_EQ(cost("aten::_foreach_copy_", all + list).bytes, 2 * 4000);
  // Weights, gradients, two moments read; all but the gradients written. Own: the gradients once more for their norm, the average if there is one.
  EXPECT_DOUBLE_EQ(cost("aten::_fused_adam_", all + list + list + list + list + list).bytes, 7 * 4000);
  const std::string adam = all + list + list + list + list + "7\tfloat\t\n" + number + "\n" + number + "\n" + number + "\n" + number + "\n\tScalar\tFalse\n";
  EXPECT_DOUBLE_EQ(cost("voxlab::optimiser_step_", adam + "\tScalar\t0").bytes, 8 * 4000);
  EXPECT_DOUBLE_EQ(cost("voxlab::optimiser_step_", adam + "\tScalar\t1").bytes, 9 * 4000);
  EXPECT_DOUBLE_EQ(cost("voxlab::optimiser_step_", adam + "\tScalar\t2").bytes, 10 * 4000);
  EXPECT_FALSE(operatorCost("aten::_foreach_mul_", operatorInputs(list + number))) << "nobody said how many";
  EXPECT_FALSE(operatorCost("aten::_fused_adam_", operatorInputs(list)));
}

// A range that says how many parameters its lists hold fills them in, in nested operators too, and nowhere else.
TEST(Roofline, ListsOfAnOptimiserAreOfAllParameters) {
  const std::string lists = R"("Input Dims":[[],[],[]],"Input type":["TensorList","TensorList","Scalar"],"Concrete Inputs":["","","2"])";
  TraceText text;
  text.range("train_step", 0, 1000).host("user_annotation", "optimizer", 1, 10, 500, R"("Input Dims":[[]],"Input type":["Scalar"],"Concrete Inputs":["1000000"])");
  text.op("aten::_foreach_lerp_", 20, 50, 1, lists).kernel("multi_tensor_apply_kernel<lerp>", 21, 30, 8);
  text.op("aten::stack", 80, 50, 1, R"("Input Dims":[[],[]],"Input type":["TensorList","Scalar"],"Concrete Inputs":["","0"])").kernel("CatArrayBatchedCopy<OpaqueType<4u>>", 81, 90, 8);
  text.op("aten::_foreach_lerp_", 600, 50, 1, lists).kernel("multi_tensor_apply_kernel<lerp>", 601, 610, 8);
  const Trace trace = text.read();
  const Roofline roof = roofline(trace, KernelIndex(trace), *devicePeaks("NVIDIA H200"));
  ASSERT_EQ(roof.points.size(), 1u);
  EXPECT_EQ(roof.points[0].calls, 1u);
  EXPECT_EQ(roof.points[0].shapes, "1000000");
  EXPECT_DOUBLE_EQ(roof.points[0].time_ms, 0.008);
  EXPECT_DOUBLE_EQ(roof.points[0].bytes, 3 * 4e6) << "both lists are read, the first is written";
  EXPECT_DOUBLE_EQ(roof.points[0].flops, 3e6);
}

// Three calls of a product of 1024³, each in a kernel of 100 µs. A range takes all of the second and a quarter of the third: 1.25 calls in 125 µs,
// the same rate as that of a whole call. The kernel table counts the same time.
TEST(Roofline, ATimeRangeCutsACallWithItsCost) {
  TraceText text;
  text.range("train_step", 0, 10000);
  for (int call = 0; call < 3; ++call)
    text.op("aten::mm", 100 + 20 * call, 10, 1, R"("Input Dims":[[1024,1024],[1024,1024]],"Input type":["float","float"],"Concrete Inputs":["",""])").kernel("sgemm", 101 + 20 * call, 1000 + 100 * call, 100);
  const Trace trace = text.read();
  const KernelIndex index(trace);
  EventFilter range;
  range.time_ns = {trace.gpu[1].start_ns, trace.gpu[2].start_ns + 25'000};
  const Roofline roof = roofline(trace, index, *devicePeaks("NVIDIA H200"), range);
  ASSERT_EQ(roof.points.size(), 1u);
  const double product = 2.0 * 1024 * 1024 * 1024;
  EXPECT_NEAR(roof.points[0].time_ms, 0.125, 1e-9);
  EXPECT_NEAR(roof.points[0].flops, 1.25 * product, 1);
  EXPECT_NEAR(roof.points[0].flopsPerSecond(), product / 100e-6, 1e6);
  EXPECT_NEAR(roof.total_ms, 0.125, 1e-9);
  EXPECT_NEAR(kernelRows(trace, index, KernelGrouping::Kernel, range)[0].total_ms, roof.total_ms, 1e-9);
}

// Backward by input in 100 µs and by weight in 50 µs: a range of the first alone has the whole of its cost and nothing of the other's.
TEST(Roofline, APartOutsideTheTimeRangeIsNotCounted) {
  TraceText text;
  text.range("train_step", 0, 10000).op("aten::convolution_backward", 1, 100, 1, R"("Input Dims":[[1,32,16,16,16],[1,64,16,16,16],[32,64,3,3,3]],"Input type":["float","float","float"],"Concrete Inputs":["","","","[32]","[1, 1, 1]","[1, 1, 1]","[1, 1, 1]","False","[0, 0, 0]","1","[True, True, False]"])");
  text.kernel("sm80_xmma_dgrad_implicit_gemm_f32f32_f32f32_f32_tilesize64x64x8_cudnn", 2, 1000, 100).kernel("sm80_xmma_wgrad_implicit_gemm_f32f32_f32f32_f32_tilesize64x64x8_cudnn", 5, 1100, 50);
  const Trace trace = text.read();
  const KernelIndex index(trace);
  const DevicePeaks& h200 = *devicePeaks("NVIDIA H200");
  const Roofline all = roofline(trace, index, h200);
  ASSERT_EQ(all.points.size(), 2u);
  EventFilter range;
  range.time_ns = {trace.gpu[0].start_ns, trace.gpu[0].end_ns()};
  const Roofline part = roofline(trace, index, h200, range);
  ASSERT_EQ(part.points.size(), 1u);
  EXPECT_EQ(part.points[0].part, WorkPart::DataGradient);
  EXPECT_DOUBLE_EQ(part.points[0].flops, all.points[0].flops);
  EXPECT_DOUBLE_EQ(part.points[0].time_ms, 0.1);
}
