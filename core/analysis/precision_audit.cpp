// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/precision_audit.h"
#include "core/analysis/operator_cost.h"
#include "core/analysis/roofline.h"
#include "core/base/milliseconds.h"
#include "core/base/text.h"
#include <algorithm>
#include <map>

namespace voxlab {
namespace {
KernelArithmetic arithmeticFor(Precision precision) {
  switch (precision) {
  case Precision::Tf32:
    return KernelArithmetic::Tf32;
  case Precision::Bf16:
    return KernelArithmetic::Bf16;
  case Precision::Fp16:
    return KernelArithmetic::Fp16;
  default:
    return KernelArithmetic::Fp32;
  }
}

int bitsOf(KernelArithmetic arithmetic) {
  switch (arithmetic) {
  case KernelArithmetic::Fp64:
    return 64;
  case KernelArithmetic::Fp32:
    return 32;
  case KernelArithmetic::Tf32:
    return 19;
  case KernelArithmetic::Fp8:
  case KernelArithmetic::Int8:
    return 8;
  default:
    return 16;
  }
}

PrecisionMatch matchOf(KernelArithmetic used, KernelArithmetic asked) {
  if (used == asked)
    return PrecisionMatch::AsAsked;
  return bitsOf(used) > bitsOf(asked) ? PrecisionMatch::Wider : PrecisionMatch::Narrower;
}

std::string percent(double part, double whole) {
  return whole > 0 ? formatSignificant(100 * part / whole, 2) + " %" : std::string(kUnknown);
}

// Bytes that an operator's conversions move: the longest conversion is taken for its largest tensor, and so on.
double convertedBytes(const Trace& trace, const GpuEvent& event, std::vector<std::int64_t>& durations) {
  const auto cost = operatorCost(trace.name(event.opName), operatorInputs(trace.name(operatorInputsOf(trace, event))));
  if (!cost || cost->tensors_bytes.empty())
    return 0;
  std::sort(durations.rbegin(), durations.rend());
  double bytes = 0;
  for (std::size_t i = 0; i < durations.size(); ++i)
    bytes += 2 * cost->tensors_bytes[std::min(i, cost->tensors_bytes.size() - 1)];
  return bytes;
}

LayoutTax layoutTax(const Trace& trace, const KernelIndex& index, double steps) {
  LayoutTax tax;
  double launches = 0;
  struct Conversions {
    const GpuEvent* any = nullptr;
    std::vector<std::int64_t> durations_ns;
  };
  std::map<std::uint64_t, Conversions> conversions; // by the operator's call
  for (const auto& event : trace.gpu) {
    if (event.step == kNoIndex)
      continue;
    const double ms = static_cast<double>(event.duration_ns) / 1e6 / steps;
    if (index.of(event).category != KernelCategory::LayoutConversion)
      continue;
    tax.time_ms += ms;
    launches += event.isLaterSlice ? 0 : 1 / steps;
    if (const auto call = operatorCallOf(event)) {
      conversions[*call].any = &event;
      conversions[*call].durations_ns.push_back(event.duration_ns);
    }
  }
  for (auto& [call, of] : conversions)
    tax.bytes += convertedBytes(trace, *of.any, of.durations_ns) / steps;
  tax.launches = static_cast<std::uint64_t>(launches + 0.5);
  const double wall_ms = stepWall_ms({}, trace);
  tax.share = wall_ms > 0 ? tax.time_ms / wall_ms : 0;
  return tax;
}

std::string nothingJudgedWords(PrecisionEvidence evidence, double untold_ms) {
  if (untold_ms > 0)
    return "Convolutions and matrix products take " + formatMilliseconds(untold_ms) + " ms a step, but " +
           (evidence == PrecisionEvidence::InputTypes ? "the types of their inputs were not recorded (record_shapes)" : "the names of their kernels do not say in which arithmetic") + ": their precision is not judged.";
  if (evidence == PrecisionEvidence::InputTypes)
    return "No convolution or matrix product ran in this recording of a processor, or the types of their inputs were not recorded (record_shapes): their precision is not judged.";
  return "No convolution or matrix product ran on a GPU in this recording.";
}

std::string sentenceOf(const PrecisionAudit& audit, std::optional<Precision> asked, PrecisionEvidence evidence) {
  std::string text;
  if (audit.products_ms <= 0)
    return nothingJudgedWords(evidence, audit.untold_ms);
  const bool onProcessor = evidence == PrecisionEvidence::InputTypes;
  if (asked) {
    const std::string name(arithmeticName(arithmeticFor(*asked)));
    text = "Asked for " + name + (onProcessor && *asked == Precision::Tf32 ? ", which is FP32 on a processor: " : ": ") + percent(audit.asAsked_ms, audit.products_ms) + " of the products' time ran in it";
    const double missed_ms = audit.products_ms - audit.asAsked_ms;
    const auto worst = std::find_if(audit.rows.begin(), audit.rows.end(),
                                    [](const PrecisionRow& row) { return row.match != PrecisionMatch::AsAsked; });
    text += worst == audit.rows.end()
                ? "."
                : "; " + formatMilliseconds(missed_ms) + " ms a step did not, most of it in " + worst->operatorName + " (" +
                      std::string(arithmeticName(worst->arithmetic)) + ", " + worst->kernel + ").";
  }
  if (onProcessor)
    text += std::string(text.empty() ? "" : " ") + "Told by the types of the operators' inputs, as no GPU was recorded.";
  else
    text += (text.empty() ? "" : " ") + percent(audit.tensorCores_ms, audit.products_ms) +
            (text.empty() ? " of the time in convolutions and matrix products used tensor cores." : " of it used tensor cores.");
  text += " Layout conversions take " + formatMilliseconds(audit.layout.time_ms) + " ms a step (" +
          percent(audit.layout.share, 1) + " of it).";
  return text;
}
bool isProduct(KernelCategory category) {
  return category == KernelCategory::ConvolutionForward || category == KernelCategory::ConvolutionDataGradient || category == KernelCategory::ConvolutionWeightGradient ||
         category == KernelCategory::ConvolutionBackward || category == KernelCategory::MatrixProduct;
}

// Of an operator that computes itself: of the first of its inputs that has floating-point elements.
KernelArithmetic arithmeticOfInputs(std::string_view inputs) {
  static constexpr std::pair<std::string_view, KernelArithmetic> kTypes[] = {
      {"BFloat16", KernelArithmetic::Bf16}, {"Half", KernelArithmetic::Fp16}, {"double", KernelArithmetic::Fp64}, {"float", KernelArithmetic::Fp32}};
  for (const auto& input : operatorInputs(inputs))
    for (const auto& [type, arithmetic] : kTypes)
      if (!input.tensors.empty() && input.type.find(type) != std::string::npos)
        return arithmetic;
  return KernelArithmetic::Unknown;
}

KernelArithmetic arithmeticOf(const Trace& trace, const GpuEvent& event, const KernelInfo& info) {
  if (event.kind != GpuKind::Operator)
    return info.arithmetic;
  return isProduct(info.category) ? arithmeticOfInputs(trace.name(operatorInputsOf(trace, event))) : KernelArithmetic::Unknown;
}
} // namespace

PrecisionAudit auditPrecision(const Trace& trace, const KernelIndex& index, std::optional<Precision> asked) {
  const auto steps = static_cast<double>(std::max<std::size_t>(trace.steps.size(), 1));
  struct Sum {
    PrecisionRow row;
    double longest_ms = 0;
    double calls = 0;
  };
  std::map<std::tuple<NameId, NameId, NameId, KernelArithmetic, KernelCategory>, Sum> sums;
  double untold_ms = 0;
  for (const auto& event : trace.gpu) {
    const KernelInfo& info = index.of(event);
    if (event.step == kNoIndex)
      continue;
    const KernelArithmetic arithmetic = arithmeticOf(trace, event, info);
    if (arithmetic == KernelArithmetic::Unknown) {
      untold_ms += isProduct(info.category) ? static_cast<double>(event.duration_ns) / 1e6 / steps : 0;
      continue;
    }
    const NameId inputs = operatorInputsOf(trace, event);
    Sum& sum = sums[{event.opName, event.module, inputs, arithmetic, info.category}];
    const double ms = static_cast<double>(event.duration_ns) / 1e6 / steps;
    sum.row.time_ms += ms;
    sum.calls += event.isLaterSlice ? 0 : 1 / steps;
    if (ms < sum.longest_ms)
      continue;
    sum.longest_ms = ms;
    sum.row.operatorName = trace.name(event.opName);
    sum.row.module = trace.name(event.module);
    sum.row.shapes = rooflineShapes(trace.name(inputs));
    sum.row.category = info.category;
    sum.row.arithmetic = arithmetic;
    sum.row.tensorCores = info.tensorCores;
    sum.row.kernel = info.title;
  }
  PrecisionAudit audit;
  audit.untold_ms = untold_ms;
  const auto evidence = trace.hasGpu() ? PrecisionEvidence::KernelNames : PrecisionEvidence::InputTypes;
  const KernelArithmetic expected = evidence == PrecisionEvidence::InputTypes && asked == Precision::Tf32 ? KernelArithmetic::Fp32 : arithmeticFor(asked.value_or(Precision::Unknown));
  for (auto& [key, sum] : sums) {
    sum.row.calls = static_cast<std::uint64_t>(sum.calls + 0.5);
    sum.row.match = asked ? matchOf(sum.row.arithmetic, expected) : PrecisionMatch::Unknown;
    audit.products_ms += sum.row.time_ms;
    audit.tensorCores_ms += sum.row.tensorCores ? sum.row.time_ms : 0;
    audit.asAsked_ms += sum.row.match == PrecisionMatch::AsAsked ? sum.row.time_ms : 0;
    audit.rows.push_back(std::move(sum.row));
  }
  std::sort(audit.rows.begin(), audit.rows.end(),
            [](const PrecisionRow& a, const PrecisionRow& b) { return a.time_ms > b.time_ms; });
  audit.layout = layoutTax(trace, index, steps);
  audit.evidence = audit.products_ms > 0 ? evidence : PrecisionEvidence::Unknown;
  audit.sentence = sentenceOf(audit, asked, evidence);
  return audit;
}

} // namespace voxlab
