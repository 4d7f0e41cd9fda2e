// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/viewer_page.h"
#include "core/base/text.h"
#include "widgets/base/when_done.h"
#include "widgets/pages/icons.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/settings_writer.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_empty_state.h"
#include "widgets/pages/viewer_file_panel.h"
#include "widgets/pages/viewer_grid.h"
#include "widgets/pages/viewer_labels_panel.h"
#include "widgets/pages/viewer_layers_panel.h"
#include "widgets/pages/viewer_page_parts.h"
#include "widgets/pages/viewer_range_memory.h"
#include "widgets/pages/viewer_reading.h"
#include "widgets/pages/viewer_slice_view.h"
#include "widgets/pages/viewer_volume_panel.h"
#include "widgets/pages/viewer_volume_view.h"
#include <QApplication>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLayout>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QSplitter>
#include <QStandardPaths>
#include <QStyle>
#include <QtConcurrent>
#include <cmath>

namespace voxlab {
namespace {
constexpr int kPanelWidth = 324, kRecentFiles = 8, kPrinted_dots_per_m = 11811; // 300 an inch, as journals ask for
constexpr QSize kRoomy(1100, 700); // a page of this size has room for bars of the usual height
const QString kRecentKey = QStringLiteral("viewer/recent");

int panelWidth(int ofPage) { return std::min(kPanelWidth, ofPage / 3); } // the views are what one looks at
} // namespace

ViewerPage::ViewerPage(QWidget* parent) : QWidget(parent), m(std::make_unique<Parts>()) {
  setAcceptDrops(true);
  m->page = this;
  m->document = new ViewerDocument(this);
  m->loader = new ViewerLoader(this);
  m->surfaceLoader = new ViewerSurfaceLoader(this);
  build();
  buildActions();
  connectParts();
  setPresetFolder(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/presets"));
  m->recent = QSettings().value(kRecentKey).toStringList();
  m->empty->setRecentFiles(recentFiles());
  restoreSettings();
  takeDocument();
}

ViewerPage::~ViewerPage() { saveSettings(); }

ViewerDocument& ViewerPage::document() const { return *m->document; }
ViewerGrid& ViewerPage::grid() const { return *m->grid; }
bool ViewerPage::isLoading() const { return m->loader->isBusy() || m->isListing || !m->waiting.isEmpty() || !m->waitingSeries.empty() || !m->arrived.empty(); }
bool ViewerPage::isSettled() const { return !isLoading() && !m->surfaceLoader->isBusy(); }
QString ViewerPage::notices() const { return m->notices->sentences().join(QLatin1Char('\n')); }
QString ViewerPage::problem() const { return m->notices->sentences(MessageKind::Failure).join(QLatin1Char('\n')); }
QList<QAction*> ViewerPage::commands() const {
  QList<QAction*> all = actions();
  all.removeOne(m->openAction); // the window has it
  return all;
}
void ViewerPage::setPresetFolder(const QString& folder) { m->volumePanel->setPresetFolder(folder); }

void ViewerPage::setOnlyPictures(bool on) {
  if (on == m->onlyPictures)
    return;
  m->onlyPictures = on;
  const bool had = m->panelAction->isChecked();
  if (on ? had : had != m->hadPanel)
    m->panelAction->trigger();
  m->hadPanel = had;
}

void ViewerPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitBars();
}

// In a small window the bars are flat, and the one of comparing stands in for the line that names what is shown: at least half of the
// page are pictures.
void ViewerPage::fitBars() {
  const bool small = width() < kRoomy.width() || height() < kRoomy.height();
  for (QWidget* bar : {static_cast<QWidget*>(m->compareBar), static_cast<QWidget*>(m->editBar)})
    if (bar->property("compact").toBool() != small) {
      setStyleProperty(bar, "compact", small);
      const int margin = small ? 1 : kSpaceSmall;
      bar->layout()->setContentsMargins(kSpace, margin, kSpaceSmall, margin);
      for (QWidget* part : bar->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) { // dressed by what they stand in
        part->style()->unpolish(part);
        part->style()->polish(part);
      }
    }
  m->compareBar->setForm(small ? ViewerCompareBar::Form::Short : ViewerCompareBar::Form::AsWide);
  const bool heads = !m->document->isEmpty() && !(small && !m->compareBar->isHidden());
  m->heading->setVisible(heads);
  m->showMask->setVisible(heads && !conditionToShow().isEmpty());
}

// --- opening ---------------------------------------------------------------------------------------------------------

void ViewerPage::openFile(const QString& path) { openFiles({path}); }

void ViewerPage::openFiles(const QStringList& paths) {
  if (paths.isEmpty() || !mayLoseEdits())
    return;
  m->waiting = paths.mid(1);
  m->waitingSeries.clear();
  m->notices->clear();
  m->isListing = QFileInfo(paths.first()).isDir();
  if (m->isListing)
    return m->series.list(paths.first());
  m->loader->load(paths.first(), ViewerLoader::Placement::Replace);
}

void ViewerPage::addFile(const QString& path) {
  if (isLoading())
    m->waiting << path;
  else
    m->loader->load(path, ViewerLoader::Placement::OnTop);
}

void ViewerPage::openVolume(std::shared_ptr<const Volume> volume, const QString& title) {
  m->waiting.clear();
  m->waitingSeries.clear();
  m->loader->run(title, ViewerLoader::Placement::Replace,
                 [volume = std::move(volume), title, options = m->loader->prepareOptions()](std::stop_token, const auto&) {
                   auto prepared = prepareViewerVolume(volume, {}, options);
                   if (prepared)
                     prepared->title = title.toStdString();
                   return prepared;
                 });
}

void ViewerPage::showDifference(const QString& first, const QString& second) {
  m->compareHow = CompareMode::Difference;
  compareFiles({first, second});
}

void ViewerPage::compareFiles(const QStringList& paths) {
  m->compareWhenLoaded = true;
  openFiles(paths);
}

void ViewerPage::onLoaded(const ViewerVolume& volume, ViewerLoader::Placement placement) {
  // Labels that are opened over an image belong to it, if they lie in the same place.
  bool onTop = placement == ViewerLoader::Placement::OnTop;
  if (!onTop && volume.kind == LayerKind::Labels && m->document->imageLayer() >= 0 && volume.volume && m->waiting.isEmpty()) {
    const Bounds labels = boundsIn(m->document->frame(), volume.volume->grid());
    onTop = length(labels.centre() - m->document->bounds().centre()) < 0.3 * length(m->document->bounds().extent());
  }
  rememberRanges();
  const bool underLabels = onTop && volume.kind == LayerKind::Image && m->document->imageCount() == 0 && !m->document->isEmpty();
  if (onTop)
    m->document->addOnTop(volume);
  else
    m->document->replaceAll(volume);
  bool isRangeKept = false;
  if (const int newest = m->document->layerOf(volume.volume); !m->document->isRangeLocked()) {
    m->document->editLayer(newest, [&](SliceLayer& layer) { isRangeKept = recallRange(volume, layer); });
    if (isRangeKept)
      m->document->chooseRange(newest, m->document->layer(newest).range);
  }
  if (!m->outlined.empty() && volume.path == m->outlined) {
    m->outlined.clear();
    m->document->editLayer(m->document->layerOf(volume.volume), [](SliceLayer& layer) { layer.style = LabelStyle::Outline; });
  }
  if (underLabels)
    m->document->moveLayer(m->document->layerCount() - 1, 0);
  if (!volume.path.empty())
    remember(QString::fromStdString(volume.path.string()));
  showReading();
  takeFocus();
  const QString opened = tr("%1 opened in %2 s").arg(QString::fromStdString(volume.longTitle())).arg(volume.loadTime_ms / 1000, 0, 'f', 1);
  emit statusMessage(isRangeKept ? tr("%1, in the range that you chose for %2 volumes (Shift+A: automatic again)").arg(opened, modalityOf(volume)) : opened);
}

// What was left out of each volume that is shown, what is odd about its place in space, and what is no number in it.
void ViewerPage::showNotices() {
  QSet<const void*> shown;
  for (int layer = 0; layer < m->document->layerCount(); ++layer) {
    const ViewerVolume& source = m->document->source(layer);
    QStringList parts{QString::fromStdString(source.leftOut).trimmed(), m->holes->textOf(source)};
    for (const std::string& oddity : odditiesOf(source, Oddities::Remarkable))
      parts.insert(parts.size() - 1, QString::fromStdString(oddity));
    parts.removeAll(QString());
    shown.insert(source.volume.get());
    m->notices->setAbout(source.volume.get(), parts.isEmpty() ? QString() : QString::fromStdString(source.title) + QStringLiteral(": ") + parts.join(QLatin1Char(' ')));
  }
  m->notices->keepOnly(shown);
}

// Keys go where what was asked for is to be seen, unless somebody types.
void ViewerPage::takeFocus() {
  const QWidget* focus = QApplication::focusWidget();
  const bool typing = focus && focus->inherits("QLineEdit");
  if (isVisible() && !typing && !m->document->isEmpty() && (!focus || !isAncestorOf(focus)))
    m->grid->sliceView(SliceAxis::Axial).setFocus();
}

void ViewerPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!std::exchange(m->wasShown, true)) // room for long names where there is any
    m->splitter->setSizes({std::max(1, m->splitter->width() - panelWidth(m->splitter->width())), panelWidth(m->splitter->width())});
  takeFocus();
}

