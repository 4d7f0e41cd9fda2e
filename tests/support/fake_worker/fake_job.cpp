// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_worker/fake_job.h"
#include "core/base/files.h"
#include "core/protocol/control_point.h"
#include "tests/support/fake_worker/fake_volume.h"
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <unistd.h>

namespace voxlab::fake {
namespace {
RunSession* g_session = nullptr;
void onSignal(int) {
  if (g_session)
    g_session->stop();
}

class Job {
public:
  Job(RunSession& session, const JobSpec& spec, const Misbehaviour& m, std::int64_t step)
      : m_session(session), m_run(session.run()), m_spec(spec), m_m(m), m_step(step),
        m_control(session, {command::kCheckpointNow, command::kSampleNow, command::kProfileNext}) {}

  ExitCode work() {
    m_session.emitState("running");
    const bool training = m_spec.kind() == "train";
    const bool sampling = m_spec.kind() == "sample";
    const std::int64_t total =
        training ? m_spec.get<std::int64_t>("train.steps", 100)
                 : (sampling ? m_spec.get<std::int64_t>("sample.count", 1) : m_spec.get<std::int64_t>("bench.steps", 10));
    while (m_step < total) {
      mendTornLine();
      if (obey())
        return stopped();
      ++m_step;
      m_session.setStep(m_step);
      std::this_thread::sleep_for(std::chrono::milliseconds(m_m.step_ms));
      if (const ExitCode code = misbehave(); code != ExitCode::Finished)
        return code;
      training ? trainStep(total) : sampling ? sampleStep(total) : benchStep(total);
      tearLine();
    }
    mendTornLine();
    if (training && total % m_spec.get<std::int64_t>("train.checkpoint_every", 1000) != 0)
      checkpoint();
    m_session.finish(ExitCode::Finished, "Finished after " + std::to_string(m_step) + " steps.", {{"steps", m_step}});
    return ExitCode::Finished;
  }

private:
  bool obey() {
    do {
      const ControlWishes wishes = m_m.deaf ? ControlWishes{} : m_control.poll("running");
      if (wishes.checkpoint)
        checkpoint();
      if (wishes.sample)
        sample("now", 1);
    } while (m_control.paused());
    return m_control.stopRequested();
  }

  ExitCode stopped() {
    if (m_spec.kind() == "train")
      checkpoint();
    m_session.finish(ExitCode::Stopped, "Stopped on request; the state is saved.", {{"steps", m_step}});
    return ExitCode::Stopped;
  }

  ExitCode misbehave() {
    if (m_m.killAt == m_step)
      std::raise(SIGKILL);
    if (m_m.hangAt == m_step) {
      std::raise(SIGSTOP); // nothing more is said, the lock stays taken
    }
    if (m_m.failAt == m_step) {
      m_session.finish(static_cast<ExitCode>(m_m.exitCode),
                       "The fake worker was told to fail at step " + std::to_string(m_step) + ".");
      return static_cast<ExitCode>(m_m.exitCode);
    }
    return ExitCode::Finished;
  }

  double loss() const {
    return 0.1 + 0.7 * std::exp(-static_cast<double>(m_step) / 40) + 0.02 * std::sin(static_cast<double>(m_step) * 1.7);
  }

  void trainStep(std::int64_t total) {
    const auto logEvery = m_spec.get<std::int64_t>("train.log_every", 10);
    if (m_step % logEvery == 0 || m_step == total)
      logStep();
    if (m_step % m_spec.get<std::int64_t>("train.checkpoint_every", 1000) == 0)
      checkpoint();
    const auto sampleEvery = m_spec.get<std::int64_t>("train.sample_every", 1000);
    if (sampleEvery > 0 && m_step % sampleEvery == 0)
      for (std::int64_t k = 0; k < m_spec.get<std::int64_t>("train.sample_count", 1); ++k)
        sample("sample_" + std::to_string(k + 1), k);
  }

  void logStep() {
    const double duration_ms = static_cast<double>(m_m.step_ms);
    const bool nan = m_m.nanAt && m_step >= *m_m.nanAt;
    Json fields{{"step", m_step},
                {"loss", nan ? Json(nullptr) : Json(loss())},
                {"loss_smoothed", nan ? Json(nullptr) : Json(0.1 + 0.7 * std::exp(-static_cast<double>(m_step) / 40))},
                {"learning_rate", m_spec.get<double>("train.learning_rate", 1e-5)},
                {"gradient_norm", 1 / (1 + static_cast<double>(m_step) / 20)},
                {"step_time_ms", duration_ms},
                {"data_ms", 0.1 * duration_ms},
                {"compute_ms", 0.8 * duration_ms},
                {"host_ms", 0.1 * duration_ms},
                {"volumes_per_s", 1000 / std::max(duration_ms, 1.0)},
                {"voxels_per_s", 64.0 * 64 * 64 * 1000 / std::max(duration_ms, 1.0)},
                {"flops_per_s", 71.6e12},
                {"passes", static_cast<double>(m_step) / 2}};
    if (m_m.unknown)
      fields["phase_of_the_moon"] = "waxing";
    m_session.emit(event::kStep, std::move(fields));
    m_session.emit(event::kMemory, {{"step", m_step},
                                    {"host_bytes", 600000000},
                                    {"allocated_bytes", 4000000000},
                                    {"reserved_bytes", 5000000000},
                                    {"peak_allocated_bytes", 4500000000}});
    if (m_spec.get<std::string>("device") == "cuda:0")
      m_session.emit(event::kGpu, {{"utilisation_percent", 97},
                                   {"memory_bytes", 6100000000},
                                   {"memory_total_bytes", 24000000000},
                                   {"power_w", 300 + m_step % 10},
                                   {"sm_clock_mhz", 1700},
                                   {"temperature_c", 61}});
    if (nan)
      m_session.warn("The loss is not a number since step " + std::to_string(*m_m.nanAt) +
                     ". Lower the learning rate or clip the gradient.");
    if (m_m.unknown)
      m_session.emit("hologram", {{"depth", 4}});
  }

