// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and the viewer together: samples of two runs compared, a mask edited and sampled from.
#include "core/base/files.h"
#include "core/protocol/left_out.h"
#include "core/imaging/volume_io.h"
#include "tests/app/studio/window_fixture.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_samples_panel.h"
#include <QAction>
#include <QDropEvent>
#include <QMimeData>
#include <QTabWidget>
#include <algorithm>

using namespace voxlab;

namespace {
class Volumes : public Window {
protected:
  void runToItsEnd(const QString& steps) {
    const QString before = bench().currentId();
    fillForm(steps);
    click(summary()->startButton());
    ASSERT_SOON(bench().currentId() != before && isOutcome(RunOutcome::Finished));
    ASSERT_SOON(bench().current() && bench().current()->outcome == RunOutcome::Finished); // the list knows it too, and the toast has said it
  }
  ViewerPage& viewer() { return *m_window->viewer(); }
  QAbstractButton* button(const QString& text) {
    for (auto* each : viewer().findChildren<QAbstractButton*>())
      if (each->text() == text || each->accessibleName() == text)
        return each;
    ADD_FAILURE() << "no button " << text.toStdString();
    return nullptr;
  }
  // Of one volume, from the same noise in every mode.
  QString addSampledRun(const std::string& mode) {
    RunInfo info;
    info.mode = mode;
    const auto run = RunDirectory::create(m_folder / "elsewhere", JobSpec("sample"), info);
    EXPECT_TRUE(run);
    EXPECT_TRUE(writeFileAtomically(run->eventsFile(), "{\"type\":\"hello\",\"time_s\":0,\"major\":1,\"minor\":0,\"start\":1,\"resume_step\":0,\"wall_time\":\"2026-01-31T14:25:30.000Z\"}\n"
                                                       "{\"type\":\"sample\",\"time_s\":1,\"path\":\"samples/head.nii.gz\",\"seed\":4,\"mask\":\"/data/head.nii.gz\"}\n"));
    Volume volume;
    volume.header.grid.size = {8, 8, 8};
    for (int i = 0; i < 512; ++i)
      volume.voxels.push_back(static_cast<float>(i % 37) / 7);
    std::filesystem::create_directories(run->path() / "samples");
    EXPECT_TRUE(writeNifti(run->path() / "samples/head.nii.gz", volume));
    bench().store().addOutside(run->path());
    return QString::fromStdString(run->id());
  }
  // Two regions, so that it is taken for labels.
  QString saveMask() const {
    Volume mask;
    mask.header.grid = {{16, 16, 16}, {{{2, 0, 0, -15}, {0, 2, 0, -15}, {0, 0, 2, -15}, {0, 0, 0, 1}}}};
    for (int i = 0; i < 16 * 16 * 16; ++i)
      mask.voxels.push_back(i % 16 < 5 ? 0 : i % 16 < 11 ? 1 : 2);
    const auto file = m_folder / "mask.nii.gz";
    EXPECT_TRUE(writeNifti(file, mask, VoxelType::UInt8));
    return QString::fromStdString(file.string());
  }
};

} // namespace

TEST_F(Volumes, AFileDroppedAnywhereIsOpened) {
  for (const char* page : {"monitor", "compare", "new-job"}) {
    m_window->showPage(QString::fromLatin1(page));
    viewer().document().clear();
    QMimeData files;
    files.setUrls({QUrl::fromLocalFile(saveMask())});
    QDragEnterEvent enter({5, 5}, Qt::CopyAction, &files, Qt::LeftButton, {});
    QApplication::sendEvent(m_window.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &files, Qt::LeftButton, {});
    QApplication::sendEvent(m_window.get(), &drop);
    EXPECT_EQ(m_window->currentPage(), QStringLiteral("volumes"));
    EXPECT_SOON(viewer().document().layerCount() == 1);
  }
  QMimeData words;
  words.setText(QStringLiteral("no file"));
  QDragEnterEvent enter({5, 5}, Qt::CopyAction, &words, Qt::LeftButton, {});
  enter.ignore();
  QApplication::sendEvent(m_window.get(), &enter);
  EXPECT_FALSE(enter.isAccepted());
}