void ViewerPage::openNext() {
  if (!m->waitingSeries.empty()) {
    const DicomSeries next = m->waitingSeries.front();
    m->waitingSeries.erase(m->waitingSeries.begin());
    return openSeries(next, QString::fromStdString(next.files.front().parent_path().string()), ViewerLoader::Placement::OnTop);
  }
  // Of a series of which several files were chosen, each is there already.
  for (int layer = 0; layer < m->document->layerCount(); ++layer)
    for (const std::filesystem::path& member : m->document->source(layer).files)
      if (!m->waiting.isEmpty())
        m->waiting.removeAll(QString::fromStdString(member.string()));
  if (!m->waiting.isEmpty()) {
    m->loader->load(m->waiting.takeFirst(), ViewerLoader::Placement::OnTop);
    return;
  }
  m->progressBar->setVisible(m->movie->isRecording());
  if (std::exchange(m->compareWhenLoaded, false) && m->document->imageCount() > 1)
    m->startComparison(std::exchange(m->compareHow, CompareMode::None));
  emit loadFinished();
}

void ViewerPage::say(MessageKind kind, const QString& sentence) {
  if (kind != MessageKind::Information) // which nobody needs to dismiss
    m->notices->add(kind, sentence);
  emit statusMessage(sentence);
}

