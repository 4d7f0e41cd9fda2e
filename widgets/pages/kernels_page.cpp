// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/kernels_page.h"
#include "core/base/text.h"
#include "widgets/base/qt_text.h"
#include "widgets/pages/counters_panel.h"
#include "widgets/pages/fact_line.h"
#include "widgets/pages/kernel_details.h"
#include "widgets/pages/kernel_table_view.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/priority_list.h"
#include "widgets/pages/run_header.h"
#include "widgets/pages/tab_card.h"
#include "widgets/plots/category_bar.h"
#include "widgets/plots/icicle_view.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/stacked_bar_plot.h"
#include "widgets/plots/timeline_view.h"
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr int kNarrow = 800;             // pixels: no room for a table and something beside it


QString droppedProfile(const QMimeData* data) {
  for (const QUrl& url : data->urls())
    if (url.isLocalFile() && looksLikeProfile(url.toLocalFile().toStdString()))
      return url.toLocalFile();
  return {};
}
} // namespace

KernelsPage::KernelsPage(QWidget* parent) : QWidget(parent), m_tableModel(new KernelTableModel(this)), m_priorityModel(new PriorityModel(this)) {
  setAcceptDrops(true);
  m_states = new QStackedWidget(this);
  for (QWidget* state : {buildEmpty(), buildLoading(), buildContent()})
    m_states->addWidget(state);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_states, 1);
  column->addWidget(buildWriting());
  connectViews();
  connectSelection();
  clear();
}

KernelsPage::~KernelsPage() = default;

void KernelsPage::connectViews() {
  connect(m_bar, &CategoryBar::categoryClicked, this, [this](KernelCategory category, bool asWell) { m_selection.chooseCategory(category, asWell ? ProfileSelection::Adding::AsWell : ProfileSelection::Adding::Instead); });
  connect(m_table, &KernelTableView::rowChosen, this, [this] {
    if ((m_width == Width::Narrow ? m_bottom : m_side)->shown() == QLatin1String("priorities") && m_table->hasFocus())
      showTab(QStringLiteral("kernel"));
    showDetails();
  });
  connect(m_table, &KernelTableView::rowOpened, this, [this](const QModelIndex& index) {
    if (m_tableModel->isGroup(index))
      m_table->setExpanded(index, !m_table->isExpanded(index));
    else
      showTab(QStringLiteral("kernel"));
  });
  connect(m_table, &KernelTableView::onlyCategory, this, [this](KernelCategory category) { m_selection.chooseCategory(category); });
  connect(m_table, &KernelTableView::onlyModule, &m_selection, &ProfileSelection::setModule);
  connect(m_table, &KernelTableView::onlyOperator, this, [this](const QString& name) { m_selection.setOperator(Phase::Unknown, name); });
  connect(m_table, &KernelTableView::onlyWithoutModule, &m_selection, &ProfileSelection::setWithoutModule);
  connect(m_table, &KernelTableView::onlyWithoutOperator, this, [this] { m_selection.setWithoutOperator(Phase::Unknown); });
  connect(m_details, &KernelDetails::moduleClicked, &m_selection, &ProfileSelection::setModule);
  connect(m_details, &KernelDetails::operatorClicked, this, [this](const QString& name) { m_selection.setOperator(Phase::Unknown, name); });
  connect(m_priorities, &PriorityList::kernelChosen, this, &KernelsPage::chooseKernel);
  connect(m_priorities, &PriorityList::kernelOpened, this, [this](const QString& name) {
    chooseKernel(name);
    showTab(QStringLiteral("kernel"));
  });
  connect(m_timeline, &TimelineView::timeRangeChosen, &m_selection, &ProfileSelection::setTime);
  connect(m_timeline, &TimelineView::eventClicked, this, [this](std::uint32_t event) {
    chooseKernel(text(m_profile->trace.name(m_profile->trace.gpu[event].name)));
    m_timeline->setMarked(event);
    showTab(QStringLiteral("kernel"));
  });
  const auto chooseStep = [this](int step) {
    const auto& steps = m_profile->trace.steps;
    const auto first = static_cast<std::size_t>(step), last = std::min(first + static_cast<std::size_t>(m_stepsABar), steps.size()) - 1;
    if (first == last)
      m_selection.setStep(step + 1, steps[first].start_ns, steps[first].end_ns);
    else
      m_selection.setTime({{steps[first].start_ns, steps[last].end_ns}});
  };
  connect(m_timeline, &TimelineView::stepClicked, this, [this](int step) {
    const TraceStep& clicked = m_profile->trace.steps[static_cast<std::size_t>(step)];
    m_selection.setStep(step + 1, clicked.start_ns, clicked.end_ns);
  });
  connect(m_steps, &StackedBarPlot::partClicked, this, [this, chooseStep](int bar) { chooseStep(bar * m_stepsABar); });
  connect(m_icicle, &IcicleView::moduleClicked, this, &KernelsPage::chooseModulePath);
  connect(m_icicle, &IcicleView::restClicked, &m_selection, &ProfileSelection::setWithoutModule);
  connect(m_roofline, &ScatterPlot::pointClicked, this, [this](int point) {
    if (point < m_roofOperators.size())
      m_selection.setOperator(Phase::Unknown, m_roofOperators[point]);
  });
}