TEST_F(Volumes, SamplesOfTwoRunsAreComparedSeedBySeed) {
  runToItsEnd(QStringLiteral("20"));
  const QString first = bench().currentId();
  runToItsEnd(QStringLiteral("20"));
  const QString second = bench().currentId();
  ASSERT_NE(first, second);
  emit m_window->runsPanel()->actionChosen(QStringLiteral("compare-samples"), {first, second});
  ASSERT_SOON(viewer().document().imageCount() == 2);
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("volumes"));
  EXPECT_SOON(viewer().grid().viewLayout() == ViewLayout::SideBySide);
  EXPECT_NE(viewer().document().source(0).path, viewer().document().source(1).path);
  EXPECT_EQ(viewer().document().source(0).path.filename(), viewer().document().source(1).path.filename());
}

TEST_F(Volumes, TheBaselineIsWhatTheOtherModeIsComparedWith) {
  const QString fused = addSampledRun("fused_bf16"), baseline = addSampledRun("baseline");
  ASSERT_SOON(bench().store().find(fused.toStdString()) && bench().store().find(baseline.toStdString()));
  for (const auto& [first, second] : {std::pair(fused, baseline), std::pair(baseline, fused)}) {
    viewer().document().clear();
    emit m_window->runsPanel()->actionChosen(QStringLiteral("compare-samples"), {first, second});
    ASSERT_SOON(viewer().document().imageCount() == 2);
    EXPECT_EQ(viewer().document().source(0).path.parent_path().parent_path().filename().string(), baseline.toStdString());
    EXPECT_EQ(viewer().document().source(1).path.parent_path().parent_path().filename().string(), fused.toStdString());
  }
}

TEST_F(Volumes, AnyNumberOfModesStandSideBySide) {
  const QString fused = addSampledRun("fused_bf16"), baseline = addSampledRun("baseline"), bf16 = addSampledRun("bf16");
  ASSERT_SOON(bench().store().find(fused.toStdString()) && bench().store().find(baseline.toStdString()) && bench().store().find(bf16.toStdString()));
  m_window->runsPanel()->list()->selectAll();
  ASSERT_EQ(m_window->runsPanel()->selectedIds().size(), 3);
  QPushButton* button = nullptr;
  for (auto* each : m_window->runsPanel()->findChildren<QPushButton*>())
    if (each->text() == QStringLiteral("Same seed, side by side"))
      button = each;
  ASSERT_TRUE(button && button->isVisible());
  click(button);
  ASSERT_SOON(viewer().document().imageCount() == 3 && viewer().grid().viewLayout() == ViewLayout::SideBySide);
  EXPECT_EQ(viewer().document().source(0).path.parent_path().parent_path().filename().string(), baseline.toStdString());
  EXPECT_EQ(viewer().grid().shownSliceViews().size(), 9u);
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("volumes"));
}