void ViewerPage::showProblem(const QString& sentence) { say(MessageKind::Failure, sentence); }

QStringList ViewerPage::recentFiles() const {
  QStringList existing;
  for (const QString& path : m->recent)
    if (QFileInfo::exists(path))
      existing << path;
  return existing;
}

void ViewerPage::remember(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  m->recent.removeAll(absolute);
  m->recent.prepend(absolute);
  m->recent = m->recent.mid(0, kRecentFiles);
  changeSettings([&](QSettings& settings) { settings.setValue(kRecentKey, m->recent); });
  m->empty->setRecentFiles(recentFiles());
}

void ViewerPage::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls())
    event->acceptProposedAction();
}

void ViewerPage::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile())
      paths << url.toLocalFile();
  if (paths.isEmpty())
    return;
  event->acceptProposedAction();
  window()->activateWindow(); // the keys go where the files went
  if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier))
    for (const QString& path : paths)
      addFile(path);
  else
    openFiles(paths);
}

// --- samples ---------------------------------------------------------------------------------------------------------

void ViewerPage::setRunSamples(const QString& run, const QList<ViewerSample>& samples) {
  m->isSheetOfRun = false;
  m->samples->setSamples(run, samples);
}
void ViewerPage::addSample(const ViewerSample& sample) {
  m->samples->addSample(sample);
  if (m->isSheetOfRun && m->views->currentWidget() == m->sheet && sample.isHere())
    m->sheet->addSample(sample);
}
void ViewerPage::addSample(const QString& path, const QString& title) { addSample(ViewerSample{path, title.isEmpty() ? QFileInfo(path).fileName() : title, {}}); }

