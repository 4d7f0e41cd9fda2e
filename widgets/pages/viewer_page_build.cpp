// SPDX-License-Identifier: GPL-3.0-or-later
// How ViewerPage is put together.
#include "widgets/pages/page_parts.h"
#include "widgets/pages/viewer_page_parts.h"
#include "widgets/pages/viewer_reading.h"
#include "widgets/pages/viewer_slice_view.h"
#include "widgets/pages/viewer_volume_view.h"
#include "widgets/pages/wheel_guard.h"
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace voxlab {
namespace {

constexpr int kLeastPanelWidth = 260, kLeastLabels = 170, kStripWidth = 40, kProgressWidth = 420;
enum Tab { kLayersTab, kVolumeTab, kSamplesTab, kFileTab, kCompareTab };
constexpr QSize kLeastCentre(252, 240); // three views side by side

QWidget* padded(QWidget* content, QWidget* parent) {
  auto* page = new QWidget(parent);
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(12, 12, 12, 12);
  layout->addWidget(content);
  return page;
}

// One under the other, as high as those of them that are shown.
QWidget* stacked(std::initializer_list<QWidget*> bars, QWidget* parent) {
  auto* stack = new QWidget(parent);
  auto* layout = new QVBoxLayout(stack);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  for (QWidget* bar : bars)
    layout->addWidget(bar);
  return stack;
}

// Scrolls up and down, and is never narrower than what it holds.
class PanelScroll : public QScrollArea {
public:
  using QScrollArea::QScrollArea;
  QSize minimumSizeHint() const override {
    const int content = widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width();
    return {std::max(content, kLeastPanelWidth), QScrollArea::minimumSizeHint().height()};
  }
};

QScrollArea* scrolled(QWidget* content, const QString& name, QWidget* parent) {
  auto* area = new PanelScroll(parent);
  area->setAccessibleName(name);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(padded(content, area));
  new WheelGuard(area->widget());
  return area;
}

// Does what a click on a widget is to do that is no button.
class ClickWatch : public QObject {
public:
  ClickWatch(QWidget* widget, std::function<void()> then) : QObject(widget), m_then(std::move(then)) { widget->installEventFilter(this); }

protected:
  bool eventFilter(QObject*, QEvent* event) override {
    const bool isClick = event->type() == QEvent::MouseButtonRelease && static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton;
    if (isClick)
      m_then();
    return isClick;
  }

private:
  std::function<void()> m_then;
};

// "Time point 3/20 · 5.00 s" where the file says how far they are apart.
QString timePointText(const ViewerDocument& document) {
  QString text = ViewerPage::tr("Time point %1/%2").arg(document.timePoint() + 1).arg(document.timePoints());
  for (int layer = 0; layer < document.layerCount(); ++layer)
    if (const VolumeHeader& header = document.source(layer).volume->header; header.timePoints == document.timePoints() && header.timeStep_s) {
      text += QStringLiteral(" · %1 s").arg(static_cast<double>(document.timePoint()) * *header.timeStep_s, 0, 'f', *header.timeStep_s < 0.1 ? 3 : 1);
      break;
    }
  return text;
}
} // namespace

void ViewerPage::Parts::showPanel(int tab) {
  if (!panelAction->isChecked())
    panelAction->trigger();
  tabs->setCurrentIndex(tab);
}

void ViewerPage::Parts::startComparison(CompareMode mode) {
  views->setCurrentWidget(grid); // in place of the sheet
  if (compareBar->isHidden()) {
    layoutBefore = grid->viewLayout();
    mainBefore = grid->mainView();
  }
  compareBar->show();
  tabs->setTabVisible(kCompareTab, true);
  compareBar->start(mode);
  page->fitBars();
}

void ViewerPage::Parts::showCompared() {
  const std::vector<int> members = compareBar->choice().members();
  const bool areDifferences = compareBar->mode() == CompareMode::Difference;
  std::vector<ViewerGrid::Shown> volumes;
  for (const int layer : members) {
    ViewerGrid::Shown shown{layer, {}, ViewerGrid::Shown::ColourBar::Elsewhere};
    if (areDifferences && layer != members.front()) {
      shown.subtracted = members.front();
      shown.colourBar = volumes.size() == 1 ? ViewerGrid::Shown::ColourBar::Here : ViewerGrid::Shown::ColourBar::Elsewhere;
    }
    volumes.push_back(shown);
  }
  grid->setCompared(volumes);
  if (compareBar->isSideBySide())
    grid->setViewLayout(ViewLayout::SideBySide);
  else
    showLayoutBefore();
  measure();
}

void ViewerPage::Parts::arrive(std::function<void()> take) {
  if (questions > 0)
    arrived.push_back(std::move(take));
  else
    take();
}

void ViewerPage::Parts::answer() {
  if (--questions > 0)
    return;
  for (const auto& take : std::exchange(arrived, {}))
    take();
}

// Again only where something else is asked for: what is known of the same volumes stays, as does the reach of the colours.
void ViewerPage::Parts::measure() {
  const std::vector<int> members = compareBar->choice().members();
  if (members.size() < 2)
    return;
  const int labels = compareBar->measuresInsideLabels() ? document->labelLayer() : -1;
  StatisticsRequests wanted{document->source(members.front()).volume, {}, labels < 0 ? nullptr : document->source(labels).volume, document->timePoint(), compareBar->scales()};
  for (std::size_t i = 1; i < members.size(); ++i)
    wanted.others.push_back(document->source(members[i]).volume);
  const auto chosen = std::find(members.begin() + 1, members.end(), compareBar->choice().second());
  const int which = static_cast<int>(chosen - members.begin()) - 1;
  const bool isPainted = labels >= 0 && labels == editor->layer();
  if (measured.isOf(wanted) && !isPainted) {
    comparePanel->choose(which);
    return showFigures();
  }
  measured = MeasuredVolumes(wanted);
  const QStringList names = shortNames(*document, members);
  QStringList rows;
  for (std::size_t i = 1; i < members.size(); ++i)
    rows << (members.size() > 2 ? layerName(*document, members[i]).forms.last() : names.last());
  comparePanel->setVolumes(names.front(), rows);
  comparePanel->choose(which);
  showFigures();
  if (labels < 0)
    return statistics.start(wanted);
  whenSteady(document->source(labels), [this, wanted](const ViewerVolume& mask) mutable {
    wanted.mask = mask.volume;
    statistics.start(wanted);
  });
}

void ViewerPage::Parts::showFigures() {
  if (const auto& figures = comparePanel->statistics())
    compareBar->setStatistics(*figures);
  else
    compareBar->setFigures(comparePanel->words(), comparePanel->sentence());
}

void ViewerPage::Parts::whenSteady(const ViewerVolume& source, std::function<void(const ViewerVolume&)> then) {
  if (document->layerOf(source.volume) != editor->layer())
    return then(source);
  editor->whenSteady([source, then = std::move(then)](const SteadyMask& mask) {
    ViewerVolume steady = source;
    if (mask.copy)
      steady.volume = mask.copy;
    then(steady);
  });
}

void ViewerPage::Parts::endComparison() {
  statistics.cancel();
  measured = {};
  compareBar->hide();
  compareBar->end();
  page->fitBars();
  tabs->setTabVisible(kCompareTab, false);
  showLayoutBefore();
}

void ViewerPage::Parts::showLayoutBefore() {
  if (grid->viewLayout() != ViewLayout::SideBySide)
    return;
  grid->setMainView(mainBefore);
  grid->setViewLayout(layoutBefore);
}

void ViewerPage::build() {
  m->grid = new ViewerGrid(*m->document, this);
  m->empty = new ViewerEmptyState(this);
  m->views = new QStackedWidget(this);
  m->views->addWidget(m->empty);
  m->views->addWidget(m->grid);
  m->sheet = new ViewerSheet(this);
  m->views->addWidget(m->sheet);
  m->editor = new ViewerMaskEditor(*m->document, this);
  m->editBar = new ViewerEditBar(*m->document, *m->editor, this);
  m->editBar->hide();
  m->movie = new ViewerMovie(*m->document, *m->grid, this);
  m->trajectory = new ViewerTrajectoryBar(*m->document, this);
  m->trajectory->setPrepareOptions(m->loader->prepareOptions());
  m->movie->setTrajectory(m->trajectory);
  m->movie->setEditor(m->editor);

  m->progressBar = new QWidget(this);
  setStyleProperty(m->progressBar, "compact", true); // its row is as high when nothing is read
  m->progress = new QProgressBar(m->progressBar);
  m->progress->setRange(0, 100);
  m->progress->setTextVisible(false);
  m->progress->setFixedHeight(6);
  m->progressText = new ElidedLabel(nullptr, m->progressBar);
  QPushButton* cancel = makeButton(tr("Cancel"), "chip", {}, m->progressBar);
  connect(cancel, &QPushButton::clicked, this, [this] {
    m->waiting.clear();
    m->waitingSeries.clear();
    m->loader->cancel();
    m->movie->cancel();
  });
  auto* progressLayout = new QHBoxLayout(m->progressBar);
  progressLayout->setContentsMargins(kSpace, 0, kSpace, 0);
  progressLayout->addWidget(m->progressText, 1);
  progressLayout->addWidget(m->progress, 1);
  progressLayout->addWidget(cancel);
  m->progressBar->hide();

  m->notices = new ViewerNotices(this);

  m->timeBar = new QWidget(this);
  m->timeText = makeLabel({}, nullptr, m->timeBar);
  m->timeText->setMinimumWidth(170);
  m->timeSlider = new QSlider(Qt::Horizontal, m->timeBar);
  m->timeSlider->setAccessibleName(tr("Time point"));
  auto* timeLayout = new QHBoxLayout(m->timeBar);
  timeLayout->setContentsMargins(kSpace, 0, kSpace, 0);
  timeLayout->addWidget(m->timeText);
  timeLayout->addWidget(m->timeSlider, 1);

  m->timeCurve = new ViewerTimeCurve(*m->document, this);
  m->timeCurve->hide();

  m->status = new ViewerReadingLine(this);
  m->status->setMinimumHeight(26);
  m->status->setContentsMargins(kSpace, 0, kSpace, 0);
  m->status->setCursor(Qt::PointingHandCursor);
  new ClickWatch(m->status, [this] { askWhereTo(); });

  m->layersPanel = new ViewerLayersPanel(*m->document, this);
  m->labelsPanel = new ViewerLabelsPanel(*m->document, this);
  m->volumePanel = new ViewerVolumePanel(*m->document, m->grid->volumeView(), this);
  m->samples = new ViewerSamplesPanel(this);
  m->holes = new ViewerHoles(*m->document, this);
  m->filePanel = new ViewerFilePanel(*m->document, *m->holes, this);
  auto* layersPage = new QWidget(this);
  auto* layersLayout = new QVBoxLayout(layersPage);
  layersLayout->setContentsMargins(0, 0, 0, 0);
  layersLayout->setSpacing(12);
  m->labelsPanel->setMinimumHeight(kLeastLabels);
  m->layersPanel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  layersLayout->addWidget(m->layersPanel);
  layersLayout->addWidget(m->labelsPanel, 1000);
  layersLayout->addStretch(1);
  m->tabs = new QTabWidget(this);
  m->tabs->setDocumentMode(true);
  m->tabs->setUsesScrollButtons(false);
  m->tabs->setStyleSheet(QStringLiteral("QTabWidget::tab-bar { left: 12px; } QTabBar::tab { margin-right: 9px; }"));
  m->tabs->addTab(scrolled(layersPage, tr("Layers"), m->tabs), tr("Layers"));
  m->tabs->addTab(scrolled(m->volumePanel, tr("3D"), m->tabs), tr("3D"));
  m->tabs->addTab(padded(m->samples, m->tabs), tr("Samples"));
  m->tabs->addTab(scrolled(m->filePanel, tr("File"), m->tabs), tr("File"));
  m->comparePanel = new ViewerComparePanel(this);
  m->compareBar = new ViewerCompareBar(*m->document, this); // after the panels: when layers come or go, it goes on to change them
  m->compareBar->hide();
  m->tabs->addTab(scrolled(m->comparePanel, tr("Compare"), m->tabs), tr("Compare"));
  m->tabs->setTabVisible(kCompareTab, false); // while two are compared

  m->toolStrip = new QWidget(this);
  m->toolStrip->setFixedWidth(kStripWidth);

  m->heading = new ElidedLabel("heading", this);
  m->heading->setAccessibleName(tr("What is shown"));
  m->heading->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
  m->heading->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  m->showMask = makeButton(tr("Show its mask"), "link", QStringLiteral("viewer-labels"), this);
  m->showMask->setToolTip(tr("Lays the mask that this sample was made from over it, in outlines (Shift+M)"));
  m->showMask->setMaximumHeight(m->heading->sizeHint().height());
  m->showMask->hide();
  auto* headingRow = new QWidget(this);
  auto* headingLayout = new QHBoxLayout(headingRow);
  headingLayout->setContentsMargins(0, 0, kSpaceSmall, 0);
  headingLayout->addWidget(m->heading, 1);
  headingLayout->addWidget(m->showMask);

  const auto column = [](QWidget* of) {
    auto* layout = new QVBoxLayout(of);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    return layout;
  };
  auto* pictures = new QWidget(this);
  auto* picturesLayout = column(pictures);
  QWidget* underViews = stacked({m->timeBar, m->timeCurve, m->trajectory}, pictures);
  picturesLayout->addWidget(headingRow);
  picturesLayout->addWidget(m->views, 1);
  picturesLayout->addWidget(underViews);
  m->foldPanel = new FoldStrip(FoldStrip::Side::Right, tr("the panel"), QStringLiteral("Alt+0"), this);
  auto* centre = new QWidget(this);
  centre->setMinimumSize(kLeastCentre + QSize(m->foldPanel->width(), 0)); // whatever comes to stand around the views: it must not make the window larger
  auto* centreLayout = new QHBoxLayout(centre);
  centreLayout->setContentsMargins(0, 0, 0, 0);
  centreLayout->setSpacing(0);
  centreLayout->addWidget(pictures, 1);
  centreLayout->addWidget(m->foldPanel);

  QSplitter* splitter = m->splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->setHandleWidth(1);
  splitter->addWidget(centre);
  splitter->addWidget(m->tabs);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 0);
  auto* rest = new QWidget(this); // bars over the panel, too: they take fewer rows from the pictures
  auto* restLayout = column(rest);
  QWidget* overViews = stacked({m->compareBar, m->editBar}, rest);
  restLayout->addWidget(m->notices);
  restLayout->addWidget(overViews);
  restLayout->addWidget(splitter, 1);
  connect(m->views, &QStackedWidget::currentChanged, this, [this, headingRow, overViews, underViews] { // the sheet is of other volumes
    for (QWidget* bars : {headingRow, overViews, underViews})
      bars->setVisible(m->views->currentWidget() != m->sheet);
  });
  auto* tools = new QHBoxLayout;
  tools->setSpacing(0);
  tools->addWidget(m->toolStrip);
  tools->addWidget(rest, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addLayout(tools, 1);
  // Across the page: the value stands at its end. Progress in its row, so that the views keep their size, and their pictures, when it comes.
  auto* bottom = new QHBoxLayout;
  bottom->setSpacing(0);
  bottom->addWidget(m->status, 1);
  bottom->addWidget(m->progressBar);
  m->status->setMinimumHeight(m->progressBar->sizeHint().height());
  m->progressBar->setFixedWidth(kProgressWidth);
  layout->addLayout(bottom);
}

void ViewerPage::connectParts() {
  connect(m->loader, &ViewerLoader::started, this, [this](const QString& what) {
    m->progressText->setText(tr("Opening %1").arg(what));
    m->progress->setValue(0);
    m->progressBar->show();
  });
  connect(m->loader, &ViewerLoader::progressed, this, [this](double share) { m->progress->setValue(static_cast<int>(share * 100)); });
  connect(m->loader, &ViewerLoader::loaded, this, [this](const ViewerVolume& volume, ViewerLoader::Placement placement) {
    m->arrive([this, volume, placement] { onLoaded(volume, placement); });
  });
  connect(m->loader, &ViewerLoader::failed, this, [this](const QString& sentence) { m->arrive([this, sentence] { showProblem(sentence); }); });
  connect(m->loader, &ViewerLoader::finished, this, [this] { m->arrive([this] { openNext(); }); });
  connect(&m->series, &ViewerSeriesLister::listed, this, &ViewerPage::chooseSeries);
  connect(m->surfaceLoader, &ViewerSurfaceLoader::made, this, [this](const std::shared_ptr<const LabelSurfaces>& surfaces) {
    m->grid->volumeView().setSurfaces(surfaces, m->surfaces.layer);
    m->grid->volumeView().setNote({});
  });
  connect(m->surfaceLoader, &ViewerSurfaceLoader::progressed, this, [this](int done, int of) { m->grid->volumeView().setNote(tr("Making the surfaces: %1 of %2 labels").arg(done).arg(of)); });
  connect(m->volumePanel, &ViewerVolumePanel::surfacesWanted, this, &ViewerPage::makeSurfaces);
  connect(m->volumePanel, &ViewerVolumePanel::failed, this, &ViewerPage::showProblem);
  connect(m->labelsPanel, &ViewerLabelsPanel::failed, this, &ViewerPage::showProblem);
  connect(m->labelsPanel, &ViewerLabelsPanel::centreRequested, this, &ViewerPage::goToLabel);
  connect(&m->grid->volumeView(), &ViewerVolumeView::labelClicked, this, &ViewerPage::goToSurface);
  connect(m->layersPanel, &ViewerLayersPanel::removeRequested, this, &ViewerPage::closeLayer);
  connect(m->layersPanel, &ViewerLayersPanel::addRequested, this, [this] {
    const QStringList paths = askForVolumes(this, recentFiles());
    for (const QString& path : paths)
      addFile(path);
  });
  connect(m->layersPanel, &ViewerLayersPanel::kindChangeRequested, this, &ViewerPage::changeKind);
  connect(m->empty, &ViewerEmptyState::chooseRequested, this, &ViewerPage::chooseFile);
  connect(m->empty, &ViewerEmptyState::folderRequested, this, &ViewerPage::chooseFolder);
  connect(m->filePanel, &ViewerFilePanel::otherFormRequested, this, &ViewerPage::useOtherForm);
  connect(m->filePanel, &ViewerFilePanel::aloneRequested, this, &ViewerPage::openAlone);
  connect(m->empty, &ViewerEmptyState::openRequested, this, &ViewerPage::openFile);
  connect(m->empty, &ViewerEmptyState::compareRequested, this, &ViewerPage::compareFiles);
  connect(m->empty, &ViewerEmptyState::samplesRequested, this, [this] { m->showPanel(kSamplesTab); });
  connect(m->samples, &ViewerSamplesPanel::samplesChanged, this, [this] { m->empty->setSamples(m->samples->run(), m->samples->samples(), m->samples->leftOutCount(), m->samples->missingCount()); });
  connect(m->samples, &ViewerSamplesPanel::openRequested, this, &ViewerPage::openFile);
  connect(m->samples, &ViewerSamplesPanel::addRequested, this, &ViewerPage::addFile);
  connect(m->samples, &ViewerSamplesPanel::compareRequested, this, &ViewerPage::compareFiles);
  connect(m->samples, &ViewerSamplesPanel::sheetRequested, this, [this] {
    m->sheet->setSamples(m->samples->run(), m->samples->samples());
    m->isSheetOfRun = true;
    m->views->setCurrentWidget(m->sheet);
    emit titleChanged(m->sheet->title());
  });
  connect(m->sheet, &ViewerSheet::closed, this, &ViewerPage::takeDocument);
  connect(m->sheet, &ViewerSheet::copied, this, [this] { emit statusMessage(tr("Picture copied")); });
  connect(m->sheet, &ViewerSheet::saved, this, [this](const QString& path, bool isWritten) {
    isWritten ? emit statusMessage(tr("Picture saved: %1").arg(path)) : showProblem(tr("The picture could not be written to %1. Is the folder there, and may you write to it?").arg(path));
  });
  connect(m->sheet, &ViewerSheet::openRequested, this, &ViewerPage::openFile);
  connect(m->sheet, &ViewerSheet::compareRequested, this, &ViewerPage::compareFiles);
  connect(m->trajectory, &ViewerTrajectoryBar::failed, this, &ViewerPage::showProblem);
  connect(m->editBar, &ViewerEditBar::closed, m->editBar, &QWidget::hide);
  connect(m->editBar, &ViewerEditBar::sampleRequested, this, [this] { sampleFromMask(SampleStart::AtOnce); });
  connect(m->editBar, &ViewerEditBar::changedSampleRequested, this, [this] { sampleFromMask(SampleStart::AfterChanges); });
  connect(m->showMask, &QPushButton::clicked, this, &ViewerPage::showCondition);
  connect(m->document, &ViewerDocument::activeLayerChanged, this, &ViewerPage::fitBars);
  connect(m->editor, &ViewerMaskEditor::started, this, &ViewerPage::statusMessage);
  connect(m->movie, &ViewerMovie::progressed, this, &ViewerPage::showRecording);
  connect(m->movie, &ViewerMovie::finished, this, [this](const QString& problem, int frames, MessageKind kind) {
    m->progressBar->hide();
    say(kind, problem.isEmpty() ? tr("Film recorded: %n picture(s)", nullptr, frames) : problem);
  });
  connect(&m->statistics, &ViewerStatisticsTask::reachFound, m->compareBar, &ViewerCompareBar::decideReach);
  connect(&m->statistics, &ViewerStatisticsTask::measured, this, [this](int which, const ViewerStatistics& statistics) {
    m->comparePanel->setStatistics(which, statistics);
    m->showFigures();
  });
  connect(&m->statistics, &ViewerStatisticsTask::failed, this, [this](int which, const QString& sentence) {
    m->comparePanel->setProblem(which, sentence);
    m->showFigures();
  });
  connect(m->comparePanel, &ViewerComparePanel::chosenChanged, this, [this](int which) {
    const std::vector<int> members = m->compareBar->choice().members();
    if (which + 1 < std::ssize(members))
      m->compareBar->choose(members[static_cast<std::size_t>(which) + 1]);
  });
  connect(m->samples, &ViewerSamplesPanel::unseenChanged, this,
          [this](int count) { m->tabs->setTabText(kSamplesTab, count > 0 ? tr("Samples (%1)").arg(count) : tr("Samples")); });
  connect(m->compareBar, &ViewerCompareBar::compared, this, [this] { m->showCompared(); });
  connect(m->compareBar, &ViewerCompareBar::planesChosen, m->grid, &ViewerGrid::setComparePlanes);
  connect(m->compareBar, &ViewerCompareBar::said, this, &ViewerPage::statusMessage);
  connect(m->grid, &ViewerGrid::layoutChanged, this, [this] { m->compareBar->setPlanes(m->grid->comparePlanes()); });
  connect(m->compareBar, &ViewerCompareBar::closed, this, [this] { m->endComparison(); });
  connect(m->compareBar, &ViewerCompareBar::detailsRequested, this, [this] { m->showPanel(kCompareTab); });
  connect(m->foldPanel, &FoldStrip::clicked, m->panelAction, &QAction::trigger);
  connect(m->timeSlider, &QSlider::valueChanged, this, [this](int value) { m->document->setTimePoint(value); });
  connect(m->document, &ViewerDocument::layersChanged, this, &ViewerPage::takeDocument);
  connect(m->holes, &ViewerHoles::counted, this, &ViewerPage::showNotices);
  connect(m->document, &ViewerDocument::layersChanged, this, [this] {
    if (m->surfacesWanted)
      makeSurfaces(true);
  });
  connect(m->document, &ViewerDocument::activeLayerChanged, this, [this] {
    const int active = m->document->activeLayer();
    if (m->surfacesWanted && active >= 0 && m->document->layer(active).kind == LayerKind::Labels)
      makeSurfaces(true);
  });
  connect(m->document, &ViewerDocument::appearanceChanged, this, [this] {
    m->heading->setText(m->document->heading());
    m->timeText->setText(timePointText(*m->document));
    m->timeSlider->setValue(static_cast<int>(m->document->timePoint()));
    showReading();
  });
  connect(m->document, &ViewerDocument::appearanceChanged, this, [this] { // another time point
    if (!m->compareBar->isHidden() && std::exchange(m->measuredTimePoint, m->document->timePoint()) != m->document->timePoint())
      m->measure();
  });
  connect(m->editor, &ViewerMaskEditor::historyChanged, this, [this] {
    if (!m->compareBar->isHidden() && m->compareBar->measuresInsideLabels() && m->document->labelLayer() == m->editor->layer())
      m->measure();
  });
  connect(m->document, &ViewerDocument::cursorChanged, this, &ViewerPage::showReading);
  connect(m->document, &ViewerDocument::activeLayerChanged, this, &ViewerPage::showReading);
  connect(m->document, &ViewerDocument::cameraChanged, this, &ViewerPage::showReading); // the picture moves under the pointer
  connect(&m->grid->volumeView(), &ViewerVolumeView::menuRequested, this, &ViewerPage::showViewMenu);
  const auto watch = [this](ViewerSliceView* view) {
    connect(view, &ViewerSliceView::hovered, this, [this, view] {
      m->pointed = view;
      showReading();
    });
    connect(view, &ViewerSliceView::left, this, &ViewerPage::showReading);
    connect(view, &ViewerSliceView::menuRequested, this, &ViewerPage::showViewMenu);
    connect(view, &ViewerSliceView::toolStroke, m->editor, &ViewerMaskEditor::stroke);
    const auto takeTool = [this, view] { view->setTool(m->editor->tool() == EditTool::None ? std::nullopt : std::optional(m->editor->radius_mm())); };
    connect(m->editor, &ViewerMaskEditor::toolChanged, view, takeTool);
    takeTool();
  };
  for (const SliceAxis axis : {SliceAxis::Axial, SliceAxis::Coronal, SliceAxis::Sagittal})
    watch(&m->grid->sliceView(axis));
  connect(m->grid, &ViewerGrid::viewAdded, this, watch);
  connect(&m->grid->volumeView(), &ViewerVolumeView::rayCasterChosen, this, [this](RayCaster rayCaster) {
    if (rayCaster == RayCaster::Gpu) // full resolution where a GPU draws
      m->loader->setRayCastVoxelLimit(150'000'000);
    m->trajectory->setPrepareOptions(m->loader->prepareOptions());
  });
}

} // namespace voxlab
