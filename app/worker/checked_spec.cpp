// SPDX-License-Identifier: Apache-2.0
#include "app/worker/checked_spec.h"
#include "app/worker/registry.h"
#include "core/base/failure.h"
#include "core/protocol/parameter_value.h"

namespace voxlab {

void completeAndCheck(JobSpec& spec, const std::string& what) {
  const Catalog known = catalog(spec.get<std::string>("device", "auto"), spec.get<std::string>("mode"));
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
