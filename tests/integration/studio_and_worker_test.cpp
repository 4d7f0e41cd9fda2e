// SPDX-License-Identifier: GPL-3.0-or-later
// The real main window with the real worker, once from the form to the picture: tiny heads, a tiny network, a few steps.
#include "core/imaging/volume_io.h"
#include "tests/app/studio/window_fixture.h"
#include "widgets/pages/loss_card.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/plots/series_plot.h"
#include <cmath>

using namespace voxlab;

namespace {

class StudioAndWorker : public Window {
protected:
  StudioAndWorker() {
    m_window.reset();
    tell("VOXLAB_WORKER", program("voxlab-worker").c_str());
    tell("OMP_WAIT_POLICY", "passive");
    for (int number = 1; number <= 3; ++number)
      writeSubject(number);
    open();
  }

  // A bright core in a darker ball, at 2 mm, mirrored against the world's axes.
  void writeSubject(int number) const {
    Volume image, mask;
    image.header.grid = mask.header.grid = {{12, 12, 12}, {{{-2, 0, 0, 11}, {0, 2, 0, -11}, {0, 0, 2, -11}, {0, 0, 0, 1}}}};
    for (int k = 0; k < 12; ++k)
      for (int j = 0; j < 12; ++j)
        for (int i = 0; i < 12; ++i) {
          const double x = (i - 5.5) / 6, y = (j - 5.5) / 6, z = (k - 5.5) / 6;
          const bool head = std::sqrt(x * x + y * y + z * z) < 0.9;
          const bool core = std::sqrt(std::pow(x - 0.1 * number, 2) + y * y + z * z) < 0.4;
          mask.voxels.push_back(core ? 2 : head ? 1 : 0);
          image.voxels.push_back(core ? 300 : head ? static_cast<float>(150 - 50 * z) : 0);
        }
    const std::string name = "case_" + std::to_string(number) + ".nii.gz";
    ASSERT_TRUE(writeNifti(m_folder / "data" / "images" / name, image));
    ASSERT_TRUE(writeNifti(m_folder / "data" / "masks" / name, mask, VoxelType::UInt8));
  }

  void fillTinyTraining() {
    m_window->showPage(QStringLiteral("new-job"));
    type("data.images", QString::fromStdString((m_folder / "data" / "images").string()));
    type("data.masks", QString::fromStdString((m_folder / "data" / "masks").string()));
    const std::pair<const char*, const char*> values[]{
        {"data.size", "8 8 8"},        {"model.base_channels", "32"}, {"model.multipliers", "1"}, {"model.attention_factors", ""},
        {"diffusion.timesteps", "20"}, {"train.steps", "4"},          {"train.log_every", "1"},   {"train.sample_every", "2"},
        {"train.accumulate", "1"},     {"sample.steps", "2"},         {"threads", "1"}};
    for (const auto& [key, value] : values) {
      form()->reveal(QString::fromLatin1(key));
      type(key, QString::fromLatin1(value));
    }
  }
};

TEST_F(StudioAndWorker, FromTheFormToTheSampleInTheViewer) {
  ASSERT_TRUE(bench().hasCatalog()) << "the worker did not describe itself";
  fillTinyTraining();
  ASSERT_TRUE(summary()->startButton()->isEnabled()) << summary()->startButton()->toolTip().toStdString();
  click(summary()->startButton());
  ASSERT_SOON(header()->heading().outcome == RunOutcome::Finished || header()->heading().outcome == RunOutcome::Failed);
  ASSERT_TRUE(isOutcome(RunOutcome::Finished)) << header()->heading().message.toStdString() << run().logTail();
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("monitor"));
  EXPECT_SOON(header()->heading().step == 4);
  EXPECT_TRUE(m_window->monitorPage()->lossCard()->plot()->showsData());
  ASSERT_SOON(m_window->monitorPage()->samples()->pictureCount() >= 2); // of steps 2 and 4

  const auto& samples = bench().follower().state()->samples();
  ASSERT_FALSE(samples.empty());
  m_window->openVolume(QString::fromStdString((run().path() / samples.back().path).string()));
  ASSERT_SOON(!m_window->viewer()->isLoading());
  EXPECT_TRUE(m_window->viewer()->problem().isEmpty()) << m_window->viewer()->problem().toStdString();
  ASSERT_EQ(m_window->viewer()->document().layerCount(), 1);
  const Grid& grid = m_window->viewer()->document().source(0).volume->grid();
  EXPECT_EQ(grid.size, (std::array<std::int64_t, 3>{8, 8, 8}));
  const Vec3d middle = transformPoint(grid.affine, {3.5, 3.5, 3.5});
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(middle[axis], 0, 0.01) << "the sample lies where the masks do";
    EXPECT_NEAR(std::abs(grid.affine[axis][axis]), 3, 1e-6);
  }
  EXPECT_FALSE(m_window->viewer()->grab().isNull());
}

} // namespace
