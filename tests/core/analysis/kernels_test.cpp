// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/kernels.h"
#include <gtest/gtest.h>

using namespace voxlab;
using C = KernelCategory;

namespace {
struct Case {
  const char* name;
  KernelCategory category;
  const char* family;
  const char* shortName;
  bool tensorCores = false;
};
} // namespace

// Names as Kineto and as Nsight Compute write them, shortened where nothing is told apart.
TEST(Kernels, KnownNames) {
  const Case cases[] = {
      {"sm80_xmma_wgrad_implicit_gemm_indexed_f32f32_f32f32_f32_nhwckrsc_nhwc_tilesize32x32x8_stage3_warpsize1x2x1_g1_ffma_execute_"
       "kernel__5x_cudnn",
       C::ConvolutionWeightGradient, "xmma wgrad FP32", "xmma wgrad FP32 32x32x8 nhwc"},
      {"sm90_xmma_dgrad_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize256x64x32_warpgroupsize1x1x1_g1_execute_segment_k_"
       "off_kernel__5x_cudnn",
       C::ConvolutionDataGradient, "xmma dgrad TF32", "xmma dgrad TF32 256x64x32 nhwc", true},
      {"sm90_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x128x64_warpgroupsize1x1x1_g1_execute_segment_"
       "k_off_kernel__5x_cudnn",
       C::ConvolutionForward, "xmma fprop BF16", "xmma fprop BF16 128x128x64 nhwc", true},
      {"sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x128x32_stage4_warpsize2x2x1_g1_tensor16x8x16_"
       "execute_kernel__5x_cudnn",
       C::ConvolutionForward, "xmma fprop FP16", "xmma fprop FP16 128x128x32 nhwc", true},
      {"void "
       "cutlass__5x_cudnn::Kernel<cutlass_tensorop_f16_s16816wgrad_optimized_f16_128x128_32x5_nhwc_align8>(cutlass_tensorop_f16_"
       "s16816wgrad::Params)",
       C::ConvolutionWeightGradient, "CUTLASS wgrad FP16", "CUTLASS wgrad FP16 nhwc", true},
      {"void cudnn::cnn::wgrad2d_grouped_direct_kernel<true, true, int, float, float, float>(cudnn::cnn::WgradGroupedDirectParams, "
       "float const*)",
       C::ConvolutionWeightGradient, "cuDNN direct wgrad FP32", "cuDNN direct wgrad FP32"},
      {"void convolveNd_dgrad_float_engine<float, 3, 512, 6, 5, 3, 3, 3, false>(int, int, int, float const*)",
       C::ConvolutionDataGradient, "cuDNN N-d dgrad FP32", "cuDNN N-d dgrad FP32"},
      {"void cudnn::engines_precompiled::nchwToNhwcKernel<float, float, float, false, true, (cudnnKernelDataType_t)0>(float "
       "const*, float*)",
       C::LayoutConversion, "NCHW → NHWC", "NCHW → NHWC fp32"},
      {"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64_32x6_nn_align4>(T1::Params)", C::MatrixProduct,
       "CUTLASS gemm TF32", "CUTLASS gemm TF32 64x64_32x6_nn_align4", true},
      {"void cutlass::Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nt_align1>(cutlass_80_simt_sgemm_256x128_8x4_nt_align1::Params)",
       C::MatrixProduct, "CUTLASS gemm FP32", "CUTLASS gemm FP32 256x128_8x4_nt_align1"},
      {"std::enable_if<!T7, void>::type internal::kernel<int, int, float, float, float, float, 0, 1, cublasGemvParamsEx<int, "
       "float>>(T13)",
       C::MatrixProduct, "cuBLAS gemv FP32", "cuBLAS gemv FP32"},
      {"nvjet_hsh_256x128_64x4_1x2_h_bz_coopA_NNT", C::MatrixProduct, "nvjet gemm FP16", "nvjet gemm FP16 256x128_64x4", true},
      {"nvjet_sm90_tst_64x384_64x3_1x2_h_bz_coopB_NNT", C::MatrixProduct, "nvjet gemm BF16", "nvjet gemm BF16 64x384_64x3", true},
      {"nvjet_sm90_qqtst_128x128_128x6_2x1_v_bz_TNT", C::MatrixProduct, "nvjet gemm FP8", "nvjet gemm FP8 128x128_128x6", true},
      {"nvjet_sm90", C::MatrixProduct, "nvjet gemm", "nvjet gemm"},
      {"void at::native::(anonymous namespace)::RowwiseMomentsCUDAKernel<float>(long, float, float const*, float*, float*)",
       C::NormalisationForward, "GroupNorm statistics", "GroupNorm statistics fp32"},
      {"void at::<unnamed>::RowwiseMomentsCUDAKernel<float>(long, T1, const T1 *, T1 *, T1 *)", C::NormalisationForward,
       "GroupNorm statistics", "GroupNorm statistics fp32"},
      {"void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<at::native::(anonymous "
       "namespace)::GroupNormBackwardKernelImplInternal<float>("
       "at::Tensor const&)::{lambda(float)#1}>>(int)",
       C::NormalisationBackward, "GroupNorm input gradient", "GroupNorm input gradient fp32"},
      {"void at::native::elementwise_kernel<128, 2, "
       "at::native::gpu_kernel_impl_nocast<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda(float)#1}>>(int)",
       C::LayoutConversion, "strided copy", "strided copy fp32"},
      {"void "
       "at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda(float)#1}>("
       "int)",
       C::Copy, "copy or cast", "copy or cast fp32"},
      {"void at::native::vectorized_elementwise_kernel<4, "
       "at::native::bfloat16_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda(float)#1}>(int)",
       C::Copy, "copy or cast", "copy or cast bf16"},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >(int)",
       C::Elementwise, "add", "add fp32"},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous "
       "namespace)::silu_backward_kernel(at::TensorIteratorBase&)::{lambda()#1}, c10::Half>(int)",
       C::Elementwise, "silu backward", "silu backward fp16"},
      {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<TensorListMetadata<2>, LerpFunctor<float>, float>(int)",
       C::Optimiser, "multi-tensor", "multi-tensor fp32"},
      {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float> >(at::native::ReduceOp<float>)", C::Reduction,
       "reduction", "reduction fp32"},
      {"void at::native::(anonymous namespace)::upsample_trilinear3d_backward_out_frame<float, float>(int)", C::Upsample,
       "upsampling gradient", "upsampling gradient fp32"},
      {"void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, cutlass::bfloat16_t> >(Flash_fwd_params)",
       C::Attention, "flash attention", "flash attention bf16", true},
      {"void pytorch_flash::flash_bwd_convert_dq_kernel<Flash_bwd_kernel_traits<192, 64, 64, 8, 4, 2, 2, false, false, cutlass::bfloat16_t> >(pytorch_flash::Flash_bwd_params, int)",
       C::Attention, "flash attention gradient cast", "flash attention gradient cast bf16"},
      {"void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<192, 64, 64, 8, 4, 2, 2, false, false, cutlass::bfloat16_t> >(Flash_bwd_params)",
       C::Attention, "flash attention gradient", "flash attention gradient bf16", true},
      {"void at::native::(anonymous namespace)::distribution_elementwise_grid_stride_kernel<float, 4>(long)", C::Random,
       "random numbers", "random numbers"},
      {"void voxlab::(anonymous namespace)::scaleShiftKernel<__nv_bfloat16, (voxlab::Activation)1>(voxlab::ChannelTiling)",
       C::NormalisationForward, "Voxlab GroupNorm apply", "Voxlab GroupNorm apply bf16"},
      {"void voxlab::device::(anonymous namespace)::wideConvolutionKernel<voxlab::BFloat16>(voxlab::device::(anonymous namespace)::Maps, voxlab::WideConvolution)",
       C::ConvolutionForward, "Voxlab convolution BF16", "Voxlab convolution BF16", true},
      {"void voxlab::device::(anonymous namespace)::wideConvolutionKernel<float>(voxlab::device::(anonymous namespace)::Maps, voxlab::WideConvolution)",
       C::ConvolutionForward, "Voxlab convolution TF32", "Voxlab convolution TF32", true},
      {"void voxlab::device::(anonymous namespace)::weightGradientKernel<voxlab::Float16>(CUtensorMap_st, CUtensorMap_st, voxlab::WideWeightGradient)",
       C::ConvolutionWeightGradient, "Voxlab wgrad FP16", "Voxlab wgrad FP16", true},
      {"voxlab::device::(anonymous namespace)::adamKernel(voxlab::device::(anonymous namespace)::Table, Rates, voxlab::OptimiserState const*)", C::Optimiser, "Voxlab Adam",
       "Voxlab Adam"},
      {"void somebody::elses::strangeThing<float, 3>(int, float*)", C::Other, "strangeThing", "strangeThing"},
      {"", C::Other, "", ""},
  };
  for (const auto& c : cases) {
    const KernelInfo info = describeKernel(c.name);
    EXPECT_EQ(categoryName(info.category), categoryName(c.category)) << c.name;
    EXPECT_EQ(info.family, c.family) << c.name;
    EXPECT_EQ(info.shortName, c.shortName) << c.name;
    EXPECT_EQ(info.tensorCores, c.tensorCores) << c.name;
  }
}