// --- the document ----------------------------------------------------------------------------------------------------

QString ViewerPage::sheetTitle() const { return m->views->currentWidget() == m->sheet ? m->sheet->title() : QString(); }
bool ViewerPage::isSheetOfRun() const { return m->isSheetOfRun; }
void ViewerPage::showViews() { m->views->setCurrentIndex(m->document->isEmpty() ? 0 : 1); }

void ViewerPage::takeDocument() {
  const bool empty = m->document->isEmpty();
  showViews();
  for (QAction* action : m->needVolume)
    action->setEnabled(!empty);
  m->timeBar->setVisible(m->document->timePoints() > 1);
  m->timeCurve->setVisible(m->document->timePoints() > 1 && m->curveAction->isChecked());
  m->timeSlider->setRange(0, static_cast<int>(m->document->timePoints() - 1));
  m->timeSlider->setValue(static_cast<int>(m->document->timePoint()));
  m->compareAction->setEnabled(m->document->imageCount() > 1);
  m->labelsPanel->setVisible(m->document->labelLayer() >= 0);
  if (empty)
    m->status->setReading({});
  m->heading->setText(m->document->heading());
  fitBars();
  emit titleChanged(empty ? QString() : QString::fromStdString(m->document->layer(0).title));
}

// Under the pointer while it is over a slice, also when what lies there changes; else at the cross-hair.
void ViewerPage::showReading() {
  const auto pointed = m->pointed ? m->pointed->pointedAt() : std::nullopt;
  const Vec3d place = pointed.value_or(m->document->cursor());
  m->status->setReading(readingAt(*m->document, place, pointed ? m->pointed->onlyLayer() : std::nullopt));
  m->layersPanel->showValues(valuesOfLayers(*m->document, place));
}

// Counting 35 million voxels takes a second: not on the window's thread.
void ViewerPage::changeKind(int layer) {
  const ViewerVolume source = m->document->source(layer);
  PrepareOptions options = m->loader->prepareOptions();
  options.kind = source.kind == LayerKind::Labels ? LayerKind::Image : LayerKind::Labels;
  m->chores.start([this, source, options](std::stop_token, const auto&) -> NewestWork::Report {
    return [this, source, options, prepared = prepareViewerVolume(source.volume, source.path, options)] {
      if (!prepared)
        return showProblem(QString::fromStdString(prepared.error().message));
      if (options.kind == LayerKind::Labels && prepared->counts.empty())
        return say(MessageKind::Attention, tr("%1 holds values that are no whole numbers, so it cannot be shown as labels.").arg(QString::fromStdString(source.title)));
      m->document->setLayerVolume(m->document->layerOf(source.volume), *prepared);
    };
  });
}