void KernelsPage::connectSelection() {
  connect(&m_selection, &ProfileSelection::changed, this, [this] {
    showSelection();
    askForView();
  });
}

void KernelsPage::chooseModulePath(const QString& path) {
  if (m_profile && namesModules(m_profile->trace)) {
    m_selection.setModule(path);
    return;
  }
  // "forward/aten::convolution/kernel": phases and operators instead of modules.
  QStringList parts = path.isEmpty() ? QStringList() : path.split(QLatin1Char('/'));
  Phase phase = Phase::Unknown;
  for (const Phase known : {Phase::Data, Phase::Forward, Phase::Backward, Phase::Optimizer, Phase::Sampling})
    if (!parts.isEmpty() && parts.front() == text(phaseName(known)))
      phase = known;
  if (phase != Phase::Unknown)
    parts.removeFirst();
  if (path.isEmpty())
    m_selection.clear(ProfileSelection::Part::Operator);
  else if (parts.value(0) == text(kNoOperator))
    m_selection.setWithoutOperator(phase);
  else
    m_selection.setOperator(phase, parts.value(0));
}

void KernelsPage::clear() {
  m_folder.clear();
  m_runTitle.clear();
  m_title.clear();
  m_file.clear();
  m_reader.cancel();
  m_viewer.cancel();
  take({});
}

void KernelsPage::setRun(const QString& folder, const QString& title) {
  m_isRunRead = false;
  m_folder = folder;
  m_runTitle = m_title = title;
  m_file.clear();
  if (isVisible())
    readRun();
}

void KernelsPage::offerRun(const QString& folder, const QString& title) {
  if (m_file.isEmpty())
    return setRun(folder, title);
  m_folder = folder;
  m_runTitle = title;
  showWayBack();
}

void KernelsPage::backToRun() {
  if (!m_folder.isEmpty())
    setRun(m_folder, m_runTitle);
}

void KernelsPage::setRecordOffer(RecordOffer offer) {
  const bool isNow = offer == RecordOffer::NextSteps;
  m_record->setText(isNow ? tr("Profile the next steps") : tr("Record a profile"));
  m_record->setToolTip(isNow ? tr("The running job records its next %1 steps; the page shows them when they are written.").arg(kProfiledSteps) : tr("Set up a job of the kind Profile"));
}

void KernelsPage::showWayBack() {
  const bool isThere = !m_file.isEmpty() && !m_folder.isEmpty();
  m_back->setVisible(isThere);
  m_backFromEmpty->setVisible(isThere);
  m_back->setToolTip(tr("Show the profiles of %1 again").arg(m_runTitle));
  m_backFromEmpty->setText(tr("Back to %1").arg(fontMetrics().elidedText(m_runTitle, Qt::ElideMiddle, 160)));
}

void KernelsPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!m_isRunRead && !m_folder.isEmpty() && m_file.isEmpty())
    readRun();
}

// What stands beside the table takes a third of a new width; then the user may move the line between them.
void KernelsPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange(event->size().width() < kNarrow ? Width::Narrow : Width::Wide);
  if (event->oldSize().width() != event->size().width()) {
    const int side = std::clamp(event->size().width() * 34 / 100, 300, 420);
    m_middle->setSizes({event->size().width() - side, side});
  }
}

void KernelsPage::openFile(const QString& path) {
  m_file = path;
  m_title = QFileInfo(path).fileName();
  read({profileSourceOf(path.toStdString())}, 0);
}

void KernelsPage::readRun() {
  m_isRunRead = true;
  m_loadingWhat->setText(tr("Looking for profiles of %1…").arg(m_title));
  m_progress->setValue(0);
  m_viewer.cancel();
  m_reader.start([this, folder = m_folder](std::stop_token stop, const NewestWork::Tell& tell) -> NewestWork::Report {
    auto loaded = std::make_shared<const Loaded>(load(profileSourcesOf(RunDirectory(folder.toStdString())), 0, stop, tell));
    return [this, loaded] { take(*loaded); };
  });
  m_states->setCurrentWidget(m_loading);
}

void KernelsPage::read(std::vector<ProfileSource> sources, std::size_t which) {
  if (which >= sources.size())
    return;
  m_loadingWhat->setText(tr("Reading %1…").arg(text(sources[which].title)));
  m_progress->setValue(0);
  m_states->setCurrentWidget(m_loading);
  m_viewer.cancel();
  m_reader.start([this, sources = std::move(sources), which](std::stop_token stop, const NewestWork::Tell& tell) -> NewestWork::Report {
    auto loaded = std::make_shared<const Loaded>(load(sources, which, stop, tell));
    return [this, loaded] { take(*loaded); };
  });
}

KernelsPage::Loaded KernelsPage::load(std::vector<ProfileSource> sources, std::size_t which, std::stop_token stop, const NewestWork::Tell& tell) {
  Loaded loaded{std::move(sources), which, nullptr, {}};
  if (which >= loaded.sources.size())
    return loaded;
  int lastPercent = -1;
  TraceOptions options;
  options.cancel = stop;
  options.progress = [&](double share) {
    const int percent = static_cast<int>(share * 100);
    if (percent != lastPercent)
      tell([this, percent] { m_progress->setValue(percent); });
    lastPercent = percent;
  };
  auto profile = loadProfile(loaded.sources[which], options);
  if (profile)
    loaded.profile = *profile;
  else
    loaded.problem = text(profile.error().message);
  return loaded;
}

void KernelsPage::take(const Loaded& loaded) {
  m_sources = loaded.sources;
  m_profile = loaded.profile;
  m_view.reset();
  m_problem = loaded.problem;
  {
    const QSignalBlocker quiet(m_sourceBox);
    m_sourceBox->clear();
    for (const ProfileSource& source : m_sources)
      m_sourceBox->addItem(text(source.title));
    m_sourceBox->setCurrentIndex(static_cast<int>(loaded.shown));
    m_sourceBox->setVisible(m_sources.size() > 1); // a box to choose from only where there is a choice
  }
  showWayBack();
  m_timeline->setProfile(m_profile);
  m_selection.reset(); // which asks for the first view
  if (!m_profile) {
    m_table->showView(nullptr);
    m_priorityModel->setView(nullptr);
    showProblem(m_problem);
    return;
  }
  emit profileShown();
}

