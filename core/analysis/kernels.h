// SPDX-License-Identifier: Apache-2.0
// What a kernel does, told by its name: category, family, arithmetic, a short name. Names come from Kineto and from Nsight Compute,
// which spell namespaces and lambdas differently; the rules look only at what both keep.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace voxlab {

enum class KernelCategory : std::uint8_t {
  Unknown,
  ConvolutionForward,
  ConvolutionDataGradient,
  ConvolutionWeightGradient,
  ConvolutionBackward, // both gradients in one operator, on machines without a GPU
  MatrixProduct,
  Attention,
  NormalisationForward,
  NormalisationBackward,
  Elementwise,
  LayoutConversion,
  Upsample,
  Reduction,
  Optimiser,
  Random,
  Copy,
  Other,
  Count,
};
std::string_view categoryName(KernelCategory category);  // "convolution_forward", as in exports
std::string_view categoryTitle(KernelCategory category); // "Convolution, forward"

// What multiplies: told by the name of convolutions, matrix products and fused attention only.
enum class KernelArithmetic : std::uint8_t { Unknown, Fp64, Fp32, Tf32, Bf16, Fp16, Fp8, Int8 };
std::string_view arithmeticName(KernelArithmetic arithmetic); // "TF32"

// What a kernel does of an operator's work, where several kernels share it and each has its own to do.
enum class WorkPart : std::uint8_t {
  Unknown, // all of it, or it cannot be told
  DataGradient,
  WeightGradient,
  Statistics,   // of a normalisation: reads the input
  Coefficients, // a value or two a channel
  Application,  // reads the input again, writes the output
  GradientSums, // reads input and output gradient
  InputGradient // reads both again, writes the input gradient
};
std::string_view partTitle(WorkPart part); // "weight gradient", "statistics pass"; empty: unknown

struct KernelInfo {
  KernelCategory category = KernelCategory::Other;
  std::string family;    // "xmma wgrad FP32", "GroupNorm statistics": kernels that are one thing in another size
  std::string shortName; // family and what tells this kernel from its kin: "xmma wgrad FP32 32x32x8"
  std::string title;     // of a trace's kernels (KernelIndex): shortName, and what tells it from others of the same (kernel_titles.h)
  KernelArithmetic arithmetic = KernelArithmetic::Unknown;
  bool tensorCores = false; // as far as the name says
  WorkPart part = WorkPart::Unknown;
};

// One row of the rule table: the first whose words are all in the name (as written) decides.
struct KernelRule {
  std::string_view words; // by spaces; "!word": must not be there
  KernelCategory category;
  std::string_view family;
  WorkPart part = WorkPart::Unknown; // of convolutions: told by the category
};
std::span<const KernelRule> kernelRules();
std::span<const KernelRule> operatorRules(); // of operators that stand in for kernels on machines without a GPU

KernelInfo describeKernel(std::string_view name);
// Without return type, namespaces, template arguments and parameters: "RowwiseMomentsCUDAKernel".
std::string kernelBaseName(std::string_view name);
KernelInfo describeOperator(std::string_view name);
KernelInfo describeCopy(std::string_view name); // "Memcpy HtoD (Pageable -> Device)", "Memset (Device)"

} // namespace voxlab
