// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/label_layout.h"
#include "widgets/plots/scatter_plot.h"
#include <QApplication>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace voxlab;

namespace {
// 16 modes × 3 samplers, as an experiment has them: rows of one quality, crowded where times are alike.
LabelField crowded(const QSizeF& size) {
  LabelField field;
  field.area = QRectF({50, 10}, size);
  for (int sampler = 0; sampler < 3; ++sampler)
    for (int mode = 0; mode < 16; ++mode) {
      const double x = 0.1 + 0.25 * sampler + 0.35 * std::pow(mode / 16.0, 1.5), y = 0.75 - 0.22 * sampler - (mode % 5 == 0 ? 0.06 : 0.0);
      field.points.push_back({field.area.topLeft() + QPointF(x * size.width(), y * size.height()), 5, {95, 13}, mode == 0 || mode == 1 ? 1 : 0});
    }
  return field;
}

void expectReadable(const LabelField& field, const std::vector<PlacedLabel>& labels) {
  for (std::size_t n = 0; n < labels.size(); ++n) {
    EXPECT_TRUE(field.area.contains(labels[n].box));
    for (std::size_t other = n + 1; other < labels.size(); ++other) {
      EXPECT_FALSE(labels[n].box.intersects(labels[other].box)) << labels[n].point << " on " << labels[other].point;
      if (labels[n].leader && labels[other].leader) {
        EXPECT_NE(labels[n].leader->intersects(*labels[other].leader, nullptr), QLineF::BoundedIntersection);
      }
    }
    const auto gapTo = [&](std::size_t point) {
      const QPointF& at = field.points[point].at;
      const QPointF nearest(std::clamp(at.x(), labels[n].box.left(), labels[n].box.right()), std::clamp(at.y(), labels[n].box.top(), labels[n].box.bottom()));
      return QLineF(at, nearest).length() - field.points[point].radius;
    };
    for (std::size_t point = 0; point < field.points.size(); ++point)
      if (point != labels[n].point) {
        EXPECT_FALSE(labels[n].box.contains(field.points[point].at)) << "the name of " << labels[n].point << " hides " << point;
        EXPECT_TRUE(labels[n].leader || gapTo(point) > gapTo(labels[n].point)) << "the name of " << labels[n].point << " is read as that of " << point;
      }
  }
}
} // namespace

TEST(LabelLayout, NamesStandBesideTheirPointsWhereThereIsRoom) {
  LabelField field;
  field.area = {0, 0, 400, 300};
  field.points = {{{100, 100}, 5, {80, 12}, 0}, {{300, 200}, 5, {80, 12}, 0}};
  const auto labels = layOutLabels(field);
  ASSERT_EQ(labels.size(), 2u);
  for (const PlacedLabel& label : labels) {
    EXPECT_FALSE(label.leader);
    EXPECT_NEAR(label.box.center().y(), field.points[label.point].at.y(), 1);
  }
  EXPECT_EQ(labels[0].box.left(), 108) << "at the right";
  EXPECT_GT(labels[1].box.left(), 300);
}

TEST(LabelLayout, NamesThatMatterGoFurtherOffWithALine) {
  LabelField field;
  field.area = {0, 0, 400, 300};
  for (int n = 0; n < 5; ++n) // on each other, nearly
    field.points.push_back({{200.0 + 6 * n, 150}, 5, {90, 12}, 1});
  const auto labels = layOutLabels(field);
  EXPECT_EQ(labels.size(), 5u);
  EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const PlacedLabel& label) { return label.leader.has_value(); }));
  expectReadable(field, labels);
}

// As two modes of one quality and sampler are, at 1400 × 900: the name of the left one would end at the ring of the right one.
TEST(LabelLayout, ANameIsNearerToItsOwnPointThanToAnother) {
  LabelField field;
  field.area = {0, 0, 400, 300};
  field.points = {{{100, 150}, 5, {150, 13}, 1}, {{262, 150}, 5, {110, 13}, 0}, {{262, 132}, 5, {}, 0}};
  const auto labels = layOutLabels(field);
  ASSERT_EQ(labels.size(), 2u);
  expectReadable(field, labels);
}