  void sampleStep(std::int64_t total) {
    sample("volume_" + std::to_string(m_step), m_step - 1);
    m_session.emit(event::kProgress, {{"what", "volumes"}, {"done", m_step}, {"total", total}});
  }

  void benchStep(std::int64_t total) {
    m_session.emit(event::kBench, {{"mode", m_spec.get<std::string>("mode", "baseline")},
                                   {"what", "train"},
                                   {"repetition", m_step},
                                   {"duration_ms", 100 + std::sin(m_step)}});
    m_session.emit(event::kProgress, {{"what", "steps"}, {"done", m_step}, {"total", total}});
  }

  void checkpoint() {
    const auto folder = m_run.checkpoint(m_step);
    m_session.emitState("checkpointing");
    std::error_code ec;
    if (!std::filesystem::exists(folder / "DONE", ec)) {
      const Status state = writeJsonFile(folder / "state.json", {{"schema", schemaVersion()}, {"step", m_step}});
      const Status done = writeFileAtomically(folder / "DONE", "");
      if (!state || !done)
        m_session.warn("The checkpoint of step " + std::to_string(m_step) + " could not be written.");
    }
    m_session.emit(event::kCheckpoint, {{"step", m_step}, {"path", m_run.relative(folder).string()}});
    m_session.emitState("running");
  }

  void sample(const std::string& name, std::int64_t number) {
    m_session.emitState("sampling");
    auto size = m_spec.get<std::vector<int>>("data.size", {32, 32, 32});
    size.resize(3, 32);
    const auto seed = m_spec.get<std::uint64_t>("seed") + static_cast<std::uint64_t>(number);
    const auto file = m_run.samples(m_step) / (name + ".nii.gz"), info = m_run.samples(m_step) / (name + ".json");
    const double progress = m_spec.kind() == "train" ? 1 - std::exp(-static_cast<double>(m_step) / 40) : 1.0;
    const auto sampler = m_spec.get<std::string>("sample.sampler", "ddpm");
    const Status written = writeHead(file, {std::min(size[0], 64), std::min(size[1], 64), std::min(size[2], 64)}, seed, progress);
    const Status noted = writeJsonFile(
        info, {{"seed", seed}, {"sampler", sampler}, {"steps", 20}, {"mode", m_spec.get<std::string>("mode")}, {"step", m_step}});
    if (written && noted)
      m_session.emit(event::kSample, {{"step", m_step},
                                      {"path", m_run.relative(file).string()},
                                      {"info_path", m_run.relative(info).string()},
                                      {"seed", seed},
                                      {"sampler", sampler},
                                      {"sampler_steps", 20},
                                      {"mask", m_spec.kind() == "sample" ? m_spec.get<std::string>("sample.masks") : ""},
                                      {"duration_ms", 12.5}});
    m_session.emitState("running");
  }

  // Half a line that a reader must not take: written past the session, as a crash or a slow disk would leave it.
  void tearLine() {
    if (!m_m.torn)
      return;
    std::ofstream(m_run.eventsFile(), std::ios::app) << R"({"type":"warning","mess)" << std::flush;
    m_isTorn = true;
  }
  void mendTornLine() {
    if (m_isTorn)
      std::ofstream(m_run.eventsFile(), std::ios::app) << R"(age":"This line came in two halves."})"
                                                       << "\n"
                                                       << std::flush;
    m_isTorn = false;
  }

  RunSession& m_session;
  RunDirectory m_run;
  JobSpec m_spec;
  Misbehaviour m_m;
  std::int64_t m_step;
  ControlPoint m_control;
  bool m_isTorn = false;
};

std::int64_t newestStep(const RunDirectory& run) {
  const auto newest = run.newestCheckpoint();
  const auto state = newest ? readJsonFile(*newest / "state.json") : Result<Json>(Json());
  return state ? jsonGet<std::int64_t>(*state, "step").value_or(0) : 0;
}
} // namespace

ExitCode runJob(const RunDirectory& run, Begin begin, const Misbehaviour& misbehaviour) {
  const auto spec = run.spec();
  if (!spec) {
    std::fprintf(stderr, "%s\n", spec.error().message.c_str());
    return spec.error().code;
  }
  const std::int64_t step = begin == Begin::Resume ? newestStep(run) : 0;
  SessionStart options;
  options.resumeStep = step;
  options.heartbeatEvery = std::chrono::milliseconds(misbehaviour.torn ? 1000000 : 500); // no beat into half a line
  options.pollEvery = std::chrono::milliseconds(10);
  if (spec->kind() == "train")
    options.totalSteps = spec->get<std::int64_t>("train.steps", 100);
  auto session = RunSession::start(run, options);
  if (!session) {
    std::fprintf(stderr, "%s\n", session.error().message.c_str());
    return session.error().code;
  }
  g_session = session->get();
  std::signal(SIGTERM, onSignal);
  std::signal(SIGINT, onSignal);
  (*session)->emitState("preparing");
  (*session)->appendEnvironment({{"device", "fake"}, {"threads", 1}, {"versions", {{"voxlab", "0.0-fake"}}}});
  std::fprintf(stderr, "The fake worker begins at step %lld.\n", static_cast<long long>(step));
  return Job(**session, *spec, misbehaviour, step).work();
}

} // namespace voxlab::fake
