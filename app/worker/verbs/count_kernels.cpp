// SPDX-License-Identifier: Apache-2.0
// voxlab-worker count-kernels RUN --what train --plan FILE: what a job of kind profile has Nsight Compute watch. One step of the run's
// work, with collection opened around the operators of the plan; nothing is written.
#include "app/worker/checked_spec.h"
#include "app/worker/log.h"
#include "app/worker/measured_work.h"
#include "app/worker/verbs.h"
#include "core/analysis/counter_plan.h"
#include "core/base/failure.h"
#include "core/execution/cuda_runtime.h"
#include "core/profiling/kineto_source.h"
#include "core/profiling/operator_gate.h"
#include "core/protocol/run_directory.h"
#include <dlfcn.h>
#include <optional>

namespace voxlab {
namespace {
// cuProfilerStart and cuProfilerStop of the driver, which is open when there is CUDA.
std::function<void()> driverCall(const char* name) {
  void* driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  using Call = int (*)();
  const auto call = driver ? reinterpret_cast<Call>(::dlsym(driver, name)) : nullptr;
  if (!call)
    throw Failure(ExitCode::NoDevice, std::string("The CUDA driver has no ") + name + ", without which counters cannot be collected.");
  return [call] { call(); };
}

OperatorGate::Calls callsOf(const CounterPlan& plan) {
  OperatorGate::Calls calls;
  for (const CounterTarget& target : plan.targets)
    calls[target.operatorName].insert(target.ordinal);
  return calls;
}
} // namespace

ExitCode countKernels(const CountOptions& options) {
  const RunDirectory run(options.runFolder);
  JobSpec spec = valueOrThrow(run.spec());
  completeAndCheck(spec, run.specFile().string());
  const CounterPlan plan = valueOrThrow(counterPlanFromJson(valueOrThrow(readJsonFile(options.plan))));
  const Engine engine(spec);
  const NvtxRanges ranges(engine.device().type());
  const auto start = driverCall("cuProfilerStart"), stop = driverCall("cuProfilerStop");
  MeasuredWork work(options.what, spec, engine);
  const int counted = launchingStep(spec, engine);
  std::optional<OperatorGate> gate;
  StepHooks hooks;
  hooks.before = [&](int i) {
    if (i != counted)
      return;
    synchronize(engine.device());
    gate.emplace(callsOf(plan), start, stop);
  };
  work.run(counted + 1, hooks);
  synchronize(engine.device());
  const std::size_t found = gate->opened();
  gate.reset();
  log::info("Opened collection around " + std::to_string(found) + " operators.");
  return found > 0 ? ExitCode::Finished : ExitCode::CheckFailed;
}

} // namespace voxlab
