// SPDX-License-Identifier: Apache-2.0
// The tables behind describeKernel and describeOperator. To teach the program a new kernel, add a row above the more general ones.
#include "core/analysis/kernels.h"

namespace voxlab {
namespace {
using C = KernelCategory;

// An empty family is filled in from the functor that the kernel applies ("add", "silu").
constexpr KernelRule kKernelRules[] = {
    // Attention comes first: cuDNN's fused attention calls its forward pass fprop too.
    {"sdpa bprop", C::Attention, "fused attention gradient"},
    {"sdpa", C::Attention, "fused attention"},
    {"flash_ combine", C::Attention, "flash attention combination"},
    {"flash_ dot_do_o", C::Attention, "flash attention gradient sums"},
    {"flash_ convert_d", C::Attention, "flash attention gradient cast"},
    {"flash_ bwd", C::Attention, "flash attention gradient"},
    {"flash_", C::Attention, "flash attention"},
    {"fmha cutlassB", C::Attention, "memory-efficient attention gradient"},
    {"fmha", C::Attention, "memory-efficient attention"},
    {"LogSoftMax", C::Reduction, "log-softmax"}, // of a loss
    {"SoftMax", C::Attention, "softmax"},
    {"softmax", C::Attention, "softmax"},

    // This program's own convolutions.
    {"wideConvolutionKernel", C::ConvolutionForward, "Voxlab convolution"}, // and the data gradient, told by the launch
    {"weightGradientKernel", C::ConvolutionWeightGradient, "Voxlab wgrad"},
    {"reduceKernel WideWeightGradient", C::ConvolutionWeightGradient, "Voxlab wgrad reduction"},
    {"reduceKernel NarrowTimesWide", C::ConvolutionWeightGradient, "Voxlab narrow wgrad reduction"},
    {"narrowTimesWideKernel", C::ConvolutionWeightGradient, "Voxlab narrow wgrad"},
    {"narrowToWideKernel", C::ConvolutionForward, "Voxlab narrow convolution"},
    {"wideToNarrowKernel", C::ConvolutionForward, "Voxlab narrow convolution"},
    {"packKernel WideConvolution", C::LayoutConversion, "Voxlab weight packing"},

    // Convolutions. xmma: cuDNN's precompiled implicit GEMMs.
    {"init_device_workspace_kernel wgrad", C::ConvolutionWeightGradient, "cuDNN workspace set-up"},
    {"init_device_workspace_kernel dgrad", C::ConvolutionDataGradient, "cuDNN workspace set-up"},
    {"init_device_workspace_kernel", C::ConvolutionForward, "cuDNN workspace set-up"},
    {"xmma_wgrad", C::ConvolutionWeightGradient, "xmma wgrad"},
    {"xmma_dgrad", C::ConvolutionDataGradient, "xmma dgrad"},
    {"xmma_fprop", C::ConvolutionForward, "xmma fprop"},
    {"cutlass wgrad", C::ConvolutionWeightGradient, "CUTLASS wgrad"},
    {"cutlass dgrad", C::ConvolutionDataGradient, "CUTLASS dgrad"},
    {"cutlass fprop", C::ConvolutionForward, "CUTLASS fprop"},
    {"reduce_wgrad", C::ConvolutionWeightGradient, "cuDNN wgrad reduction"},
    {"wgrad2d_grouped_direct", C::ConvolutionWeightGradient, "cuDNN direct wgrad"},
    {"convolveNd wgrad", C::ConvolutionWeightGradient, "cuDNN N-d wgrad"},
    {"convolveNd dgrad", C::ConvolutionDataGradient, "cuDNN N-d dgrad"},
    {"wgrad", C::ConvolutionWeightGradient, "cuDNN wgrad"},
    {"dgrad", C::ConvolutionDataGradient, "cuDNN dgrad"},
    {"fprop", C::ConvolutionForward, "cuDNN fprop"},
    {"implicit_convolve", C::ConvolutionForward, "cuDNN implicit GEMM"},
    {"convolve", C::ConvolutionForward, "cuDNN convolution"},
    {"winograd", C::ConvolutionForward, "cuDNN Winograd"},
    {"scudnn", C::ConvolutionForward, "cuDNN convolution"},
    {"conv_depthwise3d backward", C::ConvolutionBackward, "depthwise convolution gradient"},
    {"conv_depthwise", C::ConvolutionForward, "depthwise convolution"},

    // Layout conversions: the tax of kernels that want another order of channels.
    {"nchwToNhwc", C::LayoutConversion, "NCHW → NHWC"},
    {"nhwcToNchw", C::LayoutConversion, "NHWC → NCHW"},
    {"nchwAddPadding", C::LayoutConversion, "NCHW → NHWC, padded"},
    {"nhwcAddPadding", C::LayoutConversion, "NHWC padding"},
    {"convertTensor_kernel", C::Copy, "cuDNN copy or cast"},
    {"tensorTransform", C::LayoutConversion, "cuDNN transform"},
    {"transpose_readWrite", C::LayoutConversion, "cuDNN transpose"},
    {"im2col", C::LayoutConversion, "im2col"},
    {"vol2col", C::LayoutConversion, "vol2col"},
    {"col2vol", C::LayoutConversion, "col2vol"},

    // Normalisation: LibTorch's GroupNorm, this program's own, others.
    {"RowwiseMoments", C::NormalisationForward, "GroupNorm statistics", WorkPart::Statistics},
    {"ComputeFusedParams", C::NormalisationForward, "GroupNorm coefficients", WorkPart::Coefficients},
    {"GroupNormKernelImpl", C::NormalisationForward, "GroupNorm apply", WorkPart::Application},
    {"GroupNorm Forward", C::NormalisationForward, "GroupNorm apply", WorkPart::Application},
    {"ComputeInternalGradients", C::NormalisationBackward, "GroupNorm gradient sums", WorkPart::GradientSums},
    {"ComputeBackwardFusedParams", C::NormalisationBackward, "GroupNorm gradient coefficients", WorkPart::Coefficients},
    {"GroupNormBackward", C::NormalisationBackward, "GroupNorm input gradient", WorkPart::InputGradient},
    {"GammaBetaBackward", C::NormalisationBackward, "GroupNorm parameter gradients", WorkPart::Coefficients},
    {"GroupNorm Backward", C::NormalisationBackward, "GroupNorm gradient"},
    {"gradientSumsKernel", C::NormalisationBackward, "Voxlab GroupNorm gradient sums", WorkPart::GradientSums},
    {"gradientCoefficientsKernel", C::NormalisationBackward, "Voxlab GroupNorm gradient coefficients", WorkPart::Coefficients},
    {"inputGradientKernel", C::NormalisationBackward, "Voxlab GroupNorm input gradient", WorkPart::InputGradient},
    {"omentsKernel", C::NormalisationForward, "Voxlab GroupNorm statistics", WorkPart::Statistics},
    {"coefficientsKernel", C::NormalisationForward, "Voxlab GroupNorm coefficients", WorkPart::Coefficients},
    {"scaleShiftKernel", C::NormalisationForward, "Voxlab GroupNorm apply", WorkPart::Application},
    {"norm backward !Norm1 !lpnorm", C::NormalisationBackward, "normalisation gradient"},
    {"layer_norm", C::NormalisationForward, "layer normalisation"},
    {"batch_norm", C::NormalisationForward, "batch normalisation"},
    {"bn_fw", C::NormalisationForward, "batch normalisation"},
    {"bn_bw", C::NormalisationBackward, "batch normalisation gradient"},
    {"triton group_norm", C::NormalisationForward, "Triton GroupNorm"},

    // Optimiser: kernels over lists of tensors.
    {"squaresKernel Optimiser", C::Optimiser, "Voxlab gradient norm"},
    {"decideKernel Optimiser", C::Optimiser, "Voxlab gradient norm"},
    {"adamKernel Optimiser", C::Optimiser, "Voxlab Adam"},
    {"FusedAdam", C::Optimiser, "fused Adam"},
    {"fused_adam", C::Optimiser, "fused Adam"},
    {"dam ema !elementwise", C::Optimiser, "Adam and moving average"},
    {"multi_tensor_apply_kernel", C::Optimiser, "multi-tensor"},
    {"amp_update_scale", C::Optimiser, "loss scale"},
    {"amp_non_finite", C::Optimiser, "loss scale"},

    {"upsample backward", C::Upsample, "upsampling gradient"},
    {"upsampleBackwardKernel", C::Upsample, "Voxlab upsampling gradient"},
    {"upsampleKernel", C::Upsample, "Voxlab upsampling"},
    {"upsample", C::Upsample, "upsampling"},

    {"samplerUpdateKernel", C::Elementwise, "Voxlab sampler update"},

    {"distribution_", C::Random, "random numbers"},
    {"philox", C::Random, "Voxlab noise"},
    {"curand", C::Random, "random numbers"},
    {"randperm", C::Random, "random permutation"},

    // Matrix products, after the convolutions that are called implicit GEMM.
    {"splitKreduce", C::MatrixProduct, "split-K reduction"},
    {"splitKreduce_kernel", C::MatrixProduct, "split-K reduction"},
    {"cublasGemv", C::MatrixProduct, "cuBLAS gemv"},
    {"gemv", C::MatrixProduct, "cuBLAS gemv"},
    {"xmma_gemm", C::MatrixProduct, "xmma gemm"},
    {"nvjet", C::MatrixProduct, "nvjet gemm"},
    {"cutlass gemm", C::MatrixProduct, "CUTLASS gemm"},
    {"gemm", C::MatrixProduct, "cuBLAS gemm"},
    {"cublas dot", C::MatrixProduct, "cuBLAS dot"},

    // Copies. A strided elementwise copy changes the order of elements; a vectorised one does not.
    {"::elementwise_kernel< copy_kernel", C::LayoutConversion, "strided copy"},
    {"elementwise_kernel copy_kernel", C::Copy, "copy or cast"},
    {"CatArrayBatchedCopy", C::Copy, "concatenation"},
    {"FillFunctor", C::Copy, "fill"},
    {"setTensor", C::Copy, "fill"},
    {"scalePackedTensor", C::Copy, "scale or fill"},
    {"scatter_gather", C::Copy, "gather"},
    {"index_elementwise_kernel", C::Copy, "gather"},
    {"indexSelect", C::Copy, "gather"},
    {"split_with_sizes_copy", C::Copy, "split"},
    {"nccl", C::Copy, "NCCL"},
    {"batched_transpose", C::LayoutConversion, "transpose"},

    {"reduce_kernel<", C::Reduction, "reduction"},
    {"triton_red", C::Reduction, "Triton reduction"},
    {"triton_per", C::Reduction, "Triton reduction"},
    {"DeviceReduce", C::Reduction, "reduction"},
    {"cub Scan", C::Reduction, "scan"},
    {"cub", C::Reduction, "CUB"},

    {"elementwise", C::Elementwise, ""},
    {"triton_poi", C::Elementwise, "Triton elementwise"},
    {"triton", C::Elementwise, "Triton"},
    {"arange", C::Elementwise, "arange"},
    {"activation", C::Elementwise, "activation"},
    {"silu", C::Elementwise, "silu"},
    {"prelu", C::Elementwise, "prelu"},
};

constexpr KernelRule kOperatorRules[] = {
    {"scaled_dot_product", C::Attention, ""},
    {"log_softmax", C::Reduction, ""},
    {"softmax", C::Attention, "softmax"},
    {"convolution_backward", C::ConvolutionBackward, ""},
    {"convolution backward", C::ConvolutionBackward, ""},
    {"conv backward", C::ConvolutionBackward, ""},
    {"conv", C::ConvolutionForward, ""},
    {"native_group_norm_backward", C::NormalisationBackward, ""},
    {"norm_backward", C::NormalisationBackward, ""},
    {"group_norm", C::NormalisationForward, ""},
    {"layer_norm", C::NormalisationForward, ""},
    {"batch_norm", C::NormalisationForward, ""},
    {"upsample", C::Upsample, ""},
    {"adam", C::Optimiser, ""},
    {"Adam", C::Optimiser, ""},
    {"_foreach_", C::Optimiser, ""},
    {"aten::bmm", C::MatrixProduct, ""},
    {"aten::mm", C::MatrixProduct, ""},
    {"aten::addmm", C::MatrixProduct, ""},
    {"aten::baddbmm", C::MatrixProduct, ""},
    {"aten::matmul", C::MatrixProduct, ""},
    {"aten::linear", C::MatrixProduct, ""},
    {"aten::einsum", C::MatrixProduct, ""},
    {"normal_", C::Random, ""},
    {"rand", C::Random, ""},
    {"uniform", C::Random, ""},
    {"philox", C::Random, ""},
    {"aten::contiguous", C::LayoutConversion, ""},
    {"aten::copy_", C::Copy, ""},
    {"aten::clone", C::Copy, ""},
    {"aten::cat", C::Copy, ""},
    {"aten::_to_copy", C::Copy, ""},
    {"aten::to", C::Copy, ""},
    {"aten::zero_", C::Copy, ""},
    {"aten::fill_", C::Copy, ""},
    {"aten::zeros", C::Copy, ""},
    {"aten::empty", C::Copy, ""},
    {"aten::sum", C::Reduction, ""},
    {"aten::mean", C::Reduction, ""},
    {"aten::norm", C::Reduction, ""},
    {"aten::linalg_vector_norm", C::Reduction, ""},
    {"aten::max", C::Reduction, ""},
    {"aten::min", C::Reduction, ""},
    {"silu", C::Elementwise, ""},
    {"prelu", C::Elementwise, ""},
    {"aten::add", C::Elementwise, ""},
    {"aten::mul", C::Elementwise, ""},
    {"aten::sub", C::Elementwise, ""},
    {"aten::div", C::Elementwise, ""},
    {"aten::abs", C::Elementwise, ""},
    {"aten::neg", C::Elementwise, ""},
    {"aten::clamp", C::Elementwise, ""},
    {"aten::sqrt", C::Elementwise, ""},
    {"aten::sgn", C::Elementwise, ""},
    {"aten::lerp", C::Elementwise, ""},
    {"aten::addc", C::Elementwise, ""},
    {"aten::sigmoid", C::Elementwise, ""},
    {"aten::exp", C::Elementwise, ""},
};
} // namespace

std::span<const KernelRule> kernelRules() {
  return kKernelRules;
}
std::span<const KernelRule> operatorRules() {
  return kOperatorRules;
}

} // namespace voxlab
