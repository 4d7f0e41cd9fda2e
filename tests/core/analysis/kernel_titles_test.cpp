// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/kernel_table.h"
#include "core/analysis/kernel_titles.h"
#include "core/analysis/priority.h"
#include "tests/core/analysis/trace_text.h"
#include <gmock/gmock.h>
#include <set>

using namespace voxlab;
using testing::ElementsAre;

namespace {
std::vector<std::string> titles(const std::vector<NamedKernel>& kernels) { return kernelTitles(kernels); }
} // namespace

TEST(KernelTitles, AreShortNamesWhereThoseDiffer) {
  EXPECT_THAT(titles({{"void a<float>(int)", "a fp32"}, {"void b<float>(int)", "b fp32"}}), ElementsAre("a fp32", "b fp32"));
  EXPECT_THAT(titles({{"void a<float>(int)", "a fp32"}, {"void a<float>(int)", "a fp32"}}), ElementsAre("a fp32", "a fp32")) << "the same kernel twice";
}

TEST(KernelTitles, SayWhatDiffers) {
  EXPECT_THAT(titles({{"void cunn_SoftMaxForward<4, float>(float*)", "softmax fp32"},
                      {"void softmax_warp_forward<float, 8, false>(float*)", "softmax fp32"},
                      {"void softmax_warp_forward<float, 10, false>(float*)", "softmax fp32"}}),
              ElementsAre("softmax fp32 · block forward", "softmax fp32 · warp 8", "softmax fp32 · warp 10"));
  EXPECT_THAT(titles({{"void k<2, 1>()", "k"}, {"void k<2, 2>()", "k"}, {"void k<4, 1>()", "k"}}), ElementsAre("k · 2 1", "k · 2 2", "k · 4 1")) << "two words together";
}

TEST(KernelTitles, OfLongFunctionNamesThePartsThatDiffer) {
  EXPECT_THAT(titles({{"sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x256x8_stage3_warpsize1x4x1_ffma_aligna4_alignc4_execute_kernel__5x_cublas", "xmma gemm FP32 64x256x8"},
                      {"sm80_xmma_gemm_f32f32_f32f32_f32_nt_n_tilesize64x256x8_stage3_warpsize1x4x1_ffma_aligna4_alignc4_execute_kernel__5x_cublas", "xmma gemm FP32 64x256x8"}}),
              ElementsAre("xmma gemm FP32 64x256x8 · nn", "xmma gemm FP32 64x256x8 · nt"));
}