TEST(Kernels, OperatorsAndCopies) {
  EXPECT_EQ(describeOperator("aten::convolution_backward").category, C::ConvolutionBackward);
  EXPECT_EQ(describeOperator("aten::mkldnn_convolution").category, C::ConvolutionForward);
  EXPECT_EQ(describeOperator("aten::native_group_norm_backward").category, C::NormalisationBackward);
  EXPECT_EQ(describeOperator("aten::something_new").category, C::Other);
  EXPECT_EQ(describeCopy("Memcpy HtoD (Pageable -> Device)").family, "Memcpy HtoD");
  EXPECT_EQ(describeCopy("Memset (Device)").category, C::Copy);
}

TEST(Kernels, OfALossAndOfOtherActivations) {
  EXPECT_EQ(describeKernel("void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float, float, float, at::native::(anonymous namespace)::LogSoftMaxForwardEpilogue>(float*, float const*, int)").category, C::Reduction);
  EXPECT_EQ(describeOperator("aten::_log_softmax").category, C::Reduction);
  EXPECT_EQ(describeOperator("aten::_softmax").category, C::Attention);
  EXPECT_EQ(describeOperator("aten::_prelu_kernel_backward").category, C::Elementwise);
  EXPECT_EQ(describeKernel("void cudnn::ops::convertTensor_kernel<float, float, float, (cudnnKernelDataType_t)2>(float, float const*)").category, C::Copy);
}

TEST(Kernels, EveryCategoryHasNames) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(C::Count); ++i) {
    EXPECT_FALSE(categoryName(static_cast<C>(i)).empty());
    EXPECT_FALSE(categoryTitle(static_cast<C>(i)).empty());
  }
}
