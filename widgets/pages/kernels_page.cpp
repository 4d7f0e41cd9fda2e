// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/kernels_page.h"
#include "core/analysis/profile_report.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "widgets/pages/counters_panel.h"
#include "widgets/pages/kernel_details.h"
#include "widgets/pages/kernel_table_view.h"
#include "widgets/pages/page_parts.h"
#include "widgets/pages/priority_list.h"
#include "widgets/plots/category_bar.h"
#include "widgets/plots/icicle_view.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/plots/stacked_bar_plot.h"
#include "widgets/plots/timeline_view.h"
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace voxlab {
namespace {
constexpr double kLeastPoint = 0.0005; // of the time: operators below it would only stretch the roofline's axes

QString from(const std::string& text) { return QString::fromStdString(text); }

void showTab(QTabBar* bar, const QString& name) {
  for (int tab = 0; tab < bar->count(); ++tab)
    if (bar->tabData(tab).toString() == name)
      bar->setCurrentIndex(tab);
}

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
  column->addWidget(m_states);
  connectViews();
  connectSelection();
  clear();
}

KernelsPage::~KernelsPage() = default;

void KernelsPage::connectViews() {
  connect(m_bar, &CategoryBar::categoryClicked, this, [this](KernelCategory category, bool asWell) { m_selection.chooseCategory(category, asWell ? ProfileSelection::Adding::AsWell : ProfileSelection::Adding::Instead); });
  connect(m_table, &KernelTableView::rowChosen, this, [this] {
    if (m_sideTabs->tabData(m_sideTabs->currentIndex()).toString() == QLatin1String("priorities") && m_table->hasFocus())
      showSide(QStringLiteral("kernel"));
    showDetails();
  });
  connect(m_table, &KernelTableView::rowOpened, this, [this](const QModelIndex& index) {
    if (m_tableModel->isGroup(index))
      m_table->setExpanded(index, !m_table->isExpanded(index));
    else
      showSide(QStringLiteral("kernel"));
  });
  connect(m_table, &KernelTableView::onlyCategory, this, [this](KernelCategory category) { m_selection.chooseCategory(category); });
  connect(m_table, &KernelTableView::onlyModule, &m_selection, &ProfileSelection::setModule);
  connect(m_table, &KernelTableView::onlyOperator, this, [this](const QString& name) { m_selection.setOperator(Phase::Unknown, name); });
  connect(m_details, &KernelDetails::moduleClicked, &m_selection, &ProfileSelection::setModule);
  connect(m_details, &KernelDetails::operatorClicked, this, [this](const QString& name) { m_selection.setOperator(Phase::Unknown, name); });
  connect(m_priorities, &PriorityList::kernelChosen, this, &KernelsPage::chooseKernel);
  connect(m_priorities, &PriorityList::kernelOpened, this, [this](const QString& name) {
    chooseKernel(name);
    showSide(QStringLiteral("kernel"));
  });
  connect(m_timeline, &TimelineView::timeRangeChosen, &m_selection, &ProfileSelection::setTime);
  connect(m_timeline, &TimelineView::eventClicked, this, [this](std::uint32_t event) {
    chooseKernel(from(m_profile->trace.name(m_profile->trace.gpu[event].name)));
    m_timeline->setMarked(event);
    showSide(QStringLiteral("kernel"));
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
    if (!parts.isEmpty() && parts.front() == QString::fromUtf8(phaseName(known).data()))
      phase = known;
  if (phase != Phase::Unknown)
    parts.removeFirst();
  if (path.isEmpty())
    m_selection.clear(ProfileSelection::Part::Operator);
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
  m_loadingWhat->setText(tr("Reading %1…").arg(from(sources[which].title)));
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
    loaded.problem = from(profile.error().message);
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
      m_sourceBox->addItem(from(source.title));
    m_sourceBox->setCurrentIndex(static_cast<int>(loaded.shown));
    m_sourceBox->setEnabled(m_sources.size() > 1);
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
                            "Start a job of the kind Profile, profile the next steps of a running one, or open a trace of any program."));
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
  QString path = from(filter.module);
  if (m_profile && !namesModules(m_profile->trace)) {
    QStringList parts;
    if (filter.phase)
      parts << QString::fromUtf8(phaseName(*filter.phase).data());
    if (!filter.operatorName.empty())
      parts << from(filter.operatorName);
    path = parts.join(QLatin1Char('/'));
  }
  m_icicle->setChosen(path);
  if (m_search->text().trimmed().toStdString() != filter.text)
    m_search->setText(from(filter.text));
}

void KernelsPage::showView(std::shared_ptr<const ProfileView> view) {
  if (!view)
    return;
  m_view = std::move(view);
  m_table->showView(m_view);
  m_priorityModel->setView(m_view);
  m_bar->setParts(m_view->parts);
  m_timeline->setSelected(m_view);
  m_icicle->setTree(m_view->modules, namesModules(m_profile->trace) ? tr("Network") : tr("A step, by phase and operator"));
  m_bottomTabs->setTabText(1, namesModules(m_profile->trace) ? tr("Modules") : tr("Operators"));
  m_counters->setVisible(m_profile->hasCounters());
  m_noCounters->setVisible(!m_profile->hasCounters());
  if (m_profile->hasCounters())
    m_counters->setCounters(m_view->counters);
  showHeadline();
  showSteps();
  showRoofline();
  showDetails();
  m_states->setCurrentWidget(m_content);
  emit viewShown();
}

void KernelsPage::showHeadline() {
  const Breakdown& all = m_profile->breakdown;
  const auto ms = [](double value) { return tr("%1 ms").arg(from(formatSignificant(value))); };
  QStringList words;
  if (m_selection.isEmpty()) {
    const bool onGpu = m_profile->trace.hasGpu();
    words << (m_profile->isOfCounters ? tr("%1 of kernels, counters alone") : onGpu ? tr("%1 of kernels a step") : tr("%1 of operators a step")).arg(ms(all.mean.kernel_ms));
    if (!m_profile->isOfCounters && all.mean.wall_ms > 0)
      words << tr("%1 wall%2").arg(ms(all.mean.wall_ms), all.wall_ms.standardDeviation ? tr(" ± %1").arg(from(formatSignificant(*all.wall_ms.standardDeviation, 2))) : QString())
            << (onGpu ? tr("GPU busy %1 %") : tr("in operators %1 %")).arg(from(formatSignificant(100 * all.mean.busy_ms / all.mean.wall_ms, 3)));
    words << tr("%1 launches").arg(from(formatCount(static_cast<std::int64_t>(all.mean.launches))));
  } else {
    words << tr("Selected: %1 a step").arg(ms(m_view->selected_ms)) << tr("%1 launches in all").arg(from(formatCount(static_cast<std::int64_t>(m_view->launches))));
  }
  if (m_profile->trace.steps.size() > 1)
    words << tr("%1 steps").arg(from(formatCount(static_cast<std::int64_t>(m_profile->trace.steps.size()))));
  if (const std::string device = m_profile->deviceName(); !device.empty())
    words << from(device);
  else if (!m_profile->trace.hasGpu())
    words << tr("no GPU: operators stand for kernels");
  m_headline->setText(words.join(QStringLiteral("  ·  ")));
  QStringList notes;
  for (const auto& note : m_profile->trace.notes)
    notes << from(note);
  m_headline->setToolTip(words.join(QStringLiteral("\n")) + (notes.isEmpty() ? QString() : QStringLiteral("\n\n") + notes.join(QLatin1Char('\n'))));
}

void KernelsPage::showSteps() {
  constexpr std::size_t kMostBars = 40;
  const auto& steps = m_view->steps;
  m_stepsABar = static_cast<int>((steps.size() + kMostBars - 1) / kMostBars);
  m_stepsABar = std::max(m_stepsABar, 1);
  const auto stride = static_cast<std::size_t>(m_stepsABar);
  const std::size_t bars = (steps.size() + stride - 1) / stride;
  QStringList names;
  std::vector<StackedBarPlot::Part> parts;
  const auto add = [&](std::string_view name, std::string_view title, auto value) {
    StackedBarPlot::Part part{QString::fromUtf8(title.data()), QString::fromUtf8(name.data()), std::vector<std::optional<double>>(bars)};
    for (std::size_t i = 0; i < steps.size(); ++i)
      part.values[i / stride] = part.values[i / stride].value_or(0) + value(steps[i]) / static_cast<double>(std::min(stride, steps.size() - i / stride * stride));
    parts.push_back(std::move(part));
  };
  for (std::size_t bar = 0; bar < bars; ++bar)
    names << (stride == 1 ? tr("Step %1").arg(bar + 1) : tr("%1 – %2").arg(bar * stride + 1).arg(std::min(steps.size(), (bar + 1) * stride)));
  const auto& chosen = m_selection.filter().categories;
  for (std::size_t i = 1; i < static_cast<std::size_t>(KernelCategory::Count); ++i)
    if (const auto category = static_cast<KernelCategory>(i); chosen.empty() || chosen.contains(category))
      add(categoryName(category), categoryTitle(category), [i](const StepBreakdown& step) { return step.category_ms[i]; });
  for (std::size_t i = 0; chosen.empty() && i < static_cast<std::size_t>(IdleCause::Count); ++i)
    add(idleName(static_cast<IdleCause>(i)), idleTitle(static_cast<IdleCause>(i)), [i](const StepBreakdown& step) { return step.idle_ms[i]; });
  m_steps->setBars(names, std::move(parts));
}

void KernelsPage::showRoofline() {
  std::vector<ScatterPlot::Point> points;
  std::vector<ScatterPlot::Line> lines;
  m_roofOperators.clear();
  const DevicePeaks* peaks = m_profile->peaks();
  if (!peaks || !m_view->roofline) {
    m_roofline->setEmptyText(m_profile->trace.hasGpu() ? tr("The ceilings of this GPU are not known, so there is nothing to hold the operators against.") : tr("A roofline needs a profile of a GPU."));
    m_rooflineNote->clear();
    m_roofline->setPoints({});
    return;
  }
  m_roofline->setEmptyText(tr("No operator here has a cost that is known. Record shapes (record_shapes) to see how far each is from the GPU's ceilings."));
  const double bandwidth = peaks->bandwidth.value;
  for (const KernelArithmetic arithmetic : {KernelArithmetic::Bf16, KernelArithmetic::Tf32, KernelArithmetic::Fp32}) {
    const PeakFigure peak = peaks->of(arithmetic);
    if (peak.value <= 0)
      continue;
    const QString name = arithmetic == KernelArithmetic::Bf16 ? tr("BF16, FP16") : QString::fromUtf8(arithmeticName(arithmetic).data());
    const double ridge = peak.value / bandwidth;
    lines.push_back({tr("%1  %2%3").arg(name, from(formatQuantity(peak.value, "FLOP/s")), peak.measured ? tr(" (measured)") : QString()), {{1e-4, bandwidth * 1e-4}, {ridge, peak.value}, {1e7, peak.value}}, false});
  }
  for (const RooflinePoint& point : m_view->roofline->points) {
    if (point.flops <= 0 || point.time_ms < kLeastPoint * m_view->roofline->total_ms)
      continue;
    ScatterPlot::Point shown;
    shown.x = point.intensity();
    shown.y = point.flopsPerSecond();
    shown.weight = point.time_ms;
    shown.colour = QString::fromUtf8(categoryName(point.category).data());
    shown.hint = tr("%1\n%2\n%3 ms a step in %4 calls\n%5, %6 of what %7 allows").arg(from(point.title()), from(point.shapes), from(formatSignificant(point.time_ms)), from(formatCount(static_cast<std::int64_t>(point.calls))),
                     from(formatQuantity(point.flopsPerSecond(), "FLOP/s")), from(formatSignificant(100 * point.ofBound(), 2)) + QStringLiteral(" %"), point.bound == RooflineBound::Compute ? tr("the arithmetic") : tr("the memory"));
    points.push_back(std::move(shown));
    m_roofOperators << from(point.operatorName);
  }
  m_roofline->setPoints(std::move(points), std::move(lines));
  m_rooflineNote->setText(tr("Each circle is an operator, or a part of its work, with its shapes, as large as its time. Memory: %1%2. %3 of %4 ms have a known cost.")
                              .arg(from(formatQuantity(bandwidth, "B/s")), peaks->bandwidth.measured ? tr(" (measured)") : QString(), from(formatSignificant(m_view->roofline->attributed_ms)), from(formatSignificant(m_view->roofline->total_ms))));
}

void KernelsPage::showDetails() {
  const QModelIndex index = m_table->currentIndex();
  const KernelRow* row = m_tableModel->rowOf(index);
  if (!row || !m_view) {
    m_details->clear();
    return;
  }
  const bool isGroup = m_tableModel->isGroup(index);
  m_details->setRow(*m_profile, *m_view, *row, isGroup ? KernelDetails::What::Group : KernelDetails::What::Kernel);
  m_timeline->setMarked(isGroup ? kNoIndex : row->example);
}

void KernelsPage::chooseKernel(const QString& fullName) { m_table->choose(fullName); }

void KernelsPage::showSide(const QString& name) { showTab(m_sideTabs, name); }

void KernelsPage::showBottom(const QString& name) { showTab(m_bottomTabs, name); }

Status KernelsPage::exportTable(const QString& file) const {
  const std::filesystem::path path(file.toStdString());
  if (file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive))
    return writeJsonFile(path, m_tableModel->json());
  return writeFileAtomically(path, m_tableModel->csv().toStdString());
}

