// SPDX-License-Identifier: GPL-3.0-or-later
// What runs and the viewer have to do with each other.
#include "app/studio/main_window.h"
#include "app/studio/sample_pairs.h"
#include "core/analysis/run_history.h"
#include "core/base/text.h"
#include "widgets/base/when_done.h"
#include "widgets/pages/launch_page.h"
#include "widgets/pages/toasts.h"
#include "widgets/pages/viewer_page.h"
#include <QFileInfo>
#include <QtConcurrent>
#include <algorithm>
#include <utility>

namespace voxlab {

void MainWindow::connectVolumes() {
  connect(m_viewer, &ViewerPage::titleChanged, this, &MainWindow::showHeading);
  connect(m_viewer, &ViewerPage::sampleFromMaskRequested, this, [this](const QString& mask) {
    m_ownMask = mask;
    m_launch->selectKind(QStringLiteral("sample"));
    m_launch->setValue(QStringLiteral("sample.masks"), mask);
    suggestCheckpoint();
    showPage(QStringLiteral("new-job"));
  });
}

// Weights of the run that is looked at, or the newest there are, where none were chosen.
void MainWindow::suggestCheckpoint() {
  if (!m_launch->spec().get<std::string>("sample.checkpoint").empty())
    return;
  const RunListing* run = m_workbench.current();
  const QList<Suggestion> others = m_workbench.checkpointSuggestions();
  if (run && run->hasCheckpoint())
    m_launch->setValue(QStringLiteral("sample.checkpoint"), QString::fromStdString(run->newestCheckpoint.string()));
  else if (!others.isEmpty())
    m_launch->setValue(QStringLiteral("sample.checkpoint"), others.first().value);
}

void MainWindow::showSamples() {
  const auto& samples = m_workbench.follower().state()->samples();
  if (m_comparesRuns) // the list shows pairs of two runs
    return;
  const bool isAnew = m_samplesShown == 0 || samples.size() < m_samplesShown; // or the run went back to an earlier step
  QList<ViewerSample> arrived;
  for (std::size_t i = isAnew ? 0 : m_samplesShown; i < samples.size(); ++i) {
    const SampleRecord& sample = samples[i];
    const QString step = sample.step ? tr("Step %1").arg(QString::fromStdString(formatCount(*sample.step))) : QString();
    QStringList title{step.isEmpty() ? QFileInfo(QString::fromStdString(sample.path)).fileName() : step};
    if (sample.seed)
      title << tr("seed %1").arg(*sample.seed);
    const QString file = m_workbench.follower().folder() + QLatin1Char('/') + QString::fromStdString(sample.path);
    arrived << ViewerSample{file, title.join(QStringLiteral(" · ")), step, {}};
    if (!m_ownMask.isEmpty() && sample.mask == m_ownMask.toStdString())
      showSampleOfOwnMask(file);
  }
  m_samplesShown = samples.size();
  if (isAnew)
    return m_viewer->setRunSamples(Workbench::titleOf(*m_workbench.current()), arrived);
  for (const ViewerSample& sample : arrived)
    m_viewer->addSample(sample);
}

// The first volume from a mask that was edited here lies beside the mask, if that is still open.
void MainWindow::showSampleOfOwnMask(const QString& file) {
  m_ownMask.clear();
  const bool beside = m_viewer->addBesideMask(file);
  m_toasts->add(ToastKind::Information, beside ? tr("The sample from your mask lies beside it.") : tr("The sample from your mask is there."), tr("Show it"),
                [this, file, beside] {
                  if (beside)
                    showPage(QStringLiteral("volumes"));
                  else
                    openVolume(file);
                });
}

void MainWindow::compareSamplesOf(const QString& first, const QString& second) {
  const RunListing* one = m_workbench.store().find(first.toStdString());
  const RunListing* other = m_workbench.store().find(second.toStdString());
  if (!one || !other)
    return;
  constexpr std::string_view kBaseline = "baseline"; // the mode
  if (other->info.mode == kBaseline && one->info.mode != kBaseline)
    std::swap(one, other); // the first is the reference
  const QString title = tr("%1 and %2").arg(Workbench::titleOf(*one), Workbench::titleOf(*other));
  whenDone(QtConcurrent::run([a = one->path, b = other->path]() -> Result<QList<ViewerSample>> {
    const auto stateA = readRunState(RunDirectory(a)), stateB = readRunState(RunDirectory(b));
    if (!stateA || !stateB)
      return fail(stateA ? stateB.error() : stateA.error());
    return samplePairs({a, stateA->samples()}, {b, stateB->samples()});
  }), this, [this, title](const Result<QList<ViewerSample>>& pairs) {
    if (!pairs)
      return void(m_toasts->add(ToastKind::Failure, QString::fromStdString(pairs.error().message)));
    if (pairs->isEmpty())
      return void(m_toasts->add(ToastKind::Attention, tr("These runs share no sample of the same seed and mask. Sample both with one seed to compare them.")));
    const auto newest = std::find_if(pairs->rbegin(), pairs->rend(), [](const ViewerSample& pair) { return pair.isHere(); });
    if (newest == pairs->rend())
      return void(m_toasts->add(ToastKind::Attention, tr("The volumes that these runs have in common were left out of the shipped runs: only their measures can be compared.")));
    m_comparesRuns = true;
    m_viewer->setRunSamples(title, *pairs);
    m_viewer->compareFiles(newest->path, newest->other);
    showPage(QStringLiteral("volumes"));
  });
}

} // namespace voxlab
