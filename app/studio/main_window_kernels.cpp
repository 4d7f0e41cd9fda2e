// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels page's place in the window: which profiles it shows, and what it asks for.
#include "app/studio/main_window.h"
#include "widgets/pages/kernels_page.h"
#include "widgets/pages/launch_page.h"
#include "widgets/pages/toasts.h"
#include <algorithm>

namespace voxlab {

void MainWindow::openProfile(const QString& file) {
  showPage(QStringLiteral("kernels"));
  m_kernels->openFile(file);
  showHeading();
}

void MainWindow::connectKernels() {
  connect(m_kernels, &KernelsPage::openRequested, this, &MainWindow::openDialog);
  connect(m_kernels, &KernelsPage::recordRequested, this, [this] {
    if (m_workbench.heading().takesProfileRequest())
      return profileNextSteps();
    m_launch->selectKind(QStringLiteral("profile"));
    showPage(QStringLiteral("new-job"));
  });
  connect(m_kernels, &KernelsPage::reportWritten, this, [this](const QString& file, const QString& problem) {
    m_toasts->add(problem.isEmpty() ? ToastKind::Information : ToastKind::Failure, problem.isEmpty() ? tr("Saved as %1.").arg(file) : problem);
  });
}

void MainWindow::profileNextSteps() {
  m_profileAskedOf = m_workbench.currentId();
  m_workbench.request(QString::fromUtf8(command::kProfileNext.data()));
  m_toasts->add(ToastKind::Information, tr("The next %1 steps are recorded; the Kernels page shows them when they are written.").arg(kProfiledSteps));
}

// The page reads a run's profiles when another run is chosen and when the run has written one more. A file that was opened at the
// start stays until the user chooses a run, or goes back to the one that is chosen.
void MainWindow::showProfiles() {
  const auto state = m_workbench.follower().state();
  const RunListing* run = m_workbench.current();
  if (!run || !state)
    return;
  const QString id = m_workbench.currentId();
  const auto& profiles = state->profiles();
  const auto count = static_cast<std::size_t>(std::count_if(profiles.begin(), profiles.end(), [](const ProfileRecord& p) { return !p.path.empty(); }));
  const bool isFirst = m_profiledRun.isEmpty(), isOther = id != m_profiledRun;
  const bool hasMore = count > m_profilesShown;
  m_profiledRun = id;
  m_profilesShown = count;
  const QString folder = m_workbench.follower().folder(), title = Workbench::titleOf(*run);
  if ((isOther && !(isFirst && !m_kernels->file().isEmpty())) || (hasMore && m_kernels->file().isEmpty()))
    m_kernels->setRun(folder, title);
  else if (isOther)
    m_kernels->offerRun(folder, title);
  if (hasMore && !isOther && m_profileAskedOf == id) {
    m_profileAskedOf.clear();
    if (currentPage() != QLatin1String("kernels"))
      m_toasts->add(ToastKind::Information, tr("The profile of %1 is written.").arg(title), tr("Show it"), [this] { showPage(QStringLiteral("kernels")); });
  }
  showHeading();
}

} // namespace voxlab
