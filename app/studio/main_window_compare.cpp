// SPDX-License-Identifier: GPL-3.0-or-later
// What runs and the compare page have to do with each other.
#include "app/studio/main_window.h"
#include "widgets/models/run_words.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/launch_page.h"
#include "widgets/pages/toasts.h"
#include <algorithm>
#include <array>

namespace voxlab {

void MainWindow::connectCompare() {
  connect(&m_workbench.store(), &RunStore::scanned, this, &MainWindow::offerRunsToCompare);
  connect(m_runs, &RunsPanel::selectionChanged, this, [this](const QStringList& ids) {
    if (ids.size() > 1)
      m_compare->chooseRuns(ids);
  });
  connect(m_compare, &ComparePage::volumeRequested, this, &MainWindow::openVolume);
  connect(m_compare, &ComparePage::examplesRequested, m_runs, &RunsPanel::examplesClicked);
  connect(m_compare, &ComparePage::message, this, [this](const QString& words) { m_toasts->add(ToastKind::Information, words); });
  connect(m_compare, &ComparePage::compareModesRequested, this, [this] {
    m_launch->selectKind(QStringLiteral("bench"));
    showPage(QStringLiteral("new-job"));
  });
}

// A run that has more in it than before is read again: its outcome is part of what tells candidates apart.
void MainWindow::offerRunsToCompare() {
  static constexpr std::array<std::string_view, 5> kKinds{"bench", "profile", "sample", "quality", "import"};
  QList<CompareCandidate> candidates;
  for (const RunListing& run : m_workbench.store().runs())
    if (std::find(kKinds.begin(), kKinds.end(), run.info.kind) != kKinds.end())
      candidates.append({QString::fromStdString(run.id), QString::fromStdString(run.path.string()), Workbench::titleOf(run), QString::fromStdString(run.info.kind),
                         outcomeWord(run.outcome)});
  m_compare->setCandidates(candidates);
}

} // namespace voxlab