TEST_F(Volumes, VolumesThatAShippedRunLacksAreNotOffered) {
  runToItsEnd(QStringLiteral("20"));
  const QString first = bench().currentId();
  const std::filesystem::path drawn = run().path() / "samples";
  runToItsEnd(QStringLiteral("20"));
  const QString second = bench().currentId();
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(drawn))
    if (entry.path().extension() == ".gz")
      files.push_back(entry.path());
  ASSERT_EQ(files.size(), 2u);
  std::sort(files.begin(), files.end());
  std::filesystem::remove(files[1]); // the newest
  bench().show(first);
  auto* panel = viewer().findChild<ViewerSamplesPanel*>();
  ASSERT_SOON(panel->missingCount() == 1) << "no record says that it was left out";
  EXPECT_EQ(panel->count(), 2);
  emit m_window->runsPanel()->actionChosen(QStringLiteral("compare-samples"), {first, second});
  ASSERT_SOON(viewer().document().imageCount() == 2);
  EXPECT_EQ(viewer().document().source(0).path, files[0]) << "the pair that is there";
  std::filesystem::remove(files[0]);
  emit m_window->runsPanel()->actionChosen(QStringLiteral("compare-samples"), {first, second});
  EXPECT_SOON(m_window->toasts()->newestText().contains(QStringLiteral("deleted or moved")));
  ASSERT_TRUE(writeFileAtomically(drawn.parent_path() / kLeftOutFile, leftOutText({files[0].lexically_relative(drawn.parent_path()).string(), files[1].lexically_relative(drawn.parent_path()).string()})));
  emit m_window->runsPanel()->actionChosen(QStringLiteral("compare-samples"), {first, second});
  EXPECT_SOON(m_window->toasts()->newestText().contains(QStringLiteral("left out of the shipped runs")));
  EXPECT_EQ(viewer().problem(), QString());
}

TEST_F(Volumes, RunsWithoutCommonSamplesSayWhatToDo) {
  runToItsEnd(QStringLiteral("20"));
  const QString first = bench().currentId();
  runToItsEnd(QStringLiteral("5")); // before its first sample
  emit m_window->runsPanel()->actionChosen(QStringLiteral("compare-samples"), {first, bench().currentId()});
  EXPECT_SOON(m_window->toasts()->newestText().contains(QStringLiteral("same seed")));
}

TEST_F(Volumes, ASampleFromAnOwnMaskLandsBesideIt) {
  runToItsEnd(QStringLiteral("20")); // leaves a checkpoint
  m_window->openVolume(saveMask());
  ASSERT_SOON(viewer().document().layerCount() == 1);
  ASSERT_EQ(viewer().document().layer(0).kind, LayerKind::Labels);
  for (QAction* action : viewer().commands())
    if (action->text() == QStringLiteral("Edit labels"))
      action->trigger();
  click(button(QStringLiteral("Sample from this mask")));
  ASSERT_SOON(m_window->currentPage() == QStringLiteral("new-job"));
  EXPECT_EQ(form()->kind(), "sample");
  ASSERT_TRUE(summary()->startButton()->isEnabled()) << summary()->startButton()->toolTip().toStdString();
  click(summary()->startButton());
  ASSERT_SOON(viewer().document().layerCount() == 2);
  EXPECT_EQ(viewer().document().layer(0).kind, LayerKind::Image) << "the sample lies under its mask";
  EXPECT_EQ(viewer().document().layer(1).kind, LayerKind::Labels);
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("monitor")) << "and took nobody's view";
}

