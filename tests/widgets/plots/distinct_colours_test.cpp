// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/distinct_colours.h"
#include "widgets/plots/theme_colours.h"
#include <QSet>
#include <gtest/gtest.h>

using namespace voxlab;

TEST(DistinctColours, OfFourteenRunsAreAllDifferent) {
  const QStringList names{"baseline", "opt1", "opt2", "opt12", "fused_bf16", "fused_bf16_graph", "imp_base", "imp_opt1", "opt2", "cpu", "trace.json", "a", "b", ""};
  const QStringList colours = distinctColours(names);
  ASSERT_EQ(colours.size(), names.size());
  for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
    QSet<QRgb> seen;
    for (const QString& colour : colours)
      seen.insert(namedColour(colour, kind).rgb());
    EXPECT_EQ(seen.size(), names.size());
  }
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(colours[i], names[i]) << "a mode keeps its colour";
}

TEST(DistinctColours, ComeAgainWhereThereAreNotEnough) {
  QStringList names;
  for (int i = 0; i < 60; ++i)
    names << QStringLiteral("run %1").arg(i);
  const QStringList colours = distinctColours(names);
  EXPECT_EQ(colours.size(), 60);
  EXPECT_FALSE(colours.contains(QString()));
}
