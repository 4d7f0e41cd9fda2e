// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_range_memory.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include <QSettings>
#include <gtest/gtest.h>

namespace voxlab {
namespace {

ViewerVolume named(const char* title, const char* path = "") {
  ViewerVolume volume = headVolume();
  volume.title = title;
  volume.path = path;
  return volume;
}

SliceLayer layerOf(const ViewerVolume& volume) {
  SliceLayer layer{*SampledVolume::of(volume.volume)};
  layer.range = robustRange(volume.summary);
  return layer;
}

TEST(RangeMemory, NamesTellTheModality) {
  for (const auto& [title, modality] : {std::pair{"sub-01_T1w", "T1"}, {"BraTS_00001-t1ce", "T1CE"}, {"case_t1c", "T1CE"}, {"ax FLAIR 3mm", "FLAIR"}, {"T2", "T2"},
                                        {"head_t10", ""}, {"contact", ""}, {"ch2", ""}})
    EXPECT_EQ(modalityOf(named(title)).toStdString(), modality) << title;
  EXPECT_EQ(modalityOf(named("x", "/runs/a/samples/step_00000010/sample_1.nii.gz")), QStringLiteral("generated"));
  ViewerVolume labels = labelVolume();
  labels.title = "T1 labels";
  EXPECT_TRUE(modalityOf(labels).isEmpty());
}

TEST(RangeMemory, IsKeptRelativeToTheAutomaticRange) {
  QSettings().clear();
  const ViewerVolume first = named("a_T1w");
  SliceLayer layer = layerOf(first);
  const DisplayRange automatic = layer.range;
  const double width = automatic.high - automatic.low;
  layer.range = {automatic.low + 0.25 * width, automatic.high + 0.5 * width};
  layer.colourMap = ColourMap::Hot;
  rememberRange(first, layer.range, layer.colourMap);
  // Another scanner's T1: the same head, brighter.
  const ViewerVolume second = [] {
    ViewerVolume volume = prepared(volumeOf(gridOf("RAS", {64, 64, 48}), [](Vec3d p) { return 100 + 7 * headAt(p); }), "b_t1");
    return volume;
  }();
  SliceLayer other = layerOf(second);
  const DisplayRange otherAutomatic = other.range;
  const double otherWidth = otherAutomatic.high - otherAutomatic.low;
  EXPECT_TRUE(recallRange(second, other));
  EXPECT_NEAR(other.range.low, otherAutomatic.low + 0.25 * otherWidth, 1e-9 * otherWidth);
  EXPECT_NEAR(other.range.high, otherAutomatic.high + 0.5 * otherWidth, 1e-9 * otherWidth);
  EXPECT_EQ(other.colourMap, ColourMap::Hot);
  SliceLayer flair = layerOf(named("a_FLAIR"));
  EXPECT_FALSE(recallRange(named("a_FLAIR"), flair));
  EXPECT_EQ(flair.range, automatic) << "another modality has its own";
}

TEST(RangeMemory, AutomaticAgainIsForgotten) {
  QSettings().clear();
  const ViewerVolume volume = named("T2");
  SliceLayer layer = layerOf(volume);
  const DisplayRange automatic = layer.range;
  layer.range.high *= 2;
  rememberRange(volume, layer.range, layer.colourMap);
  rememberRange(volume, automatic, ColourMap::Grey);
  SliceLayer fresh = layerOf(volume);
  EXPECT_FALSE(recallRange(volume, fresh));
  EXPECT_EQ(fresh.range, automatic);
}

TEST(RangeMemory, WhatCannotBeReadIsLeftAlone) {
  const ViewerVolume volume = named("T2");
  for (const QVariant& kept : {QVariant(QVariantList{1, 0, QStringLiteral("grey")}), QVariant(QVariantList{0, 1, QStringLiteral("plaid")}), QVariant(QStringLiteral("x"))}) {
    QSettings().setValue(QStringLiteral("viewer/ranges/T2"), kept);
    SliceLayer layer = layerOf(volume);
    const DisplayRange automatic = layer.range;
    EXPECT_FALSE(recallRange(volume, layer));
    EXPECT_EQ(layer.range, automatic);
    EXPECT_EQ(layer.colourMap, ColourMap::Grey);
  }
}

} // namespace
} // namespace voxlab
