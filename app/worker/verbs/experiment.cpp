// SPDX-License-Identifier: Apache-2.0
// voxlab-worker experiment: modes × samplers × steps × devices in one process, so that libraries are loaded and algorithms chosen once.
// Its state are its run folders: started again, it goes on where it was.
#include "app/worker/checked_spec.h"
#include "app/worker/comparison_document.h"
#include "app/worker/environment.h"
#include "app/worker/error_words.h"
#include "app/worker/jobs.h"
#include "app/worker/log.h"
#include "app/worker/new_run.h"
#include "app/worker/registry.h"
#include "app/worker/report_format.h"
#include "app/worker/start_again.h"
#include "core/base/failure.h"
#include "core/base/files.h"
#include "core/execution/cuda_runtime.h"
#include "core/execution/mode.h"
#include "core/protocol/experiment_plan.h"
#include "core/protocol/find_run.h"
#include "core/protocol/parameter_value.h"
#include "core/protocol/run_bundle.h"
#include "core/protocol/spec_changes.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

namespace voxlab {
namespace {
using Clock = std::chrono::steady_clock;

std::vector<std::int64_t> sizeFrom(const std::string& text) {
  const Catalog known = catalog();
  return valueOrThrow(valueFromText(*known.find("data.size"), allSides(text))).get<std::vector<std::int64_t>>();
}

std::string unavailableOn(const std::string& device, const std::string& mode) {
  const Catalog known = catalog(device, mode);
  for (const Choice& choice : known.find("mode")->choices)
    if (choice.value == mode)
      return choice.unavailable;
  return {};
}

class Experiment {
public:
  explicit Experiment(const ExperimentOptions& options)
      : m_options(options), m_folder(std::filesystem::absolute(options.output).lexically_normal()), m_begin(Clock::now()) {
    deploymentPlan(m_options.foretell); // before hours of work
    m_jobs = valueOrThrow(plannedJobs(plan(), m_folder / "runs"));
    for (const std::string& mode : m_options.modes)
      valueOrThrow(parseMode(mode));
    std::error_code ec;
    if (!std::filesystem::exists(m_folder / "runs", ec)) // one that goes on may have all that it needs from them
      expectInputs();
    std::set<std::string> missing;
    std::erase_if(m_jobs, [&](const PlannedJob& job) { return leftOut(job, missing); });
    for (const PlannedJob& job : m_jobs)
      prepare(job);
  }

  ExitCode work() {
    std::string part;
    for (const PlannedJob& job : m_jobs) {
      ++m_number;
      if (job.part != part && m_worked)
        writeReports();
      part = job.part;
      if (!goOn(job))
        break;
    }
    writeReports();
    std::error_code ec;
    if (std::filesystem::exists(m_folder / "report.html", ec)) // not where nothing was begun, nor on a full disk
      std::printf("%s\n", (m_folder / "report.html").c_str());
    return m_end;
  }

private:
  // What is read after the benchmark has to be there before it.
  void expectInputs() const {
    const std::pair<const char*, const Path&> inputs[] = {{"checkpoint", m_options.checkpoint}, {"masks", m_options.masks}, {"real", m_options.real}, {"training", m_options.training}};
    std::error_code ec;
    for (const auto& [option, path] : inputs)
      if (!path.empty() && !std::filesystem::exists(path, ec))
        throw Failure(ExitCode::Data, "There is nothing at " + path.string() + ", which --" + option + " names. Nothing was begun.");
    for (const Path& run : m_options.recorded)
      valueOrThrow(findRun(run));
  }

  ExperimentPlan plan() const {
    ExperimentPlan p;
    p.modes = m_options.modes;
    p.devices = m_options.devices;
    p.samplings.clear();
    for (const std::string& sampling : m_options.samplers) {
      p.samplings.push_back(valueOrThrow(plannedSamplingFrom(sampling)));
      makeSampler(p.samplings.back().sampler); // is there one?
    }
    p.size = sizeFrom(m_options.size);
    p.benchmarkSteps = m_options.benchmarkSteps;
    p.profileSteps = m_options.profileSteps;
    p.checkpoint = m_options.checkpoint;
    p.masks = m_options.masks;
    p.real = m_options.real;
    p.training = m_options.training;
    p.volumesPerMask = m_options.volumesPerMask;
    p.seed = m_options.seed;
    return p;
  }

  RunDirectory runOf(const std::string& name) const { return RunDirectory(m_folder / "runs" / name); }

  // What cannot run here, and what would read its results. A benchmark says itself which modes it cannot measure.
  static bool leftOut(const PlannedJob& job, std::set<std::string>& missing) {
    const auto mode = job.spec.get<std::string>("mode"), device = job.spec.get<std::string>("device");
    const std::string why = mode.empty() ? "" : unavailableOn(device, mode);
    if (why.empty() && !missing.count(job.after))
      return false;
    if (missing.insert(mode + " on " + device).second && !why.empty())
      log::warning("The mode " + mode + " is left out on " + device + ": " + why);
    missing.insert(job.name);
    return true;
  }