TEST(KernelTitles, OfProductsAndAttentionSayWhatTheLibrariesNamesMean) {
  const auto nvjet = [](const char* rest) { return NamedKernel{std::string("nvjet_sm90_tst_64x24_64x16_") + rest, "nvjet"}; };
  EXPECT_THAT(titles({nvjet("2x4_h_bz_TNT"), nvjet("2x4_h_bz_NNT"), nvjet("2x4_h_bz_bias_TNT"), nvjet("2x4_h_badd_TNT")}), ElementsAre("nvjet · TNT", "nvjet · NNT", "nvjet · TNT bias", "nvjet · TNT adds"));
  EXPECT_THAT(titles({nvjet("2x1_v_bz_splitK_NTN"), nvjet("2x2_h_bz_splitK_NTN"), nvjet("4x2_h_bz_NTN")}), ElementsAre("nvjet · 2x1", "nvjet · 2x2", "nvjet · 4x2"));
  const auto gemvx = [](const char* flags) { return NamedKernel{std::string("std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float, float, float, float, ") + flags + ", cublasGemvParamsEx<int, cublasGemvTensorStridedBatched<float const>, float> >(cublasGemvParamsEx<int>)", "gemv"}; };
  EXPECT_THAT(titles({gemvx("false, true, false, false, 6, false"), gemvx("false, true, false, false, 7, false")}), ElementsAre("gemv · tile 6", "gemv · tile 7"));
  EXPECT_THAT(titles({gemvx("false, true, false, false, 7, false"), gemvx("false, true, true, false, 7, false")}), ElementsAre("gemv · variant 8", "gemv · variant 12"));
  EXPECT_THAT(titles({{"void gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 2, 2, false, true, cublasGemvParamsEx<int> >(int)", "gemv"},
                      {"void gemvNSP_kernel<float, float, float, float, 1, 16, 4, 1024, false, cublasGemvParamsEx<int> >(int)", "gemv"},
                      gemvx("false, true, true, false, 7, false")}),
              ElementsAre("gemv · gemv2T", "gemv · gemvNSP", "gemv · gemvx"));
  const auto flash = [](const char* traits, const char* flags) { return NamedKernel{std::string("void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<") + traits + ", 4, false, false, cutlass::bfloat16_t, Flash_kernel_traits<1> >, " + flags + ">(pytorch_flash::Flash_fwd_params)", "flash"}; };
  EXPECT_THAT(titles({flash("192, 64, 64", "false, false, false, false, true, true, false, false"), flash("256, 64, 64", "false, false, false, false, true, true, false, false")}), ElementsAre("flash · head 192", "flash · head 256"));
  EXPECT_THAT(titles({flash("64, 128, 128", "false, false, false, false, true, true, false, false"), flash("64, 128, 128", "false, true, false, false, true, true, false, false")}), ElementsAre("flash", "flash · causal"));
  EXPECT_THAT(titles({{"void flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<192, 64, 64, 4, bool>, 8, 2, true>(int)", "c"}, {"void flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<256, 64, 64, 4, bool>, 4, 3, true>(int)", "c"}}), ElementsAre("c · head 192", "c · head 256"));
  EXPECT_THAT(titles({{"void cublasLt::splitKreduce_kernel<32, 16, int, float, __nv_bfloat16, float, __nv_bfloat16, false, __nv_bfloat16, __nv_bfloat16>(int)", "r"}, {"void cublasLt::splitKreduce_kernel<32, 16, int, float, __nv_bfloat16, float, __nv_bfloat16, false, float, __nv_bfloat16>(int)", "r"}}), ElementsAre("r · to bf16", "r · to fp32"));
  EXPECT_THAT(titles({{"void CatArrayBatchedCopy_vectorized<OpaqueType<2u>, unsigned int, 2, 128, 1, 16, 8>(char*)", "cat"}, {"void CatArrayBatchedCopy_vectorized<OpaqueType<2u>, unsigned int, 3, 128, 1, 16, 8>(char*)", "cat"}, {"void CatArrayBatchedCopy<OpaqueType<4u>, unsigned int, 3, 64, 64>(char*)", "cat"}}),
              ElementsAre("cat · vector 2-D", "cat · vector 3-D", "cat"));
  for (const char* odd : {"nvjet_", "gemv", "flash_fwd_kernel_traits<", "CatArrayBatchedCopy<<<<", "splitKreduce_kernel<a,b", "gemv>>>(", "flash_bwd_kernel_traits<1,2,3"})
    EXPECT_EQ(titles({{odd, "odd"}, {std::string(odd) + "x", "odd"}}).size(), 2u);
}

TEST(KernelTitles, AreNumberedWhereNothingShortDiffers) {
  const std::vector<NamedKernel> kernels{{"void k<thisIsLongerThanATitleBears>()", "k"}, {"void k<thisToo, isWhatItIs, andMore>()", "k"}};
  const auto some = titles(kernels), others = titles({kernels.rbegin(), kernels.rend()});
  EXPECT_THAT(some, testing::UnorderedElementsAre("k #1", "k #2"));
  EXPECT_EQ(some[0], others[1]) << "a kernel keeps its title, whatever the order";
}