// Of one label layer at a time: the active one, else the topmost.
void ViewerPage::makeSurfaces(bool wanted) {
  m->surfacesWanted = wanted;
  const int layer = m->document->labelLayer();
  if (!wanted || layer < 0) {
    m->surfaceLoader->cancel(); // what is being made would come after all
    m->surfaces = {};
    m->grid->volumeView().setNote({});
    m->grid->volumeView().setSurfaces(nullptr, 0);
    return;
  }
  const ViewerVolume& source = m->document->source(layer);
  Parts::Surfaces next{m->document->idOf(layer), source.volume, {}};
  for (const auto& label : m->document->layer(layer).labels.labels)
    next.values.push_back(label.value);
  if (next.layer == m->surfaces.layer && source.volume == m->surfaces.volume.lock() && next.values == m->surfaces.values)
    return;
  if (next.layer != m->surfaces.layer)
    m->surfaceLoader->cancel(); // another layer's
  m->surfaces = next;
  m->grid->volumeView().setNote(tr("Making the surfaces of %n label(s)…", nullptr, static_cast<int>(next.values.size())));
  m->whenSteady(source, [this, values = next.values](const ViewerVolume& labels) {
    if (m->surfacesWanted)
      m->surfaceLoader->make(labels.volume, values);
  });
}

void ViewerPage::goToLabel(qint64 value) {
  const int layer = m->document->labelLayer();
  if (layer < 0)
    return;
  m->whenSteady(m->document->source(layer), [this, value](const ViewerVolume& labels) {
    m->chores.start([this, volume = labels.volume, value](std::stop_token, const auto&) -> NewestWork::Report {
      return [this, middle = middleOfLabel(*volume, value)] {
        if (middle)
          m->document->setCursor(*middle);
      };
    });
  });
}

// A smoothed surface runs beside its voxels: the cross-hair goes to the nearest one that has the label.
void ViewerPage::goToSurface(qint64 value, const Vec3d& world) {
  const int layer = m->document->layerWithId(m->surfaces.layer);
  if (layer < 0)
    return;
  m->document->setActiveLayer(layer); // whose labels the panel lists
  const SampledVolume& source = m->document->layer(layer).source;
  const Vec3d voxel = source.toVoxel(world);
  constexpr int kReach = 2;
  std::optional<Vec3d> nearest;
  for (int k = -kReach; k <= kReach; ++k)
    for (int j = -kReach; j <= kReach; ++j)
      for (int i = -kReach; i <= kReach; ++i) {
        const Vec3d place = source.toWorld({std::round(voxel.x) + i, std::round(voxel.y) + j, std::round(voxel.z) + k});
        if (source.valueAt(place) == static_cast<double>(value) && (!nearest || length(place - world) < length(*nearest - world)))
          nearest = place;
      }
  m->document->setCursor(nearest.value_or(world));
  m->labelsPanel->choose(value);
  if (const Label* label = m->document->layer(layer).labels.find(value))
    emit statusMessage(tr("%1 (%2): %3 ml").arg(QString::fromStdString(label->name)).arg(value).arg(
        QString::fromStdString(formatSignificant(labelVolume_ml(m->document->source(layer), value)))));
}

// --- pictures and files ----------------------------------------------------------------------------------------------

void ViewerPage::saveScreenshot(const QString& path, int scale, Annotations annotations) {
  whenStill(scale, annotations, [this, path](const GridStill& still) {
    const auto paintAndSave = [still, path] {
      QImage image = still.paint();
      image.setDotsPerMeterX(kPrinted_dots_per_m); // so that word processors give it a size fit for print
      image.setDotsPerMeterY(kPrinted_dots_per_m);
      return image.save(path);
    };
    whenDone(QtConcurrent::run(paintAndSave), this, [this, path, size = still.pixels](bool saved) {
      if (saved)
        emit statusMessage(tr("Picture saved: %1 (%2 × %3)").arg(path).arg(size.width()).arg(size.height()));
      else
        showProblem(tr("The picture could not be written to %1. Is the folder there, and may you write to it?").arg(path));
      emit screenshotFinished(saved);
    });
  });
}

