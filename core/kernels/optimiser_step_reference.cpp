// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/optimiser_step.h"
#include <algorithm>
#include <cmath>

namespace voxlab::reference {

void optimiserStep(const OptimiserStep& p) {
  OptimiserState& s = *p.state;
  double squares = 0;
  for (const OptimiserTensor& t : p.tensors)
    for (std::int64_t i = 0; i < t.size; ++i)
      squares += std::pow(static_cast<double>(t.gradient[i]) * s.inverseScale, 2);
  const double norm = std::sqrt(squares);
  s.norm = static_cast<float>(norm);
  s.skipped = p.onOverflow == OnOverflow::Skip && !std::isfinite(norm) ? 1.0f : 0.0f;
  const double clipping = p.clipNorm > 0 && !(p.clipNorm / (norm + 1e-6) > 1.0) ? p.clipNorm / (norm + 1e-6) : 1.0; // NaN goes through
  s.factor = static_cast<float>(s.inverseScale * clipping);
  if (s.skipped != 0.0f)
    return;
  s.step += 1.0f;
  const double correction1 = 1.0 - std::pow(static_cast<double>(p.beta1), s.step), correction2 = 1.0 - std::pow(static_cast<double>(p.beta2), s.step);
  for (const OptimiserTensor& t : p.tensors)
    for (std::int64_t i = 0; i < t.size; ++i) {
      const double g = static_cast<double>(t.gradient[i]) * s.factor;
      const double m = t.moment1[i] + (g - t.moment1[i]) * (1.0 - static_cast<double>(p.beta1));
      const double v = p.beta2 * static_cast<double>(t.moment2[i]) + (1.0 - static_cast<double>(p.beta2)) * g * g;
      t.moment1[i] = static_cast<float>(m);
      t.moment2[i] = static_cast<float>(v);
      const double w = t.weight[i] - s.learningRate / correction1 * m / (std::sqrt(v / correction2) + static_cast<double>(p.epsilon));
      t.weight[i] = static_cast<float>(w);
      if (p.average == AverageKind::Copy)
        t.average[i] = t.weight[i];
      else if (p.average == AverageKind::Decay)
        t.average[i] = static_cast<float>(t.average[i] + (w - t.average[i]) * (1.0 - static_cast<double>(p.averageDecay)));
    }
}

} // namespace voxlab::reference
