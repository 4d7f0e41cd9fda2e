// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_volume_panel.h"
#include "rendering/qt/vtk_view.h"
#include "tests/support/qt/waiting.h"
#include "tests/support/temporary_folder.h"
#include "tests/widgets/pages/viewer_volumes.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_volume_view.h"
#include <QCheckBox>
#include <QSignalSpy>
#include <cmath>
#include <gmock/gmock.h>

namespace voxlab {
namespace {

class VolumePanelTest : public testing::Test {
protected:
  ViewerDocument document;
  ViewerVolumeView view{document};
  ViewerVolumePanel panel{document, view};
  ViewerVolumePanel::Switches switches = panel.switches();
  QSignalSpy wanted{&panel, &ViewerVolumePanel::surfacesWanted};
};

TEST_F(VolumePanelTest, LabelsAloneShowTheirSurfaces) {
  document.replaceAll(labelVolume());
  EXPECT_TRUE(switches.surfaces->isChecked());
  EXPECT_FALSE(switches.volume->isChecked());
  EXPECT_FALSE(switches.volume->isEnabled()) << "their numbers are no intensities";
  ASSERT_EQ(wanted.count(), 1);
  EXPECT_TRUE(wanted[0][0].toBool());
  document.replaceAll(labelVolume());
  EXPECT_TRUE(switches.surfaces->isChecked()) << "other labels, too";
}

TEST_F(VolumePanelTest, AnImageTakesTheViewBack) {
  document.replaceAll(labelVolume());
  document.addOnTop(headVolume());
  EXPECT_FALSE(switches.surfaces->isChecked());
  EXPECT_TRUE(switches.volume->isChecked() && switches.volume->isEnabled());
  document.removeLayer(1);
  EXPECT_TRUE(switches.surfaces->isChecked());
  document.clear();
  document.replaceAll(headVolume());
  EXPECT_TRUE(switches.volume->isChecked());
}

TEST_F(VolumePanelTest, WhatTheUserChoseStays) {
  document.replaceAll(headVolume());
  document.addOnTop(labelVolume());
  EXPECT_FALSE(switches.surfaces->isChecked()) << "over an image they come when they are asked for";
  switches.surfaces->click();
  document.removeLayer(0);
  EXPECT_TRUE(switches.surfaces->isChecked());
  document.addOnTop(headVolume());
  EXPECT_TRUE(switches.surfaces->isChecked());
  document.removeLayer(1);
  switches.surfaces->click();
  document.editLayer(0, [](SliceLayer& layer) { layer.opacity = 0.3; });
  EXPECT_FALSE(switches.surfaces->isChecked()) << "not brought back by the next change";
}

TEST_F(VolumePanelTest, SignedMapsBringTheirPresetAndTakeItAway) {
  document.replaceAll(headVolume());
  panel.choosePreset(QStringLiteral("Skin"));
  const auto wave = [](Vec3d p) { return static_cast<float>(3 * std::sin(p.x / 3) * std::sin(p.y / 4) * std::sin(p.z / 5)); };
  const ViewerVolume map = prepared(volumeOf(gridOf("RAS", {32, 32, 32}), wave), "z-map");
  document.replaceAll(map);
  EXPECT_EQ(panel.transfer().key, "signed") << "tissue presets show nothing of it";
  EXPECT_EQ(opacityAt(panel.transfer(), 0.5), 0);
  EXPECT_NEAR(opacityAt(panel.transfer(), 0.1), opacityAt(panel.transfer(), 0.9), 1e-12);
  document.replaceAll(headVolume());
  EXPECT_EQ(panel.transfer().key, "skin") << "what was chosen before";
  document.replaceAll(map);
  panel.choosePreset(QStringLiteral("Maximum intensity (MIP)"));
  document.replaceAll(headVolume());
  EXPECT_EQ(panel.transfer().key, "mip") << "the user's own choice stays";
}

TEST(FlatVolumes, AreToldByTheirOnlySlice) {
  EXPECT_EQ(ViewerVolumeView::flatAxis(gridOf("RAS", {20, 20, 1})), SliceAxis::Axial);
  EXPECT_EQ(ViewerVolumeView::flatAxis(gridOf("LIA", {20, 20, 1})), SliceAxis::Coronal);
  EXPECT_EQ(ViewerVolumeView::flatAxis(gridOf("PLS", {20, 1, 20})), SliceAxis::Sagittal);
  EXPECT_EQ(ViewerVolumeView::flatAxis(gridOf("RAS", {20, 20, 2})), std::nullopt);
}

// The whole way: a file of labels is opened, and its colours are seen in 3D.
TEST(LabelsAlone, AreSeenInTheirColoursInThreeD) {
  if (!VtkView::isPossible())
    GTEST_SKIP() << "needs a display with OpenGL";
  const TemporaryFolder folder;
  const auto file = folder.path() / "labels.nii";
  ASSERT_TRUE(writeNifti(file, *volumeOf(gridOf("RAS", {40, 40, 40}), [](Vec3d p) { return length(p) < 14 ? 1.0f : 0.0f; }), VoxelType::UInt8));
  ViewerPage page;
  page.resize(900, 700);
  page.show();
  QSignalSpy finished(&page, &ViewerPage::loadFinished);
  page.openFile(QString::fromStdString(file.string()));
  ASSERT_TRUE(finished.wait(30000));
  const auto colour = page.document().layer(0).labels.labels.at(0).colour;
  const auto isItsColour = [&](QRgb pixel) { // lit: the same shares of red, green and blue
    const double most = std::max({colour[0], colour[1], colour[2]}), lit = std::max({qRed(pixel), qGreen(pixel), qBlue(pixel)}) / most;
    return lit > 0.3 && std::abs(qRed(pixel) - lit * colour[0]) < 40 && std::abs(qGreen(pixel) - lit * colour[1]) < 40 && std::abs(qBlue(pixel) - lit * colour[2]) < 40;
  };
  ASSERT_SOON(isItsColour(page.grid().volumeView().capture({200, 200}).pixel(100, 100)));
}

} // namespace
} // namespace voxlab