void KernelsPage::exportReport(const QString& file) {
  if (!m_profile)
    return;
  const QString suffix = QFileInfo(file).suffix().toLower();
  const ReportFormat format = reportFormatFrom(suffix == QLatin1String("txt") ? "text" : suffix.toStdString());
  m_writer.start([this, profile = m_profile, file, format, title = m_title](std::stop_token, const NewestWork::Tell&) -> NewestWork::Report {
    ProfileReportOptions options;
    options.title = title.toStdString();
    options.asked = profile->source.asked;
    options.counters = profile->hasCounters() ? &profile->counters : nullptr;
    const ReportDocument document = profile->isOfCounters ? counterReport(profile->counters, options.title) : profileReport(profile->trace, profile->index, options);
    const auto written = writeFileAtomically(file.toStdString(), writeReport(document, format == ReportFormat::Unknown ? ReportFormat::HtmlPage : format));
    const QString problem = written ? QString() : from(written.error().message);
    return [this, file, problem] { emit reportWritten(file, problem); };
  });
}

void KernelsPage::saveAs(const QString& title, const QString& name, const QString& filter, const std::function<void(const QString&)>& save) {
  const QString file = QFileDialog::getSaveFileName(this, title, name, filter);
  if (!file.isEmpty())
    save(file);
}

void KernelsPage::savePlot(PlotWidget* plot) {
  saveAs(tr("Save picture"), plot->exportName() + QStringLiteral(".svg"), tr("Pictures and numbers (*.svg *.pdf *.png *.csv)"), [this, plot](const QString& file) {
    if (const auto saved = plot->exportTo(file); !saved)
      emit reportWritten(file, from(saved.error().message));
  });
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