  void prepare(const PlannedJob& job) {
    JobSpec spec = job.spec;
    for (const std::string& assignment : m_options.assignments)
      assign(spec, assignment);
    completeSpec(spec, "The job " + job.name);
    const RunDirectory run = runOf(job.name);
    if (!RunDirectory::looksLikeRun(run.path())) {
      RunInfo info;
      info.title = job.title;
      info.versions = versions();
      if (!job.after.empty())
        info.parent = job.after;
      valueOrThrow(RunDirectory::createAt(run.path(), spec, info));
      return;
    }
    if (const auto changes = specChanges(valueOrThrow(run.spec()), spec, catalog()); !changes.empty())
      throw Failure(ExitCode::Usage, "The experiment in " + m_folder.string() + " was begun with other settings. In its job " + job.name + " " + changeWords(changes) +
                                         ". Choose another folder with -o, or give the settings of then: " + settingsOfThen(changes) + ".");
  }

  // A setting for the jobs that know it.
  static void assign(JobSpec& spec, const std::string& assignment) {
    const Catalog known = catalog();
    const std::string key = assignment.substr(0, assignment.find('='));
    const auto usable = known.forKind(spec.kind());
    const bool wanted = std::any_of(usable.begin(), usable.end(), [&](const Parameter* p) { return p->key == key; });
    if (wanted || !known.find(key))
      valueOrThrow(spec.applyAssignment(assignment, known));
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - m_begin).count(); }

  // False: the experiment ends here.
  bool goOn(const PlannedJob& job) {
    const RunDirectory run = runOf(job.name);
    const RunOutcome outcome = run.outcome();
    if (outcome == RunOutcome::Finished || (outcome == RunOutcome::Failed && m_options.keepFailed))
      return true;
    if (!job.after.empty() && runOf(job.after).outcome() != RunOutcome::Finished) {
      log::warning(job.name + " is left out: " + job.after + " has not finished.");
      return true;
    }
    if (m_options.limit_s > 0 && seconds() > m_options.limit_s) {
      log::warning("The time is over; " + job.name + " and what comes after it was not begun. The same command goes on with it.");
      m_end = ExitCode::Stopped;
      return false;
    }
    log::info("Job " + std::to_string(m_number) + " of " + std::to_string(m_jobs.size()) + ": " + job.title + " (" + job.name + ").");
    const ExitCode code = doOne(run, outcome == RunOutcome::Waiting ? StartMode::Fresh : StartMode::Resume);
    m_worked = true;
    if (code == ExitCode::Finished)
      return true;
    m_end = m_end == ExitCode::Finished || code == ExitCode::Stopped ? code : m_end;
    if (code != ExitCode::Stopped)
      startAnewWhenBroken(job.spec.get<std::string>("device"));
    return code != ExitCode::Stopped;
  }

  static ExitCode doOne(const RunDirectory& run, StartMode mode) {
    ExitCode code = ExitCode::Internal;
    try {
      code = doJob(run, mode);
    } catch (...) {
      const Error error = errorFrom(std::current_exception());
      log::error(error.message);
      code = error.code;
    }
    return code;
  }

  // After some errors CUDA refuses everything until the process ends: another one goes on with the other jobs.
  void startAnewWhenBroken(const std::string& deviceName) {
    if (!isCudaLoaded())
      return;
    try {
      const auto device = valueOrThrow(chooseDevice(deviceName));
      synchronize(device);
      releaseCachedMemory(device);
      return;
    } catch (...) {
      log::warning("The GPU's context is broken: a new process goes on with the other jobs.");
    }
    std::vector<std::string> more{"--keep-failed"};
    if (m_options.limit_s > 0)
      more.insert(more.end(), {"--limit", std::to_string(std::max(1.0, m_options.limit_s - seconds()))});
    startAgain(more);
  }

  void writeReports() const {
    std::vector<Path> runs = m_options.recorded, own;
    for (const PlannedJob& job : m_jobs)
      if (const RunDirectory run = runOf(job.name); run.outcome() != RunOutcome::Waiting)
        own.push_back(run.path());
    runs.insert(runs.begin(), own.begin(), own.end());
    if (own.empty())
      return;
    try {
      const ReportDocument document = comparisonDocument({runs, "", m_options.title, OutputFormat::HtmlPage, {}, m_options.foretell});
      const std::pair<const char*, OutputFormat> formats[] = {{"html", OutputFormat::HtmlPage}, {"json", OutputFormat::JsonDocument}, {"csv", OutputFormat::CsvTable}, {"txt", OutputFormat::PlainText}};
      for (const auto& [ending, format] : formats)
        valueOrThrow(writeFileAtomically(m_folder / (std::string("report.") + ending), writeReport(document, reportFormatOf(format))));
      valueOrThrow(packRuns(own, m_folder / "experiment.voxrun"));
    } catch (const Failure& failure) {
      log::warning(std::string("There is no report yet: ") + failure.what());
    }
  }

  const ExperimentOptions& m_options;
  Path m_folder;
  Clock::time_point m_begin;
  std::vector<PlannedJob> m_jobs;
  std::size_t m_number = 0;
  bool m_worked = false;
  ExitCode m_end = ExitCode::Finished;
};
} // namespace

ExitCode experiment(const ExperimentOptions& options) {
  return Experiment(options).work();
}

} // namespace voxlab
