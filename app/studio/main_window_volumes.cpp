// SPDX-License-Identifier: GPL-3.0-or-later
// What runs and the viewer have to do with each other.
#include "app/studio/main_window.h"
#include "app/studio/sample_pairs.h"
#include "app/studio/sampling_again.h"
#include "core/analysis/run_history.h"
#include "core/base/text.h"
#include "core/protocol/left_out.h"
#include "widgets/base/when_done.h"
#include "widgets/pages/launch_page.h"
#include "widgets/pages/sample_description.h"
#include "widgets/pages/toasts.h"
#include "widgets/pages/viewer_page.h"
#include <QFileInfo>
#include <QtConcurrent>
#include <algorithm>
#include <set>
#include <utility>

namespace voxlab {

void MainWindow::connectVolumes() {
  connect(m_viewer, &ViewerPage::titleChanged, this, &MainWindow::showHeading);
  connect(m_viewer, &ViewerPage::sampleFromMaskRequested, this, &MainWindow::sampleFromMask);
  connect(&m_workbench, &Workbench::runEnded, this, &MainWindow::lookForSampleOfOwnMask);
}

// With what drew the sample that is looked at, or else the run that is chosen; where that leaves something open, the form asks for it.
void MainWindow::sampleFromMask(const QString& mask, const QString& likeSample, SampleStart start) {
  m_ownMasks << mask;
  const QString ofSample = likeSample.isEmpty() ? QString() : runOf(likeSample);
  const RunListing* run = ofSample.isEmpty() ? likeSample.isEmpty() ? m_workbench.current() : nullptr : m_workbench.store().find(ofSample.toStdString());
  const Json sample = likeSample.isEmpty() ? Json::object() : describedSample(likeSample.toStdString()).json;
  const SamplingAgain again = samplingAgain(sample, run, m_workbench.catalog(), mask);
  const auto change = [this, spec = again.spec] {
    m_launch->setSpec(spec);
    suggestCheckpoint();
    showPage(QStringLiteral("new-job"));
  };
  if (start == SampleStart::AfterChanges)
    return change();
  if (!again.lacks.isEmpty() || !m_workbench.hasCatalog()) {
    m_toasts->add(ToastKind::Attention, m_workbench.hasCatalog() ? again.lacks : tr("The worker has not said yet what it can do."));
    return change();
  }
  m_staysInViewer = true;
  m_workbench.launch(again.spec);
  m_toasts->add(ToastKind::Information, tr("A sample from your mask is being drawn as the one that is shown: %1. It will lie beside it.").arg(samplingSettings(again.spec)),
                tr("Change the settings…"), change);
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
  const std::set<std::string> leftOut = leftOutOf(m_workbench.follower().folder().toStdString());
  QList<ViewerSample> arrived;
  for (std::size_t i = isAnew ? 0 : m_samplesShown; i < samples.size(); ++i) {
    const SampleRecord& sample = samples[i];
    const QString step = sample.step ? tr("Step %1").arg(QString::fromStdString(formatCount(*sample.step))) : QString();
    const QString name = QFileInfo(QString::fromStdString(sample.path)).fileName().remove(QStringLiteral(".nii.gz"));
    QStringList title = step.isEmpty() ? QStringList{name} : QStringList{step, name};
    if (const QString seed = sample.seed ? QString::number(*sample.seed) : QString(); !seed.isEmpty() && !name.endsWith(QStringLiteral("seed") + seed))
      title << tr("seed %1").arg(seed);
    const QString file = m_workbench.follower().folder() + QLatin1Char('/') + QString::fromStdString(sample.path);
    arrived << ViewerSample{file, title.join(QStringLiteral(" · ")), step, {}, leftOut.contains(sample.path)};
    if (m_ownMasks.contains(QString::fromStdString(sample.mask)))
      showSampleOfOwnMask(QString::fromStdString(sample.mask), file, Landing::WhereNobodyLooks);
  }
  m_samplesShown = samples.size();
  if (isAnew)
    return m_viewer->setRunSamples(Workbench::titleOf(*m_workbench.current()), arrived);
  for (const ViewerSample& sample : arrived)
    m_viewer->addSample(sample);
}

// Also of a run that is not the one that is looked at.
void MainWindow::lookForSampleOfOwnMask(const QString& runId) {
  const RunListing* run = m_workbench.store().find(runId.toStdString());
  if (!run || m_ownMasks.isEmpty() || !m_ownMasks.contains(QString::fromStdString(run->spec.get<std::string>("sample.masks"))))
    return;
  whenDone(QtConcurrent::run([path = run->path] { return readRunState(RunDirectory(path)); }), this, [this, path = run->path](const Result<RunState>& state) {
    if (!state || state->samples().empty())
      return; // how it ended is said elsewhere
    const SampleRecord& sample = state->samples().front();
    if (m_ownMasks.contains(QString::fromStdString(sample.mask)))
      showSampleOfOwnMask(QString::fromStdString(sample.mask), QString::fromStdString((path / sample.path).string()), Landing::WhereNobodyLooks);
  });
}

// The first volume from a mask that was edited here lies beside the mask, if that is still open and the user is not busy with it.
void MainWindow::showSampleOfOwnMask(const QString& mask, const QString& file, Landing wanted) {
  m_ownMasks.removeAll(mask);
  const Landing landed = m_viewer->addBesideMask(file, wanted);
  if (landed == Landing::Beside && currentPage() == QLatin1String("volumes"))
    return void(m_toasts->add(ToastKind::Information, tr("The sample from your mask lies beside it.")));
  m_toasts->add(ToastKind::Information, landed == Landing::Beside ? tr("The sample from your mask lies beside it.") : tr("The sample from your mask is there."),
                landed == Landing::Waiting ? tr("Show it beside the mask") : tr("Show it"), [this, file, landed] {
                  if (landed == Landing::Waiting && m_viewer->addBesideMask(file) == Landing::Beside)
                    return;
                  if (landed == Landing::Beside)
                    showPage(QStringLiteral("volumes"));
                  else
                    openVolume(file);
                });
}

void MainWindow::compareSamplesOf(const QStringList& ids) {
  std::vector<const RunListing*> runs;
  for (const QString& id : ids)
    if (const RunListing* run = m_workbench.store().find(id.toStdString()))
      runs.push_back(run);
  if (runs.size() < 2)
    return void(m_toasts->add(ToastKind::Attention, tr("Select two runs or more in the list of runs; their samples of the same seed then stand side by side.")));
  constexpr std::string_view kBaseline = "baseline"; // the mode
  std::stable_partition(runs.begin(), runs.end(), [&](const RunListing* run) { return run->info.mode == kBaseline; }); // the first is the reference
  std::vector<std::filesystem::path> folders;
  QStringList titles;
  for (const RunListing* run : runs) {
    folders.push_back(run->path);
    titles << Workbench::titleOf(*run);
  }
  const QString title = titles.size() == 2 ? tr("%1 and %2").arg(titles[0], titles[1]) : titles.join(QStringLiteral(", "));
  whenDone(QtConcurrent::run([folders]() -> Result<QList<ViewerSample>> {
    std::vector<SampledRun> sampled;
    for (const auto& folder : folders) {
      const auto state = readRunState(RunDirectory(folder));
      if (!state)
        return fail(state.error());
      sampled.push_back({folder, state->samples()});
    }
    return alikeSamples(sampled);
  }), this, [this, title, count = static_cast<int>(folders.size())](const Result<QList<ViewerSample>>& groups) {
    if (!groups)
      return void(m_toasts->add(ToastKind::Failure, QString::fromStdString(groups.error().message)));
    if (groups->isEmpty())
      return void(m_toasts->add(ToastKind::Attention, tr("These runs share no sample of the same seed and mask. Sample all of them with one seed to compare them.")));
    const auto newest = std::find_if(groups->rbegin(), groups->rend(), [](const ViewerSample& group) { return group.isHere(); });
    if (newest == groups->rend()) {
      const bool leftOut = std::any_of(groups->begin(), groups->end(), [](const ViewerSample& group) { return group.isLeftOut; });
      return void(m_toasts->add(ToastKind::Attention, leftOut ? tr("The volumes that these runs have in common were left out of the shipped runs: only their measures can be compared.")
                                                              : tr("The files of the volumes that these runs have in common were deleted or moved: only their measures can be compared.")));
    }
    if (const int shared = static_cast<int>(newest->others.size()) + 1; shared < count)
      m_toasts->add(ToastKind::Attention, tr("Only %1 of the %2 runs have a sample of the same seed and mask; these are compared.").arg(shared).arg(count));
    m_comparesRuns = true;
    m_viewer->setRunSamples(title, *groups);
    m_viewer->compareFiles(newest->paths());
    showPage(QStringLiteral("volumes"));
  });
}

} // namespace voxlab
