// SPDX-License-Identifier: Apache-2.0
#include "app/worker/checked_spec.h"
#include "app/worker/registry.h"
#include "core/base/failure.h"
#include "core/protocol/parameter_value.h"
#include "core/protocol/switch_table.h"

namespace voxlab {
namespace {
// A benchmark says of each mode why it cannot be measured, and goes on with the others: any mode that there is may be asked for.
void allowEveryMode(Catalog& known, const JobSpec& spec) {
  for (Parameter& p : known.parameters) {
    if (p.key != "bench.modes")
      continue;
    for (Choice& choice : p.choices)
      choice.unavailable.clear();
    for (const std::string& name : spec.get<std::vector<std::string>>(p.key))
      if (const auto mode = parseMode(name))
        p.choices.push_back({name, mode->title, mode->explanation, "", toJson(mode->switches)});
  }
}
} // namespace

void completeAndCheck(JobSpec& spec, const std::string& what) {
  if (spec.get<std::string>("device") == "cuda") // as LibTorch has it
    spec.set("device", "cuda:0");
  joinModeSwitches(spec);
  Catalog known = catalog(spec.get<std::string>("device", "auto"), spec.get<std::string>("mode"));
  allowEveryMode(known, spec);
  spec.fillDefaults(known);
  if (const Parameter* device = known.find("device"); device && spec.has("device"))
    if (const std::string problem = problemWith(*device, spec.value("device")); !problem.empty())
      throw Failure(ExitCode::NoDevice, problem + " \"auto\" takes what is there.");
  std::string problems;
  for (const SpecProblem& problem : spec.problems(known))
    problems += "\n  " + problem.key + ": " + problem.message;
  if (!problems.empty())
    throw Failure(ExitCode::Usage, what + " cannot be run:" + problems);
}

} // namespace voxlab
