// SPDX-License-Identifier: GPL-3.0-or-later
// The viewer in a window of 1000 × 700, the smallest that the program is meant for, in the program's own style: whatever is done
// inside, the window keeps its size and everything stays in sight.
#include "core/base/files.h"
#include "core/imaging/volume_io.h"
#include "tests/app/studio/window_fixture.h"
#include "widgets/pages/run_header.h"
#include "widgets/pages/viewer_compare_bar.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_notices.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_samples_panel.h"
#include "widgets/pages/viewer_statistics.h"
#include <QAction>
#include <QComboBox>
#include <QSignalSpy>
#include <QTabWidget>
#include <QToolButton>

using namespace voxlab;

namespace {
constexpr QSize kSmallest(1000, 700);

class SmallWindow : public Window {
protected:
  SmallWindow() {
    m_window->resize(kSmallest);
    m_window->showPage(QStringLiteral("volumes"));
  }
  ViewerPage& viewer() { return *m_window->viewer(); }
  QTabWidget* tabs() { return viewer().findChild<QTabWidget*>(); }
  void command(const char* text) {
    for (QAction* action : viewer().commands())
      if (action->text() == QString::fromUtf8(text))
        return action->trigger();
    ADD_FAILURE() << "no command " << text;
  }
  QString save(const std::string& name, std::int64_t timePoints, const std::function<float(int)>& value) const {
    Volume volume;
    volume.header.grid = {{16, 16, 16}, {{{2, 0, 0, -15}, {0, 2, 0, -15}, {0, 0, 2, -15}, {0, 0, 0, 1}}}};
    volume.header.timePoints = timePoints;
    for (int i = 0; i < 16 * 16 * 16 * timePoints; ++i)
      volume.voxels.push_back(value(i));
    const auto file = m_folder / name;
    EXPECT_TRUE(writeNifti(file, volume));
    return QString::fromStdString(file.string());
  }
  // An image of four dimensions and others with holes, all of long names, under an atlas whose names are long, too.
  void openEverything() {
    const auto image = [this](const char* name, std::int64_t timePoints, float hole) {
      return save(name, timePoints, [hole](int i) { return i == 77 ? hole : static_cast<float>(i % 997) * 0.1f - 0.3f * static_cast<float>(i % 13); });
    };
    const QStringList files{image("sub-0123456789_ses-2024followup_acq-mprage_run-01_desc-preproc_T1w.nii.gz", 3, 0),
                            image("sub-0123456789_ses-2024followup_acq-mprage_run-02_desc-preproc_T1w.nii.gz", 1, std::nanf("")),
                            save("aal.nii.gz", 1, [](int i) { return static_cast<float>(i * 116 / 4096 + 1); })};
    m_window->openPaths(files);
    ASSERT_SOON(!viewer().isLoading() && viewer().document().layerCount() == 3);
    ASSERT_EQ(viewer().document().layer(2).kind, LayerKind::Labels);
    viewer().document().editLayer(2, [](SliceLayer& layer) {
      for (Label& label : layer.labels.labels)
        label.name = "Cerebellum_Crus1_and_a_long_gyrus_or_sulcus_name_" + std::to_string(label.value) + "_Left";
    });
    emit viewer().document().layersChanged();
  }
  void addProblems() {
    for (int i = 0; i < 12; ++i)
      viewer().addFile(QString::fromStdString((m_folder / ("a_subject_with_a_long_name_session_" + std::to_string(i) + "_T1w.nii.gz")).string()));
    ASSERT_SOON(!viewer().isLoading() && viewer().notices().count(QLatin1Char('\n')) >= 12);
  }
  void expectInSight(const std::string& state) {
    for (int i = 0; i < 4; ++i) // layouts come to rest
      QApplication::processEvents();
    ASSERT_EQ(m_window->width(), kSmallest.width()) << state;
    ASSERT_EQ(m_window->height(), kSmallest.height()) << state;
    EXPECT_LE(m_window->minimumSizeHint().width(), kSmallest.width()) << state;
    EXPECT_LE(m_window->minimumSizeHint().height(), kSmallest.height()) << state;
    for (const QWidget* widget : viewer().findChildren<QWidget*>()) {
      if (!widget->isVisible() || widget->isWindow() || widget->visibleRegion().isEmpty() || widget->parentWidget()->objectName() == QStringLiteral("qt_scrollarea_viewport"))
        continue; // what scrolls is larger than what is seen of it
      const auto where = [&] {
        return QStringLiteral("%1 “%2” in %3: ").arg(QLatin1String(widget->metaObject()->className()), widget->accessibleName(), QLatin1String(widget->parentWidget()->metaObject()->className())).toStdString() + state;
      };
      EXPECT_LE(widget->x() + widget->width(), widget->parentWidget()->width()) << where();
      if (const auto* words = qobject_cast<const QLabel*>(widget); words && words->wordWrap() && !viewer().grid().isAncestorOf(words)) {
        EXPECT_SOON(words->height() >= words->heightForWidth(words->width())) << where() << ": " << words->text().toStdString(); // figures may just have come
      }
    }
    for (const QWidget* view : viewer().grid().findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
      if (view->isVisible()) {
        EXPECT_GE(view->height(), 40) << state << ": there is something to be seen in the views";
        EXPECT_GE(view->width(), 60) << state;
      }
  }
};

} // namespace

TEST_F(SmallWindow, KeepsItsSizeWithEverythingThatMayStandAroundTheViews) {
  openEverything();
  EXPECT_TRUE(header()->isHidden()) << "no run is chosen: the viewer's own line says what is shown";
  for (int tab = 0; tab < tabs()->count(); ++tab)
    for (const int active : {0, 1, 2}) {
      viewer().document().setActiveLayer(active);
      tabs()->setCurrentIndex(tab);
      expectInSight("tab " + std::to_string(tab) + ", layer " + std::to_string(active));
    }
  tabs()->setCurrentIndex(0);
  for (const char* arrangement : {"Four views", "One large view and three", "The view alone, and back", "The view alone, and back"}) {
    command(arrangement);
    expectInSight(arrangement);
  }
  command("Edit labels");
  expectInSight("editing");
  addProblems();
  expectInSight("editing, a notice");
  for (auto* button : viewer().findChild<ViewerNotices*>()->findChildren<QToolButton*>())
    if (button->accessibleName() == QStringLiteral("Show all of them"))
      button->click();
  expectInSight("editing, all notices");
  EXPECT_LE(viewer().findChild<ViewerNotices*>()->height(), 160) << "they scroll";
}

TEST_F(SmallWindow, KeepsItsSizeWhileVolumesAreCompared) {
  openEverything();
  command("Compare the volumes");
  auto* bar = viewer().findChild<ViewerCompareBar*>();
  ASSERT_TRUE(bar->isVisible());
  for (int mode = 0; mode < 6; ++mode) {
    expectInSight("comparing, mode " + std::to_string(mode));
    command("Next way to compare");
  }
  ViewerStatistics statistics;
  statistics.difference.mae = 1234.5678;
  statistics.difference.rmse = 2345.6789;
  statistics.difference.psnr_db = 23.4567;
  statistics.difference.largest = 98765.4;
  statistics.difference.voxels = 123456789;
  statistics.ssim = 0.98765;
  statistics.isMasked = statistics.isResampled = true;
  statistics.joint.resize(static_cast<std::size_t>(kJointBins * kJointBins), 1);
  bar->setStatistics(statistics);
  expectInSight("comparing, with figures");
  command("Edit labels");
  addProblems();
  expectInSight("comparing, editing and a notice");
  for (auto* button : viewer().findChild<ViewerNotices*>()->findChildren<QToolButton*>())
    if (button->accessibleName() == QStringLiteral("Show all of them"))
      button->click();
  for (int mode = 0; mode < 6; ++mode) {
    expectInSight("comparing, editing, all notices, mode " + std::to_string(mode));
    command("Next way to compare");
  }
}

TEST_F(SmallWindow, KeepsItsSizeWithARunsVolumes) {
  QList<ViewerSample> samples;
  for (int seed = 0; seed < 30; ++seed) {
    const std::string name = "a_mask_with_a_long_name_of_a_subject_and_a_session_seed" + std::to_string(seed) + ".nii.gz";
    const QString file = seed % 3 == 0 ? save(name, 1, [](int i) { return static_cast<float>(i % 97); }) : QString::fromStdString((m_folder / name).string());
    samples << ViewerSample{file, QStringLiteral("Step 1 000 000 · seed %1 · a_mask_with_a_long_name_of_a_subject").arg(seed), QStringLiteral("Step %1").arg(seed / 3), {}};
  }
  viewer().setRunSamples(QStringLiteral("Sampling with fused_bf16_graph from a_checkpoint_with_a_long_name_step_00100000, ddpm, 250 steps"), samples);
  RunHeading heading;
  heading.title = QStringLiteral("Sampling with fused_bf16_graph from a_checkpoint_with_a_long_name_step_00100000, ddpm, 250 steps");
  heading.subtitle = heading.title + heading.title;
  header()->setHeading(heading);
  header()->show();
  expectInSight("nothing open");
  for (int tab = 0; tab < tabs()->count(); ++tab) {
    tabs()->setCurrentIndex(tab);
    expectInSight("nothing open, tab " + std::to_string(tab));
  }
  command("All samples of the run on one sheet");
  expectInSight("the sheet");
  openEverything();
  addProblems();
  tabs()->setCurrentIndex(2);
  expectInSight("a run's samples and a notice");
}

// VIEWER.md: pictures keep at least half of the page, whatever bars are open beside the panel.
TEST_F(SmallWindow, PicturesKeepHalfOfThePage) {
  openEverything();
  const auto share = [this] {
    for (int i = 0; i < 4; ++i)
      QApplication::processEvents();
    double views = 0;
    for (const QWidget* view : viewer().grid().findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
      if (view->isVisible())
        views += view->width() * view->height();
    return views / (viewer().width() * viewer().height());
  };
  EXPECT_FALSE(m_window->showsRuns()) << "beside the volumes they have no room here";
  const auto dismiss = [this] {
    for (auto* button : viewer().findChild<ViewerNotices*>()->findChildren<QToolButton*>())
      if (button->accessibleName() == QStringLiteral("Dismiss"))
        button->click();
  };
  dismiss(); // of what has NaN
  for (int tab = 0; tab < 4; ++tab) {
    tabs()->setCurrentIndex(tab);
    EXPECT_GE(share(), 0.5) << "tab " << tab;
  }
  tabs()->setCurrentIndex(0);
  command("Edit labels");
  EXPECT_GE(share(), 0.5) << "editing";
  command("Compare the volumes");
  EXPECT_GE(share(), 0.47) << "editing and comparing";
  command("Edit labels");
  for (int mode = 0; mode < 6; ++mode) {
    EXPECT_GE(share(), 0.5) << "comparing, mode " << mode;
    command("Next way to compare");
  }
  command("Edit labels");
  command("The panel at the right, or more room");
  EXPECT_GE(share(), 0.7) << "without the panel";
  m_window->setOnlyPictures(true);
  EXPECT_GE(share(), 0.7);
}