TEST(KernelTitles, SayInAFewLettersHowVariantsDiffer) {
  const std::string dgrad = "sm90_xmma_dgrad_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize256x64x32_warpgroupsize1x1x1_g1_execute_segment_k_off_kernel__5x_cudnn";
  const std::string strided = "sm90_xmma_dgrad_implicit_gemm_indexed_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize256x64x32_warpgroupsize1x1x1_g1_strided_execute_kernel__5x_cudnn";
  EXPECT_THAT(titles({{dgrad, "d"}, {strided, "d"}}), ElementsAre("d · seg. k off", "d · strided"));
  EXPECT_THAT(titles({{"void nchwToNhwcKernel<float, float, float, false, true, (cudnnKernelDataType_t)0>(p<float>)", "NCHW → NHWC"},
                      {"void nchwToNhwcKernel<float, float, float, false, true, (cudnnKernelDataType_t)2>(p<float>)", "NCHW → NHWC"}}),
              ElementsAre("NCHW → NHWC · cuDNN type 0", "NCHW → NHWC · cuDNN type 2"));
  EXPECT_THAT(titles({{"void voxlab::narrowTimesWideKernel<voxlab::BFloat16, 11>(voxlab::NarrowTimesWide)", "narrow"}, {"void voxlab::narrowTimesWideKernel<voxlab::BFloat16, 4>(voxlab::NarrowTimesWide)", "narrow"}}),
              ElementsAre("narrow · 11 columns", "narrow · 4 columns"));
  EXPECT_THAT(titles({{"void k<Impl()::{lambda(float, float)#1}>(int)", "k"}, {"void k<Impl()::{lambda(float, float, float, float, float)#1}>(int)", "k"}}), ElementsAre("k · 2 operands", "k · 5 operands"));
  EXPECT_THAT(titles({{"void at::native::elementwise_kernel<128, Add>()", "add"}, {"void at::native::vectorized_elementwise_kernel<4, Add>()", "add"}}), ElementsAre("add · strided", "add · vector"));
}

TEST(KernelTitles, AddNoMoreThanSixteenLettersInTheRecordings) {
  for (const char* file : {"trace_baseline_128.json.gz", "trace_opt1_128.json.gz"}) {
    const Trace trace = readTrace(recorded(file)).value();
    const KernelIndex index(trace);
    for (const auto& event : trace.gpu) {
      const KernelInfo& info = index.of(event);
      ASSERT_LE(info.title.size(), info.shortName.size() + std::string(" · ").size() + 16) << info.title;
    }
  }
}

TEST(KernelTitles, LaunchShapesAreToldApart) {
  LaunchGeometry a, b, c;
  a.grid[0] = 8, a.grid[1] = a.grid[2] = 1, a.registersPerThread = 32;
  b = c = a;
  b.grid[0] = 128;
  c.registersPerThread = 40;
  EXPECT_THAT(shapeDifferences(std::vector{a, b}), ElementsAre("grid 8×1×1", "grid 128×1×1"));
  EXPECT_THAT(shapeDifferences(std::vector{a, b, c}), ElementsAre("grid 8×1×1, 32 registers", "grid 128×1×1, 32 registers", "grid 8×1×1, 40 registers"));
  EXPECT_THAT(shapeDifferences(std::vector{a}), ElementsAre(""));
}

// No two rows of the recordings have one title, in no list of kernels.
TEST(KernelTitles, AreUniqueInTheRecordings) {
  for (const char* file : {"trace_baseline_128.json.gz", "trace_opt1_128.json.gz"}) {
    SCOPED_TRACE(file);
    const Trace trace = readTrace(recorded(file)).value();
    const KernelIndex index(trace);
    for (const KernelGrouping grouping : {KernelGrouping::Kernel, KernelGrouping::Launch}) {
      std::set<std::string> seen;
      for (const auto& row : kernelRows(trace, index, grouping))
        EXPECT_TRUE(seen.insert(row.title).second) << row.title << ": " << row.key.substr(0, 200);
    }
    std::set<std::string> seen;
    for (const auto& item : rankPriorities(trace, index, nullptr, nullptr))
      EXPECT_TRUE(seen.insert(item.title).second) << item.title;
  }
  std::set<std::string> seen;
  for (const auto& item : rankPriorities(readNcuReport({recorded("ncu_raw_opt1_128.csv.gz")}).value()))
    EXPECT_TRUE(seen.insert(item.title).second) << item.title;
}

TEST(KernelTitles, OddNamesKeepTheirs) {
  for (const char* name : {"<script>alert(1)</script>", "=1+1", "日本語", "my kernel, second try"})
    EXPECT_EQ(describeKernel(name).shortName, name);
  EXPECT_EQ(kernelBaseName("void at::native::(anonymous namespace)::RowwiseMoments<float>(long)"), "RowwiseMoments");
  EXPECT_EQ(kernelBaseName("(anonymous namespace)::mul(int)"), "mul");
  EXPECT_EQ(kernelBaseName("<unnamed>::mul<float>(int)"), "mul");
  EXPECT_EQ(kernelBaseName("ncclDevKernel_AllReduce"), "ncclDevKernel_AllReduce");
  EXPECT_EQ(kernelBaseName("at::native::mul"), "mul");
}
