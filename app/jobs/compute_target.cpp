// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/compute_target.h"
#include "app/jobs/local_target.h"

namespace voxlab {

std::shared_ptr<const ComputeTarget> makeTarget(const QString& name, const QString& worker) {
  if (name == QLatin1String("local"))
    return std::make_shared<LocalTarget>(worker);
  return nullptr;
}

} // namespace voxlab
