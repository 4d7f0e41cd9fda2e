// SPDX-License-Identifier: Apache-2.0
#include "core/execution/mode.h"
#include "core/protocol/switch_table.h"
#include <algorithm>
#include <functional>

namespace voxlab {
namespace {

ModeSwitches row(Precision precision, MemoryLayout layout, const std::function<void(ModeSwitches&)>& change = {}) {
  ModeSwitches s;
  s.precision = precision;
  s.layout = layout;
  s.fusedOptimiser = precision == Precision::Fp16; // the one that can skip a step without asking the host
  s.spreadNorm = is16Bit(precision);               // the paper's modes run LibTorch's own
  if (change)
    change(s);
  return s;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

} // namespace

const std::vector<Mode>& modeTable() {
  using P = Precision;
  using L = MemoryLayout;
  const auto lean = [](ModeSwitches& s) {
    s.autocast = false;
    s.algorithmSearch = true;
    s.fusedOptimiser = true;
    s.spreadNorm = true;
    s.attention = AttentionMethod::Flash;
  };
  const auto search = [](ModeSwitches& s) { s.algorithmSearch = true; };
  const auto graph = [&lean](ModeSwitches& s) {
    lean(s);
    s.cudaGraphs = true;
  };
  const auto fused = [&lean](ModeSwitches& s) {
    lean(s);
    s.fusedKernels = true;
  };
  const auto fusedGraph = [&fused](ModeSwitches& s) {
    fused(s);
    s.cudaGraphs = true;
  };
  static const std::vector<Mode> table{
      {"baseline", "Baseline", "FP32 with both TF32 switches off, channels first: the paper's reference.", row(P::Fp32, L::Contiguous)},
      {"opt1", "OPT1: TF32", "Convolutions and matrix products on TF32 tensor cores.", row(P::Tf32, L::Contiguous)},
      {"opt2", "OPT2: channels last", "FP32, feature maps stored channels last (NDHWC).", row(P::Fp32, L::ChannelsLast)},
      {"opt12", "OPT12: TF32 and channels last", "Both of the paper's optimisations.", row(P::Tf32, L::ChannelsLast)},
      {"bf16", "BF16", "Convolutions and matrix products in bfloat16 by automatic casting; weights, statistics and moments FP32.",
       row(P::Bf16, L::Contiguous)},
      {"fp16", "FP16", "As BF16 but in float16, with gradients scaled against underflow.", row(P::Fp16, L::Contiguous)},
      {"bf16_channels_last", "BF16, channels last", "BF16 with channels-last feature maps and cuDNN's algorithm search.",
       row(P::Bf16, L::ChannelsLast, search)},
      {"fp16_channels_last", "FP16, channels last", "FP16 with channels-last feature maps and cuDNN's algorithm search.",
       row(P::Fp16, L::ChannelsLast, search)},
      {"bf16_stored", "BF16, stored", "All feature maps stored in bfloat16, flash attention, fused Adam; half the memory of FP32.",
       row(P::Bf16, L::Contiguous, lean)},
      {"tf32_graph", "TF32, graph", "TF32 with cuDNN's algorithm search; steps are recorded once and replayed, so that the host costs nothing.",
       row(P::Tf32, L::Contiguous, graph)},
      {"bf16_graph", "BF16, stored, graph", "Feature maps stored in bfloat16; steps are recorded once and replayed.", row(P::Bf16, L::Contiguous, graph)},
      {"fused_tf32", "Fused, TF32", "Own channels-last kernels, feature maps in FP32, products on TF32 tensor cores.", row(P::Tf32, L::ChannelsLast, fused)},
      {"fused_bf16", "Fused, BF16", "Own channels-last kernels, feature maps in bfloat16: the fastest to train.", row(P::Bf16, L::ChannelsLast, fused)},
      {"fused_fp16", "Fused, FP16", "Own channels-last kernels, feature maps in float16, gradients scaled against underflow.", row(P::Fp16, L::ChannelsLast, fused)},
      {"fused_tf32_graph", "Fused, TF32, graph", "Fused, TF32; steps are recorded once and replayed.", row(P::Tf32, L::ChannelsLast, fusedGraph)},
      {"fused_bf16_graph", "Fused, BF16, graph", "Fused, BF16; steps are recorded once and replayed.", row(P::Bf16, L::ChannelsLast, fusedGraph)},
      {"fused_fp16_graph", "Fused, FP16, graph", "Fused, FP16; steps are recorded once and replayed.", row(P::Fp16, L::ChannelsLast, fusedGraph)},
  };
  return table;
}

std::vector<std::string> modeSwitchNames() {
  std::vector<std::string> names;
  for (const NamedSwitch& s : switchTable())
    names.push_back(s.name);
  return names;
}

Result<Mode> parseMode(const std::string& text) {
  const CombinedMode wanted = splitMode(text);
  const auto& table = modeTable();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Mode& m) { return m.name == wanted.row; });
  if (found == table.end()) {
    std::vector<std::string> names;
    for (const Mode& m : table)
      names.push_back(m.name);
    return fail(ExitCode::Usage, "There is no mode \"" + text + "\". Modes: " + joined(names) + "; switches may follow with +.");
  }
  Mode mode = *found;
  for (const std::string& name : wanted.switches) {
    if (!applySwitch(name, mode.switches))
      return fail(ExitCode::Usage, "There is no switch \"" + name + "\" to add to a mode. Switches: " + joined(modeSwitchNames()) + ".");
    mode.name += "+" + name;
    mode.title += " + " + name;
  }
  if (!wanted.switches.empty())
    mode.explanation = found->title + " with switches added.";
  return mode;
}

std::vector<Choice> modeChoices(c10::Device device) {
  std::vector<Choice> choices;
  for (const Mode& mode : modeTable())
    choices.push_back({mode.name, mode.title, mode.explanation, unavailableReason(mode.switches, device), toJson(mode.switches)});
  return choices;
}

double predictionTolerance(Precision precision) {
  switch (precision) {
  case Precision::Fp32: return 2e-5;
  case Precision::Tf32: return 5e-3;
  case Precision::Fp16: return 8e-3;
  default: return 4e-2;
  }
}

} // namespace voxlab
