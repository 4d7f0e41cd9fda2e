// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/compute_target.h"
#include "app/jobs/local_target.h"

namespace voxlab {

std::unique_ptr<ComputeTarget> makeTarget(const QString& name, const QString& worker) {
  if (name == QLatin1String("local"))
    return std::make_unique<LocalTarget>(worker);
  return nullptr;
}

} // namespace voxlab
