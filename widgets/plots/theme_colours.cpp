// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/theme_colours.h"
#include <QHash>
#include <array>

namespace voxlab {
namespace {
ThemeColours lightColours() {
  ThemeColours c;
  c.kind = ThemeKind::Light;
  c.window = "#f3f4f6";
  c.surface = "#ffffff";
  c.raised = "#f7f8f9";
  c.border = "#dfe2e6";
  c.strongBorder = "#c2c8ce";
  c.text = "#1b1f24";
  c.muted = "#5a636c";
  c.disabled = "#9aa2aa";
  c.accent = "#0b7a75";
  c.accentHover = "#096661";
  c.onAccent = "#ffffff";
  c.accentSoft = "#d9efed";
  c.danger = "#c0282d";
  c.dangerSoft = "#fbe9e9";
  c.warning = "#8f5b00";
  c.warningSoft = "#fdf1d8";
  return c;
}

ThemeColours darkColours() {
  ThemeColours c;
  c.kind = ThemeKind::Dark;
  c.window = "#17191c";
  c.surface = "#1f2226";
  c.raised = "#282c31";
  c.border = "#32373d";
  c.strongBorder = "#4a525a";
  c.text = "#e6e8eb";
  c.muted = "#9ba4ad";
  c.disabled = "#646d76";
  c.accent = "#35b8b0";
  c.accentHover = "#52cac3";
  c.onAccent = "#062322";
  c.accentSoft = "#1b3d3c";
  c.danger = "#f0716d";
  c.dangerSoft = "#3b2123";
  c.warning = "#e6ad45";
  c.warningSoft = "#3a2f1a";
  return c;
}

// Blue, orange, bluish green, vermillion, sky blue, reddish purple, yellow.
constexpr std::array<QRgb, 7> kOkabeIto{0xff0072b2, 0xffe69f00, 0xff009e73, 0xffd55e00, 0xff56b4e9, 0xffcc79a7, 0xfff0e442};

const QHash<QString, int>& fixedNames() {
  static const QHash<QString, int> names{
      {"compute", 0},     {"data", 1},       {"host", 2},          {"other", 5},     {"forward", 0}, {"backward", 3},
      {"optimiser", 2},   {"allocated", 0},  {"reserved", 4},      {"peak", 3},      {"utilisation", 0}, {"power", 1},
      {"memory", 2},      {"temperature", 3}, {"loss", 0},         {"train", 0},     {"sample", 1},  {"baseline", 5},
  };
  return names;
}

struct ColourPair {
  QRgb light, dark;
};

// What stands side by side on many pages, by its name in exports: kin share a hue and differ in lightness, which the
// colour-blind see too; idle time is grey.
const QHash<QString, ColourPair>& categoryColours() {
  static const QHash<QString, ColourPair> colours{
      {"convolution_forward", {0xff0072b2, 0xff2b8fce}},
      {"convolution_data_gradient", {0xff56b4e9, 0xff79c5f0}},
      {"convolution_weight_gradient", {0xff17456e, 0xff4a6fa5}},
      {"convolution_backward", {0xff3a93cf, 0xff5ba4d6}},
      {"matrix_product", {0xff009e73, 0xff22b58a}},
      {"attention", {0xff6fc7ab, 0xff8fd9c1}},
      {"normalisation_forward", {0xffe69f00, 0xffe9ab26}},
      {"normalisation_backward", {0xffb97a00, 0xffb98322}},
      {"elementwise", {0xffcc79a7, 0xffd58db5}},
      {"layout_conversion", {0xffd55e00, 0xffe5742a}},
      {"upsample", {0xffddd03a, 0xffe8de5c}},
      {"reduction", {0xff8c6d31, 0xffa98a4f}},
      {"optimiser", {0xff7a5195, 0xff9b74b6}},
      {"random", {0xffa05c6b, 0xffb97886}},
      {"copy", {0xff6b8e23, 0xff8bac48}},
      {"other", {0xff5f6b76, 0xff8f9aa5}},
      {"idle_unknown", {0xffd3d7dc, 0xff454c54}},
      {"idle_launch", {0xffbcc3ca, 0xff555d66}},
      {"idle_host", {0xffa7afb8, 0xff656e78}},
      {"idle_data", {0xff939ca6, 0xff757f8a}},
      {"idle_sync", {0xff808a95, 0xff86909b}},
      {"idle_profiler", {0xffe3e5e8, 0xff373d44}},
      // Modes
      {"baseline", {0xff5f6b76, 0xff828b94}},
      {"opt1", {0xff0072b2, 0xff3891c2}},
      {"opt2", {0xffd55e00, 0xffde8138}},
      {"opt12", {0xffcc79a7, 0xffd796ba}},
      {"bf16", {0xffe69f00, 0xffebb438}},
      {"fp16", {0xffb97a00, 0xffc89738}},
      {"bf16_channels_last", {0xffddd03a, 0xffe4da65}},
      {"fp16_channels_last", {0xffb3a72c, 0xffc3ba5a}},
      {"bf16_stored", {0xff8c6d31, 0xffa58d5e}},
      {"tf32_graph", {0xff56b4e9, 0xff7bc4ed}},
      {"bf16_graph", {0xfff0b94d, 0xfff3c874}},
      {"fused_tf32", {0xff6fc7ab, 0xff8ed3bd}},
      {"fused_bf16", {0xff009e73, 0xff38b391}},
      {"fused_fp16", {0xff00664b, 0xff388772}},
      {"fused_bf16_graph", {0xff7a5195, 0xff9777ac}},
      {"fused_fp16_graph", {0xffa05c6b, 0xffb47f8b}},
      // Kinds of instructions
      {"thread_instructions_tensor", {0xffd55e00, 0xffde8138}},
      {"thread_instructions_fp16", {0xff009e73, 0xff38b391}},
      {"thread_instructions_fp32", {0xff0072b2, 0xff3891c2}},
      {"thread_instructions_fp64", {0xff17456e, 0xff4a6d8d}},
      {"thread_instructions_integer", {0xffddd03a, 0xffe4da65}},
      {"thread_instructions_memory", {0xffe69f00, 0xffebb438}},
      {"thread_instructions_control", {0xff56b4e9, 0xff7bc4ed}},
      {"thread_instructions_conversion", {0xffcc79a7, 0xffd796ba}},
      // Why warps wait
      {"long_scoreboard", {0xffd55e00, 0xffde8138}},
      {"short_scoreboard", {0xffe69f00, 0xffebb438}},
      {"math_pipe_throttle", {0xff0072b2, 0xff3891c2}},
      {"mio_throttle", {0xff56b4e9, 0xff7bc4ed}},
      {"lg_throttle", {0xffb97a00, 0xffc89738}},
      {"tex_throttle", {0xff8c6d31, 0xffa58d5e}},
      {"barrier", {0xffcc79a7, 0xffd796ba}},
      {"membar", {0xffa05c6b, 0xffb47f8b}},
      {"branch_resolving", {0xff7a5195, 0xff9777ac}},
      {"wait", {0xff009e73, 0xff38b391}},
      {"not_selected", {0xff6fc7ab, 0xff8ed3bd}},
      {"no_instruction", {0xff939ca6, 0xffaab1b9}},
      {"dispatch_stall", {0xff17456e, 0xff4a6d8d}},
      {"drain", {0xffddd03a, 0xffe4da65}},
      {"gmma", {0xff00664b, 0xff388772}},
  };
  return colours;
}
} // namespace

const ThemeColours& themeColours(ThemeKind kind) {
  static const ThemeColours light = lightColours();
  static const ThemeColours dark = darkColours();
  return kind == ThemeKind::Dark ? dark : light;
}

const ThemeColours& themeColours(const QPalette& palette) {
  return themeColours(palette.color(QPalette::Window).lightness() < 128 ? ThemeKind::Dark : ThemeKind::Light);
}

QPalette paletteOf(const ThemeColours& c) {
  QPalette p;
  p.setColor(QPalette::Window, c.window);
  p.setColor(QPalette::WindowText, c.text);
  p.setColor(QPalette::Base, c.surface);
  p.setColor(QPalette::AlternateBase, c.raised);
  p.setColor(QPalette::Text, c.text);
  p.setColor(QPalette::PlaceholderText, c.disabled);
  p.setColor(QPalette::Button, c.surface);
  p.setColor(QPalette::ButtonText, c.text);
  p.setColor(QPalette::BrightText, c.danger);
  p.setColor(QPalette::Highlight, c.accent);
  p.setColor(QPalette::HighlightedText, c.onAccent);
  p.setColor(QPalette::Link, c.accent);
  p.setColor(QPalette::LinkVisited, c.accent);
  p.setColor(QPalette::ToolTipBase, c.raised);
  p.setColor(QPalette::ToolTipText, c.text);
  p.setColor(QPalette::Light, c.raised);
  p.setColor(QPalette::Midlight, c.raised);
  p.setColor(QPalette::Mid, c.border);
  p.setColor(QPalette::Dark, c.strongBorder);
  p.setColor(QPalette::Shadow, QColor(0, 0, 0, c.kind == ThemeKind::Dark ? 160 : 60));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, c.disabled);
  p.setColor(QPalette::Disabled, QPalette::Highlight, c.strongBorder);
  return p;
}

QColor categoricalColour(int index, ThemeKind kind) {
  const auto count = static_cast<int>(kOkabeIto.size());
  QColor colour(kOkabeIto[static_cast<std::size_t>(((index % count) + count) % count)]);
  if (kind == ThemeKind::Dark && colour.lightness() < 100) // the deep ones need light on a dark ground
    colour = colour.lighter(135);
  if (kind == ThemeKind::Light && colour.lightness() > 140 && colour.hsvSaturation() > 150)
    colour = colour.darker(112);
  return colour;
}

QColor namedColour(const QString& name, ThemeKind kind) {
  if (const auto category = categoryColours().constFind(name); category != categoryColours().constEnd())
    return QColor(kind == ThemeKind::Dark ? category->dark : category->light);
  const auto known = fixedNames().constFind(name.toLower());
  if (known != fixedNames().constEnd())
    return categoricalColour(*known, kind);
  quint32 hash = 2166136261u; // FNV-1a: qHash is seeded anew in every process
  for (const char byte : name.toUtf8())
    hash = (hash ^ static_cast<quint8>(byte)) * 16777619u;
  return categoricalColour(static_cast<int>(hash % kOkabeIto.size()), kind);
}

} // namespace voxlab
