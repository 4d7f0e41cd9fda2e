// SPDX-License-Identifier: Apache-2.0
#include "app/worker/bench_mode.h"
#include "app/worker/error_words.h"
#include "app/worker/registry.h"
#include "core/base/failure.h"
#include "core/diffusion/parameter_layout.h"
#include "core/diffusion/training_plan.h"
#include "core/execution/cuda_runtime.h"
#include "core/profiling/kineto_source.h"
#include <ATen/TensorOperators.h>
#include <ATen/ops/linalg_vector_norm.h>

namespace voxlab {
namespace {
constexpr int kSettlingSteps = 2; // in which libraries choose their algorithms
constexpr int kGraphWarmup = 6;   // until a graph is recorded and was replayed
constexpr double kEnergyWindow_s = 0.6; // NVML's counter moves on some ten times a second

// Energy of a stretch of steps, by the GPU's own counter.
class EnergyMeter {
public:
  explicit EnergyMeter(GpuSensor* sensor) : m_sensor(sensor) {}
  void begin() {
    m_begin_j = m_sensor ? m_sensor->energy_j() : std::nullopt;
    m_begin = Clock::now();
  }
  bool wantsMore(double window_s) const { return m_begin_j && seconds() < window_s; }
  Json end(int steps) const {
    const auto end_j = m_begin_j ? m_sensor->energy_j() : std::nullopt;
    if (!end_j || steps < 1 || *end_j <= *m_begin_j)
      return Json::object();
    const double spent_j = *end_j - *m_begin_j;
    return {{"energy_j", spent_j / steps}, {"power_w", spent_j / seconds()}};
  }

private:
  using Clock = std::chrono::steady_clock;
  double seconds() const { return std::chrono::duration<double>(Clock::now() - m_begin).count(); }