void KernelsPage::showProblem(const QString& sentence) {
  m_problem = sentence;
  const bool isRun = m_file.isEmpty() && !m_folder.isEmpty();
  if (!sentence.isEmpty()) {
    m_emptyTitle->setText(m_file.isEmpty() ? tr("The profile is not shown") : tr("%1 is not shown").arg(m_title));
    m_emptyHelp->setText(sentence);
  } else if (isRun) {
    m_emptyTitle->setText(tr("This run has no profile yet"));
    m_emptyHelp->setText(tr("A profile records a few steps kernel by kernel: which ones take the time, how far they are from what the GPU can do, and where work pays. "
                            "Start a job of the kind Profile, profile the next steps of a running one, or open a trace of any program. "
                            "What a training recorded with its light breakdown, categories over time, is on the Monitor page."));
  } else {
    m_emptyTitle->setText(tr("See where the GPU's time goes"));
    m_emptyHelp->setText(tr("Choose a run with a profile, or open a trace that PyTorch's profiler wrote (.json, .json.gz) or Nsight Compute's CSV pages. Files can be dropped here."));
  }
  m_record->setVisible(isRun && sentence.isEmpty());
  m_states->setCurrentWidget(m_empty);
  if (!sentence.isEmpty())
    emit loadFailed(sentence);
}

void KernelsPage::setGrouping(KernelGrouping grouping) {
  if (m_grouping == grouping)
    return;
  m_grouping = grouping;
  const QSignalBlocker quiet(m_groupBox);
  m_groupBox->setCurrentIndex(m_groupBox->findData(static_cast<int>(grouping)));
  askForView();
}

void KernelsPage::askForView() {
  if (!m_profile)
    return;
  ProfileQuery query{m_selection.filter(), m_grouping};
  m_viewer.start([this, profile = m_profile, query = std::move(query)](std::stop_token stop, const NewestWork::Tell&) -> NewestWork::Report {
    auto view = viewOf(*profile, query, stop);
    return [this, view] { showView(view); };
  });
}

void KernelsPage::showSelection() {
  const EventFilter& filter = m_selection.filter();
  m_bar->setChosen(filter.categories);
  m_timeline->setTimeRange(filter.time_ns);
  QString path = text(filter.module);
  if (m_profile && !namesModules(m_profile->trace)) {
    QStringList parts;
    if (filter.phase)
      parts << text(phaseName(*filter.phase));
    if (!filter.operatorName.empty())
      parts << text(filter.operatorName);
    else if (filter.withoutOperator)
      parts << text(kNoOperator);
    path = parts.join(QLatin1Char('/'));
  }
  if (filter.withoutModule)
    m_icicle->setRestChosen();
  else
    m_icicle->setChosen(path);
  if (m_search->text().trimmed().toStdString() != filter.text)
    m_search->setText(text(filter.text));
}

void KernelsPage::showView(std::shared_ptr<const ProfileView> view) {
  if (!view)
    return;
  m_view = std::move(view);
  m_table->showView(m_view);
  m_priorityModel->setView(m_view);
  m_bar->setPer(per());
  m_icicle->setPer(per());
  m_bar->setParts(m_view->parts);
  m_timeline->setSelected(m_view);
  m_icicle->setTree(m_view->modules, namesModules(m_profile->trace) ? tr("Network") : isOfRange() ? tr("The range, by phase and operator") : tr("A step, by phase and operator"));
  m_bottom->setTitle(QStringLiteral("modules"), namesModules(m_profile->trace) ? tr("Modules") : tr("Operators"));
  m_counters->setVisible(m_profile->hasCounters());
  m_noCounters->setVisible(!m_profile->hasCounters());
  if (m_profile->hasCounters())
    m_counters->setCounters(m_view->counters, text(m_view->counters.coverageWords()));
  showEmptyTexts();
  showHeadline();
  showSteps();
  showRoofline();
  showDetails();
  m_states->setCurrentWidget(m_content);
  emit viewShown();
}

void KernelsPage::chooseKernel(const QString& fullName) { m_table->choose(fullName); }

void KernelsPage::showTab(const QString& name) {
  if (!m_side->showTab(name))
    m_bottom->showTab(name);
}

void KernelsPage::dragEnterEvent(QDragEnterEvent* event) {
  if (!droppedProfile(event->mimeData()).isEmpty())
    event->acceptProposedAction();
}

void KernelsPage::dropEvent(QDropEvent* event) {
  if (const QString file = droppedProfile(event->mimeData()); !file.isEmpty())
    openFile(file);
}

} // namespace voxlab
