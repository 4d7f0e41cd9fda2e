// SPDX-License-Identifier: GPL-3.0-or-later
// What ViewerPage asks about files and places: which to open, which DICOM series, where to go.
#include "widgets/pages/viewer_go_to.h"
#include "widgets/pages/viewer_page_parts.h"
#include "widgets/pages/viewer_series_dialog.h"
#include <QFileInfo>
#include <algorithm>

namespace voxlab {

void ViewerPage::chooseFile() { openFiles(askForVolumes(this, recentFiles())); }

void ViewerPage::chooseFolder() {
  if (const QString folder = askForDicomFolder(this, recentFiles()); !folder.isEmpty())
    openFiles({folder});
}

// One series is opened at once, of several the user chooses.
void ViewerPage::chooseSeries(const QString& folder, const std::vector<DicomSeries>& series) {
  m->isListing = false;
  if (series.size() < 2)
    return m->loader->load(folder, ViewerLoader::Placement::Replace); // its message, too, where there is none
  ViewerSeriesDialog dialog(folder, series, this);
  if (dialog.exec() != QDialog::Accepted || dialog.chosen().empty())
    return emit loadFinished();
  m->waitingSeries = dialog.chosen();
  const DicomSeries first = m->waitingSeries.front();
  m->waitingSeries.erase(m->waitingSeries.begin());
  openSeries(first, folder, ViewerLoader::Placement::Replace);
}

// Kept in mind by one of its files where the folder holds others.
void ViewerPage::openSeries(const DicomSeries& series, const QString& folder, ViewerLoader::Placement placement) {
  const QString description = QString::fromStdString(series.description).trimmed();
  m->loader->run(description.isEmpty() ? QFileInfo(folder).fileName() : description, placement,
                 [series, folder, options = m->loader->prepareOptions()](std::stop_token stop, const std::function<void(double)>& progress) {
                   ReadOptions read;
                   read.cancel = stop;
                   read.progress = progress;
                   auto opened = readViewerSeries(series, folder.toStdString(), read, options);
                   const auto first = series.files.front();
                   const auto isBesideFirst = [&](const std::filesystem::path& file) { return file.parent_path() == first.parent_path(); };
                   if (opened && std::all_of(series.files.begin(), series.files.end(), isBesideFirst))
                     opened->path = first;
                   return opened;
                 });
}

void ViewerPage::openAlone(const QString& path) {
  if (!mayLoseEdits())
    return;
  m->notices->clear();
  PrepareOptions options = m->loader->prepareOptions();
  options.seriesFile = PrepareOptions::SeriesFile::OpensAlone;
  m->loader->run(QFileInfo(path).fileName(), ViewerLoader::Placement::Replace, [path, options](std::stop_token stop, const std::function<void(double)>& progress) {
    ReadOptions read;
    read.cancel = stop;
    read.progress = progress;
    return readViewerVolume(path.toStdString(), read, options);
  });
}

// The place that the qform gives, or the sform again.
void ViewerPage::useOtherForm() {
  const int layer = m->document->activeLayer();
  if (layer < 0)
    return;
  const ViewerVolume source = m->document->source(layer);
  const auto other = otherFormOf(source.volume->header);
  const QUndoStack* edits = m->editor->historyOf(source.volume);
  if (!other || (edits && !edits->isClean() && !mayLose({source.volume})))
    return;
  PrepareOptions options = m->loader->prepareOptions();
  options.kind = source.kind;
  m->chores.start([this, source, options, form = *other](std::stop_token, const auto&) -> NewestWork::Report {
    auto moved = std::make_shared<const Volume>(inOtherForm(*source.volume, form));
    return [this, source, prepared = prepareViewerVolume(std::move(moved), source.path, options)] {
      if (!prepared)
        return showProblem(QString::fromStdString(prepared.error().message));
      ViewerVolume shown = *prepared;
      shown.title = source.title;
      shown.leftOut = source.leftOut;
      shown.files = source.files;
      m->document->setLayerVolume(m->document->layerOf(source.volume), shown);
    };
  });
}

void ViewerPage::askWhereTo() {
  if (m->document->isEmpty())
    return;
  const Parts::Question asking(*m);
  ViewerGoTo dialog(*m->document, this);
  if (dialog.exec() != QDialog::Accepted)
    return;
  if (const auto place = dialog.place())
    m->document->setCursor(*place);
  else if (const auto label = dialog.label())
    goToLabel(*label);
}

} // namespace voxlab
