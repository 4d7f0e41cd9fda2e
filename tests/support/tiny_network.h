// SPDX-License-Identifier: Apache-2.0
// A network small enough for unit tests, with every kind of block: two levels, attention at the second, a skip.
#pragma once
#include "core/protocol/network_spec.h"

namespace voxlab {

inline NetworkSpec tinyNetwork() {
  NetworkSpec spec;
  spec.imageChannels = 1;
  spec.conditionChannels = 2;
  spec.baseChannels = 32;
  spec.multipliers = {1, 2};
  spec.residualBlocks = 1;
  spec.attentionFactors = {2};
  return spec;
}

} // namespace voxlab
