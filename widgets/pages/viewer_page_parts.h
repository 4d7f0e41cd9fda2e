// SPDX-License-Identifier: GPL-3.0-or-later
// What ViewerPage is made of; for its own sources.
#pragma once
#include "widgets/pages/fold_strip.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_compare_bar.h"
#include "widgets/pages/viewer_compare_panel.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_empty_state.h"
#include "widgets/pages/viewer_file_panel.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_holes.h"
#include "widgets/pages/viewer_labels_panel.h"
#include "widgets/pages/viewer_layers_panel.h"
#include "widgets/pages/viewer_page.h"
#include "widgets/pages/viewer_dialogs.h"
#include "widgets/pages/viewer_edit_bar.h"
#include "widgets/pages/viewer_mask_editor.h"
#include "widgets/pages/viewer_movie.h"
#include "widgets/pages/viewer_notices.h"
#include "widgets/pages/viewer_reading_line.h"
#include "widgets/pages/viewer_sheet.h"
#include "widgets/pages/viewer_slice_view.h"
#include "widgets/pages/viewer_statistics.h"
#include "widgets/pages/viewer_tasks.h"
#include "widgets/pages/viewer_time_curve.h"
#include "widgets/pages/viewer_trajectory.h"
#include "widgets/pages/viewer_volume_panel.h"
#include <QAction>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSlider>
#include <QStackedWidget>
#include <QTabWidget>

class QSplitter;

namespace voxlab {

struct ViewerPage::Parts {
  ViewerPage* page = nullptr;
  ViewerDocument* document = nullptr;
  ViewerLoader* loader = nullptr;
  ViewerSurfaceLoader* surfaceLoader = nullptr;
  struct Surfaces { // that are shown or being made
    std::uint64_t layer = 0; // its id; 0: none
    std::weak_ptr<const Volume> volume;
    std::vector<std::int64_t> values;
  } surfaces;
  ViewerSaver saver;
  NewestWork chores; // what takes long and is asked for by a click
  NewestWork copying; // of the picture, to the clipboard
  ViewerSeriesLister series;
  ViewerStatisticsTask statistics;
  MeasuredVolumes measured; // what is asked for, or known
  std::int64_t measuredTimePoint = 0;
  ViewLayout layoutBefore = ViewLayout::Four; // the comparison
  int mainBefore = 3;
  ViewerMaskEditor* editor = nullptr;
  std::function<EditsFate(const QStringList&)> askBeforeLosing;
  std::function<QString(const QString&)> askWhereToSave;
  ViewerMovie* movie = nullptr;
  ViewerHoles* holes = nullptr;
  QStringList recent;  // files, newest first
  QStringList waiting; // files to be laid on top after the one that is being read
  std::vector<DicomSeries> waitingSeries; // to be laid on top before those
  bool isListing = false; // the series of a folder
  int questions = 0;                         // that are being asked: what arrives meanwhile waits
  std::vector<std::function<void()>> arrived; // meanwhile
  std::weak_ptr<const Volume> sampledMask; // handed on, to make volumes from
  QString sampledFile;                     // what it was handed on as
  int sampledStep = 0;                     // of its history
  bool sampledWhileComparing = false;
  std::filesystem::path outlined;          // the mask that is shown in outlines when it comes
  bool compareWhenLoaded = false, surfacesWanted = false, wasShown = false;
  bool onlyPictures = false, hadPanel = true; // before only the pictures were shown
  CompareMode compareHow = CompareMode::None;

  QStackedWidget* views = nullptr; // empty state, grid
  ViewerEmptyState* empty = nullptr;
  ViewerGrid* grid = nullptr;
  QPointer<ViewerSliceView> pointed; // that the pointer was over last
  ViewerCompareBar* compareBar = nullptr;
  ViewerEditBar* editBar = nullptr;
  ViewerSheet* sheet = nullptr;
  bool isSheetOfRun = false; // that is chosen: it grows with it
  ViewerTrajectoryBar* trajectory = nullptr;
  ViewerNotices* notices = nullptr;
  ElidedLabel* heading = nullptr; // what the views show
  QPushButton* showMask = nullptr; // of the sample that is shown
  QWidget *toolStrip = nullptr, *progressBar = nullptr, *timeBar = nullptr;
  QProgressBar* progress = nullptr;
  ElidedLabel* progressText = nullptr; // must not widen the window
  ViewerReadingLine* status = nullptr; // what lies under the pointer
  QLabel* timeText = nullptr;
  ViewerTimeCurve* timeCurve = nullptr; // while it is wanted, and there are several time points
  QSlider* timeSlider = nullptr;
  QTabWidget* tabs = nullptr;
  QSplitter* splitter = nullptr; // views, panel
  FoldStrip* foldPanel = nullptr;
  ViewerLayersPanel* layersPanel = nullptr;
  ViewerLabelsPanel* labelsPanel = nullptr;
  ViewerVolumePanel* volumePanel = nullptr;
  ViewerSamplesPanel* samples = nullptr;
  ViewerFilePanel* filePanel = nullptr;
  ViewerComparePanel* comparePanel = nullptr;

  QAction *compareAction = nullptr, *editAction = nullptr, *openAction = nullptr, *curveAction = nullptr, *panelAction = nullptr;
  QList<QAction*> needVolume, viewMenu; // viewMenu: nullptr is a separator
  QString commandGroup;                   // of the commands that are being made
  QList<QAction*> strip;                // tools at the left edge; nullptr is a gap

  void showPanel(int tab); // also where it was folded away
  // While it lives nothing that was read takes a place on the page: what a dialog asks about is still there when it is answered.
  class Question {
  public:
    explicit Question(Parts& parts) : m_parts(parts) { ++m_parts.questions; }
    ~Question() { m_parts.answer(); }
    Question(const Question&) = delete;
    Question& operator=(const Question&) = delete;

  private:
    Parts& m_parts;
  };
  void arrive(std::function<void()> take); // now, or when the questions are answered
  void answer();
  void startComparison(CompareMode mode);
  void endComparison();
  void showLayoutBefore(); // where volumes stand side by side
  void showCompared();
  void showFigures(); // of the volume that is chosen in the table, or why there are none
  // `source` as it is now: of a mask that is painted on, a copy.
  void whenSteady(const ViewerVolume& source, std::function<void(const ViewerVolume&)> then);
  void measure(); // the compared volumes, inside the labels if there are any
};

} // namespace voxlab
