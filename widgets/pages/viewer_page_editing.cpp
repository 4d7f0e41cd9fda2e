// SPDX-License-Identifier: GPL-3.0-or-later
// Masks on ViewerPage: painting on them, saving them, and the samples that are made from them.
#include "widgets/pages/viewer_page_parts.h"
#include <QDateTime>
#include <QEventLoop>
#include <QFileInfo>
#include <QStandardPaths>

namespace voxlab {

// --- saving ----------------------------------------------------------------------------------------------------------

void ViewerPage::saveNifti() {
  if (const int layer = m->document->activeLayer(); layer >= 0)
    askAndSave(layer, {});
}

// False where the user does not want to after all.
bool ViewerPage::askAndSave(int layer, const std::function<void(bool)>& then) {
  const Parts::Question asking(*m);
  const ViewerVolume source = m->document->source(layer); // the one that is asked about: another step of a sample may be shown when it is answered
  const QString name = QString::fromStdString(source.title) + QStringLiteral(".nii.gz");
  QString path = m->askWhereToSave ? m->askWhereToSave(name) : askForFile(this, tr("Save as NIfTI"), name, tr("NIfTI (*.nii.gz *.nii)"));
  if (!path.isEmpty() && QFileInfo(path).suffix().isEmpty())
    path += QStringLiteral(".nii.gz");
  if (!path.isEmpty())
    saveVolume(source, path, then);
  return !path.isEmpty();
}

// Writing takes seconds: off the GUI thread, on the thread that reads too.
void ViewerPage::saveVolume(const ViewerVolume& source, const QString& path, const std::function<void(bool)>& then) {
  const std::weak_ptr<const Volume> mask = source.volume;
  const QUndoStack* edits = m->editor->historyOf(mask.lock());
  const auto done = [this, mask, then, step = edits ? edits->index() : 0](const QString& problem, const QString& saved) {
    if (QUndoStack* history = m->editor->historyOf(mask.lock()); problem.isEmpty() && history && history->index() == step) // nothing was painted since
      history->setClean();
    if (problem.isEmpty())
      emit statusMessage(tr("Saved: %1").arg(saved));
    else
      showProblem(problem);
    if (then)
      then(problem.isEmpty());
  };
  m->whenSteady(source, [this, path, done](const ViewerVolume& volume) { m->saver.start(path, volume, done); });
}

void ViewerPage::setAskBeforeLosing(std::function<EditsFate(const QStringList&)> ask) { m->askBeforeLosing = std::move(ask); }
void ViewerPage::setAskWhereToSave(std::function<QString(const QString&)> ask) { m->askWhereToSave = std::move(ask); }

bool ViewerPage::mayLoseEdits() { return mayLose(m->editor->unsaved()); }

bool ViewerPage::mayLose(const std::vector<std::shared_ptr<const Volume>>& masks) {
  if (masks.empty())
    return true;
  const Parts::Question asking(*m);
  QStringList names;
  for (const auto& mask : masks)
    names << QString::fromStdString(m->document->source(m->document->layerOf(mask)).title);
  const EditsFate fate = m->askBeforeLosing ? m->askBeforeLosing(names) : askAboutEdits(this, names);
  if (fate != EditsFate::Save)
    return fate == EditsFate::Lose;
  return std::all_of(masks.begin(), masks.end(), [this](const auto& mask) { return saveAndWait(mask); });
}

// What asked goes on when the file is there: it may be the end of the program. Nothing can be painted meanwhile.
bool ViewerPage::saveAndWait(const std::shared_ptr<const Volume>& mask) {
  QEventLoop waiting;
  bool isSaved = false;
  const bool isAsked = askAndSave(m->document->layerOf(mask), [&](bool saved) {
    isSaved = saved;
    waiting.quit();
  });
  if (isAsked)
    waiting.exec(QEventLoop::ExcludeUserInputEvents);
  return isSaved;
}

void ViewerPage::closeLayer() {
  const int layer = m->document->activeLayer();
  if (layer < 0)
    return;
  const auto volume = m->document->source(layer).volume;
  const auto unsaved = m->editor->unsaved();
  if (std::find(unsaved.begin(), unsaved.end(), volume) == unsaved.end() || mayLose({volume}))
    m->document->removeLayer(m->document->layerOf(volume));
}

// --- painting --------------------------------------------------------------------------------------------------------

void ViewerPage::toggleEditing() {
  const bool wanted = m->editBar->isHidden();
  m->editBar->setVisible(wanted);
  m->editor->setTool(wanted ? EditTool::Brush : EditTool::None);
  if (wanted)
    showViews();
}

// --- samples and their masks -----------------------------------------------------------------------------------------

// The edited mask, or the labels as they were opened; kept with the program's data, named after the volume and the time.
void ViewerPage::sampleFromMask(SampleStart start) {
  const int layer = m->editor->layer() >= 0 ? m->editor->layer() : m->document->labelLayer();
  if (layer < 0)
    return;
  const ViewerVolume& mask = m->document->source(layer);
  const QString name = QString::fromStdString(mask.title).simplified().replace(QLatin1Char(' '), QLatin1Char('_')).replace(QLatin1Char('/'), QLatin1Char('_'));
  const QString path = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) +
                       QStringLiteral("/masks/%1_%2.nii.gz").arg(name, QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd_hhmmss")));
  const QUndoStack* edits = m->editor->historyOf(mask.volume);
  m->sampledMask = mask.volume;
  m->sampledFile = path;
  m->sampledStep = edits ? edits->index() : 0;
  m->sampledWhileComparing = !m->compareBar->isHidden();
  const int image = m->document->imageLayer();
  const QString like = image < 0 || m->document->source(image).origin.empty() ? QString() : QString::fromStdString(m->trajectory->sampleOf(m->document->source(image)).string());
  const auto done = [this, like, start](const QString& problem, const QString& saved) {
    if (problem.isEmpty())
      emit sampleFromMaskRequested(saved, like, start);
    else
      showProblem(problem);
  };
  m->whenSteady(mask, [this, path, done](const ViewerVolume& volume) { m->saver.start(path, volume, done); });
}

Landing ViewerPage::addBesideMask(const QString& path, Landing wanted) {
  const auto mask = m->sampledMask.lock();
  if (m->document->layerOf(mask) < 0)
    return Landing::Nowhere;
  const QUndoStack* edits = m->editor->historyOf(mask);
  const bool isBusy = (!m->compareBar->isHidden() && !m->sampledWhileComparing) || m->views->currentWidget() == m->sheet || (edits && edits->index() != m->sampledStep);
  if (wanted == Landing::WhereNobodyLooks && isBusy)
    return Landing::Waiting;
  m->compareWhenLoaded = m->document->imageCount() > 0;
  addFile(path);
  return Landing::Beside;
}

// Of the sample that is looked at, where its mask is not open yet.
QString ViewerPage::conditionToShow() const {
  const int image = m->document->imageLayer();
  const std::filesystem::path mask = image < 0 ? std::filesystem::path() : m->document->source(image).condition;
  if (mask == m->sampledFile.toStdString() && m->document->layerOf(m->sampledMask.lock()) >= 0)
    return {}; // it is the layer that was painted on
  for (int layer = 0; layer < m->document->layerCount(); ++layer)
    if (const ViewerVolume& source = m->document->source(layer); source.path == mask || (source.kind == LayerKind::Labels && source.condition == mask))
      return {};
  return QString::fromStdString(mask.string());
}

void ViewerPage::showCondition() {
  const QString mask = conditionToShow();
  if (mask.isEmpty())
    return void(emit statusMessage(tr("No mask is known that this volume was made from, or it is shown.")));
  m->outlined = mask.toStdString(); // so that the sample stays in sight
  addFile(mask);
}

} // namespace voxlab