// What the views show now, to be painted elsewhere: slices of several times the screen's size take long.
void ViewerPage::whenStill(int scale, Annotations annotations, const std::function<void(const GridStill&)>& then) {
  GridStill still = m->grid->still(std::clamp(scale, 1, 4), annotations == Annotations::On);
  m->editor->whenSteady([still, then](const SteadyMask& mask) mutable {
    still.hold(mask);
    then(still);
  });
}

void ViewerPage::chooseScreenshot() {
  const Parts::Question asking(*m);
  const int shown = std::max(0, m->document->imageLayer());
  const QString name = m->document->isEmpty() ? tr("picture") : QString::fromStdString(m->document->source(shown).title);
  const auto choice = askForScreenshot(this, m->grid->size() * devicePixelRatioF(), name);
  if (choice)
    saveScreenshot(choice->path, choice->scale, choice->annotations ? Annotations::On : Annotations::Off);
}

void ViewerPage::copyPicture() {
  const auto annotations = m->document->annotations() == Visibility::Shown ? Annotations::On : Annotations::Off;
  whenStill(1, annotations, [this](const GridStill& still) {
    m->copying.start([this, still](std::stop_token, const auto&) -> NewestWork::Report {
      return [this, picture = still.paint()] {
        QGuiApplication::clipboard()->setImage(picture);
        emit statusMessage(tr("Picture copied"));
      };
    });
  });
}

void ViewerPage::recordMovie(const MovieOptions& options) {
  showRecording(0, 1);
  m->movie->start(options);
}

void ViewerPage::showRecording(int frames, int of) {
  m->progressText->setText(frames > 0 ? tr("Recording: %1 of %2 pictures").arg(frames).arg(of) : tr("Recording"));
  m->progress->setValue(100 * frames / of);
  m->progressBar->show();
}

// --- settings --------------------------------------------------------------------------------------------------------

void ViewerPage::restoreSettings() {
  QSettings settings;
  settings.beginGroup(QStringLiteral("viewer"));
  for (QAction* action : actions())
    if (action->isCheckable() && settings.value(QStringLiteral("toggles/") + action->objectName(), action->isChecked()).toBool() != action->isChecked())
      action->trigger();
  m->grid->setMainView(settings.value(QStringLiteral("main"), m->grid->mainView()).toInt());
  const int layout = settings.value(QStringLiteral("layout"), 0).toInt();
  m->grid->setViewLayout(layout == 1 ? ViewLayout::OneAndThree : ViewLayout::Four);
}

// Not while two are compared: one of them wears the other's range.
void ViewerPage::rememberRanges() {
  for (int i = 0; i < m->document->layerCount() && m->compareBar->isHidden(); ++i) {
    const ViewerVolume& source = m->document->source(i);
    const SliceLayer& layer = m->document->layer(i);
    if (m->document->isRangeLocked())
      rememberRange(source, layer.range, layer.colourMap);
    else if (source.chosenRange || layer.colourMap != ColourMap::Grey)
      rememberRange(source, source.chosenRange.value_or(robustRange(source.summary)), layer.colourMap);
  }
}

void ViewerPage::saveSettings() {
  setOnlyPictures(false);
  rememberRanges();
  QSettings settings;
  settings.beginGroup(QStringLiteral("viewer"));
  for (const QAction* action : actions())
    if (action->isCheckable())
      settings.setValue(QStringLiteral("toggles/") + action->objectName(), action->isChecked());
  settings.setValue(QStringLiteral("main"), m->grid->mainView());
  settings.setValue(QStringLiteral("layout"), m->grid->viewLayout() == ViewLayout::OneAndThree ? 1 : 0);
}

void ViewerPage::showViewMenu(const QPoint& globalPosition) {
  QMenu menu(this);
  for (QAction* action : m->viewMenu)
    if (action)
      menu.addAction(action);
    else
      menu.addSeparator();
  menu.exec(globalPosition);
}

} // namespace voxlab