  GpuSensor* m_sensor;
  std::optional<double> m_begin_j;
  Clock::time_point m_begin;
};

NetworkPlan planOf(const JobSpec& spec) {
  const auto size = spec.get<std::vector<std::int64_t>>("data.size");
  return valueOrThrow(planNetwork(valueOrThrow(networkSpecFrom(spec)), {size[2], size[1], size[0]}, spec.get<std::int64_t>("train.batch", 1)));
}

TrialProblem problemOf(const JobSpec& spec, const NetworkPlan& plan) {
  TrialProblem p;
  p.network = plan.network;
  p.seed = spec.get<std::uint64_t>("seed");
  p.weights = randomWeights(plan.network, p.seed);
  p.size = plan.size;
  p.batch = plan.batch;
  p.timesteps = spec.get<int>("diffusion.timesteps", 250);
  p.loss = spec.get<std::string>("diffusion.loss", "l1") == "l2" ? LossKind::L2 : LossKind::L1;
  p.learningRate = spec.get<double>("train.learning_rate", 1e-5);
  p.sampling = samplerSettingsFrom(spec);
  p.sampler = makeSampler(spec.get<std::string>("sample.sampler", "ddpm"));
  return p;
}

} // namespace

BenchSetting::BenchSetting(const JobSpec& s, const Engine& e)
    : spec(s), engine(e), plan(planOf(s)), problem(problemOf(s, plan)),
      determinism(s.get<bool>("deterministic") ? Determinism::On : Determinism::Off), warmup(s.get<int>("bench.warmup", 3)),
      sensor(e.gpuSensor()) {}

BackendFactory BenchSetting::backend(const ModeSwitches& switches) const {
  const BackendEntry& entry = backendEntry(spec.get<std::string>("backend", "eager"));
  return [this, &entry, &switches](const NamedTensors& parameters, BackendUse use) {
    return entry.make({problem.network, parameters, switches, use, determinism});
  };
}

BenchMode::BenchMode(const BenchSetting& setting, std::string name, std::string what)
    : m_setting(&setting), m_name(std::move(name)), m_what(std::move(what)) {
  const auto mode = parseMode(m_name);
  if (!mode) {
    m_problem = mode.error();
    return;
  }
  m_switches = mode->switches;
  if (const std::string reason = unavailableReason(m_switches, setting.engine.device()); !reason.empty())
    m_problem = Error{ExitCode::Usage, reason};
}

template <class Work> void BenchMode::guarded(Work work) {
  if (m_problem)
    return;
  try {
    const ModeGuard guard(m_switches, m_setting->determinism);
    if (m_effective.is_null())
      m_effective = {{"asked", toJson(m_switches)}, {"effective", effectiveState()}};
    work();
  } catch (...) {
    m_problem = errorFrom(std::current_exception());
  }
  releaseCachedMemory(m_setting->engine.device());
}

std::unique_ptr<StepTrial> BenchMode::makeTrial() const {
  const auto make = m_what == "train" ? makeTrainTrial : makeSampleTrial;
  return make(m_setting->problem, m_switches, m_setting->engine.device(), m_setting->backend(m_switches));
}

void BenchMode::keepFirst(const StepTrial& trial) {
  if (!m_first.defined())
    m_first = trial.firstResult().to(at::kCPU, at::kFloat, false, true);
}

at::Tensor BenchMode::measureFirstResult() {
  guarded([this] {
    const auto trial = makeTrial();
    trial->run([] { return false; });
    keepFirst(*trial);
  });
  return m_first;
}

int BenchMode::warmup() const {
  return std::max({m_setting->warmup, kSettlingSteps + 1, m_switches.cudaGraphs ? kGraphWarmup : 0});
}

// Beside the turns, since a trace makes steps slower.
Json BenchMode::traced() {
  Json fields = Json::object();
  const at::Device device = m_setting->engine.device();
  if (!device.is_cuda() || !m_timed || !recordingMissing().empty())
    return fields;
  guarded([&] {
    const auto trial = makeTrial();
    std::unique_ptr<KinetoWindow> trace;
    KernelTime time;
    int done = 0;
    trial->run([&] {
      if (++done < warmup())
        return true;
      synchronize(device);
      if (trace)
        time = trace->kernelTime();
      else
        trace = std::make_unique<KinetoWindow>(TraceDetail::KernelsOnly, device.type());
      return done == warmup();
    });
    fields = {{"kernel_ms", time.busy_ms}, {"launches", time.launches}};
  });
  return fields;
}

TurnResult BenchMode::turn(int steps, const std::function<bool()>& toStop) {
  TurnResult result;
  guarded([&] {
    const at::Device device = m_setting->engine.device();
    const auto trial = makeTrial();
    const int warmup = this->warmup();
    StepClock clock(device);
    EnergyMeter energy(m_setting->sensor.get());
    int done = 0;
    trial->run([&] {
      ++done;
      if (done == kSettlingSteps) { // the peak is that of steps, not of trying algorithms
        synchronize(device);
        releaseCachedMemory(device);
        resetPeakMemory(device);
      }
      if (done == warmup) {
        synchronize(device);
        energy.begin();
        clock.begin();
      } else if (done > warmup) {
        clock.mark(); // also beyond the timed steps: it keeps the host from running ahead
      }
      const bool stops = toStop();
      if (done == warmup + steps || (stops && done > warmup && done < warmup + steps))
        result.steps = clock.finish();
      return !stops && (done < warmup + steps || energy.wantsMore(kEnergyWindow_s));
    });
    synchronize(device);
    keepFirst(*trial);
    if (result.steps.empty())
      return;
    result.figures = energy.end(done - warmup);
    if (const auto memory = deviceMemory(device))
      result.figures.update({{"peak_allocated_bytes", memory->peakAllocated_bytes}, {"peak_reserved_bytes", memory->peakReserved_bytes}});
    if (const auto used = m_setting->sensor ? m_setting->sensor->memory_bytes() : std::nullopt)
      result.figures["gpu_memory_bytes"] = *used;
  });
  m_timed = m_timed || !result.steps.empty();
  return result;
}

Json BenchMode::comparison(const at::Tensor& baseline) const {
  Json fields = Json::object();
  if (m_timed) {
    const StepKind kind = m_what == "train" ? StepKind::Train : StepKind::Sample;
    fields["volumes"] = m_setting->plan.batch;
    fields["flops"] = m_setting->plan.flops(kind);
    if (const auto bound = m_setting->engine.bound_ms(m_setting->plan, kind, m_switches))
      fields["bound_ms"] = *bound;
  }
  if (!m_first.defined())
    return fields;
  if (m_what == "train")
    fields["loss"] = m_first.item<double>();
  if (!baseline.defined())
    return fields;
  const at::Tensor difference = m_first - baseline;
  const double relative = (at::linalg_vector_norm(difference) / at::linalg_vector_norm(baseline)).item<double>();
  if (m_what == "train") {
    fields["loss_difference"] = relative;
  } else {
    fields["output_difference"] = relative;
    fields["largest_output_difference"] = difference.abs().max().item<double>();
  }
  return fields;
}

} // namespace voxlab
