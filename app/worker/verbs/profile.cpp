// SPDX-License-Identifier: Apache-2.0
// A job of kind profile: some steps on random input, recorded whole.
#include "app/worker/jobs.h"
#include "app/worker/log.h"
#include "app/worker/measured_work.h"
#include "core/analysis/counter_plan.h"
#include "core/analysis/profile_summary.h"
#include "core/analysis/run_profile.h"
#include "core/base/failure.h"
#include "core/base/text.h"
#include "core/execution/cuda_runtime.h"
#include "core/profiling/kineto_source.h"
#include "core/profiling/ncu_source.h"
#include "core/protocol/control_point.h"
#include "core/protocol/progress.h"
#include <chrono>

namespace voxlab {
namespace {
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct StopAsked {};

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::string stepsInWords(const std::string& what, int steps) {
  const std::string kind = what == "train" ? "training step" : "sampling step";
  return formatCount(steps) + " " + kind + (steps == 1 ? "" : "s");
}

class ProfileJob {
public:
  explicit ProfileJob(JobContext& context)
      : m_session(context.session), m_spec(context.spec), m_engine(context.engine), m_control(m_session, {}),
        m_kinds(m_spec.get<std::vector<std::string>>("bench.what", {"train", "sample"})), m_steps(m_spec.get<int>("bench.steps", 10)),
        m_progress(m_session, "profile", static_cast<std::int64_t>(m_kinds.size())) {}

  JobOutcome work() {
    if (const std::string missing = recordingMissing(); !missing.empty())
      throw Failure(ExitCode::Usage, missing);
    m_session.emitState("running");
    try {
      for (const std::string& what : m_kinds)
        record(what);
    } catch (const StopAsked&) {
      return {ExitCode::Stopped, "Stopped; " + formatCount(m_done) + " of the recordings are whole.", {{"profiles", m_profiles}}};
    }
    return {ExitCode::Finished, "Recorded " + m_words + ".", {{"profiles", m_profiles}}};
  }

private:
  fs::path fileOf(const std::string& what) const {
    const std::string number = std::to_string(m_done + 1);
    return m_session.run().profiles() / (std::string(number.size() < 2 ? "0" : "") + number + "_" + what + ".json.gz");
  }

  void lookUp() {
    m_control.poll("running");
    if (m_control.stopRequested())
      throw StopAsked();
  }

  void record(const std::string& what) {
    const fs::path file = fileOf(what);
    if (m_engine.mode().switches.cudaGraphs && m_engine.device().is_cuda()) {
      log::info("One step before its graphs are recorded, to know which operator and module each kernel works for.");
      recordLaunches(what, eagerCounterpart(file));
    }
    const auto measured_ms = recordSteps(what, file, 0.9);
    announce(what, file, measured_ms);
    if (m_done == 0 && m_spec.get<bool>("profile.counters"))
      count(what, file);
    m_progress.tell(++m_done);
    m_words += (m_words.empty() ? "" : " and ") + stepsInWords(what, m_steps);
  }

  // The one step whose launches can be seen.
  void recordLaunches(const std::string& what, const fs::path& file) {
    MeasuredWork work(what, m_spec, m_engine);
    const int step = launchingStep(m_spec, m_engine);
    std::unique_ptr<KinetoWindow> window;
    StepHooks hooks;
    hooks.before = [&](int i) {
      lookUp();
      if (i != step)
        return;
      synchronize(m_engine.device());
      window = std::make_unique<KinetoWindow>(TraceDetail::Operators, m_engine.device().type());
    };
    work.run(step + 1, hooks);
    synchronize(m_engine.device());
    valueOrThrow(window->save(file));
  }

  // Settles, times m_steps steps without the profiler, records as many; returns the milliseconds a step without it. `part`: of
  // this recording's progress.
  double recordSteps(const std::string& what, const fs::path& file, double part) {
    MeasuredWork work(what, m_spec, m_engine);
    const int settling = settlingSteps(m_spec, m_engine), all = settling + 2 * m_steps;
    std::unique_ptr<KinetoWindow> window;
    Clock::time_point begin;
    double measured_ms = 0;
    StepHooks hooks;
    hooks.before = [&](int i) {
      lookUp();
      m_progress.tellPart(m_done, part * i / all);
      if (i != settling && i != settling + m_steps)
        return;
      synchronize(m_engine.device());
      measured_ms = i == settling ? 0 : millisecondsSince(begin) / m_steps;
      begin = Clock::now();
      if (i == settling + m_steps)
        window = std::make_unique<KinetoWindow>(TraceDetail::Operators, m_engine.device().type());
    };
    hooks.after = [&](int i) {
      if (i + 1 == all)
        synchronize(m_engine.device());
    };
    work.run(all, hooks);
    valueOrThrow(window->save(file));
    return measured_ms;
  }