// Its settings, its seed, its weights; the user goes on looking.
TEST_F(Volumes, ASampleFromAMaskDiffersInItsMaskAlone) {
  const QString mask = saveMask();
  const auto weights = m_folder / "weights.safetensors";
  ASSERT_TRUE(writeFileAtomically(weights, "x"));
  addSampledRun("baseline");
  std::filesystem::path folder;
  for (const auto& entry : std::filesystem::directory_iterator(m_folder / "elsewhere"))
    folder = entry.path();
  JobSpec spec("sample");
  spec.set("sample.record_every", 5);
  spec.set("device", "cpu");
  ASSERT_TRUE(writeJsonFile(folder / "spec.json", spec.toJson()));
  ASSERT_TRUE(writeJsonFile(folder / "samples/head.json", {{"files", {"head.nii.gz"}}, {"mode", "baseline"}, {"sampler", "ddim"}, {"steps", 15}, {"seed", 4}, {"network_size", {32, 32, 32}},
                                                            {"weights", "ema"}, {"checkpoint", weights.string()}, {"mask", mask.toStdString()}}));
  const QString sample = QString::fromStdString((folder / "samples/head.nii.gz").string());
  ASSERT_SOON(m_window->isSettled());
  m_window->openVolume(sample);
  ASSERT_SOON(viewer().document().layerCount() == 1);
  viewer().addFile(mask);
  ASSERT_SOON(viewer().document().layerCount() == 2);
  for (QAction* action : viewer().commands())
    if (action->text() == QStringLiteral("Edit labels"))
      action->trigger();
  const QString before = bench().currentId();
  const auto known = bench().store().runs().size();
  click(button(QStringLiteral("Sample from this mask")));
  ASSERT_SOON(m_window->toasts()->newestText().contains(QStringLiteral("ddim, 15 steps, 32 × 32 × 32, seed 4"))) << m_window->toasts()->newestText().toStdString();
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("volumes"));
  ASSERT_SOON(viewer().document().imageCount() == 2);
  EXPECT_EQ(viewer().grid().viewLayout(), ViewLayout::SideBySide);
  EXPECT_EQ(m_window->currentPage(), QStringLiteral("volumes"));
  EXPECT_EQ(bench().currentId(), before) << "whoever looks at a run goes on looking at it";
  ASSERT_SOON(bench().store().runs().size() == known + 1);
  const auto newest = std::find_if(bench().store().runs().begin(), bench().store().runs().end(), [](const RunListing& each) { return !each.spec.get<std::string>("sample.masks").empty(); });
  ASSERT_NE(newest, bench().store().runs().end());
  const JobSpec& drawn = newest->spec;
  EXPECT_EQ(drawn.kind(), "sample");
  EXPECT_EQ(drawn.get<std::string>("sample.sampler"), "ddim");
  EXPECT_EQ(drawn.get<int>("sample.steps"), 15);
  EXPECT_EQ(drawn.get<int>("sample.record_every"), 5);
  EXPECT_EQ(drawn.get<int>("seed"), 4);
  EXPECT_EQ(drawn.get<std::string>("sample.checkpoint"), weights.string());
  EXPECT_NE(drawn.get<std::string>("sample.masks"), mask.toStdString()) << "a copy of its own";
  viewer().document().setActiveLayer(0); // the stand-in for the worker tells nothing of its own samples
  click(button(QStringLiteral("Sample from this mask with other settings")));
  ASSERT_SOON(m_window->currentPage() == QStringLiteral("new-job"));
  EXPECT_EQ(form()->spec().get<std::string>("sample.sampler"), "ddim");
  EXPECT_EQ(form()->spec().get<int>("seed"), 4);
}

TEST_F(Volumes, ASampleWhoseWeightsAreGoneIsAskedFor) {
  const QString mask = saveMask();
  addSampledRun("baseline");
  std::filesystem::path folder;
  for (const auto& entry : std::filesystem::directory_iterator(m_folder / "elsewhere"))
    folder = entry.path();
  ASSERT_TRUE(writeJsonFile(folder / "samples/head.json", {{"files", {"head.nii.gz"}}, {"mode", "baseline"}, {"sampler", "ddim"}, {"steps", 15}, {"seed", 4}, {"checkpoint", "checkpoints/step_00000010"}}));
  ASSERT_SOON(m_window->isSettled());
  m_window->openVolume(QString::fromStdString((folder / "samples/head.nii.gz").string()));
  ASSERT_SOON(viewer().document().layerCount() == 1);
  viewer().addFile(mask);
  ASSERT_SOON(viewer().document().layerCount() == 2);
  for (QAction* action : viewer().commands())
    if (action->text() == QStringLiteral("Edit labels"))
      action->trigger();
  click(button(QStringLiteral("Sample from this mask")));
  ASSERT_SOON(m_window->currentPage() == QStringLiteral("new-job"));
  EXPECT_TRUE(m_window->toasts()->newestText().contains(QStringLiteral("step_00000010 that drew this sample are gone"))) << m_window->toasts()->newestText().toStdString();
  EXPECT_EQ(form()->spec().get<int>("sample.steps"), 15);
}
