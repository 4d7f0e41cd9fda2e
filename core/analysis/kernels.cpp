// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/kernels.h"
#include "core/base/text.h"
#include <algorithm>
#include <array>
#include <cctype>

namespace voxlab {
namespace {
struct CategoryText {
  std::string_view name, title;
};
constexpr std::array<CategoryText, static_cast<std::size_t>(KernelCategory::Count)> kCategories{{
    {"unknown", "Unknown"},
    {"convolution_forward", "Convolution, forward"},
    {"convolution_data_gradient", "Convolution, data gradient"},
    {"convolution_weight_gradient", "Convolution, weight gradient"},
    {"convolution_backward", "Convolution, backward"},
    {"matrix_product", "Matrix product"},
    {"attention", "Attention"},
    {"normalisation_forward", "Normalisation, forward"},
    {"normalisation_backward", "Normalisation, backward"},
    {"elementwise", "Elementwise"},
    {"layout_conversion", "Layout conversion"},
    {"upsample", "Upsampling"},
    {"reduction", "Reduction"},
    {"optimiser", "Optimiser"},
    {"random", "Random numbers"},
    {"copy", "Copy and fill"},
    {"other", "Other"},
}};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool matches(std::string_view name, std::string_view words) {
  while (!words.empty()) {
    const auto space = words.find(' ');
    const std::string_view word = words.substr(0, space);
    words = space == std::string_view::npos ? std::string_view() : words.substr(space + 1);
    if (word.starts_with('!') ? contains(name, word.substr(1)) : !contains(name, word))
      return false;
  }
  return true;
}

const KernelRule* firstMatch(std::span<const KernelRule> rules, std::string_view name) {
  const auto it = std::find_if(rules.begin(), rules.end(), [name](const KernelRule& rule) { return matches(name, rule.words); });
  return it == rules.end() ? nullptr : &*it;
}

bool isProduct(KernelCategory category) {
  return category == KernelCategory::ConvolutionForward || category == KernelCategory::ConvolutionDataGradient ||
         category == KernelCategory::ConvolutionWeightGradient || category == KernelCategory::MatrixProduct;
}

// Fused attention multiplies, too, but for the passes before and after it.
bool isAttentionProduct(KernelCategory category, std::string_view name) {
  if (category != KernelCategory::Attention || contains(name, "combine") || contains(name, "convert") || contains(name, "dot_do_o"))
    return false;
  return contains(name, "flash_") || contains(name, "fmha") || contains(name, "sdpa");
}

// What follows "nvjet_" and perhaps a generation: "tst_128x256_64x4_…", the types of operands, sums and result first.
std::string_view nvjetParts(std::string_view name) {
  constexpr std::string_view kNvjet = "nvjet_";
  const auto at = name.find(kNvjet);
  if (at == std::string_view::npos)
    return {};
  name.remove_prefix(at + kNvjet.size());
  if (name.starts_with("sm"))
    name.remove_prefix(std::min(name.size(), name.find('_') + 1));
  return name;
}

// By the operands' letter. (Single precision may be FP32 or TF32: unknown.)
KernelArithmetic nvjetArithmetic(std::string_view parts) {
  switch (parts.empty() ? ' ' : parts.front()) {
  case 't':
    return KernelArithmetic::Bf16;
  case 'h':
    return KernelArithmetic::Fp16;
  case 'q':
  case 'r':
    return KernelArithmetic::Fp8;
  case 'd':
    return KernelArithmetic::Fp64;
  default:
    return KernelArithmetic::Unknown;
  }
}

// Names state the operands' types: xmma "tf32f32_tf32f32_f32", CUTLASS "bf16_s16816gemm", "simt_sgemm".
KernelArithmetic arithmeticOf(std::string_view name) {
  struct Row {
    std::string_view words;
    KernelArithmetic arithmetic;
  };
  static constexpr Row kRows[] = {
      // This program's convolutions of FP32 volumes.
      {"wideConvolutionKernel<float", KernelArithmetic::Tf32}, {"narrowToWideKernel<float", KernelArithmetic::Tf32},
      {"wideToNarrowKernel<float", KernelArithmetic::Tf32},    {"narrowTimesWideKernel<float", KernelArithmetic::Tf32},
      {"e4m3", KernelArithmetic::Fp8},          {"e5m2", KernelArithmetic::Fp8},
      {"bf16", KernelArithmetic::Bf16},         {"bfloat16", KernelArithmetic::Bf16},  {"BFloat16", KernelArithmetic::Bf16},
      {"tf32", KernelArithmetic::Tf32},         {"f16", KernelArithmetic::Fp16},
      {"Float16", KernelArithmetic::Fp16},      {"fp16", KernelArithmetic::Fp16},      {"h884", KernelArithmetic::Fp16},      {"h1688", KernelArithmetic::Fp16},
      {"h16816", KernelArithmetic::Fp16},       {"__half", KernelArithmetic::Fp16},    {"Half", KernelArithmetic::Fp16},
      {"hgemm", KernelArithmetic::Fp16},        {"i8i8", KernelArithmetic::Int8},
      {"s8_", KernelArithmetic::Int8},          {"f64", KernelArithmetic::Fp64},       {"dgemm", KernelArithmetic::Fp64},
      {"d884", KernelArithmetic::Fp64},         {"<double", KernelArithmetic::Fp64},   {"s1688", KernelArithmetic::Tf32},
      {"tensor16x8x8", KernelArithmetic::Tf32}, {"f32f32", KernelArithmetic::Fp32},    {"sgemm", KernelArithmetic::Fp32},
      {"scudnn", KernelArithmetic::Fp32},       {"float", KernelArithmetic::Fp32},
  };
  if (const std::string_view parts = nvjetParts(name); !parts.empty())
    return nvjetArithmetic(parts);
  for (const auto& row : kRows)
    if (contains(name, row.words))
      return row.arithmetic;
  return KernelArithmetic::Unknown;
}

bool onTensorCores(std::string_view name, KernelArithmetic arithmetic) {
  if (arithmetic == KernelArithmetic::Unknown || arithmetic == KernelArithmetic::Fp32)
    return false;
  return !contains(name, "ffma") && !contains(name, "simt") && !contains(name, "emv") && !contains(name, "dgemm") &&
         !contains(name, "direct_kernel") && !contains(name, "hgemm");
}

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::string withoutSuffix(std::string text, std::string_view suffix) {
  if (text.size() > suffix.size() && text.ends_with(suffix))
    text.resize(text.size() - suffix.size());
  return text;
}

std::string spaced(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// What an elementwise kernel applies: the first word of its template arguments that names an operation.
std::string functorOf(std::string_view name) {
  static constexpr std::string_view kWrappers[] = {"elementwise_kernel", "gpu_kernel",  "BinaryFunctor",
                                                   "UnaryFunctor",       "grid_stride", "nullary_kernel"};
  for (std::size_t i = 0; i < name.size();) {
    if (!isWord(name[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < name.size() && isWord(name[end]))
      ++end;
    std::string word(name.substr(i, end - i));
    i = end;
    if (std::any_of(std::begin(kWrappers), std::end(kWrappers), [&](std::string_view w) { return contains(word, w); }))
      continue;
    if (word.starts_with("CUDAFunctorOnSelf_"))
      return word.substr(18);
    if (word.starts_with("CUDAFunctor_"))
      return word.substr(12);
    if (word.ends_with("Functor")) {
      word = withoutSuffix(word, "Functor");
      word[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[0])));
      return word;
    }
    for (const std::string_view suffix : {"_kernel_cuda", "_kernel_impl", "_kernel"})
      if (word.ends_with(suffix))
        return spaced(withoutSuffix(word, suffix));
  }
  return "elementwise";
}

std::string elementTypeOf(std::string_view name) {
  struct Row {
    std::string_view word, text;
  };
  static constexpr Row kRows[] = {{"BFloat16", "bf16"}, {"bfloat16", "bf16"}, {"Float16", "fp16"}, {"Half", "fp16"},
                                  {"half", "fp16"},     {"double", "fp64"},   {"float", "fp32"}};
  for (const auto& row : kRows)
    if (contains(name, row.word))
      return std::string(row.text);
  return {};
}

// "tilesize256x64x8", "256x128_8x4_nt": what tells one kernel of a family from the next.
std::string tileOf(std::string_view name) {
  if (const auto at = name.find("tilesize"); at != std::string_view::npos) {
    std::size_t end = at + 8;
    while (end < name.size() && (std::isdigit(static_cast<unsigned char>(name[end])) || name[end] == 'x'))
      ++end;
    return std::string(name.substr(at + 8, end - at - 8));
  }
  if (const std::string_view parts = nvjetParts(name); !parts.empty()) { // after the types: the tile, and how often it is loaded ahead
    const auto types = parts.find('_');
    if (types == std::string_view::npos)
      return {};
    const std::string_view tile = parts.substr(types + 1);
    return std::string(tile.substr(0, tile.find('_', tile.find('_') + 1)));
  }
  const auto gemm = name.find("gemm_");
  if (gemm == std::string_view::npos)
    return {};
  std::size_t end = gemm + 5;
  while (end < name.size() && isWord(name[end]))
    ++end;
  const std::string tile(name.substr(gemm + 5, std::min<std::size_t>(end - gemm - 5, 24)));
  return tile;
}

std::string layoutOf(std::string_view name) {
  if (!contains(name, "xmma") && !contains(name, "cutlass"))
    return {};
  return contains(name, "_nhwc_") || contains(name, "_ndhwc") ? "nhwc" : contains(name, "_nchw_") ? "nchw" : "";
}

std::string shortNameOf(const KernelInfo& info, std::string_view name) {
  std::string text = info.family;
  const auto append = [&text](const std::string& part) {
    if (!part.empty())
      text += " " + part;
  };
  if (isProduct(info.category)) {
    append(tileOf(name));
    append(layoutOf(name));
  } else if (info.category != KernelCategory::Random) {
    append(elementTypeOf(name));
  }
  return text;
}
} // namespace

std::string_view categoryName(KernelCategory category) {
  return kCategories[static_cast<std::size_t>(category) % kCategories.size()].name;
}
std::string_view categoryTitle(KernelCategory category) {
  return kCategories[static_cast<std::size_t>(category) % kCategories.size()].title;
}

std::string_view arithmeticName(KernelArithmetic arithmetic) {
  static constexpr std::string_view kNames[] = {"", "FP64", "FP32", "TF32", "BF16", "FP16", "FP8", "INT8"};
  return kNames[static_cast<std::size_t>(arithmetic)];
}

std::string_view partTitle(WorkPart part) {
  static constexpr std::string_view kTitles[] = {"", "data gradient", "weight gradient", "statistics pass", "coefficients", "apply pass", "gradient-sum pass", "input-gradient pass"};
  return kTitles[static_cast<std::size_t>(part)];
}

namespace {
// Not what a compiler makes of a function's name, but a title that some program gave: "=1+1", "<script>".
bool isFreeText(std::string_view name) {
  const auto end = std::min(name.find('<'), name.find('('));
  if (end == 0)
    return !name.starts_with("(anonymous namespace)");
  return end == std::string_view::npos && !std::all_of(name.begin(), name.end(), [](char c) { return isWord(c) || c == ':' || c == '~'; });
}
} // namespace

std::string kernelBaseName(std::string_view name) {
  constexpr std::string_view kEnableIf = "std::enable_if<", kType = ">::type ";
  if (name.starts_with(kEnableIf))
    if (const auto at = name.find(kType); at != std::string_view::npos)
      name.remove_prefix(at + kType.size());
  std::string text(name);
  for (const std::string_view anonymous : {"(anonymous namespace)::", "<unnamed>::"})
    for (auto at = text.find(anonymous); at != std::string::npos; at = text.find(anonymous))
      text.erase(at, anonymous.size());
  if (isFreeText(text))
    return trimmed(text);
  const auto end = std::min(text.find('<'), text.find('('));
  text.resize(std::min(text.size(), end));
  while (!text.empty() && !isWord(text.back()))
    text.pop_back();
  std::size_t begin = text.size();
  while (begin > 0 && isWord(text[begin - 1]))
    --begin;
  return text.substr(begin);
}

KernelInfo describeKernel(std::string_view name) {
  KernelInfo info;
  const KernelRule* rule = firstMatch(kernelRules(), name);
  if (!rule) {
    info.family = info.shortName = kernelBaseName(name);
    return info;
  }
  info.category = rule->category;
  info.part = rule->category == KernelCategory::ConvolutionDataGradient     ? WorkPart::DataGradient
              : rule->category == KernelCategory::ConvolutionWeightGradient ? WorkPart::WeightGradient
                                                                            : rule->part;
  info.family = rule->family.empty() ? functorOf(name) : std::string(rule->family);
  const bool product = isProduct(info.category) && !contains(name, "init_device_workspace");
  if (product || isAttentionProduct(info.category, name)) {
    info.arithmetic = arithmeticOf(name);
    info.tensorCores = onTensorCores(name, info.arithmetic);
    if (product && info.arithmetic != KernelArithmetic::Unknown)
      info.family += " " + std::string(arithmeticName(info.arithmetic));
  }
  info.shortName = shortNameOf(info, name);
  return info;
}

KernelInfo describeOperator(std::string_view name) {
  KernelInfo info;
  if (const KernelRule* rule = firstMatch(operatorRules(), name))
    info.category = rule->category;
  info.family = info.shortName = std::string(name);
  return info;
}

KernelInfo describeCopy(std::string_view name) {
  KernelInfo info;
  info.category = KernelCategory::Copy;
  info.family = info.shortName = std::string(name);
  if (const auto at = name.find('('); at != std::string_view::npos) // "Memcpy HtoD (Pageable -> Device)"
    info.family = trimmed(name.substr(0, at));
  return info;
}

} // namespace voxlab
