// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/theme_colours.h"
#include "core/analysis/named_colours.h"
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
  if (const NamedColour* own = findNamedColour(name.toStdString()))
    return QColor::fromRgb(kind == ThemeKind::Dark ? own->dark : own->light);
  const auto known = fixedNames().constFind(name.toLower());
  if (known != fixedNames().constEnd())
    return categoricalColour(*known, kind);
  quint32 hash = 2166136261u; // FNV-1a: qHash is seeded anew in every process
  for (const char byte : name.toUtf8())
    hash = (hash ^ static_cast<quint8>(byte)) * 16777619u;
  return categoricalColour(static_cast<int>(hash % kOkabeIto.size()), kind);
}

} // namespace voxlab
