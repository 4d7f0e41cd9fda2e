// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/profile_summary.h"
#include "core/analysis/breakdown.h"

namespace voxlab {

Json profileSummary(const Trace& trace, const KernelIndex& index) {
  const Breakdown breakdown = breakDown(trace, index);
  const StepBreakdown& step = breakdown.mean;
  Json categories = Json::object();
  for (std::size_t i = 0; i < step.category_ms.size(); ++i)
    if (step.category_ms[i] > 0)
      categories[std::string(categoryName(static_cast<KernelCategory>(i)))] = step.category_ms[i];
  for (std::size_t i = 0; i < step.idle_ms.size(); ++i)
    if (step.idle_ms[i] > 0)
      categories[std::string(idleName(static_cast<IdleCause>(i)))] = step.idle_ms[i];
  return {{"steps", breakdown.steps.size()},
          {"wall_ms_per_step", step.wall_ms},
          {"kernel_ms_per_step", step.kernel_ms},
          {"categories_ms", std::move(categories)}};
}

} // namespace voxlab