TEST(LabelLayout, NamesSideBySideAreTold) {
  LabelField field;
  field.area = {0, 0, 400, 60};
  field.points = {{{100, 30}, 5, {92, 13}, 0}, {{312, 30}, 5, {100, 13}, 0}};
  const auto labels = layOutLabels(field);
  ASSERT_EQ(labels.size(), 2u);
  const bool isRow = std::abs(labels[0].box.center().y() - labels[1].box.center().y()) < 13;
  EXPECT_TRUE(!isRow || labels[0].box.right() + 6 < labels[1].box.left() || labels[1].box.right() + 6 < labels[0].box.left());
}

TEST(LabelLayout, ALineIsNotWrittenOnWhereThereIsOtherRoom) {
  LabelField field;
  field.area = {0, 0, 400, 300};
  field.points = {{{200, 150}, 5, {80, 12}, 1}};
  field.lines = {{{200, 150}, {400, 150}}};
  const auto labels = layOutLabels(field);
  ASSERT_EQ(labels.size(), 1u);
  EXPECT_FALSE(labels[0].box.contains(QPointF(240, 150)));
}

TEST(LabelLayout, SixteenModesAndThreeSamplersCanBeRead) {
  for (const QSizeF size : {QSizeF(260, 240), QSizeF(420, 280), QSizeF(1000, 500)}) {
    SCOPED_TRACE(size.width());
    const LabelField field = crowded(size);
    const auto labels = layOutLabels(field);
    expectReadable(field, labels);
    const auto named = std::count_if(labels.begin(), labels.end(), [&](const PlacedLabel& label) { return field.points[label.point].importance > 0; });
    EXPECT_GE(named, size.width() < 300 ? 4 : 6) << "of six that matter";
  }
  EXPECT_GE(layOutLabels(crowded({1000, 500})).size(), 24u) << "in a large plot half of all";
}

TEST(LabelLayout, PointsOutOfSightAndWithoutNamesHaveNone) {
  LabelField field;
  field.area = {0, 0, 100, 100};
  field.points = {{{500, 50}, 5, {20, 12}, 1}, {{50, 50}, 5, {}, 1}};
  EXPECT_TRUE(layOutLabels(field).empty());
}

TEST(ScatterPlot, WritesTheFrontsNamesInSmallAndLargePlots) {
  for (const QSize size : {QSize(360, 320), QSize(520, 340), QSize(1200, 600)}) {
    SCOPED_TRACE(size.width());
    ScatterPlot plot;
    plot.resize(size);
    plot.setScales(AxisScale::Logarithmic, AxisScale::Linear);
    std::vector<ScatterPlot::Point> points;
    ScatterPlot::Line front;
    for (int sampler = 0; sampler < 3; ++sampler)
      for (int mode = 0; mode < 16; ++mode) {
        ScatterPlot::Point point;
        point.x = std::pow(5.0, sampler) * (0.3 + 0.5 * mode * mode / 16);
        point.y = 0.73 + 0.025 * sampler - (mode == 4 ? 0.03 : 0);
        point.label = QStringLiteral("fused_bf16_%1 · ddpm %2").arg(mode).arg(20 * (sampler + 1));
        point.importance = mode == 0 ? 1 : 0;
        if (mode == 0)
          front.points.emplace_back(point.x, point.y);
        points.push_back(point);
      }
    plot.setPoints(points, {front});
    plot.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&plot));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !plot.namedPoints().empty(); }));
    for (const int wanted : {0, 16, 32})
      EXPECT_TRUE(std::any_of(plot.namedPoints().begin(), plot.namedPoints().end(), [&](const auto& named) { return named.first == wanted; })) << wanted;
    for (std::size_t n = 0; n < plot.namedPoints().size(); ++n)
      for (std::size_t other = n + 1; other < plot.namedPoints().size(); ++other)
        EXPECT_FALSE(plot.namedPoints()[n].second.intersects(plot.namedPoints()[other].second));
  }
}