  void announce(const std::string& what, const fs::path& file, double measured_ms) {
    const Trace trace = valueOrThrow(readProfile(file));
    Json fields = profileSummary(trace, KernelIndex(trace));
    fields["path"] = m_session.run().relative(file).string();
    fields["what"] = what;
    fields["mode"] = m_engine.mode().name;
    fields["measured_ms_per_step"] = measured_ms;
    m_profiles.push_back(fields);
    log::info(stepsInWords(what, m_steps) + ": " + formatSignificant(fields["wall_ms_per_step"].get<double>(), 4) + " ms each, " +
              formatSignificant(fields["kernel_ms_per_step"].get<double>(), 4) + " ms of kernels; " +
              formatSignificant(measured_ms, 4) + " ms without the profiler.");
    m_session.emit(event::kProfile, std::move(fields));
    valueOrThrow(m_session.writeStatus());
  }

  // Counters are an extra: without them the job goes on, and says why.
  void count(const std::string& what, const fs::path& file) {
    if (!m_engine.device().is_cuda())
      return m_session.warn(std::string("Hardware counters need a GPU.") + kInsteadOfCounters);
    const auto ncu = findNcu();
    if (!ncu)
      return m_session.warn(ncu.error().message);
    std::error_code ec;
    const fs::path eager = eagerCounterpart(file);
    const Trace trace = valueOrThrow(readTrace(fs::exists(eager, ec) ? eager : file));
    const CounterPlan plan = planCounters(trace, KernelIndex(trace), kPlannedCoverage, m_spec.get<std::size_t>("profile.counter_kernels", 100));
    log::info("Collecting counters of " + formatCount(static_cast<std::int64_t>(plan.targets.size())) + " kernels, " +
              formatSignificant(100 * plan.coverage) + " % of a step's kernel time, " +
              formatCount(static_cast<std::int64_t>(plan.launches)) + " launches.");
    releaseCachedMemory(m_engine.device());
    const Status collected = collect(*ncu, what, file, plan);
    if (!collected && collected.error().code == ExitCode::Stopped)
      throw StopAsked();
    if (!collected)
      m_session.warn(collected.error().message);
  }

  Status collect(const fs::path& ncu, const std::string& what, const fs::path& file, const CounterPlan& plan) {
    const fs::path folder = m_session.run().profiles(), planFile = folder / "counters" / "plan.json";
    if (const Status written = writeJsonFile(planFile, toJson(plan)); !written)
      return written;
    NcuOrder order;
    order.command = {fs::read_symlink("/proc/self/exe").string(), "count-kernels", m_session.run().path().string(),
                     "--what", what, "--plan", planFile.string()};
    order.pages = folder / file.filename().stem().stem(); // without .json.gz
    order.expectedLaunches = plan.launches;
    Progress progress(m_session, "counters", 1);
    const Status collected = collectCounters(ncu, order, {[&](double part) { progress.tellPart(0, part); },
                                                          [&] { return m_session.stopRequested(); }});
    if (!collected)
      return collected;
    progress.tell(1);
    for (const char* page : {".raw.csv.gz", ".details.csv.gz"})
      m_session.emit(event::kProfile, {{"path", m_session.run().relative(order.pages.string() + page).string()},
                                       {"what", "counters"},
                                       {"mode", m_engine.mode().name}});
    return {};
  }

  RunSession& m_session;
  const JobSpec& m_spec;
  const Engine& m_engine;
  ControlPoint m_control;
  std::vector<std::string> m_kinds;
  int m_steps;
  Progress m_progress;
  std::int64_t m_done = 0;
  std::string m_words;
  Json m_profiles = Json::array();
};
} // namespace

JobOutcome profile(JobContext& context) {
  return ProfileJob(context).work();
}

} // namespace voxlab
