// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/axis_ticks.h"
#include "widgets/plots/theme_colours.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

TEST(AxisTicks, SeparateThousandsAndShowNoMoreDigitsThanTheStepNeeds) {
  EXPECT_EQ(tickText(12400, 200), QStringLiteral("12\u202f400"));
  EXPECT_EQ(tickText(0.30000000000000004, 0.1), QStringLiteral("0.3"));
  EXPECT_EQ(tickText(0.5, 0.25), QStringLiteral("0.50"));
  EXPECT_EQ(tickText(-1500, 500), QStringLiteral("−1\u202f500"));
  EXPECT_EQ(tickText(1e-17, 0.1), QStringLiteral("0.0"));
  EXPECT_EQ(tickText(2e12, 1e12), QStringLiteral("2·10¹²"));
  EXPECT_EQ(tickText(3e-7, 1e-7), QStringLiteral("3·10⁻⁷"));
}

TEST(AxisTicks, LogarithmicOnesAreDecadesAndMoreWhenThereAreFew) {
  EXPECT_EQ(logTicks(1, 1e6), (QVector<double>{1, 10, 100, 1000, 1e4, 1e5, 1e6}));
  const auto few = logTicks(0.03, 0.3);
  ASSERT_EQ(few.size(), 3);
  EXPECT_DOUBLE_EQ(few[0], 0.05);
  EXPECT_DOUBLE_EQ(few[1], 0.1);
  EXPECT_DOUBLE_EQ(few[2], 0.2);
  EXPECT_TRUE(logTicks(0, 1).isEmpty());
  EXPECT_EQ(logTicks(5.9e10, 2e15, 1), (QVector<double>{1e11, 1e13, 1e15})) << "three, however little room there is";
  for (double first = 1.1; first < 1e3; first *= 1.7)
    for (double length = 1.6; length < 1e14; length *= 2.3)
      for (const int most : {1, 2, 4, 8}) {
        const auto ticks = logTicks(first, first * length, most);
        ASSERT_GE(ticks.size(), length > 10 ? 3 : 0) << first << " × " << length << " with " << most;
        if (ticks.isEmpty())
          continue;
        EXPECT_LE(ticks.size(), 10) << first << " × " << length << " with " << most;
        EXPECT_GE(ticks.front(), first * 0.999);
        EXPECT_LE(ticks.back(), first * length * 1.001);
      }
  EXPECT_LE(logTicks(1e-30, 1e30).size(), 10);
  EXPECT_EQ(logTickText(0.05), QStringLiteral("0.05"));
  EXPECT_EQ(logTickText(1e-6), QStringLiteral("10⁻⁶"));
}

// Structural similarities of equal seeds lie between 0.999 99 and 1.
TEST(AxisTicks, NeighboursNearOneDoNotReadAlike) {
  EXPECT_EQ(tickText(0.999998, 1e-6), QStringLiteral("0.999998"));
  EXPECT_EQ(tickText(1, 1e-6), QStringLiteral("1.000000"));
  EXPECT_EQ(tickText(0.0009999, 1e-9), QStringLiteral("0.000999900"));
  EXPECT_EQ(tickText(1e9 + 1e6, 1e6), QStringLiteral("1\u202f001\u202f000\u202f000"));
  EXPECT_EQ(tickText(9.999e-7, 1e-8), QStringLiteral("10⁻⁶")) << "not 10·10⁻⁷";
  EXPECT_EQ(tickText(2e18, 1e12), QStringLiteral("2·10¹⁸"));
}

TEST(AxisTicks, WithinADecadeThereAreRoundOnesAllTheSame) {
  for (const auto& [first, last] : std::vector<std::pair<double, double>>{{2.1, 4.9}, {0.98, 1.03}, {13, 48}, {0.61, 0.95}, {1.01, 9.9}}) {
    const auto ticks = logTicks(first, last);
    ASSERT_GE(ticks.size(), 2) << first;
    EXPECT_LE(ticks.size(), 8) << first;
    for (const double tick : ticks) {
      EXPECT_TRUE(tick >= first && tick <= last) << tick;
      EXPECT_NEAR(logTickText(tick).toDouble(), tick, 1e-9) << "what it says is where it stands";
    }
  }
  EXPECT_EQ(logTicks(13, 48), (QVector<double>{20, 30, 40}));
  EXPECT_EQ(logTickText(2.5), QStringLiteral("2.5"));
}

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
