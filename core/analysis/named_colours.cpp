// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/named_colours.h"
#include <algorithm>
#include <cstdio>
#include <iterator>

namespace voxlab {
namespace {
// Kin share a hue and differ in lightness, which the colour-blind see too; idle time is grey.
constexpr NamedColour kTable[] = {
    // Kernel categories and causes of idle time
    {"convolution_forward", 0x0072b2, 0x2b8fce},
    {"convolution_data_gradient", 0x56b4e9, 0x79c5f0},
    {"convolution_weight_gradient", 0x17456e, 0x4a6fa5},
    {"convolution_backward", 0x3a93cf, 0x5ba4d6},
    {"matrix_product", 0x009e73, 0x22b58a},
    {"attention", 0x6fc7ab, 0x8fd9c1},
    {"normalisation_forward", 0xe69f00, 0xe9ab26},
    {"normalisation_backward", 0xb97a00, 0xb98322},
    {"elementwise", 0xcc79a7, 0xd58db5},
    {"layout_conversion", 0xd55e00, 0xe5742a},
    {"upsample", 0xddd03a, 0xe8de5c},
    {"reduction", 0x8c6d31, 0xa98a4f},
    {"optimiser", 0x7a5195, 0x9b74b6},
    {"random", 0xa05c6b, 0xb97886},
    {"copy", 0x6b8e23, 0x8bac48},
    {"other", 0x5f6b76, 0x8f9aa5},
    {"idle_unknown", 0xd3d7dc, 0x454c54},
    {"idle_launch", 0xbcc3ca, 0x555d66},
    {"idle_host", 0xa7afb8, 0x656e78},
    {"idle_data", 0x939ca6, 0x757f8a},
    {"idle_sync", 0x808a95, 0x86909b},
    {"idle_profiler", 0xe3e5e8, 0x373d44},
    // Modes
    {"baseline", 0x5f6b76, 0x828b94},
    {"opt1", 0x0072b2, 0x3891c2},
    {"opt2", 0xd55e00, 0xde8138},
    {"opt12", 0xcc79a7, 0xd796ba},
    {"bf16", 0xe69f00, 0xebb438},
    {"fp16", 0xb97a00, 0xc89738},
    {"bf16_channels_last", 0xddd03a, 0xe4da65},
    {"fp16_channels_last", 0xb3a72c, 0xc3ba5a},
    {"bf16_stored", 0x8c6d31, 0xa58d5e},
    {"tf32_graph", 0x56b4e9, 0x7bc4ed},
    {"bf16_graph", 0xf0b94d, 0xf3c874},
    {"fused_tf32", 0x6fc7ab, 0x8ed3bd},
    {"fused_bf16", 0x009e73, 0x38b391},
    {"fused_fp16", 0x00664b, 0x388772},
    {"fused_bf16_graph", 0x7a5195, 0x9777ac},
    {"fused_fp16_graph", 0xa05c6b, 0xb47f8b},
    // Kinds of instructions
    {"thread_instructions_tensor", 0xd55e00, 0xde8138},
    {"thread_instructions_fp16", 0x009e73, 0x38b391},
    {"thread_instructions_fp32", 0x0072b2, 0x3891c2},
    {"thread_instructions_fp64", 0x17456e, 0x4a6d8d},
    {"thread_instructions_integer", 0xddd03a, 0xe4da65},
    {"thread_instructions_memory", 0xe69f00, 0xebb438},
    {"thread_instructions_control", 0x56b4e9, 0x7bc4ed},
    {"thread_instructions_conversion", 0xcc79a7, 0xd796ba},
    // Why warps wait
    {"long_scoreboard", 0xd55e00, 0xde8138},
    {"short_scoreboard", 0xe69f00, 0xebb438},
    {"math_pipe_throttle", 0x0072b2, 0x3891c2},
    {"mio_throttle", 0x56b4e9, 0x7bc4ed},
    {"lg_throttle", 0xb97a00, 0xc89738},
    {"tex_throttle", 0x8c6d31, 0xa58d5e},
    {"barrier", 0xcc79a7, 0xd796ba},
    {"membar", 0xa05c6b, 0xb47f8b},
    {"branch_resolving", 0x7a5195, 0x9777ac},
    {"wait", 0x009e73, 0x38b391},
    {"not_selected", 0x6fc7ab, 0x8ed3bd},
    {"no_instruction", 0x939ca6, 0xaab1b9},
    {"dispatch_stall", 0x17456e, 0x4a6d8d},
    {"drain", 0xddd03a, 0xe4da65},
    {"gmma", 0x00664b, 0x388772},
};
} // namespace

const NamedColour* findNamedColour(std::string_view name) {
  const auto* const row = std::find_if(std::begin(kTable), std::end(kTable), [&](const NamedColour& c) { return c.name == name; });
  return row == std::end(kTable) ? nullptr : row;
}

std::string htmlColour(std::uint32_t rgb) {
  char text[8];
  std::snprintf(text, sizeof text, "#%06x", static_cast<unsigned>(rgb & 0xffffffu));
  return text;
}

} // namespace voxlab
