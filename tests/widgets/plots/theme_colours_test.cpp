// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/theme_colours.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

TEST(ThemeColours, ANameKeepsItsColour) {
  EXPECT_EQ(namedColour(QStringLiteral("compute")), namedColour(QStringLiteral("Compute")));
  EXPECT_EQ(namedColour(QStringLiteral("opt12")), namedColour(QStringLiteral("opt12")));
  EXPECT_NE(namedColour(QStringLiteral("compute")), namedColour(QStringLiteral("data")));
}

TEST(ThemeColours, TextIsReadableOnEverySurface) {
  const auto channel = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const auto luminance = [&](const QColor& c) { return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF()); };
  const auto contrast = [&](const QColor& a, const QColor& b) {
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return std::max(x, y) / std::min(x, y);
  };
  for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) { // WCAG 2.1, level AA: 4.5 to 1
    const ThemeColours& c = themeColours(kind);
    for (const QColor& surface : {c.window, c.surface, c.raised, c.accentSoft}) {
      EXPECT_GE(contrast(c.text, surface), 7);
      EXPECT_GE(contrast(c.muted, surface), 4.5) << surface.name().toStdString();
    }
    EXPECT_GE(contrast(c.danger, c.surface), 4.5);
    EXPECT_GE(contrast(c.danger, c.dangerSoft), 4.5);
    EXPECT_GE(contrast(c.warning, c.surface), 4.5);
    EXPECT_GE(contrast(c.onAccent, c.accent), 4.5);
    EXPECT_EQ(themeColours(paletteOf(c)).kind, kind);
  }
}
