// SPDX-License-Identifier: GPL-3.0-or-later
// What stands above the pages: the chosen run where a page shows that run, and otherwise what the page shows in its place.
#include "app/studio/main_window.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/kernels_page.h"
#include "widgets/pages/monitor_page.h"
#include "widgets/pages/viewer_document.h"
#include "widgets/pages/viewer_page.h"
#include <QFileInfo>
#include <algorithm>

namespace voxlab {
namespace {
RunHeading words(const QString& title, const QString& subtitle) {
  RunHeading heading;
  heading.title = title;
  heading.subtitle = subtitle;
  return heading;
}

bool liesIn(const QString& folder, const std::filesystem::path& file) { return !folder.isEmpty() && QString::fromStdString(file.string()).startsWith(folder + QLatin1Char('/')); }
} // namespace

// The run that a file belongs to; empty: none that is known.
QString MainWindow::runOf(const QString& file) const {
  for (const RunListing& run : m_workbench.store().runs())
    if (liesIn(QString::fromStdString(run.path.string()), file.toStdString()))
      return QString::fromStdString(run.id);
  return {};
}

RunHeading MainWindow::headingOfPage() const {
  const RunHeading run = m_workbench.heading();
  const QString page = currentPage();
  if (page == QLatin1String("compare"))
    return m_compare->runCount() == 0 ? run : words(tr("Comparison"), tr("%n run(s)", nullptr, m_compare->runCount()));
  if (page == QLatin1String("kernels") && !m_kernels->file().isEmpty())
    return words(QFileInfo(m_kernels->file()).fileName(), tr("A profile that was opened by itself"));
  if (const QString sheet = m_viewer->sheetTitle(); page == QLatin1String("volumes") && !sheet.isEmpty() && m_workbench.current())
    return m_viewer->isSheetOfRun() ? run : words(sheet, tr("Not of the chosen run"));
  const ViewerDocument& shown = m_viewer->document();
  const RunListing* current = m_workbench.current();
  if (page != QLatin1String("volumes") || shown.isEmpty() || !current) // without a run there is nothing to be told apart from it
    return run;
  const QString folder = QString::fromStdString(current->path.string());
  bool isOfRun = false, isOfOthers = false;
  for (int layer = 0; layer < shown.layerCount(); ++layer) {
    const std::filesystem::path& file = shown.source(layer).path;
    const bool own = liesIn(folder, file);
    isOfRun = isOfRun || own;
    isOfOthers = isOfOthers || (!own && (layer == 0 || !runOf(QString::fromStdString(file.string())).isEmpty())); // masks and real images may lie on top
  }
  return isOfRun && !isOfOthers ? run : words(shown.heading(), isOfRun ? tr("Volumes of several runs") : tr("Not of the chosen run"));
}

void MainWindow::showHeading() {
  const RunHeading heading = headingOfPage();
  m_header->setVisible(!heading.title.isEmpty() && !showsOnlyPictures());
  if (!heading.title.isEmpty())
    m_header->setHeading(heading);
  m_kernels->setRecordOffer(m_workbench.heading().takesProfileRequest() ? KernelsPage::RecordOffer::NextSteps : KernelsPage::RecordOffer::NewJob);
  m_monitor->setLog(m_workbench.follower().standing().logTail);
}

} // namespace voxlab
